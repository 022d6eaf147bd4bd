"""Runs that cannot go on: they stop, say when and where, and keep what was computed."""

import sys

import numpy as np
import pytest

from lissom import Joint, JointKind, Link, Model, Robot, SimulationError, StateError
from lissom.model import Inertia
from lissom.robots import planar_two_link
from lissom.simulate import Event, Status

METHODS = [{}, {"method": "rk4", "dt": 0.01}, {"method": "rk4", "dt": 0.01, "sample": 0.04}]
START = ([0.2, 0.3], [0.0, 0.1])


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def robot(request):
    return Robot(planar_two_link().model, backend=request.param)


def all_finite(trajectory):
    return all(np.isfinite(x).all() for x in (trajectory.t, trajectory.q, trajectory.qd, trajectory.qdd, trajectory.tau))


def from_half_a_second(value):
    return lambda t, q, qd: np.zeros(2) if t < 0.495 else value


@pytest.mark.sweep(1)
@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_torque_that_is_not_a_number_ends_the_run_and_names_time_and_joint(robot, options):
    with pytest.raises(SimulationError, match=r"the torque of joint 'elbow' is nan at t = 0.(49|5)\d* s") as caught:
        robot.simulate(*START, 1.0, from_half_a_second(np.array([0.0, np.nan])), **options)
    error = caught.value
    assert error.status is Status.CONTROLLER_FAILED and error.joint == "elbow" and 0.48 < error.time < 0.55
    kept = error.trajectory
    assert kept.status is Status.CONTROLLER_FAILED and kept.message == str(error)
    assert 0.4 < kept.t[-1] <= error.time and all_finite(kept)
    reference = robot.simulate(*START, 1.0)
    for k in range(0, len(kept), 10):
        assert np.allclose(kept.q[k], reference.at(kept.t[k]).q, atol=1e-6)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("options", METHODS, ids=str)
def test_without_throwing_the_trajectory_so_far_comes_back(robot, options):
    kept = robot.simulate(*START, 1.0, from_half_a_second([np.inf, 0.0]), throw=False, **options)
    assert kept.status is Status.CONTROLLER_FAILED and "joint 'shoulder' is inf" in kept.message
    assert "by hand" in kept.status.advice and "controller_failed" in repr(kept)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros(3), r"the torque function returned shape \(3,\) at t = .* s, expected \(2,\)"),
        (None, r"the torque function returned None at t = .* s, expected numbers of shape \(2,\)"),
        (np.array(["a", "b"]), r"the torque function returned dtype <U1 at t = "),
    ],
)
@pytest.mark.parametrize("options", METHODS[:2], ids=str)
def test_a_torque_of_the_wrong_shape_ends_the_run(robot, options, value, message):
    with pytest.raises(SimulationError, match=message) as caught:
        robot.simulate(*START, 1.0, from_half_a_second(value), **options)
    assert 0.4 < caught.value.trajectory.t[-1] <= 0.5


@pytest.mark.parametrize("options", METHODS[:2], ids=str)
def test_a_controller_that_raises_ends_the_run_and_is_the_cause(robot, options):
    def broken(t, q, qd):
        if t > 0.2:
            raise ZeroDivisionError("no gain")
        return np.zeros(2)

    with pytest.raises(
        SimulationError, match=r"the torque function failed at t = 0.2\d* s: ZeroDivisionError: no gain"
    ) as caught:
        robot.simulate(*START, 1.0, broken, **options)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert 0.1 < caught.value.trajectory.t[-1] <= 0.21
    first = robot.simulate(*START, 1.0, lambda t, q, qd: 1 / 0, throw=False, **options)
    assert len(first) == 0 and first.q.shape == (0, 2) and first.message.startswith("the torque function failed at t = 0 s")
    assert repr(first) == "<Trajectory of 'planar_two_link': 0 samples, 0 s, controller_failed>"
    for ask in (lambda: first.end, lambda: first.at(0.0), lambda: first.plot()):
        with pytest.raises(StateError, match="the trajectory has no samples, its run failed at the start: the torque function"):
            ask()


@pytest.mark.sweep(3)
@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_motion_that_blows_up_stops_and_reports_the_state(robot, options):
    runaway = {} if options else {"rtol": 1e-5, "atol": 1e-5}
    with pytest.raises(
        SimulationError, match="the motion blew up at t = .* s: joint '(shoulder|elbow)' moves at .*qd = "
    ) as caught:
        robot.simulate(*START, 50.0, lambda t, q, qd: 10 * qd * np.abs(qd) + 1.0, **options, **runaway)
    error = caught.value
    assert error.status is Status.BLEW_UP and error.joint in ("shoulder", "elbow") and "halve it" in str(error)
    assert all_finite(error.trajectory)
    assert error.trajectory.t[-1] == pytest.approx(error.time) and len(error.trajectory) > 1


def test_in_a_batch_the_state_that_blew_up_is_named(robot):
    q, qd = np.zeros((5, 2)), np.zeros((5, 2))
    qd[3, 1] = 1e200
    with pytest.raises(SimulationError, match=r"joint 'elbow' of sample \(3,\) moves at 1e\+200") as caught:
        robot.simulate(q, qd, 1.0, method="rk4", dt=0.01)
    assert caught.value.trajectory.q.shape == (0, 5, 2)
    with pytest.raises(SimulationError, match=r"the torque of joint 'shoulder' of sample \(2,\) is nan"):
        robot.simulate(q, q, 1.0, lambda t, q, qd: np.where(np.arange(5)[:, None] == 2, np.nan, qd), method="rk4", dt=0.01)


def test_a_joint_without_inertia_is_named():
    links = (Link("base"), Link("rod", Inertia(1.0, (0.5, 0, 0), np.diag([0.0, 0.1, 0.1]))), Link("ghost"))
    joints = (Joint("swing", JointKind.REVOLUTE, "base", "rod"), Joint("twist", JointKind.REVOLUTE, "rod", "ghost"))
    with pytest.warns(Warning):
        model = Model("haunted", links, joints)
    with pytest.raises(Exception, match="joint 'twist' has almost no inertia along its axis"):
        Robot(model).simulate([0.0, 0.0], [0.0, 0.0], 1.0)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("options", METHODS[:2], ids=str)
def test_events_that_fail_end_the_run(robot, options):
    with pytest.raises(SimulationError, match="event 'wrong' failed at t = .* s: IndexError"):
        robot.simulate(*START, 1.0, events=Event(lambda t, q, qd: q[0] if t < 0.5 else q[7], "wrong"), **options)
    with pytest.raises(SimulationError, match="event 'odd' returned nan at t = "):
        robot.simulate(*START, 1.0, events=Event(lambda t, q, qd: np.nan if t > 0.5 else 1.0, "odd"), **options)


def test_progress_is_reported_and_shown(robot, monkeypatch, capsys):
    seen = []
    robot.simulate(*START, 1.0, method="rk4", dt=0.01, progress=lambda t, duration: seen.append((t, duration)))
    assert seen[0][1] == 1.0 and seen[-1][0] == pytest.approx(1.0) and len(seen) == 100
    robot.simulate(*START, 0.1, progress=True)  # not a terminal: silent
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    robot.simulate(*START, 0.1, progress=True)  # colors in a file, but no moving bar
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    robot.simulate(*START, 0.1, progress=True)
    assert "simulating planar_two_link" in capsys.readouterr().err
