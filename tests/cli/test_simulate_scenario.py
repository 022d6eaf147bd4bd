"""lissom simulate under a controller: from a scenario to tables and files, conflicts, and mistakes."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom import Trajectory, robots
from lissom.cli import app
from lissom.cli.exit_codes import SIMULATIONS
from lissom.control import load_scenario
from lissom.simulate import Status

TEXT = """lissom: 1
kind: scenario
name: swing
robot: robots:hua_arm
start: {q: [0, 0, -25deg]}
duration: 0.2
sample: 0.01
method: implicit
reference: {sine: {amplitude: 0.5, frequency: pi/2}}
controller: {mixed: {slope: [13, 13, 3.4], damping: [30, 30, 10]}}
"""
PAYLOAD = "external: {tip: {force: [0, 0, -3], axes: world}}\n"


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    Path("swing.yaml").write_text(TEXT)

    def run(*arguments):
        return CliRunner().invoke(app, ["simulate", *(str(a) for a in arguments)])

    return run


def test_a_scenario_is_run_told_written_and_drawn(lissom):
    done = lissom("swing.yaml", "-o", "new/out.csv", "--plot", "out.png", "--report", "out.html")
    assert done.exit_code == 0, done.output
    scenario = load_scenario("swing.yaml")
    motion, expected = Trajectory.load("new/out.csv", robots.hua_arm()), scenario.run()
    assert np.array_equal(motion.q, expected.q)
    lines = done.stdout.splitlines()
    assert lines[0] == "swing: hua_arm, 0.2 s, 21 samples, finished"
    assert lines[1].startswith("assumed: motors start in static equilibrium") and f"motor_3 {motion.q[0, 3]:.6g} rad" in lines[1]
    assert "MixedControl, to swing by 0.5 at 1.5708 rad/s" in done.stdout and "stable, as all gains are positive" in done.stdout
    tracking = scenario.tracking(expected)
    rows = {line.split()[0]: line.split() for line in lines if line[:1] == "q"}
    for k, name in enumerate(("q1", "q2", "q3")):
        assert rows[name][1:3] == [f"{tracking.rms[k]:.4g}", f"{tracking.largest[k]:.4g}"]
        assert f"{np.abs(tracking.torques[:, k]).max():.4g}" in rows[name]
    assert rows["q3"][-2:] == [f"{np.abs(expected.deflections).max():.4g}", "rad"]
    V = tracking.lyapunov
    assert f"Lyapunov function: {V[0]:.4g} J at the start, {V[-1]:.4g} J at the end" in done.stdout
    page = Path("out.html").read_text(encoding="utf-8")
    assert "Tracking error up to" in page and "motors start in static equilibrium" in page and "slope [1/s]" in page
    assert lines[-1] == "wrote new/out.csv, out.png, out.html" and Path("out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_robot_on_the_command_line_takes_the_scenarios_place(lissom):
    text = TEXT.replace("robot: robots:hua_arm\n", "")
    Path("any.yaml").write_text(text)
    alone = lissom("any.yaml")
    assert alone.exit_code == 2 and "the document has no key 'robot'" in alone.stderr
    done, same = lissom("robots:hua_arm", "--controller", "any.yaml"), lissom("swing.yaml")
    assert done.exit_code == 0 and done.stdout == same.stdout
    assert lissom("robots:hua_arm", "--controller", "swing.yaml").stdout == same.stdout
    done = lissom("robots:panda", "--controller", "swing.yaml")
    assert done.exit_code == 2 and "swing.yaml:5: 'q' of 'start' has 3 numbers, expected 7: joint_1, joint_2" in done.stderr


def test_built_in_scenarios_run_by_name(lissom):
    done = lissom("hua_arm_payload", "--duration", "0.1")
    assert done.exit_code == 0, done.output
    assert "Hua's arm with a payload: hua_arm, 0.1 s, 11 samples, finished" in done.stdout
    assert "this does not cover the present case: it ignores the wrench on tip" in done.stdout
    done = lissom("robots:hua_arm", "--controller", "hua_arm", "--duration", "0.1")
    assert done.exit_code == 0 and "Hua's arm: hua_arm, 0.1 s" in done.stdout


def test_options_take_the_place_of_the_scenarios_own(lissom):
    done = lissom("swing.yaml", "--duration", "0.1", "--method", "rk4", "--dt", "0.005", "--sample", "0.05", "-o", "out.npz")
    assert done.exit_code == 0, done.output
    motion = Trajectory.load("out.npz", robots.hua_arm())
    assert motion.t.tolist() == [0, 0.05, 0.1] and motion.method == "rk4" and "method rk4" in done.stdout
    assert "it is evaluated every 0.005 s, and its torques are held" in done.stdout
    done = lissom("swing.yaml", "--method", "auto", "--duration", "0.05")
    assert done.exit_code == 0 and "method adaptive: the fastest motion" in done.stdout


@pytest.mark.slow
def test_torques_beyond_their_limits_are_told_with_their_time(lissom):
    text = TEXT.replace("hua_arm", "panda").replace("[0, 0, -25deg]", "0.1").replace("method: implicit", "method: rk4\ndt: 0.001")
    text = text.replace("mixed: {slope: [13, 13, 3.4], damping: [30, 30, 10]}", "computed_torque: {kp: 400}")
    Path("strong.yaml").write_text(text.replace("sine: {amplitude: 0.5, frequency: pi/2}", "hold: 1.5"))
    done = lissom("strong.yaml")
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "torque limit exceeded: joint_1 (first at 0 s)" in said and "limits do not saturate torques" in said
    assert "largest deflection" not in said and "87" in said


@pytest.mark.slow
def test_a_run_that_fails_says_so_after_what_there_is(lissom):
    Path("wild.yaml").write_text(TEXT.replace("method: implicit", "method: rk4\ndt: 0.01").replace("[30, 30, 10]", "1e6"))
    done = lissom("wild.yaml", "-o", "out.npz", "--plot", "out.png")
    motion = Trajectory.load("out.npz", robots.hua_arm())
    assert motion.status in (Status.BLEW_UP, Status.CONTROLLER_FAILED) and len(motion) > 1
    assert done.exit_code == SIMULATIONS[motion.status.value] and done.stderr == f"lissom: {motion.message}\n"
    assert f"{motion.status.value}\n" in done.stdout and "wrote out.npz, out.png" in done.stdout


@pytest.mark.parametrize("out", [[], ["-o", "out.npz"]])
def test_interrupting_keeps_what_there_is_and_ends_with_status_130(lissom, monkeypatch, out):
    from lissom.simulate import fixed_steps as fixed

    def interrupted(self, after):
        if self.t > 0.05:
            raise KeyboardInterrupt
        return advance(self, after)

    advance = fixed.FixedStep._advance
    monkeypatch.setattr(fixed.FixedStep, "_advance", interrupted)
    done = lissom("swing.yaml", "--method", "rk4", "--dt", "0.01", *out)
    assert done.exit_code == 130
    kept = out[1] if out else "swing-interrupted.npz"
    assert Trajectory.load(kept, robots.hua_arm()).status is Status.INTERRUPTED and f"wrote {kept}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swing.yaml", "--q0", "0,0,0,0"], "--q0 is set by the scenario; change it in swing.yaml, or"),
        (["swing.yaml", "--torque", "t.csv"], "--torque is set by the scenario"),
        (["swing.yaml", "--state", "t.csv"], "--state is set by the scenario"),
        (["swing.yaml", "--strict"], "--strict needs a robot on the command line: lissom simulate ROBOT --controller sw"),
        (["swing.yaml", "--no-friction"], "--friction needs a robot on the command line"),
        (["swing.yaml", "--base", "floating"], "--base needs a robot on the command line"),
        (["swing.yaml", "--controller", "swing.yaml"], "swing.yaml is a scenario, and --controller names another"),
        (
            ["robots:hua_arm", "--controller", "mixed"],
            "--controller expects a scenario file with the gains and reference of 'mixed'",
        ),
        (["robots:hua_arm", "--controller", "lost.yaml"], "lost.yaml: no such file"),
        (["robots:hua_arm", "--controller", "robot.yaml"], "robot.yaml:2: this file is a robot (kind: tree), not a scenario"),
        (["hua_am"], "hua_am: neither a file nor a built-in robot, robots:NAME; did you mean 'hua_arm'?"),
        (["robots:hua_arm", "--controller", "hua_am"], "hua_am: neither a file nor a built-in scenario; did you mean 'hua_arm'"),
        (
            ["robots:hua_arm", "--controller", "robots:rr"],
            "robots:rr: this is a robot, not a scenario; a scenario is a .yaml file",
        ),
        (["swing.yaml", "-o", "swing.yaml"], "the output would overwrite the input swing.yaml"),
        (["follow.yaml", "-o", "motion.csv"], "the output would overwrite the input motion.csv"),
        (["swing.yaml", "-o", "out.txt"], "-o writes .csv, .npz, not '.txt'"),
        (["swing.yaml", "--plot", "out.docx"], "--plot writes .png, .svg, .pdf, not '.docx'"),
        (["swing.yaml", "--report", "out.pdf"], "--report writes .html, .htm, not '.pdf'"),
        (["swing.yaml", "--method", "rk4"], "--method rk4 needs a step: --dt 1e-3"),
        (["swing.yaml", "--method", "rk5"], "no method 'rk5'; did you mean 'rk4'?"),
        (["robots:rr"], "--duration [s] is missing"),
        (["robots:rr", "--duration", "1"], "-o is missing: the file to write the motion to"),
    ],
)
def test_mistakes_end_with_one_line_and_status_two(lissom, arguments, message):
    Path("robot.yaml").write_text("lissom: 1\nkind: tree\n")
    Path("motion.csv").write_text("t,q_q1,q_q2,q_q3\n" + "".join(f"{k},0,0,0\n" for k in range(20)))
    Path("follow.yaml").write_text(TEXT.replace("sine: {amplitude: 0.5, frequency: pi/2}", "file: {path: motion.csv}"))
    done = lissom(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("text", ["{lissom: 1, kind: scenario}\n", 'lissom: 1\n"kind": "scenario"\n', "kind : scenario # b\n"])
def test_a_file_that_says_so_is_a_scenario(lissom, text):
    Path("a.yml").write_text(text)
    assert "a scenario starts with" in lissom("a.yml").stderr


def test_a_robot_that_speaks_of_scenarios_is_a_robot(lissom):
    robots.rr().save("arm.yaml")
    Path("arm.yaml").write_text("# kind: scenario would be wrong\n" + Path("arm.yaml").read_text())
    done = lissom("arm.yaml", "--duration", "0.1", "-o", "out.csv")
    assert done.exit_code == 0, done.output
