"""What a run that fails leaves behind: samples up to the last state of which everything is known, all of them finite."""

import numpy as np
import pytest

from lissom import Robot, SimulationError, Trajectory
from lissom.robots import planar_two_link, tree_model
from lissom.simulate import Event, Status

START = ([0.2, 0.3], [0.0, 0.1])
FIXED = ["rk4", "semi_implicit"]


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


def check_rows(trajectory):
    """Everything is finite, and every row obeys the equations of motion."""
    parts = (trajectory.t, trajectory.q, trajectory.qd, trajectory.qdd, trajectory.tau)
    assert all(np.isfinite(x).all() and len(x) == len(trajectory) for x in parts) and (np.diff(trajectory.t) > 0).all()
    robot = trajectory.robot
    tau = robot.inverse_dynamics(trajectory.q, trajectory.qd, trajectory.qdd)
    # rounding scales with the largest term, which a motion that blows up makes large
    scale = np.abs(trajectory.tau).max(axis=-1, keepdims=True) + np.abs(trajectory.qdd).max(axis=-1, keepdims=True)
    scale = scale + (trajectory.qd**2).max(axis=-1, keepdims=True) + 10.0
    assert (np.abs(tau - trajectory.tau) <= 1e-11 * scale).all()


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("sample", [None, 0.02, 0.04, 0.05, 0.2])
@pytest.mark.parametrize("bad", [[0.0, np.nan], [np.inf, 0.0], None, "raise"], ids=str)
def test_fixed_steps_keep_the_last_state_with_a_known_force(robot, method, sample, bad):
    def torque(t, q, qd):
        if t < 0.495:
            return -qd
        if bad == "raise":
            raise ZeroDivisionError
        return bad

    options = {"method": method, "dt": 0.01}
    kept = robot.simulate(*START, 1.0, torque, sample=sample, throw=False, **options)
    assert kept.status is Status.CONTROLLER_FAILED and "at t = 0.5 s" in kept.message
    assert kept.t[-1] == pytest.approx(0.49)
    check_rows(kept)
    whole = robot.simulate(*START, 0.6, lambda t, q, qd: -qd, **options)
    assert np.array_equal(kept.q[-1], whole.q[49]) and np.array_equal(kept.qdd[-1], whole.qdd[49])
    assert np.allclose(kept.tau[-1], -whole.qd[49], rtol=0, atol=1e-12)


@pytest.mark.parametrize("options", [{"sample": 0.1}, {"method": "rk4", "dt": 0.01, "sample": 0.04}], ids=str)
def test_without_machine_code_it_is_the_same(robot, options):
    def torque(t, q, qd):
        return -qd if t < 0.195 else [0.0, np.nan]

    plain = Robot(robot.model, backend="numpy").simulate(*START, 0.4, torque, throw=False, **options)
    kept = robot.simulate(*START, 0.4, torque, throw=False, **options)
    check_rows(plain)
    assert plain.status is Status.CONTROLLER_FAILED and 0.18 < plain.t[-1] < 0.195 and len(plain) == len(kept)
    assert np.allclose(plain.q, kept.q, rtol=0, atol=1e-6)


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("sample", [None, 0.03])
def test_fixed_steps_that_blow_up_keep_the_last_finite_state(robot, method, sample):
    with pytest.raises(SimulationError, match="blew up at t = .* s: joint '(shoulder|elbow)'") as caught:
        robot.simulate(*START, 50.0, lambda t, q, qd: 1e4 * qd, method=method, dt=0.01, sample=sample)
    kept = caught.value.trajectory
    assert len(kept) > 1 and 0 <= caught.value.time - kept.t[-1] < 0.0101
    assert all(np.isfinite(x).all() for x in (kept.q, kept.qd, kept.qdd, kept.tau)) and (np.diff(kept.t) > 0).all()


@pytest.mark.parametrize("method", FIXED)
def test_a_batch_keeps_rows_that_are_finite_in_every_state(robot, method):
    def torque(t, q, qd):
        return np.where((np.arange(4)[:, None] == 2) & (t > 0.195), np.nan, -qd)

    with pytest.raises(SimulationError, match=r"the torque of joint 'shoulder' of sample \(2,\) is nan at t = 0.2 s") as caught:
        robot.simulate(np.zeros((4, 2)), np.ones(2), 1.0, torque, method=method, dt=0.01, sample=0.04)
    kept = caught.value.trajectory
    assert kept.q.shape[1:] == (4, 2) and kept.t[-1] == pytest.approx(0.19)
    check_rows(kept)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "dt": 0.01}], ids=str)
