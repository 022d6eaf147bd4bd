"""Where a motion may end: positions of the joints at which limits of one end hold, for the first motion.

An end that is given by poses of links, not by positions of joints, is found by damped least squares from several places at once,
within the position limits; of those that reach, the one that is nearest by the slowest joint is taken.

Symbols: B places that are tried | m rows, limits divided by their scales: equations, and bounds where they are broken | n columns
    r (B, m) residuals | J (B, m, n) their derivatives
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import StateError
from ...least_squares import LeastSquares, descend
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..quantities.state import State

PLACES = 48  # that are tried at once, the given one and random ones: of fewer, ends at the edge of the workspace may reach none
ENOUGH = 4  # of them that reach
ITERATIONS = 60
REACHED = 1e-7  # relative to the limits' scales; solvers lose more to a start that is a little off than is gained here
LONGEST = 1.0  # step of a joint [rad or m]
TURN = np.pi  # half the range of joints without position limits [rad or m]


def reached(problem: MotionProblem, side: str, near: np.ndarray, seed: int = 0) -> np.ndarray | None:
    """Return positions (n,) at which the limits of one end hold, or come nearest to that; None where nothing fixes them.

    Args:
        problem: the motion problem.
        side: "start" or "end".
        near: positions (n,) to be near to.
        seed: of the random places.
    """
    limits = [limit for limit in problem.parts.limits if _of_place(limit) and limit.holds_at(side, len(problem.timing))]
    if not any(limit.at is not None and (limit.lower == limit.upper).any() for limit in limits):
        return None
    lower, upper = _range(problem)
    low, high = (np.where(np.isfinite(bound), bound, near + sign * TURN) for bound, sign in ((lower, -1), (upper, 1)))
    rng = np.random.default_rng(seed)
    q = np.clip(np.concatenate([near[None], rng.uniform(low, high, (PLACES - 1, problem.n))]), lower, upper)
    rows = [x for x in limits if x.quantity.name != "position" or x.at is not None]
    if problem.robot.path_inputs(near[None]):  # loops: most random places cannot be assembled, which takes long to find out
        found, error = _search(problem, rows, q[:1], lower, upper)
        if error[0] <= REACHED:
            return found[0]
    q, error = _search(problem, rows, q, lower, upper)
    far = np.abs(q - near) / _speeds(problem)
    good = error <= max(REACHED, float(error.min()) * (1.0 + 1e-6))
    return q[np.flatnonzero(good)[np.argmin(far[good].max(axis=1))]]


def expect_freedom(problem: MotionProblem) -> None:
    """Raise StateError where more equations fix the position of the robot at one time than there are joints.

    Equations that no joint can change, such as the height of a planar arm, do not count.
    """
    asked: dict[float, list[tuple[Limit, int]]] = {}
    for limit in problem.parts.limits:
        if _of_place(limit) and limit.at is not None:
            for s in limit.at.tolist():
                asked.setdefault(s, []).extend((limit, int(e)) for e in np.flatnonzero(limit.lower == limit.upper))
    for s, equations in asked.items():
        side = "start" if s == 0.0 else "end" if s == 1.0 else f"motion at {s:g} of its duration"
        if len(equations) <= problem.n or "position" in problem.ends.get(side, {}):
            continue
        labels = [limit.label(e) for limit, e in equations if _moves(problem, limit, e)]
        if len(labels) > problem.n:
            raise StateError(
                f"the {side} has {len(labels)} equations for {problem.n} joints: {', '.join(labels)}; limit only entries that "
                "the robot can choose, with entries=, or tilt in the place of orientation"
            )


def _moves(problem: MotionProblem, limit: Limit, e: int) -> bool:
    """Return whether any joint changes an entry of a limit."""
    places = np.random.default_rng(0).uniform(-1.0, 1.0, (3, problem.n))
    state = State((places, *(np.zeros_like(places) for _ in range(problem.parts.orders - 1))))
    return bool((np.abs(limit.quantity.derivatives(state)[0][:, limit.entries[e]]) > 1e-9).any())


def _search(
    problem: MotionProblem, limits: Sequence[Limit], q: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return places (B, n), improved, and the largest residual of each (B,)."""
    problem_of_places = LeastSquares(
        residual=lambda x, rows: _residuals(problem, limits, x),
        jacobian=lambda x, rows: _slopes(problem, limits, x),
        move=lambda x, step: np.clip(x + step, lower, upper),
        room=lambda x: (np.maximum(lower - x, -LONGEST), np.minimum(upper - x, LONGEST)),
        done=lambda r: np.abs(r).max(axis=1) <= REACHED,
    )
    found = descend(problem_of_places, q, ITERATIONS, ENOUGH)
    return found.x, np.abs(found.r).max(axis=1)


def _residuals(problem: MotionProblem, limits: Sequence[Limit], q: np.ndarray) -> np.ndarray:
    """Return how far limits are broken at places."""
    state, r = _at_rest(problem, q), []
    for limit in limits:
        own = limit.quantity.values(state)[:, limit.entries]
        r.append((own - np.clip(own, limit.lower, limit.upper)) / limit.scale)
    return np.nan_to_num(np.concatenate(r, axis=1), nan=1e6)


def _slopes(problem: MotionProblem, limits: Sequence[Limit], q: np.ndarray) -> np.ndarray:
    """Return the derivatives of `_residuals`; zero where a bound is kept."""
    state, J = _at_rest(problem, q), []
    for limit in limits:
        own = limit.quantity.values(state)[:, limit.entries]
        slopes = limit.quantity.derivatives(state)[0][:, limit.entries] / limit.scale[:, None]
        counts = (own > limit.upper) | (own < limit.lower) | (limit.lower == limit.upper)
        J.append(np.where(counts[..., None], slopes, 0.0))
    return np.nan_to_num(np.concatenate(J, axis=1))


def _at_rest(problem: MotionProblem, q: np.ndarray) -> State:
    return State((q, *(np.zeros_like(q) for _ in range(problem.parts.orders - 1))))


def _of_place(limit: Limit) -> bool:
    """Return whether a limit says where the robot is, and nothing else."""
    return limit.quantity.orders == (0,) and not limit.quantity.channels and limit.peak is None


def _range(problem: MotionProblem) -> tuple[np.ndarray, np.ndarray]:
    """Return the position limits (n,) that hold all the time."""
    lower, upper = np.full(problem.n, -np.inf), np.full(problem.n, np.inf)
    for limit in problem.parts.limits:
        if limit.quantity.name == "position" and limit.at is None and limit.peak is None:
            lower[limit.entries] = np.maximum(lower[limit.entries], limit.lower)
            upper[limit.entries] = np.minimum(upper[limit.entries], limit.upper)
    return lower, upper


def _speeds(problem: MotionProblem) -> np.ndarray:
    """Return the largest speeds of the joints (n,) that limits allow; one where they do not say."""
    found = np.full(problem.n, np.inf)
    for limit in problem.parts.limits:
        if limit.quantity.name == "velocity" and limit.peak is None:
            found[limit.entries] = np.minimum(found[limit.entries], np.maximum(limit.upper, -limit.lower))
    return np.where(np.isfinite(found) & (found > 0.0), found, 1.0)
