"""Limits of torque rates: a nonlinear program for the speeds along the path, solved by IPOPT from the motion without them.

A motor with limited torque rate starts with the torque that holds the robot at rest, so that sddot = 0 there and s grows with
t^3: as a function of s the speed is not smooth. The parameter theta removes this: ds/dtheta = w(theta) vanishes quadratically at
ends at rest, where theta grows linearly with time, and

    z(theta) = (dtheta/dt)^2   is a smooth, positive cubic spline; its control points are the unknowns
    minimize T = integral of dtheta / sqrt(z)
    |tau|, |qd|, |qdd| limits: linear in z     |d tau/dt| limits: sqrt(z) L(z) + K(z), L and K linear in z, z', z''

at four points per span, and on both sides of the path's knots. All derivatives are exact; each touches four neighboring
control points.
"""

from __future__ import annotations

import numpy as np

from ..errors import ConvergenceError, StateError, TimingError
from ..nlp import Solution, Status, solve
from ..protocol import DrivenRobot
from ..spline import Basis, SplinePath
from .limits import Bounds
from .profile import ConstantAcceleration
from .rate_curve import Warp
from .rate_profile import SplineSpeed
from .rate_program import RateProgram
from .reach import Reached


def limit_rates(
    robot: DrivenRobot, path: SplinePath, limits: Bounds, reached: Reached, points: int, ends: tuple[float, float]
) -> tuple[SplineSpeed, Solution]:
    """Return the fastest motion within all limits, and the solution of its program.

    Args:
        robot, path, limits, points, ends: as in `time_optimal`.
        reached: the motion without limits of rates.
    """
    if path.degree == 2 and path.basis.spans > 1:
        raise StateError("the path has degree 2: torques jump at its knots, so their rates cannot be limited; take degree=3")
    if path.smoothness == 1 and path.basis.spans > 1:
        raise StateError(
            "accelerations along the path jump at a break, so that rates of torques cannot be limited; make it smoother"
        )
    warp = Warp(ends[0] == 0.0, ends[1] == 0.0)
    basis = Basis(max(4, points // 2) + 3)
    program = RateProgram(robot, path, limits, warp, basis, ends)
    duration = float(ConstantAcceleration(reached.s, reached.x).times[-1])
    start = program.slowed(_speeds(warp, basis, reached, duration))
    options: dict[str, str | float] = {"mu_strategy": "adaptive", "bound_relax_factor": 0.0}
    solution = solve(program.nlp(), start, tolerance=1e-8, iterations=1000, options=options)
    if solution.status is Status.INFEASIBLE:
        kind, joint, s = program.worst(solution.x)
        name = None if joint is None else robot.velocity_names[joint]
        raise TimingError(
            f"no motion was found within the limits of torque rates: in the best one, the {kind} limit"
            f"{'' if name is None else f' of joint {name!r}'} is violated most, at s = {s:.4g}; widen it, or change the "
            "speeds at the ends",
            s,
            name,
            kind,
        )
    if not solution.status.ok:
        raise ConvergenceError(f"no motion was found within the limits of torque rates: {solution.message}", solution)
    return SplineSpeed(warp, basis, program.speeds(solution.x)), solution


def _speeds(warp: Warp, basis: Basis, reached: Reached, duration: float) -> np.ndarray:
    """Return control points of z from the motion without limits of rates: x / w^2 where each has most influence."""
    p = basis.degree
    place = np.array([basis.knots[i + 1 : i + p + 1].mean() for i in range(basis.count)])
    s, w = warp.at(place)[:2]
    x = np.interp(s, reached.s, reached.x)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = x / w**2
    # toward ends at rest that grows without bound, and is 0 / 0 there; a uniform motion in theta is 1 / T^2
    z = np.where(np.isfinite(z), z, np.inf)
    return np.clip(z, 0.05 / duration**2, 4.0 / duration**2)
