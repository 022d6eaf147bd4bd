"""lissom predict: from a problem to tables and files, its exit codes, and Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom as package
from lissom.cli import app
from lissom.cli.exit_codes import PREDICTIONS
from lissom.nlp.solution import Iterate
from lissom.predict import Prediction, builtin_problems
from lissom.predict.search.progress import Line
from lissom.predict.search.run import Run

pytestmark = pytest.mark.usefixtures("interruptible")

SOURCE = Path(__file__).parents[2] / "src"
TEXT = """lissom: 1
kind: motion
name: swing
robot: robots:rr
path: {control_points: 8}
duration: {lower: 0.1, upper: 2}
start: {position: [0, -2]}
end: {position: [1, -1]}
limits:
  - {quantity: torque, within: 10}
minimize: time
"""


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    Path("swing.yaml").write_text(TEXT)

    def run(*arguments):
        return CliRunner().invoke(app, ["predict", *(str(a) for a in arguments)])

    return run


def test_a_motion_is_found_and_told(lissom):
    done = lissom("swing.yaml", "-o", "new/swing.npz", "--report", "new/swing.html", "--refine", "--starts", "2")
    assert done.exit_code == 0, done.output
    assert "swing: solved" in done.stdout and "Rounds: twice the knots, or more grid points" in done.stdout
    assert "torque of joint_1    -10     10  N m" in done.stdout and "wrote new/swing.npz, new/swing.html" in done.stdout
    found = Prediction.load("new/swing.npz", package.robots.rr())
    assert 0.391854540 < found.duration < 0.3920  # the exact optimum, and what refining comes to
    assert "<html" in Path("new/swing.html").read_text()[:200]


@pytest.mark.slow
def test_a_motion_can_be_gone_on_from_and_drawn(lissom):
    assert lissom("swing.yaml", "-o", "one.npz").exit_code == 0
    done = lissom("swing.yaml", "--start", "one.npz", "-o", "two.csv", "--plot", "two.png", "--animate", "two.gif")
    assert done.exit_code == 0, done.output
    assert "wrote two.csv, two.png, two.gif" in done.stdout
    motion = package.Trajectory.load("two.csv", package.robots.rr())
    assert np.allclose(motion.q[[0, -1]], [[0, -2], [1, -1]]) and np.abs(motion.tau).max() < 10.1
    assert Path("two.png").read_bytes().startswith(b"\x89PNG") and Path("two.gif").read_bytes().startswith(b"GIF8")


def test_limits_that_are_broken_have_an_exit_code_and_are_told(lissom, monkeypatch):
    from lissom.predict.search import refine as mend

    monkeypatch.setattr(mend, "ROUNDS", 0)
    monkeypatch.setattr(mend, "DOUBLINGS", 0)
    Path("swing.yaml").write_text(TEXT.replace("within: 10}", "within: 10}\n  - {quantity: torque_rate, within: 200}"))
    done = lissom("swing.yaml", "-o", "swing.npz")
    assert done.exit_code == PREDICTIONS["limits_broken"] == 34 and "swing: limits broken" in done.stdout
    assert "lissom: limits are broken: " in done.stderr and "breaks torque_rate of joint_" in done.stderr
    assert not Prediction.load("swing.npz", package.robots.rr()).success
    loose = lissom("swing.yaml", "--limit-tolerance", "inf")
    assert loose.exit_code == 0 and "Between instants, torque_rate of joint_" in loose.stdout  # told on success, too


@pytest.mark.slow
def test_motions_of_shipped_problems_do_not_exceed_torques_in_files(lissom):
    assert lissom("panda", "-o", "p.csv").exit_code == 0
    done = CliRunner().invoke(app, ["torque", "robots:panda", "p.csv", "-o", "tau.csv"])
    assert done.exit_code == 0 and "exceeded" not in done.output and "87" in done.output


def test_builtin_problems_are_listed_and_run_by_name(lissom):
    done = lissom("--list")
    assert done.exit_code == 0 and all(f"\n{name} " in done.stdout for name in builtin_problems())
    done = lissom("rp")
    assert done.exit_code == 0 and "duration 0.58578" in done.stdout  # see docs/theory/errata.md


def test_another_robot_takes_the_place_of_the_problems(lissom):
    package.robots.rr().save("arm.yaml")
    done = lissom("swing.yaml", "--robot", "arm.yaml")
    assert done.exit_code == 0 and done.stdout.splitlines()[1] == lissom("swing.yaml").stdout.splitlines()[1]
    done = lissom("swing.yaml", "--robot", "robots:panda")
    assert done.exit_code == 2 and "has 2 numbers, expected 7" in done.stderr


def test_a_target_that_cannot_be_reached_ends_with_advice_and_its_exit_code(lissom):
    text = TEXT.replace("end: {position: [1, -1]}", "end: {position: free}")
    hand = "  - {quantity: link_position, link: link_2, entries: [x, y], equal: [3, 0], at: 1}\n"  # the arm is 0.8 m long
    Path("far.yaml").write_text(text.replace("minimize:", hand + "minimize:"))
    done = lissom("far.yaml", "-o", "far.npz")
    assert done.exit_code == PREDICTIONS["infeasible"] and "lissom: no motion found: " in done.stderr
    assert "the best point breaks link_position of link_2.x (exactly 3 m) by 2.2 m" in done.stderr
    assert Path("far.npz").exists() and "wrote far.npz" in done.stdout
    Path("fast.yaml").write_text(TEXT.replace("{lower: 0.1, upper: 2}", "0.2"))
    done = lissom("fast.yaml")
    assert done.exit_code == PREDICTIONS["infeasible"] and "the target may be unreachable in the 0.2 s allowed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no problem given; expected a .yaml file, or a name from `lissom problems`"),
        (["swing"], "swing: neither a file nor a built-in problem"),
        (
            ["robots:panda"],
            "robots:panda: this is a robot, not a problem; a problem is a .yaml file that names its robot, or the",
        ),
        (["arm.urdf"], "arm.urdf: this is a robot, not a problem"),
        (["bad.yaml"], "bad.yaml:10: unknown key 'withn' in item 1 of 'limits' of the document; did you mean 'within'?"),
        (["swing.yaml", "-o", "out.txt"], "-o writes .npz, .csv, not '.txt'"),
        (["swing.yaml", "--report", "out.pdf"], "--report writes .html, .htm, not '.pdf'"),
        (["swing.yaml", "--plot", "out.gif"], "--plot writes .png, .svg, .pdf, not '.gif'"),
        (["swing.yaml", "--animate", "out.png"], "--animate writes .gif, not '.png'"),
        (["swing.yaml", "--plot", "swing.yaml/out.png"], "swing.yaml is not a folder"),
        (["swing.yaml", "--start", "lost.npz"], "lost.npz"),
        (["swing.yaml", "--starts", "0"], "starts is 0, expected a whole number from 1 to 1000"),
        (["swing.yaml", "--robot", "robots:ur5"], "no built-in robot 'ur5'"),
    ],
)
def test_mistakes_end_with_one_line_and_status_two(lissom, arguments, message):
    Path("bad.yaml").write_text(TEXT.replace("within", "withn"))
    done = lissom(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1


def test_interrupting_keeps_the_best_motion(tmp_path):
    # the signal comes in the middle of a later solve: what the first has found is kept
    (tmp_path / "swing.yaml").write_text(TEXT)
    code = """
