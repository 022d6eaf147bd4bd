"""Figures and progress in notebooks, executed by a kernel."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

from lissom import robots
from lissom.view.figure import Figure
from lissom.view.notebook import _line

lacking = [name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None]
in_kernel = pytest.mark.skipif(bool(lacking), reason=f"{' and '.join(lacking)} not installed: no notebook is executed")

FIRST = """
import sys
from lissom import robots
robot = robots.rr()
motion = robot.simulate([0.3, 0.4], [0, 0], 0.2, progress=True)
"""
FILM = """
motion.show(save="film.gif", size=(64, 48), fps=20, progress=True)
"""
SEARCH = """
import lissom
problem = lissom.MotionProblem(robot, control_points=8, duration=(0.05, 2.0), name="<b>\\x1b[2J")
problem.start([0, -2]).end([1, -1]).limit("torque", -10, 10).minimize("time").solve(progress=True)
"""


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Outputs of the cells of an executed notebook."""
    import nbclient
    import nbformat

    texts = (FIRST, "motion.plot()", "assert 'matplotlib.pyplot' not in sys.modules", FILM, SEARCH)
    texts += ("import matplotlib.pyplot as plt\nmotion.plot()",)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    folder = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", resources=folder).execute(env=environment)
    return [cell.outputs for cell in notebook.cells]


@in_kernel
@pytest.mark.slow
def test_a_figure_is_shown_below_its_cell_without_pyplot(cells):
    (output,) = cells[1]
    assert output["output_type"] == "execute_result" and output["data"]["image/png"].startswith("iVBOR")
    assert output["metadata"]["image/png"]["width"] == 672


@in_kernel
@pytest.mark.slow
def test_a_figure_is_shown_once_where_pyplot_is_in_use(cells):
    (output,) = cells[5]
    assert "image/png" in output["data"]


@in_kernel
@pytest.mark.slow
def test_a_bar_whose_share_is_unknown_moves_until_the_end():
    assert _line("a <b>", None) == "<div><progress></progress> <code>a &lt;b&gt;</code></div>"
    assert _line("a", None, ended=True) == "<div><code>a</code></div>"
    assert (
        _line("a", 1.5, ended=True) == _line("a", 1.5) == '<div><progress value="1.000" max="1"></progress> <code>a</code></div>'
    )


def test_progress_of_simulations_films_and_searches_stands_below_the_cell(cells):
    simulated, filmed, searched = (cells[k][0]["data"]["text/html"] for k in (0, 3, 4))
    assert "simulating barman_rr: 0.2 of 0.2 s" in simulated and '<progress value="1.000"' in simulated
    assert "5 of 5 pictures" in filmed
    assert re.search(r"solve \d+, iteration \d+, objective 0\.40", searched)
    assert "&lt;b&gt;\\x1b[2J" in searched and "<b>" not in searched


def test_figures_of_all_results_have_a_picture_for_notebooks():
    figure = robots.rr().simulate([0.3, 0.4], [0, 0], 0.1).plot()
    assert isinstance(figure, Figure) and repr(figure).startswith("<Figure size")
    data, size = figure._repr_png_()
    assert data.startswith(b"\x89PNG") and size == {"width": round(96 * figure.get_size_inches()[0])}


def test_a_huge_figure_has_a_picture_that_a_notebook_can_hold():
    data, _ = Figure(figsize=(2.0, 400.0))._repr_png_()
    assert int.from_bytes(data[20:24], "big") == 8000
