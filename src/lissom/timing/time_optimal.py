"""time_optimal: the fastest motion along a given path."""

from __future__ import annotations

import numpy as np

from ..arrays import JointBounds, Waypoints
from ..errors import StateError
from ..protocol import DrivenRobot
from ..spline import SplinePath
from ..spline.check import integer, numbers
from .curve import checked_path
from .limits import bounds
from .profile import ConstantAcceleration
from .reach import reach
from .timing import Timing

MOST = 100_000  # points of a grid


def time_optimal(
    robot: DrivenRobot,
    path: SplinePath | Waypoints,
    *,
    velocity: JointBounds | None = None,
    acceleration: JointBounds | None = None,
    torque: JointBounds | None = None,
    torque_rate: JointBounds | None = None,
    points: int = 200,
    start_speed: float = 0.0,
    end_speed: float = 0.0,
) -> Timing:
    """Return the fastest motion along a path within limits.

    The curve q(s), 0 <= s <= 1, is given; s(t) is computed. Limits hold at the points of a grid, and between them up to an error
    of second order in its steps; `violation` shows how large it is.

    With limits of torque rates the motion begins and ends, where it is at rest, with the torques that hold the robot there. This
    needs IPOPT, from the extra `predict`.

    Args:
        robot: a Robot without spherical, planar and floating joints and without motors behind springs, or a ClosedRobot with one
            drive per coordinate.
        path: a SplinePath, whose duration does not matter, or waypoints (m, nq) [rad or m] of a cubic spline.
        velocity: largest magnitudes (nv,) [rad/s or m/s], one number for all, or (2, nv) lowest and highest. None takes the
            model's; inf means no limit.
        acceleration: in the same forms [rad/s^2 or m/s^2]; None means no limit.
        torque: in the same forms [N m or N]; None takes the model's effort limits.
        torque_rate: in the same forms [N m/s or N/s]; None means no limit.
        points: of the grid over s.
        start_speed, end_speed: sdot at both ends [1/s].

    Raises:
        TimingError: no motion keeps the limits; the message names the joint and s.
        StateError: an argument is wrong, or q'(s) = 0 somewhere.
        ConvergenceError: the search with limits of torque rates, or with viscous friction, did not converge.
    """
    if not hasattr(robot, "inverse_dynamics"):
        raise StateError(f"time_optimal needs a Robot, got {type(robot).__name__}")
    if robot.n_elastic:
        raise StateError(
            f"{robot.name!r} has motors behind springs, whose torques depend on the fourth derivative of the path: find its "
            "motion with lissom.MotionProblem, or time the path with rigid drives, lissom.Robot(robot.model.with_rigid_drives())"
        )
    points = integer(points, "points", 3, most=MOST)
    ends = _speed(start_speed, "start_speed"), _speed(end_speed, "end_speed")
    curve = checked_path(robot, path)
    limits = bounds(robot, velocity, acceleration, torque, torque_rate)
    reached = reach(robot, curve, limits, points, ends)
    if np.isinf(limits.torque_rate).all():
        return Timing(robot, curve, limits, ConstantAcceleration(reached.s, reached.x))
    from .rate import limit_rates

    profile, solution = limit_rates(robot, curve, limits, reached, points, ends)
    return Timing(robot, curve, limits, profile, solution)


def _speed(value: float, name: str) -> float:
    speed = float(numbers(value, name, 0, "one number [1/s]"))
    if speed < 0.0:
        raise StateError(f"{name} is {speed:g} 1/s, expected zero or more: s runs from 0 to 1")
    return speed
