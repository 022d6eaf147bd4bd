"""Whether a robot can reach its contacts: those that hold together, within the limits of its joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...errors import ContactError, StateError
from ..data.contact import Contact
from ..data.joints import column_units
from ..data.motion import Motion
from ..problem.problem import MotionProblem
from ..quantities.quantity import JointMotion
from ..quantities.state import ORDERS, State
from .contact_start import coordinates_on_surface
from .held_clearances import expect_clearances

TOUCHES = 1e-4  # [m], gap below which a contact is reached
CLOSE = 1e-9  # [m or rad], by which places that are known may move
TRIES = 4  # random poses to search from
STEPS = 30  # of Newton's method, to the nearest pose
EXACT = 1e-10  # [m], gap that is small enough for these
FLAT = 1e-6  # share of the largest singular value that counts as zero
LONGEST = 0.5  # [rad or m], step of a joint
FAR = 10.0  # [m], by which joints without limits slide at most, beyond the gap at the first pose
TURN = 2.0 * np.pi  # [rad], by which joints without limits turn at most: every pose is within
TIMES = 200  # evaluations of one search, at most


def expect_reach(problem: MotionProblem, motion: Motion) -> dict[float, np.ndarray]:
    """Return poses (n,) that reach the contacts of each phase that has some, by the place of its middle along the splines.

    Places that are to be found are those of the first phase in which their contacts hold.

    Raises:
        StateError: contacts that have to hold together cannot be reached, and how far they are off; or they contradict a limit
            of clearance.
    """
    found: dict[float, np.ndarray] = {}
    places: dict[str, np.ndarray] = {}
    timing, near = problem.timing, motion.path.at(np.array([0.0]))[0]
    for number in range(len(timing)):
        holding = [c for c in problem.contacts if c.during is None or timing.names[number] in c.during]
        if not holding:
            continue
        q, gaps = reach(problem, holding, near, places)
        if max(gaps) > TOUCHES and places:  # the places of phases before may be wrong ones
            places.clear()
            q, gaps = reach(problem, holding, near, places)
        if max(gaps) > TOUCHES:
            _refuse(problem, holding, near, gaps, f" in phase {timing.names[number]!r}" if timing.named else "")
        expect_clearances(problem, holding, number, q)
        for contact in holding:
            if contact.placed:
                places.setdefault(contact.name, coordinates_on_surface(problem, contact, q[None])[0])
        found[0.5 * (timing.ends[number] + timing.ends[number + 1])] = near = q
    _expect_changes(problem, near, places)
    return found


def _expect_changes(problem: MotionProblem, near: np.ndarray, places: Mapping[str, np.ndarray]) -> None:
    """Raise StateError where contacts of two phases cannot hold at once, as they have to where these phases meet."""
    names = problem.timing.names
    for one, other in zip(names[:-1], names[1:], strict=True):
        sides = [{c.name for c in problem.contacts if c.during is None or name in c.during} for name in (one, other)]
        if sides[0] <= sides[1] or sides[1] <= sides[0]:  # they hold together in one of the phases
            continue
        both = [contact for contact in problem.contacts if contact.name in sides[0] | sides[1]]
        q, gaps = reach(problem, both, near, places)
        if max(gaps) > TOUCHES:
            q, gaps = reach(problem, both, near)
        if max(gaps) > TOUCHES:
            _refuse(problem, both, near, gaps, f" at the end of phase {one!r}, where {other!r} begins")
        near = q


def reach(
    problem: MotionProblem, contacts: Sequence[Contact], near: np.ndarray, places: Mapping[str, np.ndarray] | None = None
) -> tuple[np.ndarray, list[float]]:
    """Return a pose (n,) with all contacts as near to their surfaces as possible, and the largest gap of each [m].

    `places` are those of contacts that are known already.
    """
    from scipy.optimize import least_squares

    quantities = [problem.quantities.get("gap", contact=contact.name) for contact in contacts]
    least, most = _bounds(problem)
    n, rng, known = problem.n, np.random.default_rng(0), places or {}
    sizes = [len(contact.placed) for contact in contacts]

    def parts(x: np.ndarray) -> list[State]:
        ends = np.cumsum([n, *sizes])
        found = []
        for a, b in zip(ends[:-1], ends[1:], strict=True):
            own = np.concatenate([x[:n], x[a:b]])[None]
            found.append(State((own,) + (np.zeros_like(own),) * (ORDERS - 1)))
        return found

    def all_gaps(x: np.ndarray) -> np.ndarray:
        return np.concatenate([quantity.values(state)[0] for quantity, state in zip(quantities, parts(x), strict=True)])

    def gaps(x: np.ndarray) -> np.ndarray:
        try:
            return all_gaps(x)
        except StateError:  # no numbers there: the search turns back
            return np.full(sum(quantity.size for quantity in quantities), np.inf)

    def slopes(x: np.ndarray) -> np.ndarray:
        J, column = np.zeros((0, len(x))), n
        for quantity, state, size in zip(quantities, parts(x), sizes, strict=True):
            D = quantity.derivatives(state)[0, 0]
            own = np.zeros((len(D), len(x)))
            own[:, :n], own[:, column : column + size] = D[:, :n], D[:, n:]
            J, column = np.concatenate([J, own]), column + size
        return J

    def begin(q: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        q = np.clip(q, low, high)
        first, least, most = [q], [low], [high]
        for contact in contacts:
            if contact.placed:
                given = known.get(contact.name)
                own = coordinates_on_surface(problem, contact, q[None])[0] if given is None else given
                room = np.full(len(own), np.inf if given is None else CLOSE)
                first, least, most = [*first, own], [*least, own - room], [*most, own + room]
        return np.concatenate(first), (np.concatenate(least), np.concatenate(most))

    x, _ = begin(near, least, most)
    low, high = _within_reach(problem, x[:n], float(np.abs(all_gaps(x)).max()), least, most)
    x, bounds = begin(near, low, high)
    x = _nearest(gaps, slopes, x, *bounds)
    fun = gaps(x)
    for k in range(1 + TRIES):
        if np.abs(fun).max() < TOUCHES:
            break
        first, bounds = begin(near if k == 0 else near + rng.normal(size=n), low, high)
        if not np.isfinite(gaps(first)).all():
            continue
        found = least_squares(gaps, first, jac=slopes, bounds=bounds, xtol=1e-12, ftol=1e-14, gtol=1e-12, max_nfev=TIMES)
        if not found.fun @ found.fun >= fun @ fun:
            x, fun = found.x, found.fun
    ends = np.cumsum([quantity.size for quantity in quantities])[:-1]
    return x[:n], [float(np.abs(part).max()) for part in np.split(fun, ends)]


def _nearest(
    gaps: Callable[[np.ndarray], np.ndarray],
    slopes: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> np.ndarray:
    """Return the end of Newton's steps of least norm within bounds: joints that no gap depends on stay where they are."""
    for _ in range(STEPS):
        r = gaps(x)
        if not np.isfinite(r).all() or np.abs(r).max() < EXACT:
            break
        free = high - low > 4 * CLOSE
        step = np.zeros_like(x)
        for _ in range(len(x)):  # what would leave its range stays at its end
            step[free] = -np.linalg.lstsq(slopes(x)[:, free], r, rcond=FLAT)[0]
            out = free & (((x <= low) & (step < 0.0)) | ((x >= high) & (step > 0.0)))
            step[out] = 0.0
            free &= ~out
            if not out.any():
                break
        x = np.clip(x + np.clip(step, -LONGEST, LONGEST), low, high)
    return x


