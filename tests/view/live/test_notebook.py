"""Views in notebooks: frames below cells."""

import html
import importlib.util
import os
import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from lissom import robots
from lissom.view.live import in_notebook, serve
from lissom.view.live.page import framed_html
from lissom.view.scene.build import robot_scene
from support.browser import Browser, missing

lacking = [name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None]
in_kernel = pytest.mark.skipif(bool(lacking), reason=f"{' and '.join(lacking)} not installed: no notebook is executed")
in_browser = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def run_cells(*cells):
    """Execute a notebook of these cells; return the outputs of the last."""
    import nbclient
    import nbformat

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    source = str(Path(__file__).parents[3] / "src")
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute(env={**os.environ, "PYTHONPATH": source})
    return notebook.cells[-1].outputs


FIRST = """
from lissom import robots
from lissom.view.live import in_notebook
robot = robots.rr()
"""


@pytest.fixture(scope="module")
def shown():
    """The HTML of two outputs, of a robot and of a motion."""
    outputs = run_cells(
        FIRST,
        "import numpy as np\n"
        "import urllib.request\n"
        "assert in_notebook()\n"
        "view = robot.show([0.3, 0.4])\n"
        "page = urllib.request.urlopen(view.address)\n"
        "assert 'live-panel' in page.read().decode() and 'http://localhost:*' in page.headers['Content-Security-Policy']\n"
        "assert robot.show(np.zeros((5, 2)), save=None) is None\n"
        "view",  # shown already: its address would be dead in a page made of the notebook
    )
    assert len(outputs) == 2
    return [output["data"]["text/html"] for output in outputs]


@in_kernel
def test_a_robot_is_shown_below_its_cell_and_served_while_the_kernel_runs(shown):
    assert shown[0].count("<iframe") == 1 and "height: 520px" in shown[0]
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown[0])[1])
    assert re.search(r'<iframe src="http://127\.0\.0\.1:\d+/[\w-]{20,}/"', page) and "<template>" in page


@in_kernel
def test_a_motion_is_part_of_the_notebook(shown):
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown[1])[1])
    assert "live-panel" not in page and '"shape":[' in page and "connect-src" not in page


@in_kernel
@pytest.mark.slow
def test_without_a_server_a_robot_is_part_of_the_notebook():
    (output,) = run_cells(FIRST, "import os\nos.environ['LISSOM_LIVE'] = '0'\nassert robot.show() is None")
    assert "127.0.0.1" not in output["data"]["text/html"] and output["data"]["text/html"].count("<iframe") == 1


def test_a_program_is_no_notebook_even_with_ipython_loaded(monkeypatch):
    assert not in_notebook()
    for kernel, found in ((None, False), (object(), True)):
        shell = types.SimpleNamespace(get_ipython=lambda kernel=kernel: types.SimpleNamespace(kernel=kernel))
        monkeypatch.setitem(sys.modules, "IPython", shell)
        monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
        assert in_notebook() is found
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: None))
    assert not in_notebook()


def test_looking_for_a_notebook_imports_nothing(python):
    text = "import sys\nfrom lissom.view.live import in_notebook\nassert not in_notebook()\nprint('IPython' in sys.modules)"
    assert python(text) == "False"


@pytest.fixture(scope="module")
def window():
    with Browser(700, 500) as browser:
        yield browser


@pytest.fixture
def notebook():
    """A view that stands for another page of this machine, such as a notebook's; tests give it its content."""
    with serve(robot_scene(robots.rr(), [0.0, 0.0]), browser=False, say=None) as view:
        view._server.policy = "default-src * 'unsafe-inline' data:"
        yield view


@pytest.mark.slow
@in_browser
def test_a_frame_is_live_while_it_is_served_and_still_afterwards(window, notebook):
    robot = robots.rr()
    scene = robot_scene(robot, [0.3, 0.4])
    with serve(scene, robot, [0.3, 0.4], browser=False, frames=True, say=None) as view:
        page = framed_html(scene, view.address)
        frame = f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 300px"></iframe>'
        notebook._server.page = f"<!DOCTYPE html>{frame}".encode()
        window.visit(notebook.address)
        window.wait("!!(frames[0] && frames[0].document.querySelector('iframe.there'))")
        assert window.run("return frames[0].lissom.players.length") == 0
        assert window.console() == []
    window.visit(notebook.address)
    window.wait("!!(frames[0] && frames[0].lissom && frames[0].lissom.players.length && frames[0].lissom.players[0].drawn)")
    assert not window.run("return !!frames[0].document.querySelector('iframe.there')")
    found = window.run("return frames[0].lissom.players[0].bodyPose(arguments[0])", robot.link_names[-1])
    np.testing.assert_allclose(np.reshape(found, (4, 4)).T, robot.link_poses([0.3, 0.4])[-1], atol=1e-6)


@in_browser
def test_other_pages_cannot_hold_a_view_that_no_notebook_asked_for(window, notebook):
    robot = robots.rr()
    with serve(robot_scene(robot, [0.3, 0.4]), robot, browser=False, say=None) as view:
        notebook._server.page = f'<!DOCTYPE html><iframe src="{view.address}"></iframe>'.encode()
        window.console()
        window.visit(notebook.address)
        window.wait("document.readyState === 'complete'")
        assert any("frame-ancestors" in line for line in window.console())
