"""Motions that were predicted, written to a file and simulated again from their torques."""

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import predict
from lissom.cli.app import app


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, [str(x) for x in arguments])


def replayed(run, problem, robot, *options):
    """Predict, and simulate from the file of the prediction alone; return both motions, at equal times."""
    done = run("predict", problem, "-o", "plan.csv")
    assert done.exit_code == 0, done.output
    robot.save("robot.yaml")
    plan = lissom.Trajectory.load("plan.csv", robot)
    sample = plan.t[-1] / (len(plan) - 1)
    files = ["--state", "plan.csv", "--torque", "plan.csv", "-o", "again.csv"]
    done = run("simulate", "robot.yaml", *files, "--sample", f"{sample:.17g}", *options)
    assert done.exit_code == 0, done.output
    again = lissom.Trajectory.load("again.csv", robot)
    assert again.t[-1] == plan.t[-1] and len(again) == len(plan)
    return plan, again


@pytest.mark.slow
def test_torques_of_a_predicted_motion_return_it(run):
    plan, again = replayed(run, "rr", lissom.robots.rr())
    assert np.abs(again.q - plan.q).max() < 1e-6 and np.abs(again.tau - plan.tau).max() < 1e-9
    _, steps = replayed(run, "rr", lissom.robots.rr(), "--hold")
    assert np.abs(steps.q - plan.q).max() > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "far"), [("panda", 1e-6), ("panda_effort", 1e-3), ("elastic_rr", 1e-5), ("puma560", 1e-6), ("hua_arm", 1e-5)]
)
def test_torques_of_larger_and_elastic_arms_return_their_motions(run, problem, far):
    """The gentle motion of the Panda is the hardest: a disturbance of its torques grows ten-thousandfold until its end."""
    plan, again = replayed(run, problem, predict.load(problem).robot)
    assert np.abs(again.q - plan.q).max() < far


def test_a_file_of_forces_tells_how_long_to_simulate(run, tmp_path):
    lissom.robots.rr().save("robot.yaml")
    (tmp_path / "tau.csv").write_text("t,tau0,tau1\n0,0,0\n0.25,1,0\n")
    assert "0.25 s, " in run("simulate", "robot.yaml", "--torque", "tau.csv", "-o", "a.csv").stdout
    assert "0.5 s, " in run("simulate", "robot.yaml", "--torque", "tau.csv", "-o", "b.csv", "--duration", "0.5").stdout
    last = lissom.Trajectory.load("b.csv", lissom.robots.rr())
    assert last.tau[-1].tolist() == [1.0, 0.0]  # the last line holds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--duration", "1", "--hold"], "--hold applies to the lines of --torque; give --torque"),
        ([], "--duration [s] is missing"),
        (["--torque", "one.csv"], "one.csv: its last line is at t = 0 s; give --duration"),
        (["--torque", "nan.csv"], "nan.csv:3: column 'tau1'"),
        (["--torque", "none.csv"], "none.csv: holds a header but no states"),
    ],
)
def test_what_cannot_be_replayed_is_refused(run, tmp_path, arguments, message):
    lissom.robots.rr().save("robot.yaml")
    (tmp_path / "one.csv").write_text("t,tau0,tau1\n0,1,1\n")
    (tmp_path / "nan.csv").write_text("t,tau0,tau1\n0,1,1\n1,1,nan\n")
    (tmp_path / "none.csv").write_text("t,tau0,tau1\n")
    done = run("simulate", "robot.yaml", "-o", "out.csv", *arguments)
    assert done.exit_code == 2 and message in done.stderr and not (tmp_path / "out.csv").exists()


def test_a_replay_that_blows_up_says_so_and_keeps_what_there_is(run, tmp_path):
    lissom.robots.rr().save("robot.yaml")
    (tmp_path / "tau.csv").write_text("t,tau0,tau1\n" + "".join(f"{k},{10.0 ** (20 * k)},0\n" for k in range(16)))
    done = run("simulate", "robot.yaml", "--torque", "tau.csv", "-o", "out.csv", "--method", "rk4", "--dt", "0.1")
    assert done.exit_code not in (0, 2) and "the motion blew up" in done.stderr
    kept = lissom.Trajectory.load("out.csv", lissom.robots.rr())
    assert len(kept) > 1 and kept.status is lissom.simulate.Status.BLEW_UP
