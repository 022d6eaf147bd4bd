"""Torques as arrays, functions and controllers."""

import numpy as np
import pytest

from lissom import StateError
from lissom.robots import planar_two_link
from lissom.simulate import Held

METHODS = [{}, {"method": "rk4", "dt": 0.01}, {"method": "semi_implicit", "dt": 0.01}]
START = ([0.2, 0.3], [0.0, 0.1])


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_constant_is_the_same_in_every_form(robot, options):
    tau = np.array([2.0, -1.0])
    forms = [tau, [tau], np.tile(tau, (4, 1)), Held([0.0], [tau]), lambda t, q, qd: tau]
    results = [robot.simulate(*START, 0.4, form, **options) for form in forms]
    for result in results:
        assert np.allclose(result.q[-1], results[0].q[-1], rtol=1e-9)
        assert np.allclose(result.tau, tau)
    assert np.array_equal(robot.simulate(*START, 0.4, **options).tau[0], [0.0, 0.0])


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_rows_are_held_in_turn(robot, options):
    rows = np.array([[1.0, 0.0], [0.0, 2.0]])
    both = robot.simulate(*START, 0.4, rows, sample=0.1, **options)
    assert np.array_equal(both.tau, rows[[0, 0, 1, 1, 1]])
    first = robot.simulate(*START, 0.2, rows[0], **options)
    second = robot.simulate(first.end.q, first.end.qd, 0.2, rows[1], **options)
    assert np.allclose(both.q[-1], second.q[-1], rtol=1e-9)
    timed = robot.simulate(*START, 0.4, Held([-1.0, 0.2, 7.0], [*rows, rows[0]]), sample=0.1, **options)
    assert np.allclose(timed.q, both.q, rtol=1e-12)


def test_a_controller_is_reset_before_a_run_and_asked_once_a_step(robot):
    class Count:
        def __init__(self):
            self.times = [9.0]

        def reset(self):
            self.times = []

        def torque(self, t, q, qd):
            self.times.append(t)
            return -qd

    controller = Count()
    robot.simulate(*START, 0.05, controller, method="rk4", dt=0.01)
    assert controller.times == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04, 0.05])


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_digital_controller_is_asked_at_its_own_rate(robot, options):
    times = []

    def torque(t, q, qd):
        times.append(t)
        return -3 * qd

    trajectory = robot.simulate(*START, 0.2, torque, hold=0.05, sample=0.01, **options)
    assert sorted(set(times)) == pytest.approx([0.0, 0.05, 0.1, 0.15] + ([0.2] if options else []))
    assert len(times) == len(set(times))
    for k in range(4):
        held = trajectory.tau[5 * k : 5 * k + 5]
        assert np.allclose(held, -3 * trajectory.qd[5 * k])


def test_a_short_push_is_not_passed_over(robot):
    def push(t, q, qd):
        return np.array([50.0, 0.0]) if 0.5 <= t < 0.53 else np.zeros(2)

    # hanging straight down and at rest: an integrator that looks at the state alone would take giant steps
    trajectory = robot.simulate([-np.pi / 2, 0.0], [0.0, 0.0], 1.0, push)
    assert np.abs(trajectory.qd[-1]).max() > 0.1


def test_states_at_rest_stay_at_rest(robot):
    trajectory = robot.simulate([0.4, -0.2], [0.0, 0.0], 1.0, lambda t, q, qd: robot.gravity_torques(q))
    assert np.allclose(trajectory.q, [0.4, -0.2], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("torque", "message"),
    [
        (np.zeros(3), r"torque has shape \(3,\), expected \(2,\) for a constant one, or \(K, 2\) for K rows held in turn"),
        (np.zeros((4, 3)), r"torque has shape \(4, 3\), expected \(K, 2\): K rows held in turn"),
        (np.zeros((0, 2)), r"torque has shape \(0, 2\)"),
        (5.0, r"torque has shape \(\)"),
        ([0.0, np.nan], r"torque\[1\] is nan; every input must be finite"),
        ([[0.0, 0.0], [np.inf, 0.0]], r"torque\[1, 0\] is inf"),
        ("hard", r"torque must be an array, a function f\(t, q, qd\) or an object with a method 'torque', got str"),
        (object(), "got object"),
    ],
)
def test_what_cannot_be_a_torque_is_refused(robot, torque, message):
    with pytest.raises(StateError, match=message):
        robot.simulate(*START, 0.1, torque)


def test_what_cannot_be_held_is_refused(robot):
    with pytest.raises(StateError, match=r"held values have shape \(2, 2\), expected \(K, ..., nv\) for times of shape \(3,\)"):
        Held([0.0, 1.0, 2.0], np.zeros((2, 2)))
    with pytest.raises(StateError, match="must be finite and increase"):
        Held([0.0, 0.0], np.zeros((2, 2)))
    with pytest.raises(StateError, match="torque is not finite in row 1"):
        robot.simulate(*START, 0.1, Held([0.0, 1.0], [[0.0, 0.0], [np.nan, 0.0]]))
    with pytest.raises(StateError, match=r"torque has shape \(1, 3\), expected \(K, 2\)"):
        robot.simulate(*START, 0.1, Held([0.0], [[0.0, 0.0, 0.0]]))
    with pytest.raises(StateError, match=r"torque has shape \(2, 4, 2\), expected \(K, 3, 2\) or \(K, 2\)"):
        robot.simulate(np.zeros((3, 2)), np.zeros(2), 0.1, np.zeros((2, 4, 2)), method="rk4", dt=0.1)
