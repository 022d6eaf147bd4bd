"""What drives a motion of the implicit method: functions, feedback, rows, holds, known accelerations; and what may fail."""

import dataclasses

import numpy as np
import pytest

from lissom import Friction, Inertia, Joint, Link, Model, Robot, Spring
from lissom.errors import SimulationError
from lissom.manifold import configuration_difference
from lissom.robots import planar_two_link, planar_two_link_model, tree_model
from lissom.simulate import Status
from support.states import random_states

IMPLICIT = {"method": "implicit"}
TIGHT = IMPLICIT | {"rtol": 1e-10, "atol": 1e-12}
GOAL = np.array([1.0, -0.5])


def stiff_arm(damping=20.0):
    spring = Spring(1e6, 0.4, damping)
    return Robot(planar_two_link_model().with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "elbow" else j))


@pytest.mark.parametrize(("stiffness", "damping"), [(50.0, 20.0), (1e5, 1e3), (1e8, 1e5)])
def test_feedback_is_followed_whatever_its_stiffness(stiffness, damping):
    robot, calls, ends = planar_two_link(), [0], []

    def spring(t, q, qd):
        calls[0] += 1
        return stiffness * (GOAL - q) - damping * qd

    run = robot.simulate([0.3, 0.4], [0, 0], 0.5, spring, progress=lambda t, duration: ends.append(t), **IMPLICIT)
    assert len(ends) < 300 and calls[0] < 50 * len(ends)
    if stiffness < 1e8:
        exact = robot.simulate([0.3, 0.4], [0, 0], 0.5, spring)
        assert np.abs(run.q - exact.q).max() < 1e-5
        assert np.abs(robot.simulate([0.3, 0.4], [0, 0], 0.5, spring, **TIGHT).q - exact.q).max() < 1e-9
    else:
        assert np.abs(run.end.q - GOAL).max() < 1e-5


def test_differences_of_a_function_are_taken_only_where_they_are_needed():
    robot, seen = stiff_arm(), []

    def push(t, q, qd):
        seen.append((t, q.flags.writeable, qd.flags.writeable))
        return [3 * np.sin(5 * t), 0.0]

    ends = []
    run = robot.simulate([0.3, 0.4], [0, 0], 1.0, push, progress=lambda t, duration: ends.append(t), **IMPLICIT)
    # seven stages an iteration, one call where a step ends, one for a stored sample; none for differences
    assert 50 <= len(ends) < 80 and len(seen) < 501 + 25 * len(ends)
    exact = robot.simulate([0.3, 0.4], [0, 0], 1.0, push, rtol=1e-10, atol=1e-12)
    assert np.abs(run.q - exact.q).max() < 1e-5
    assert np.allclose(run.tau[:, 0], 3 * np.sin(5 * run.t))


@pytest.mark.slow
def test_feedback_on_the_tangent_space_of_quaternions():
    model = tree_model(3, seed=2, kinds=["spherical"], drives=False)
    robot = Robot(model)
    q, qd, _ = random_states(model, seed=3)
    rest, _, _ = random_states(model, seed=4)

    def spring(t, q, qd):
        assert np.allclose(np.linalg.norm(q.reshape(-1, 4), axis=-1), 1.0, rtol=0, atol=1e-12)
        return 300.0 * configuration_difference(model, q, rest) - 40.0 * qd

    exact, run = (robot.simulate(q, 0.1 * qd, 0.05, spring, sample=0.01, **options) for options in ({}, TIGHT))
    assert np.abs(configuration_difference(model, exact.q, run.q)).max() < 1e-8


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "options",
    [
        {"torque": np.array([[1.0, 0.0], [2.0, 0.0], [-3.0, 0.0]])},
        {"torque": lambda t, q, qd: -5.0 * q, "hold": 0.03},
        {
            "known": {"acceleration": "shoulder", "torque": ...},
            "acceleration": lambda t, q, qd: [np.sin(9 * t) - q[0] - qd[0], 0.0],
        },
        {
            "known": {"acceleration": "shoulder", "torque": ...},
            "acceleration": lambda t, q, qd: [-1e4 * (q[0] - 0.5) - 300.0 * qd[0], 0.0],
            "torque": lambda t, q, qd: [0.0, 1e4 * (0.4 - q[1])],
        },
        {"known": {"acceleration": ..., "torque": "shoulder"}, "acceleration": [0.0, 1.0]},
    ],
    ids=["rows", "hold", "known acceleration", "stiff feedback of both", "known acceleration of the spring"],
)
def test_everything_that_can_be_given_agrees_with_the_adaptive_method(options):
    robot = stiff_arm()
    arguments = {"q0": [0.3, 0.4], "qd0": [0.0, 0.0], "duration": 0.2} | options
    exact, run = (robot.simulate(**arguments, **chosen) for chosen in ({"rtol": 1e-11, "atol": 1e-13}, TIGHT))
    assert np.abs(run.q - exact.q).max() < 1e-10
    assert np.abs(run.qd - exact.qd).max() < 1e-7
    assert np.abs(run.tau - exact.tau).max() < 1e-4 * max(np.abs(exact.tau).max(), 1.0)


