"""Paths that cannot be passed, and arguments that make no sense."""

import numpy as np
import pytest

import lissom
from lissom import SplinePath, StateError
from lissom.timing import TimingError, time_optimal
from support.timing import cart, pendulum


def test_a_torque_that_cannot_hold_the_arm_is_named():
    with pytest.raises(TimingError, match=r"joint 'hinge': its torque limit of -5 N m cannot hold the arm at s = 0") as caught:
        time_optimal(pendulum(), [[-1.0], [1.0]], torque=5.0)
    assert (caught.value.joint, caught.value.limit) == ("hinge", "torque")
    assert 0.0 <= caught.value.s <= 1.0
    assert abs(1.5 * 9.81 * 0.7 * np.cos(-1.0 + 2.0 * caught.value.s)) > 5.0


def test_a_place_that_cannot_be_held_is_passed_with_speed():
    # upward too weak at the horizontal, but the swing from below carries it over
    robot, weight = pendulum(), 1.5 * 9.81 * 0.7
    timing = time_optimal(robot, [[0.3], [-0.3]], torque=0.99 * weight, start_speed=4.0, end_speed=1.0)
    assert timing.violation["torque"].relative < 1e-3


def test_speeds_at_the_ends_that_limits_exclude():
    with pytest.raises(TimingError, match="start_speed is 2 1/s, but the velocity limit of joint 'slide' allows 0.4"):
        time_optimal(cart(), [[0.0], [3.0]], acceleration=1.0, velocity=1.2, start_speed=2.0)
    with pytest.raises(TimingError, match=r"start_speed is 2 1/s, expected 0 \.\.\. 0.8165"):
        time_optimal(cart(), [[0.0], [3.0]], acceleration=1.0, start_speed=2.0)
    with pytest.raises(TimingError, match=r"start_speed is 0 1/s, expected 1\.8"):
        time_optimal(cart(), [[0.0], [3.0]], acceleration=1.0, end_speed=2.0)


def test_speeds_at_the_ends_that_limits_of_rates_exclude():
    # a mass at 2.4 m/s that has to stop in 3 m, with a force that takes too long to grow
    with pytest.raises(
        TimingError, match=r"no motion was found within the limits of torque rates: .* of joint 'slide'"
    ) as caught:
        time_optimal(cart(), [[0.0], [3.0]], torque=[[-4.0], [0.0]], torque_rate=0.1, start_speed=0.8)
    assert caught.value.joint == "slide"


def test_friction_that_no_force_overcomes():
    with pytest.raises(TimingError, match="joint 'slide': its torque limit of 4 N cannot move the arm at s = 0, .* takes 5 N"):
        time_optimal(cart(coulomb=5.0), [[0.0], [3.0]], torque=4.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"torque": [1.0, 2.0]}, r"torque has shape \(2,\); expected one number, \(1,\) magnitudes"),
        ({"torque": -1.0}, "torque has the negative entry -1"),
        ({"torque": "much"}, "torque is 'much'"),
        ({"velocity": np.nan}, "velocity of joint 'slide' is nan"),
        ({"acceleration": [[1.0], [2.0]]}, "acceleration of joint 'slide' is 1 ... 2; expected zero between both"),
        ({"torque": [[3.0], [2.0]]}, "expected the lowest not above the highest"),
        ({"torque": None}, "nothing limits the acceleration"),
        ({"points": 2}, "points is 2, expected at least 3"),
        ({"start_speed": -1.0}, "start_speed is -1 1/s, expected zero or more"),
        ({"path": [[0.0]]}, "expected two waypoints or more"),
        ({"path": [[0.0], [1.0], [1.0]]}, "waypoints 1 and 2 of the path are the same"),
        ({"path": [[0.0, 1.0], [1.0, 2.0]]}, "path has 2 joints, expected nq = 1"),
        ({"path": SplinePath.between([0.0], [1.0], 1.0, 8)}, "does not move at s = 0: q' is zero there; SplinePath.between"),
        ({"path": SplinePath([[0.0], [1.0], [3.0]], 1.0, degree=1)}, "degree 1, with corners"),
        (
            {"path": SplinePath([[0.0], [1.0], [3.0], [4.0]], 1.0, degree=2), "torque_rate": 9.0},
            "degree 2: torques jump at its knots",
        ),
        ({"path": [[0.0], [1.0], [0.0]], "points": 201}, "does not move at s = 0.5: .* split the path there"),
    ],
)
def test_wrong_arguments_are_named(change, message):
    arguments = {"path": [[0.0], [1.0]], "torque": 4.0} | change
    with pytest.raises(StateError, match=message):
        time_optimal(cart(), arguments.pop("path"), **arguments)


def test_joints_with_quaternions_are_refused():
    with pytest.raises(StateError, match="is .*: a path needs joints whose velocities are the rates"):
        time_optimal(lissom.robots.tree(6, seed=1), [[0.0], [1.0]], torque=1.0)


def test_a_robot_is_needed():
    with pytest.raises(StateError, match="needs a Robot, got str"):
        time_optimal("panda", [[0.0], [1.0]])


def test_times_outside_of_the_motion():
    timing = time_optimal(cart(), [[0.0], [1.0]], torque=4.0)
    with pytest.raises(StateError, match=r"t is 99 s, expected"):
        timing.states(99.0)
    with pytest.raises(StateError, match="cannot plot 'toque'"):
        timing.plot(what="toque")


def test_waypoints_that_look_like_degrees_are_refused():
    with pytest.raises(StateError, match=r"waypoints turn joint 'hinge' to 90 rad, 14.3 turns, which looks like degrees"):
        time_optimal(pendulum(), [[0.0], [90.0]], torque=50.0)
    assert time_optimal(cart(), [[0.0], [90.0]], torque=4.0).duration > 0.0  # a slide may go far


def test_motors_behind_springs_are_refused_with_two_ways_out():
    arm = lissom.robots.hua_arm()
    for path in ([[0.0] * 4, [0.1] * 4], [[0.0] * 3, [0.1] * 3]):
        with pytest.raises(StateError, match=r"'hua_arm' has motors behind springs.*MotionProblem.*with_rigid_drives\(\)"):
            time_optimal(arm, path, velocity=1.0)
    rigid = lissom.Robot(arm.model.with_rigid_drives())
    assert time_optimal(rigid, [[0.0] * 3, [0.1] * 3], velocity=1.0, acceleration=2.0).duration > 0.1