import os, signal
from lissom.cli import main
from lissom.predict.search import run
once, solves = run.Run.once, []
def counted(self, *arguments):
    solves.append(self)
    def told(iterate):
        if len(solves) == 3 and iterate.iteration == 3:
            os.kill(os.getpid(), signal.SIGINT)
    self.progress = told
    return once(self, *arguments)
run.Run.once = counted
main()
"""
    command = [sys.executable, "-c", code, "predict", "swing.yaml", "--refine"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    assert "interrupted; the best motion so far is kept in swing-interrupted.npz; continue with --start" in done.stderr
    assert Prediction.load(tmp_path / "swing-interrupted.npz", package.robots.rr()).violation < 1e-2


def test_ctrl_c_before_anything_is_found_ends_at_once(lissom, monkeypatch):
    def compiling(*_):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Run, "prepare", compiling)
    done = lissom("swing.yaml")
    assert (done.exit_code, done.stderr, done.stdout) == (130, "lissom: interrupted\n", "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_line_tells_iteration_objective_and_violation():
    line = Line("test")
    line(Iterate(0, 1.5, 2e-3))
    assert line(Iterate(1, 1.25, 3e-4)) == "test: iteration 1, objective 1.25, violation 3e-04"
    assert line(Iterate(0, 1.0, 0.0)) == "test: solve 2, iteration 0, objective 1, violation 0e+00"
    long = Line("a name of a problem that is as long as a whole line of a terminal is wide, or longer")
    told = [long(Iterate(0, -1.23456789e-5, 3e-4)) for _ in range(30)][-1]
    assert len(told) == 79 and told.startswith("a name") and told.endswith(", objective -1.23457e-05, violation 3e-04")