def _refuse(problem: MotionProblem, contacts: Sequence[Contact], near: np.ndarray, gaps: list[float], when: str) -> None:
    for contact in contacts:
        _, (alone,) = reach(problem, [contact], near)
        if alone > TOUCHES:
            raise ContactError(
                f"contact {contact.name!r} cannot be reached: within the limits of the joints, the points of "
                f"{contact.touch.link!r} stay {alone:.3g} m away from it{when}; move its surface or place, or its points",
                (contact.name,),
            )
    names = ", ".join(repr(contact.name) for contact in contacts)
    raise ContactError(
        f"contacts {names} cannot hold together{when}: {max(gaps):.3g} m are missing; let them hold in other phases, or change "
        "their places or surfaces",
        tuple(contact.name for contact in contacts),
    )


def _within_reach(
    problem: MotionProblem, q: np.ndarray, gap: float, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of the path (n,) that are finite: without them a contact out of reach would be sought ever farther away."""
    room = np.where(np.array(column_units(problem.robot)) == "m", FAR + gap, TURN)
    return np.where(np.isinf(low), q - room, low), np.where(np.isinf(high), q + room, high)


def _bounds(problem: MotionProblem) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of the path (n,) that hold all the time."""
    low, high = np.full(problem.n, -np.inf), np.full(problem.n, np.inf)
    for limit in problem.parts.limits:
        own = isinstance(limit.quantity, JointMotion) and limit.quantity.path and limit.quantity.orders == (0,)
        if own and limit.at is None and limit.during is None and limit.peak is None and not limit.knots:
            low[limit.entries] = np.maximum(low[limit.entries], limit.lower)
            high[limit.entries] = np.minimum(high[limit.entries], limit.upper)
    same = high - low < 1e-9
    return np.where(same, low - 1e-9, low), np.where(same, high + 1e-9, high)