def test_one_function_serves_all_states():
    robot, shapes = stiff_arm(), set()
    q = np.random.default_rng(1).uniform(-1, 1, (5, 2))
    q[:, 1] = 0.4

    def controller(t, q, qd):
        shapes.add((q.shape, qd.shape))
        return 1e3 * (GOAL[0] - q) * [1.0, 0.0] - 60 * qd * [1.0, 0.0]

    many = robot.simulate(q, np.zeros(2), 0.3, controller, sample=0.1, **TIGHT)
    assert shapes == {((5, 2), (5, 2))}
    one = robot.simulate(q[3], np.zeros(2), 0.3, controller, sample=0.1, **TIGHT)
    assert np.abs(many.q[:, 3] - one.q).max() < 1e-9


@pytest.mark.slow
def test_friction_that_holds_a_joint_ends_with_advice():
    body = Inertia(1.0, (0, 0, 0), np.eye(3) * 0.1)
    joint = Joint("hinge", "revolute", "base", "arm", friction=Friction(0.0, 0.5))
    robot = Robot(Model("brake", (Link("base"), Link("arm", body)), (joint,)))
    with pytest.raises(SimulationError, match="hardly advances at t = 0.2.*joint 'hinge'.*Coulomb friction") as caught:
        robot.simulate([0.0], [1.0], 10.0, **IMPLICIT)
    assert caught.value.status is Status.STUCK and np.isclose(caught.value.trajectory.t[-1], 0.2, atol=1e-3)


def test_a_function_that_fails_keeps_what_was_computed():
    robot = planar_two_link()
    run = robot.simulate([0.1, 0.2], [0, 0], 1.0, lambda t, q, qd: [np.nan if t > 0.5 else 0.0, 0.0], throw=False, **IMPLICIT)
    assert run.status is Status.CONTROLLER_FAILED and 0.4 < run.t[-1] <= 0.5
    assert all(np.isfinite(x).all() for x in (run.q, run.qd, run.qdd, run.tau))
    with pytest.raises(SimulationError, match="the torque function failed at t = 0 s: ZeroDivisionError") as caught:
        robot.simulate([0.1, 0.2], [0, 0], 1.0, lambda t, q, qd: 1 / 0, **IMPLICIT)
    assert len(caught.value.trajectory) == 0


@pytest.mark.slow
def test_a_motion_that_leaves_all_bounds_is_stopped():
    robot = planar_two_link()
    for start, torque in (([1e200, 0.0], None), ([1e60, 0.1], None), ([0.1, 0.1], lambda t, q, qd: 1e4 * qd)):
        run = robot.simulate([0.1, 0.2], start, 5.0, torque, throw=False, **IMPLICIT)
        assert run.status in (Status.BLEW_UP, Status.STUCK) and np.isfinite(run.qdd).all()


def test_a_batch_names_the_state_that_fails():
    robot = planar_two_link()
    q = np.tile([0.1, 0.2], (3, 1))
    with pytest.raises(SimulationError, match=r"the torque of joint 'elbow' of sample \(1,\) is nan at t = "):
        robot.simulate(q, np.zeros(2), 1.0, lambda t, q, qd: np.where(t > 0.2, [[0, 0], [0, np.nan], [0, 0]], 0.0), **IMPLICIT)
