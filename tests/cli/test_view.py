"""`lissom view`: robots and motions in a browser, and in files."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import lissom as library
from lissom.cli import app
from lissom.cli.motion_file import read_motion
from lissom.cli.robot_options import RobotOptions
from lissom.cli.view import open_subject
from lissom.control.builtin import builtin_scenarios
from lissom.errors import FileError
from lissom.view.live import LiveView
from lissom.view.scene.recorded import Recorded

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(app, ["view", *map(str, arguments)])

    return run


@pytest.fixture
def motion(tmp_path):
    """Files of a motion of rr: a trajectory in both formats."""
    robot = library.robots.rr()
    fall = robot.simulate([0.3, 0.2], [0.0, 0.0], 0.2, method="rk4", dt=0.01)
    return [fall.save(tmp_path / name) for name in ("fall.npz", "fall.csv")]


@pytest.fixture
def served(monkeypatch):
    """The views that commands serve, which end at once as with Ctrl-C."""
    found = []

    def stop(view):
        with urllib.request.urlopen(view.address) as page:
            found.append((view, page.read().decode()))
        raise KeyboardInterrupt

    monkeypatch.setattr(LiveView, "wait", stop)
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_ctrl_c_is_the_usual_end_of_the_server(tmp_path):
    command = [sys.executable, "-m", "lissom", "view", "robots:rr", "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        line = running.stdout.readline()
        address = re.fullmatch(r"open at (http://127\.0\.0\.1:\d+/[\w-]+/) \(this machine only\)\n", line)[1]
        with urllib.request.urlopen(address) as page:
            assert b"live-panel" in page.read()
        assert running.stdout.readline() == "Ctrl-C ends it\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=20)
    assert running.returncode == 0 and errors == ""
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address)


def test_a_robot_is_served_at_its_coordinates(lissom, served):
    done = lissom("robots:rr", "--no-browser", "--q", "30deg,0.5")
    assert done.exit_code == 0, done.output
    view, page = served[0]
    assert view.q == pytest.approx([np.pi / 6, 0.5]) and "live-panel" in page
    assert repr(view) == "<LiveView closed>"


def test_a_motion_and_two_side_by_side_are_served_without_sliders(lissom, served, motion):
    lissom("robots:rr", motion[0], "--no-browser", "--fps", "20", "--ghosts", "2", "--title", "a fall")
    lissom("robots:rr", *motion, "--no-browser")
    lissom("robots:rr", *motion, "--over", "--no-browser")
    sizes = [len(json.loads(re.search(r'"bodies":(\[[^\]]*\])', page)[1])) for _, page in served]
    assert all("live-panel" not in page and "lissom-player" in page for _, page in served)
    labels = json.loads(re.search(r'"labels":(\[\[.*?\]\]\])', served[1][1])[1])
    assert [text for text, _ in labels] == ["fall.npz", "fall.csv"]
    assert len(sizes) == 3 and sizes[1] > sizes[0] and sizes[2] > sizes[0] and "a fall" in served[0][1]


def test_a_port_in_use_is_said_kindly(lissom):
    with LiveView(b"", "default-src 'none'", browser=False, say=None) as other:
        port = int(other.address.split(":")[2].split("/")[0])
        done = lissom("robots:rr", "--no-browser", "--port", port)
    assert done.exit_code == 2 and f"port {port} of 127.0.0.1 is in use by another program" in done.output


def test_files_are_written_instead(lissom, motion, tmp_path):
    done = lissom("robots:rr", "--save", "pose.html", "--show", "axes,com", "--hide", "ground")
    assert done.exit_code == 0 and done.output == "wrote pose.html\n"
    page = (tmp_path / "pose.html").read_text(encoding="utf-8")
    assert re.search(r'\{"key":"axes","title":"[^"]*","shown":true\}', page)
    assert lissom("robots:rr", *motion, "--save", "two.png", "--size", "80x60", "--time", "0.1", "--view", "30,20").exit_code == 0
    assert (tmp_path / "two.png").read_bytes()[:4] == b"\x89PNG"
    assert lissom("robots:rr", motion[1], "--save", "fall.gif", "--size", "60x40", "--fps", "10").exit_code == 0
    assert (tmp_path / "fall.gif").read_bytes()[:3] == b"GIF"
    Path("mine.html").write_text("mine")
    done = lissom("robots:rr", "--save", "mine.html")
    assert done.exit_code == 2 and "--force overwrites it" in done.output and Path("mine.html").read_text() == "mine"


@pytest.mark.slow
def test_problems_and_scenarios_show_their_robots_at_the_start(lissom, served):
    lissom("rr", "--no-browser")
    lissom("hua_arm", "--no-browser")
    assert served[0][0].q == pytest.approx([0.0, -2.0])
    assert served[1][0].q[: len(served[1][0].q)].shape == (library.control.load_scenario("hua_arm").robot.nq,)
    done = lissom("rr", "--no-browser", "--base", "floating")
    assert done.exit_code == 2 and "--base needs a robot on the command line; rr is a problem" in done.output


DRAWN = sorted({*library.predict.builtin_problems(), *builtin_scenarios()})
QUICK = ("elastic_rr", "go2_trot")


@pytest.mark.parametrize("name", [pytest.param(x, marks=() if x in QUICK else pytest.mark.slow) for x in DRAWN])
def test_every_builtin_problem_and_scenario_is_drawn_at_its_start(lissom, name):
    done = lissom(name, "--save", "start.png", "--size", "64x48")
    assert done.exit_code == 0, done.output
    assert Path("start.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.sweep("five_bar", "elastic_rr")
@pytest.mark.parametrize("name", ["g1_step", pytest.param("talos_step", marks=pytest.mark.slow), "elastic_rr", "five_bar"])
def test_a_problem_is_drawn_where_its_file_says_that_it_starts(name):
    file = library.predict.builtin_problems()[name]
    subject, written = open_subject(str(file), RobotOptions()), yaml.safe_load(file.read_text())["start"]["position"]
    written = list(written.values() if isinstance(written, dict) else written)
    np.testing.assert_allclose(subject.q[: len(written)], written, atol=1e-12)
    motors = subject.q[len(written) :]  # in equilibrium: no force but that of the springs holds the links
    assert len(motors) == subject.robot.n_elastic
    if len(motors):
        np.testing.assert_allclose(subject.q, subject.robot.at_rest(subject.q[: len(written)]), atol=1e-9)


def test_a_motion_alone_asks_for_its_robot(lissom, motion):
    for path in motion:
        done = lissom(path)
        said = f"a motion needs its robot: lissom view ROBOT {path.name}"
        assert done.exit_code == 2 and said in " ".join(done.output.split()), done.output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--port", "0"], "port must be a whole number from 1 to 65535"),
        (["--q", "1"], "--q has 1 numbers, expected 2"),
        (["--show", "nothing"], "no layer 'nothing'"),
        (["--speed", "2"], "--speed is for .gif and .mp4 files, and nothing is saved"),
        (["--size", "big", "--save", "x.png"], "--size must be width and height in pixels, such as 800x600, from 16 to 8192"),
        (["--size", "100000x100000", "--save", "x.png"], "from 16 to 8192 each, got '100000x100000'"),
        (["--view", "up", "--save", "x.png"], "lissom: --view is 'up'; expected one of 'default', 'front'"),
        (["--time", "3", "--save", "x.png"], "--time is 3.0, but nothing moves: a pose has no time; leave out --time"),
        (["--save", "x.txt"], "--save writes .html"),
        (["--save", "x"], ".mp4, and the file has no ending"),
        (
            ["--save", "x.html", "--no-browser"],
            "--browser is for the view in a browser, and a file is written; leave out --save or --browser",
        ),
        (["--over"], "--over compares two motions, and none is given"),
        (["a.npz", "b.npz", "c.npz"], "3 motions are given; one is shown, or two are compared"),
        (["a.npz", "--q", "1,2"], "--q is the pose of a robot without a motion"),
        (["a.npz"], "a.npz: cannot be read"),
        (["a.txt"], "cannot read a motion from a file ending in '.txt'; expected .npz or .csv"),
    ],
)
def test_wrong_options_are_explained(lissom, arguments, text):
    done = lissom("robots:rr", *arguments)
    assert done.exit_code == 2 and text in " ".join(done.output.split()), done.output


def test_coordinates_beyond_their_range_and_degrees_are_doubted(lissom):
    done = lissom("robots:panda", "--q", "0,0,0,90,0,0,0", "--save", "far.html")
    range_ = "is beyond its range -3.072 .. -0.0698"
    assert (
        done.exit_code == 0
        and "warning: --q: 'joint_4' at 90 rad " + range_ + " and looks like degrees (90deg works)" in done.stderr
    )
    assert done.stderr.count("warning") == 1
    done = lissom("robots:panda", "--q", "0,0,0,-90deg,0,pi/2,0", "--save", "near.html")
    assert done.exit_code == 0 and done.stderr == ""


def test_missing_meshes_are_one_warning(lissom):
    mesh = '<visual><geometry><mesh filename="package://arm/a.stl"/></geometry></visual>'
    Path("r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    done = lissom("r.urdf", "--save", "r.html")
    assert done.exit_code == 0 and done.output.count("warning") == 1 and "(package 'arm') in the folder" in done.output


def test_a_film_without_its_package_has_the_code_of_missing_packages(lissom, motion, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    done = lissom("robots:rr", motion[0], "--save", "fall.mp4")
    assert done.exit_code == 5 and done.output.startswith("lissom: writing .mp4 films"), done.output


def test_motions_are_read_from_trajectories_predictions_and_coordinates(motion, tmp_path):
    robot = library.robots.rr()
    for path in motion:
        assert isinstance(read_motion(path, robot), library.Trajectory)
    path = tmp_path / "q.csv"
    path.write_text("t,q_joint_2,q_joint_1\n1,0,0\n3,4,-2\n")
    found = read_motion(path, robot)
    assert isinstance(found, Recorded) and found._scene_span() == (1.0, 3.0)
    np.testing.assert_allclose(found._scene_motion(np.array([1.0, 1.5, 3.0])).q, [[0, 0], [-0.5, 1], [-2, 4]])
    for text, why in (("t,q_joint_1\n0,1\n", "column 'q_joint_2' missing"), ("q_joint_1,q_joint_2\n0,0\n", "t")):
        path.write_text(text)
        with pytest.raises(FileError, match=why):
            read_motion(path, robot)
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(FileError, match="is not a motion: its format is missing"):
        read_motion(tmp_path / "other.npz", robot)


def test_a_prediction_is_shown_with_its_start_and_end(lissom, served, motion, tmp_path):
    pytest.importorskip("casadi")
    from lissom.predict import Prediction, load

    found = load("rr").solve(refine=False)
    read = read_motion(found.save(tmp_path / "fast.npz"), found.robot)
    assert isinstance(read, Prediction) and read._scene_span() == (0.0, found.duration)
    for more, ghosts in (((), True), (("--ghosts", "0"), False)):
        assert lissom("rr", "fast.npz", "--no-browser", *more).exit_code == 0
        assert ('"layer":"ghosts"' in served.pop()[1].replace(" ", "")) is ghosts


def test_the_unknown_force_of_a_prediction_is_shown_with_its_problem(lissom, tmp_path):
    (tmp_path / "helped.yaml").write_text(
        "lissom: 1\nkind: motion\nname: helped\nrobot: robots:rr\npath: {control_points: 8}\nduration: 1\n"
        "channels: [{name: help, entries: [fx], link: link_2}]\nstart: {position: [0, -2]}\nend: {position: [1, -1]}\n"
        "minimize: [{goal: integral, quantity: torque}, {goal: integral, quantity: help, weight: 1e-3}]\n"
    )
    library.predict.load(tmp_path / "helped.yaml").solve().save(tmp_path / "helped.npz")
    assert lissom("helped.yaml", "helped.npz", "--save", "helped.html").exit_code == 0
    assert "force on link_2" in (tmp_path / "helped.html").read_text()
