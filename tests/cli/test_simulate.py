import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom import Trajectory, load
from lissom.cli import app
from lissom.cli.exit_codes import SIMULATIONS
from lissom.robots import hua_arm, planar_two_link, stanford
from lissom.simulate import Status


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")

    def run(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return run


ARM = "robots:planar_two_link"


def test_simulate_writes_the_motion_and_draws_it(lissom):
    files = ["-o", "new/out.csv", "--plot", "out.png", "--report", "out.html"]
    done = lissom("simulate", ARM, "--duration", "1", "--q0", "-0.3,0.2", "--qd0", "0 1", *files)
    assert done.exit_code == 0, done.output
    assert "planar_two_link: 1 s, 501 samples, finished" in done.stdout and "wrote new/out.csv, out.png, out.html" in done.stdout
    assert "energy -4.6716 J at the start, -4.6716 J at the end" in done.stdout and "rad/s" in done.stdout
    robot = planar_two_link()
    motion, expected = Trajectory.load("new/out.csv", robot), robot.simulate([-0.3, 0.2], [0.0, 1.0], 1.0)
    assert np.array_equal(motion.q, expected.q)
    assert Path("out.png").read_bytes().startswith(b"\x89PNG")
    assert "1 s simulated" in Path("out.html").read_text(encoding="utf-8")


def test_simulate_says_which_limits_the_motion_passes(lissom):
    """A pendulum falls from 1 rad to -1 rad about the vertical, through a range of 0.5 rad and a speed of 1 rad/s."""
    limits = "limits: {lower: -0.5, upper: 2, velocity: 1}"
    joint = f"{{name: hinge, mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1, 0, 0, 0], {limits}}}"
    head = "lissom: 1\nkind: dh\nconvention: modified\nname: swing\ngravity: [9.81, 0, 0]\njoints:\n"
    Path("swing.yaml").write_text(f"{head}  - {joint}\n")
    done = lissom("simulate", "swing.yaml", "--duration", "3", "--q0", "1", "-o", "out.csv")
    assert done.exit_code == 0, done.output
    assert re.search(r"^hinge beyond its speed limit \d+ % of the time, by up to 1\.8\d* rad/s$", done.stdout, re.M)
    assert re.search(r"^hinge beyond its range \d+ % of the time, by up to 0\.(49|5)\d* rad$", done.stdout, re.M)
    done = lissom("simulate", "swing.yaml", "--duration", "3", "--q0", "0.2", "-o", "out.csv")
    assert done.exit_code == 0 and "beyond" not in done.stdout


def test_initial_states_are_written_as_in_files(lissom):
    done = lissom("simulate", ARM, "--duration", "0.01", "-o", "out.npz", "--q0", "60deg,-pi/4", "--qd0", "90deg,1e-1")
    assert done.exit_code == 0, done.output
    motion = Trajectory.load("out.npz", planar_two_link())
    assert np.array_equal(motion.q[0], [np.radians(60), -np.pi / 4])
    assert np.array_equal(motion.qd[0], [np.radians(90), 0.1])


def test_simulate_takes_torques_that_hold_from_line_to_line(lissom):
    Path("forces.csv").write_text("t,tau_elbow,tau_shoulder\n0,1,5\n0.3,2,-4\n")
    arguments = ["--torque", "forces.csv", "--hold", "--method", "rk4", "--dt", "0.01", "--sample", "0.1"]
    done = lissom("simulate", ARM, "--duration", "0.5", "-o", "out.npz", *arguments)
    assert done.exit_code == 0, done.output
    motion = Trajectory.load("out.npz", planar_two_link())
    assert motion.tau.tolist() == [[5, 1]] * 3 + [[-4, 2]] * 3


@pytest.mark.slow
def test_motors_that_are_not_told_start_in_static_equilibrium(lissom):
    """Hua's forearm of 1 kg has its center of mass 0.25 m from the elastic joint, whose spring has 100 N m/rad."""
    Path("state.csv").write_text("q_q1,q_q2,q_q3,qd_q1,qd_q2,qd_q3\n0,0,0.3,0,0,1\n")
    told = {(): 0.0, ("--q0", "0,0,0.3", "--qd0", "0,0,1"): 0.3, ("--state", "state.csv"): 0.3}
    for arguments, q3 in told.items():
        done = lissom("simulate", "robots:hua_arm", "--duration", "0.01", "-o", "out.npz", *arguments)
        theta = q3 + 9.81 * 0.25 * np.cos(q3) / 100
        assert done.exit_code == 0, done.output
        said = "assumed: motors start in static equilibrium, where springs hold the robot still"
        assert f"{said}: motor_3 {theta:.6g} rad" in done.stdout
        motion = Trajectory.load("out.npz", hua_arm())
        assert np.allclose(motion.q[0], [0, 0, q3, theta], rtol=0, atol=1e-12)
        assert motion.qd[0, 3] == motion.qd[0, 2] == (1.0 if arguments else 0.0)
        assert ("assumed: motors start at the speeds of their joints" in done.stdout) is bool(arguments)
    done = lissom("simulate", "robots:hua_arm", "--duration", "0.01", "-o", "out.npz", "--q0", "0,0,0,0.1")
    assert "assumed" not in done.stdout and Trajectory.load("out.npz", hua_arm()).q[0, 3] == 0.1
    done = lissom("simulate", "robots:hua_arm", "--duration", "0.01", "-o", "out.npz", "--q0", "0,0")
    assert "--q0 has 2 numbers, expected 4, or 3 without the motors behind springs" in done.output


@pytest.mark.slow
def test_simulate_keeps_the_tolerances_that_it_is_given(lissom):
    robot, errors = planar_two_link(), []
    exact = robot.simulate([-0.3, 0.2], [0.0, 1.0], 5.0)
    for tolerance in ("1e-3", "1e-6", "1e-9"):
        arguments = ["--q0", "-0.3,0.2", "--qd0", "0,1", "--rtol", tolerance, "--atol", tolerance, "-o", "out.npz"]
        assert lissom("simulate", ARM, "--duration", "5", *arguments).exit_code == 0
        errors.append(np.abs(Trajectory.load("out.npz", robot).q - exact.q).max())
    assert errors[0] < 0.1 and errors[1] < errors[0] / 100 and 0 < errors[2] < errors[1] / 100


STIFF = """
lissom: 1
kind: dh
convention: modified
name: stiff arm
gravity: [0, -9.81, 0]
joints:
  - {name: shoulder, mass: 2, com: [0.2, 0, 0], inertia: [0, 0.03, 0.03, 0, 0, 0], rotor_inertia: 0.1}
  - {name: gear, d: 0.4, mass: 1, com: [0.15, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0], spring: {stiffness: 1.0e+6}}
"""


@pytest.mark.slow
def test_simulate_says_which_method_it_chose(lissom):
    Path("stiff.yaml").write_text(STIFF)
    done = lissom("simulate", "stiff.yaml", "--duration", "1", "--method", "auto", "-o", "out.csv")
    assert done.exit_code == 0, done.output
    assert "method implicit: the fastest motion, " in done.stdout and "is smaller than the tolerance" in done.stdout
    motion = Trajectory.load("out.csv", load("stiff.yaml"))
    assert motion.method == "implicit" and motion.choice in " ".join(done.stdout.split())
    done = lissom("simulate", "stiff.yaml", "--duration", "1", "--method", "implicit", "-o", "same.npz")
    assert done.exit_code == 0 and "method" not in done.stdout
    assert np.array_equal(Trajectory.load("same.npz", load("stiff.yaml")).q, motion.q)
    done = lissom("simulate", ARM, "--duration", "1", "--method", "auto", "-o", "out.npz")
    assert done.exit_code == 0 and "method adaptive: the fastest motion, " in done.stdout


def test_simulate_goes_on_from_a_state_in_a_file(lissom):
    robot = stanford()
    q, qd = np.linspace(0.1, 0.6, 6), np.linspace(-1, 1, 6)
    names = [f"{p}_{n}" for p in ("q", "qd") for n in robot.joint_names]
    Path("state.csv").write_text(",".join(names) + "\n" + ",".join(map(repr, map(float, [*q, *qd]))) + "\n")
    done = lissom("simulate", "robots:stanford", "--duration", "0.1", "--state", "state.csv", "-o", "out.npz")
    assert done.exit_code == 0, done.output
    motion = Trajectory.load("out.npz", robot)
    assert np.allclose(motion.q[0], q) and np.allclose(motion.qd[0], qd)
    Path("state.csv").write_text("q0,q1,q2,q3,q4,q5\n0,0.1,0.2,0.3,0.4,0.5\n")
    assert lissom("simulate", "robots:stanford", "--duration", "0.1", "--state", "state.csv", "-o", "out.npz").exit_code == 0
    assert np.array_equal(Trajectory.load("out.npz", robot).qd[0], np.zeros(6))


def test_simulate_lets_a_base_float(lissom):
    assert lissom("convert", ARM, "arm.urdf").exit_code == 0
    done = lissom("simulate", "arm.urdf", "--base", "floating", "--duration", "0.1", "-o", "out.csv")
    assert done.exit_code == 2 and "no inertia" in done.stderr  # its base link has none
    text = Path("arm.urdf").read_text()
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    Path("arm.urdf").write_text(text.replace('<link name="base">', f'<link name="base">{body}'))
    done = lissom("simulate", "arm.urdf", "--base", "floating", "--duration", "0.1", "-o", "out.csv")
    assert done.exit_code == 0, done.output
    assert "root_joint_qw" in done.stdout


def test_a_motion_that_blows_up_is_written_as_far_as_it_went(lissom):
    arguments = ["--qd0", "1e200,0", "--method", "rk4", "--dt", "0.01"]
    done = lissom("simulate", ARM, "--duration", "1", "-o", "out.csv", *arguments)
    assert done.exit_code == SIMULATIONS["blew_up"] and "the motion blew up at t = 0 s: joint 'shoulder'" in done.stderr
    motion = Trajectory.load("out.csv", planar_two_link())
    assert motion.status is Status.BLEW_UP and len(motion) == 0 and "0 s, 0 samples, blew_up" in done.stdout
    arguments = ["--qd0", "1e60,0", "--method", "rk4", "--dt", "0.01", "--plot", "out.png"]
    done = lissom("simulate", ARM, "--duration", "1", "-o", "out.csv", *arguments)
    assert done.exit_code == SIMULATIONS["blew_up"] and "the motion blew up" in done.stderr
    assert "wrote out.csv, out.png" in done.stdout
    motion = Trajectory.load("out.csv", planar_two_link())
    assert motion.status is Status.BLEW_UP and motion.message.startswith("the motion blew up at t = ") and len(motion) > 0
    assert np.isfinite(motion.qdd).all() and np.isfinite(motion.tau).all()


def test_a_motion_with_notes_can_be_read_by_torque_and_gone_on_from(lissom):
    robot = planar_two_link()
    motion = robot.simulate([0.1, 0.2], [0.0, 0.0], 1.0, lambda t, q, qd: [0.0, 1.0 if t < 0.5 else np.nan], throw=False)
    motion.save("failed.csv")
    done = lissom("torque", ARM, "failed.csv", "-o", "tau.csv")
    assert done.exit_code == 0, done.output
    arguments = ["--state", "failed.csv", "--torque", "failed.csv", "-o", "again.csv"]
    assert lissom("simulate", ARM, "--duration", "0.1", *arguments).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "rk5"], "no method 'rk5'; did you mean 'rk4'?"),
        (["--method", "implicite"], "no method 'implicite'; did you mean 'implicit' or 'semi_implicit'?"),
        (["--method", "implicit", "--atol", "-1"], "atol is -1, expected a positive finite number"),
        (["--q0", "1,2,3"], "--q0 has 3 numbers, expected 2"),
        (["--q0", "1,b"], "--q0 must be 2 numbers separated by commas, such as 0.5, pi/2 or 60deg, got '1,b'"),
        (["--q0", "1,2", "--state", "state.csv"], "the initial state is given twice"),
        (["--state", "state.csv"], "state.csv:1: column 'q_elbow' missing; the file has 'q_elbo'"),
        (["--torque", "forces.csv"], "forces.csv:3: time must increase from line to line"),
        (["--torque", "timeless.csv"], "timeless.csv:1: needs a column t"),
        (["--plot", "out"], "--plot writes .png, .svg, .pdf, and the file has no ending"),
        (["--plot", "out.docx"], "--plot writes .png, .svg, .pdf, not '.docx'"),
        (["-o", "out.txt"], "-o writes .csv, .npz, not '.txt'"),
        (["-o", "forces.csv", "--torque", "forces.csv"], "would overwrite the input"),
        (["--method", "rk4", "--dt", "1e-300"], "takes 1e+300 steps for 1 s"),
        (["--method", "rk4", "--dt", "1e-11"], "1e+11 samples would take"),
        (["--method", "rk4", "--dt", "nan"], "dt is nan, expected a positive finite number [s]"),
        (["--rtol", "0"], "rtol is 0, expected a positive finite number"),
        (["--atol", "-1e-9"], "atol is -1e-09, expected a positive finite number"),
        (["--rtol", "1e-20"], "rtol is 1e-20; expected at least"),
        (
            ["--method", "rk4", "--dt", "0.1", "--rtol", "1e-6"],
            "rtol and atol are the tolerances of --method adaptive and 'implicit'; 'rk4'",
        ),
        (["--sample", "-1"], "sample is -1, expected a positive finite number [s]"),
        (["--qd0", "nan,0"], "--qd0 must be 2 numbers separated by commas, such as 0.5, pi/2 or 60deg, got 'nan,0'"),
        (["--state", "speeds.csv"], "speeds.csv:1: column 'qd_shoulder' missing; the file has 'qd_sholder'"),
        (
            ["--torque", "wrist.csv"],
            "wrist.csv:1: column 'tau_wrist' does not belong to a joint of this robot; expected one of 'tau_shoulder', 'tau_e",
        ),
        (["--torque", "blank.csv"], "blank.csv:6: time must increase from line to line: 1 s follows 1 s"),
        (["--torque", "missing.csv"], "missing.csv: cannot be read: No such file"),
        (["-o", "folder.csv"], "folder.csv: is a folder; give the name of a file to write"),
        (["-o", "state.csv/out.csv"], "state.csv is not a folder"),
        (["--plot", "state.csv/out.png"], "state.csv is not a folder"),
    ],
)
def test_mistakes_end_with_one_line_and_status_two(lissom, arguments, message):
    Path("state.csv").write_text("q_shoulder,q_elbo\n0,0\n")
    Path("forces.csv").write_text("t,tau_shoulder,tau_elbow\n0,0,0\n0,0,0\n")
    Path("timeless.csv").write_text("tau_shoulder,tau_elbow\n0,0\n")
    Path("speeds.csv").write_text("q_shoulder,q_elbow,qd_sholder,qd_elbo\n0,0,1,1\n")
    Path("wrist.csv").write_text("t,tau_shoulder,tau_elbow,tau_wrist\n0,0,0,1\n")
    Path("blank.csv").write_text("t,tau_shoulder,tau_elbow\n\n\n0,0,0\n1,0,0\n1,0,0\n")
    Path("folder.csv").mkdir()
    out = [] if "-o" in arguments else ["-o", "out.csv"]
    done = lissom("simulate", ARM, "--duration", "1", *out, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not Path("out.csv").exists()


def test_an_output_that_may_not_be_written_is_refused_before_the_simulation(lissom, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.setattr("lissom.robot.Robot.simulate", lambda *_, **__: pytest.fail("simulated"))
    done = lissom("simulate", ARM, "--duration", "1", "-o", "out.csv")
    assert done.exit_code == 2 and done.stderr == ("lissom: out.csv: cannot be written: permission denied; give another file\n")


def test_interrupting_writes_what_there_is_and_ends_with_status_130(lissom, monkeypatch):
    from lissom.simulate import fixed_steps as fixed

    def interrupted(self, after):
        if self.t > 0.5:
            raise KeyboardInterrupt
        return advance(self, after)

    advance = fixed.FixedStep._advance
    monkeypatch.setattr(fixed.FixedStep, "_advance", interrupted)
    done = lissom("simulate", ARM, "--duration", "1", "-o", "out.npz", "--method", "rk4", "--dt", "0.01")
    assert done.exit_code == 130
    assert Trajectory.load("out.npz", planar_two_link()).t[-1] == pytest.approx(0.51)