def test_a_force_that_fails_at_the_very_end_is_noticed(robot, options):
    def torque(t, q, qd):
        return [0.0, np.nan if t >= 1.0 - 1e-9 else 0.0]

    kept = robot.simulate(*START, 1.0, torque, throw=False, **options)
    assert kept.status is Status.CONTROLLER_FAILED and "joint 'elbow' is nan at t = 1 s" in kept.message
    check_rows(kept)
    assert kept.t[-1] < 1.0


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "dt": 0.01}], ids=str)
def test_an_event_that_fails_at_the_first_state_keeps_that_state(robot, options):
    kept = robot.simulate(*START, 1.0, events=Event(lambda t, q, qd: q[7], "wrong"), throw=False, **options)
    assert kept.status is Status.CONTROLLER_FAILED and kept.t.tolist() == [0.0]
    check_rows(kept)


@pytest.mark.parametrize("bad", [[0.0, np.nan], "raise"], ids=str)
def test_the_adaptive_method_keeps_its_last_accepted_state(robot, bad):
    seen = []

    def torque(t, q, qd):
        seen.append(t)
        if t < 0.495:
            return -qd
        if bad == "raise":
            raise ZeroDivisionError
        return bad

    kept = robot.simulate(*START, 1.0, torque, sample=0.3, throw=False)
    assert kept.status is Status.CONTROLLER_FAILED
    # beyond the last stored time, 0.3 s: steps are at most a fiftieth of the duration
    assert kept.t[:2].tolist() == [0.0, 0.3] and len(kept) == 3 and 0.475 < kept.t[-1] < 0.495 and kept.t[-1] in seen
    check_rows(kept)
    whole = robot.simulate(*START, float(kept.t[-1]), lambda t, q, qd: -qd)
    assert np.allclose(kept.q[-1], whole.q[-1], rtol=0, atol=1e-9) and np.allclose(kept.tau[-1], -whole.qd[-1], atol=1e-9)


@pytest.mark.parametrize("bad", [[0.0, np.nan], "raise"], ids=str)
@pytest.mark.parametrize("sample", [0.1, 0.3])
def test_a_held_force_that_fails_keeps_the_state_where_it_was_asked(robot, bad, sample):
    def torque(t, q, qd):
        if t < 0.45:
            return [t, 0.0]
        if bad == "raise":
            raise ZeroDivisionError
        return bad

    kept = robot.simulate(*START, 1.0, torque, hold=0.1, sample=sample, throw=False)
    assert kept.status is Status.CONTROLLER_FAILED and kept.t[-1] == pytest.approx(0.5)
    check_rows(kept)
    assert kept.tau[-1].tolist() == [pytest.approx(0.4), 0.0]  # the force that brought it there


def test_the_adaptive_method_keeps_its_last_state_where_it_blows_up(robot):
    options = {"rtol": 1e-5, "atol": 1e-5, "sample": 40.0, "throw": False}
    kept = robot.simulate(*START, 50.0, lambda t, q, qd: 10 * qd * np.abs(qd) + 1.0, **options)
    assert kept.status is Status.BLEW_UP and len(kept) == 2 and f"at t = {kept.t[-1]:.6g} s" in kept.message
    assert all(np.isfinite(x).all() for x in (kept.q, kept.qd, kept.qdd, kept.tau))


def test_prescribed_joints_of_a_failed_run_have_their_forces(robot):
    options = {"known": {"acceleration": "shoulder", "torque": ...}, "throw": False}
    for more in ({}, {"method": "rk4", "dt": 0.01, "sample": 0.04}):
        kept = robot.simulate(*START, 1.0, acceleration=lambda t, q, qd: [2.0 if t < 0.495 else np.nan, 0.0], **options, **more)
        assert kept.status is Status.CONTROLLER_FAILED and "the acceleration of joint 'shoulder' is nan" in kept.message
        assert np.allclose(kept.qdd[:, 0], 2.0) and np.allclose(kept.tau[:, 1], 0.0) and kept.t[-1] > 0.45
        check_rows(kept)


def test_quaternions_of_the_last_state_have_length_one():
    robot = Robot(tree_model(2, seed=1, floating=True, drives=False))
    speeds = np.linspace(0.1, 1.0, robot.nv)
    zero = np.zeros(robot.nv)
    kept = robot.simulate(
        robot.neutral(), speeds, 1.0, lambda t, q, qd: zero if t < 0.4 else zero * np.nan, sample=0.3, throw=False
    )
    assert 0.3 < kept.t[-1] < 0.4 and np.linalg.norm(kept.q[-1, 3:7]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("ending", [".csv", ".npz"])
def test_a_run_that_fails_at_its_start_can_be_saved(robot, tmp_path, ending):
    empty = robot.simulate(*START, 1.0, lambda t, q, qd: [np.nan, 0.0], throw=False)
    back = Trajectory.load(empty.save(tmp_path / f"empty{ending}"), robot)
    assert len(back) == 0 and back.status is Status.CONTROLLER_FAILED and back.message == empty.message
    assert back.q.shape == (0, 2) and back.tau.shape == (0, 2)
