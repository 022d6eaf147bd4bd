"""Where a motion may end: positions of the joints at which limits of one end hold, for the first motion.

An end that is given by poses of links, not by positions of joints, is found by Levenberg and Marquardt's method from several
places at once, within the position limits; of those that reach, the one that is nearest by the slowest joint is taken.

Symbols: B places that are tried | m rows, limits divided by their scales: equations, and bounds where they are broken | n columns
    r (B, m) residuals | J (B, m, n) their derivatives
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import StateError
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..quantities.state import State

PLACES = 12  # that are tried: the given one, and random ones
ENOUGH = 4  # of them that reach
ITERATIONS = 60
REACHED = 1e-7  # relative to the limits' scales; solvers lose more to a start that is a little off than is gained here
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
    damping = np.full(len(q), 1e-3)
    r, J = _residuals(problem, limits, q)
    for _ in range(ITERATIONS):
        left = np.abs(r).max(axis=1) > REACHED
        if (~left).sum() >= ENOUGH:
            break
        g = np.einsum("bmn,bm->bn", J, r)
        held = ((q <= lower) & (g > 0)) | ((q >= upper) & (g < 0))  # joints that would leave their range stay
        J = np.where(held[:, None], 0.0, J)
        A = np.einsum("bmi,bmj->bij", J, J)
        A[:, np.arange(problem.n), np.arange(problem.n)] += damping[:, None]
        step = -np.linalg.solve(A, np.where(held, 0.0, g)[..., None])[..., 0]
        tried = np.where(left[:, None], np.clip(q + np.clip(step, -1.0, 1.0), lower, upper), q)
        r_tried, J_tried = _residuals(problem, limits, tried)
        better = (r_tried**2).sum(axis=1) < (r**2).sum(axis=1)
        q, r = np.where(better[:, None], tried, q), np.where(better[:, None], r_tried, r)
        J = np.where(better[:, None, None], J_tried, J)
        damping = np.clip(np.where(better, damping / 5.0, damping * 4.0), 1e-12, 1e6)
    return q, np.abs(r).max(axis=1)


def _residuals(problem: MotionProblem, limits: Sequence[Limit], q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far limits are broken at places, and the derivatives of that."""
    still = np.zeros_like(q)
    state = State((q, *(still for _ in range(problem.parts.orders - 1))))
    r, J = [], []
    for limit in limits:
        y, D = limit.quantity.values(state), limit.quantity.derivatives(state)[0]
        own, slopes = y[:, limit.entries], D[:, limit.entries]
        over = np.where(own > limit.upper, own - limit.upper, np.where(own < limit.lower, own - limit.lower, 0.0))
        over = np.where(limit.lower == limit.upper, own - limit.lower, over)
        counts = (over != 0.0) | (limit.lower == limit.upper)
        r.append(over / limit.scale)
        J.append(np.where(counts[..., None], slopes / limit.scale[:, None], 0.0))
    return np.nan_to_num(np.concatenate(r, axis=1), nan=1e6), np.nan_to_num(np.concatenate(J, axis=1))


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
