"""Joint torques and their rates along a path, as functions of s; with x = sdot^2 and u = sddot,

    tau   = a u + b x + c + d sqrt(x) + coulomb                                Pham and Pham 2018; d is viscous friction
    tau'  = sqrt(x) (a x''/2 + (a'/2 + b) x' + b' x + c') + d' x + d x'/2      by time; x', a' ... by s, as u = x'/2

At a given s both are polynomials in the speeds, so that differences of a few evaluations give the coefficients without
truncation: one batch of inverse dynamics, and one of torque rates.
Symbols: p, p1, p2, p3 the curve q(s) and its derivatives by s
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..protocol import DrivenRobot


class Forces(NamedTuple):
    """a, b, c, d and Coulomb friction, with the sign of the joint's motion along the path; each (N, nv)."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray | None = None  # None without viscous friction
    coulomb: np.ndarray | None = None


class ForceRates(NamedTuple):
    """Coefficients of x'', x', x, 1 (all times sqrt(x)), and of x and x'/2 from friction; each (N, nv)."""

    second: np.ndarray
    first: np.ndarray
    square: np.ndarray
    constant: np.ndarray
    friction: np.ndarray
    friction_slope: np.ndarray


def forces(robot: DrivenRobot, p: np.ndarray, p1: np.ndarray, p2: np.ndarray) -> Forces:
    """Return the coefficients of joint torques at N points of a curve, each argument (N, nv)."""
    rub = robot.has_friction
    n, zero = len(p), np.zeros_like(p1)
    speeds, rates = [zero, zero, p1], [zero, p1, p2]
    if rub:
        speeds, rates = [*speeds, -p1, 2.0 * p1], [*rates, p2, 4.0 * p2]
    state = (np.concatenate([p] * len(speeds)), np.concatenate(speeds), np.concatenate(rates))
    found = robot.inverse_dynamics(*state).reshape(len(speeds), n, -1)
    c, a = found[0], found[1] - found[0]
    if not rub:
        return Forces(a, found[2] - c, c)
    # forward: b + c + d + coulomb; backward: b + c - d - coulomb; twice as fast: 4 b + c + 2 d + coulomb
    b = 0.5 * (found[2] + found[3]) - c
    both = 0.5 * (found[2] - found[3])
    d = found[4] - 4.0 * b - c - both
    d[np.abs(d) <= 1e-12 * np.abs(found).max(initial=1e-300)] = 0.0  # rounding of joints without viscous friction
    return Forces(a, b, c, d if d.any() else None, both - d)


def torque_rates(robot: DrivenRobot, p: np.ndarray, p1: np.ndarray, p2: np.ndarray, p3: np.ndarray) -> ForceRates:
    """Return the coefficients of torque rates at N points of a curve, each argument (N, nv)."""
    n, zero = len(p), np.zeros_like(p1)
    # (sdot, sddot, sdddot): qd = p1 sdot, qdd = p2 sdot^2 + p1 sddot, qddd = p3 sdot^3 + 3 p2 sdot sddot + p1 sdddot
    states = (
        (p1, p2, p3),  # (1, 0, 0): b' + c' + d'
        (-p1, p2, -p3),  # (-1, 0, 0): -b' - c' + d'
        (2 * p1, 4 * p2, 8 * p3),  # (2, 0, 0): 8 b' + 2 c' + 4 d'
        (p1, p2 + p1, p3 + 3 * p2),  # (1, 1, 0): b' + c' + d' + a' + 2 b + d
        (-p1, p2 + p1, -p3 - 3 * p2),  # (-1, 1, 0): -b' - c' + d' - a' - 2 b + d
        (zero, zero, p1),  # (0, 0, 1): a
    )
    qd, qdd, qddd = (np.concatenate(parts) for parts in zip(*states, strict=True))
    r = robot.torque_rates(np.concatenate([p] * len(states)), qd, qdd, qddd).reshape(len(states), n, -1)
    friction_slope, odd = 0.5 * (r[0] + r[1]), 0.5 * (r[0] - r[1])
    square = (0.5 * r[2] - 2.0 * friction_slope - odd) / 3.0
    turn, friction = 0.5 * (r[3] - r[4]) - odd, 0.5 * (r[3] + r[4]) - friction_slope
    return ForceRates(0.5 * r[5], 0.5 * turn, square, odd - square, friction, friction_slope)
