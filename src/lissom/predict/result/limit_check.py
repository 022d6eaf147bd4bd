"""Check of a motion's limits, also between the instants at which they were enforced.

Every limit that holds all the time is evaluated on a grid ten times finer, of a thousand points at least. Where it may have a
peak between two of those points, the grid is refined there twice, so that peaks are found to a small part of the distance of
points. The peaks beyond a bound are the instants at which it is enforced next. Forces of contacts are those
that balance the motion between knots, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...nlp.solution import Solution
from ..data.motion import Motion
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..problem.undriven import weight_of
from ..quantities.quantity import Quantity
from ..quantities.state import State
from ..transcription.transcription import Transcription
from .contact_forces import balanced
from .prediction import FINER, LimitReport

NEAR = 0.01  # share of its scale within which a limited entry counts as at its bound, over time
NEAR_AT = 1e-4  # and where it is limited at some instants only
LEAST = 1000  # points of the grid
A_DEGREE = 8  # points per span and degree of the path, at least: polynomials of high degree have many peaks
CLOSER = 8  # points on both sides of a peak in a refinement
LOOKS = 2  # refinements, each around the best point of the one before
LEFT = 1e-9  # of the duration, by which an instant on the left of a knot is apart from it
MOST = 500  # peaks of a quantity that are refined
FRICTION = ("friction", "friction_cone")  # quantities whose bounds mean nothing where a point carries no load
LOADED = 0.01  # of the robot's weight, from which on a point is loaded
SLIDING = 10.0  # [m/s] of gap rates, as much as a gap of 1 m: the usual tolerance of 1e-3 is then 1 mm and 1 cm/s


@dataclass(frozen=True, eq=False)
class Findings:
    """Limits of a motion, and where they are broken.

    Attributes:
        reports: of every entry of every limit.
        violation: the largest one (relative to its limit's scale).
        peaks: by the number of a limit, places along the splines where it has peaks beyond its bounds; how far (relative).
            Equations at knots have none: they cannot hold at more instants.
        slides: by the name of a contact, how far its points are off their place [m], and how fast they move [m/s], at most.
    """

    reports: list[LimitReport]
    violation: float
    peaks: dict[int, tuple[np.ndarray, np.ndarray]]
    slides: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def slip(self) -> float:
        """How much contacts move between knots, relative to 1 m and 10 m/s; more instants do not help, only more knots."""
        return max((max(gap, rate / SLIDING) for gap, rate in self.slides.values()), default=0.0)


def find(problem: MotionProblem, transcription: Transcription, solution: Solution, motion: Motion) -> Findings:
    """Return the check of the limits at a solution."""
    look = _Look(problem, motion)
    reports: list[LimitReport] = []
    peaks: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    transcription.evaluate(solution.x)
    rows = {id(limit): (row, group) for group in transcription.groups for row, limit in group.limits}
    limits = transcription.parts.limits
    for number, limit in enumerate(limits):
        if limit.peak is not None or limit.of is not None:
            continue
        multipliers = np.zeros(len(limit.entries))
        for own in (limit, *(other for other in limits if other.of == number)):
            row, group = rows[id(own)]
            given = np.asarray(solution.multipliers[row : row + len(group.grid) * len(own.entries)])
            multipliers += np.abs(given).reshape(len(group.grid), -1).sum(axis=0)
        group = rows[id(limit)][1]
        if limit.at is not None:
            s, y = motion.moved(group.grid.s, problem.timing.clock_ends), group.y
        else:
            s, y = look.at(limit.quantity, [x for x in limits if x.peak is None])
        beyond = limit.beyond(y) if limit.at is not None else look.beyond(limit, s, y)
        residual, held = np.zeros(len(limit.entries)), beyond
        if limit.knots:
            held = limit.beyond(group.y)  # at its own instants
            if (limit.lower == limit.upper).any():  # what an equation misses between them is another figure
                residual = beyond.max(axis=0)
                s, beyond = motion.moved(group.grid.s, problem.timing.clock_ends), held
        beyond[np.isnan(beyond)] = np.inf  # a value that is not a number breaks the limit
        some = limit.at is not None or limit.knots
        near = held > -(NEAR_AT if some else NEAR) * limit.scale
        if limit.contact is not None and limit.quantity.name in FRICTION:
            near &= look.loaded(problem, limit, group.grid.state(motion.points, motion.durations) if some else look.state_at(s))
        active = near.mean(axis=0) if some else np.diff(s) @ (near[1:].astype(float) + near[:-1]) / 2.0
        if not some:
            where, height = _peaks(s, beyond / limit.scale)
            peaks[number] = motion.moved(where, problem.timing.clock_ends, back=True), height
        for e in range(len(limit.entries)):
            worst = int(np.argmax(beyond[:, e]))
            reports.append(
                LimitReport(
                    label=limit.label(e),
                    unit=limit.quantity.units()[int(limit.entries[e])],
                    lower=float(limit.lower[e]),
                    upper=float(limit.upper[e]),
                    active=float(active[e]),
                    violation=max(0.0, float(beyond[worst, e])),
                    at=float(s[worst] * motion.duration),
                    multiplier=float(multipliers[e] / limit.scale[e]),
                    scale=float(limit.scale[e]),
                    shares=() if limit.at is None else tuple((limit.at if limit.during is None else s).tolist()),
                    during=tuple(problem.timing.names[k] for k in limit.during or ()),
                    residual=float(residual[e]),
                    root=limit.quantity.root(int(limit.entries[e])),
                    contact=limit.contact or "",
                )
            )
    return Findings(reports, max((r.violation / r.scale for r in reports), default=0.0), peaks, look.slides(problem))


def _peaks(s: np.ndarray, beyond: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where entries (K, E) have peaks above zero, and how high the highest of them is there."""
    none = np.full((1, beyond.shape[1]), -np.inf)
    before, after = np.concatenate([none, beyond[:-1]]), np.concatenate([beyond[1:], none])
    which = ((beyond > 0) & (beyond >= before) & (beyond > after)).any(axis=1)
    return s[which], beyond[which].max(axis=1)


class _Look:
    """Quantities along a path at many instants, each evaluated once."""

    def __init__(self, problem: MotionProblem, motion: Motion) -> None:
        path = motion.path
        self.motion, self.orders, self.columns, self.phases = motion, problem.parts.orders, problem.columns, problem.timing
        self.ends = motion.moved(np.array(problem.timing.ends), problem.timing.clock_ends)  # of phases
        least = -(-LEAST // path.basis.spans)
        grid = path.basis.grid(max(FINER * problem.points_per_span, A_DEGREE * path.degree, least))
        # quantities that jump at knots have another value on their left
        self.s = np.sort(np.concatenate([grid, path.basis.span_ends[1:-1] - LEFT]))
        self.apart = grid[1] if path.basis.even else float(np.diff(grid).max())
        self.state = self.state_at(self.s)
        self.touching, self.free = {contact.force for contact in problem.contacts}, list(problem.undriven)
        self.problem = problem
        self.balanced: State | None = None  # at all instants, once it is needed
        self.seen: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def at(self, quantity: Quantity, limits: list[Limit]) -> tuple[np.ndarray, np.ndarray]:
        """Return increasing instants s (K,), and a quantity there (K, size)."""
        if id(quantity) not in self.seen:
            y = quantity.values(self.in_balance(quantity, self.s).part(self.columns.of(quantity)))
            own = [limit for limit in limits if limit.quantity is quantity and limit.at is None and not limit.knots]
            self.seen[id(quantity)] = self._closer(quantity, y, own) if own else (self.s, y)
        return self.seen[id(quantity)]

    def beyond(self, limit: Limit, s: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return how far values y (K, size) at instants s (K,) are beyond their bounds (K, E); -inf outside of its phases."""
        beyond = limit.beyond(y)
        if limit.during is not None:
            beyond[~np.isin(self._phase(s), limit.during)] = -np.inf
        return beyond

    def loaded(self, problem: MotionProblem, limit: Limit, state: State) -> np.ndarray:
        """Return whether the points of entries of a contact's friction are loaded at instants (K, E)."""
        contact = next(contact for contact in problem.contacts if contact.name == limit.contact)
        force = problem.quantities.get(contact.force)
        y = force.values(state.part(self.columns.of(force))).reshape(len(state), len(contact.labels), -1)
        points = y[:, :, contact.touch.components.index(2)] > LOADED * weight_of(problem.robot)
        return np.asarray(np.repeat(points, limit.quantity.size // len(contact.labels), axis=1)[:, limit.entries])

    def slides(self, problem: MotionProblem) -> dict[str, tuple[float, float]]:
        """Return how far points of contacts are off their place [m], and how fast they move [m/s], at most."""
        found = {}
        for contact in problem.contacts:
            run, rows, largest = problem.timing.run(contact.during), list(contact.rows), []
            live = np.ones(len(self.s), dtype=bool) if run is None else np.isin(self._phase(self.s), range(*run))
            for name in ("gap", "gap_rate"):
                quantity = problem.quantities.get(name, contact=contact.name)
                y = quantity.values(self.state.part(self.columns.of(quantity)))[live][:, rows]
                largest.append(float(np.abs(y).max(initial=0.0)))
            found[contact.name] = largest[0], largest[1]
        return found

    def _phase(self, s: np.ndarray) -> np.ndarray:
        """Return the numbers of the phases of instants s (K,)."""
        return np.minimum(np.searchsorted(self.ends, s, side="right") - 1, len(self.ends) - 2)  # type: ignore[no-any-return]

    def _closer(self, quantity: Quantity, y: np.ndarray, limits: list[Limit]) -> tuple[np.ndarray, np.ndarray]:
        """Add instants around possible peaks beyond a bound; each entry of each limit has its own."""
        beyond = np.concatenate([self.beyond(limit, self.s, y) / limit.scale for limit in limits], axis=1)
        middle = beyond[1:-1]
        with np.errstate(invalid="ignore"):  # entries without a bound, or outside of their phases, are infinitely far from it
            bend = np.abs(beyond[2:] - 2.0 * middle + beyond[:-2])  # a parabola rises by an eighth of it between points
            k, e = np.nonzero((middle >= beyond[:-2]) & (middle >= beyond[2:]) & (middle + bend > 0) & (bend > 0))
        if len(k) > MOST:
            highest = np.argsort(-middle[k, e], kind="stable")[:MOST]
            k, e = k[highest], e[highest]
        if not len(k):
            return self.s, y
        s, half = self.s[k + 1], self.apart
        some, values = [self.s], [y]
        for _ in range(LOOKS):
            steps = np.arange(-CLOSER + 1, CLOSER) * (half / CLOSER)
            around = np.clip(s[:, None] + steps, 0.0, 1.0)
            found = quantity.values(self.in_balance(quantity, around.ravel()).part(self.columns.of(quantity)))
            some.append(around.ravel())
            values.append(found)
            all_beyond = np.concatenate([self.beyond(limit, around.ravel(), found) / limit.scale for limit in limits], axis=1)
            own = all_beyond.reshape(len(k), len(steps), -1)[np.arange(len(k)), :, e]
            s, half = around[np.arange(len(k)), np.argmax(own, axis=1)], half / CLOSER
        every, order = np.unique(np.concatenate(some), return_index=True)
        return every, np.concatenate(values)[order]

    def in_balance(self, quantity: Quantity, s: np.ndarray) -> State:
        """Return the motion at instants (K,) with the forces of contacts that balance it there, if a quantity depends on them."""
        rigid = not self.problem.robot.n_elastic  # motors behind springs cannot follow a correction of forces
        if not (rigid and self.touching & set(quantity.channels) and self.free and 0 in quantity.orders):
            return self.state if s is self.s else self.state_at(s)
        if s is self.s and self.balanced is not None:
            return self.balanced
        state, torque = self.state_at(s), self.problem.quantities.get("torque")
        columns = self.columns.of(torque)
        whole, n = state.rates[0].copy(), self.columns.joints
        path = [rate[:, :n] for rate in state.rates]
        loads, weight = whole[:, columns[n:]], weight_of(self.problem.robot)
        own = torque, self.problem.channels, self.motion.channels, self.free, path, loads, s, weight
        whole[:, columns[n:]] = balanced(*own)[0]
        found = replace(state, rates=(whole, *state.rates[1:]))
        self.balanced = found if s is self.s else self.balanced
        return found

    def state_at(self, s: np.ndarray) -> State:
        """Return the motion at instants s (K,)."""
        t = np.minimum(s * self.motion.duration, self.motion.duration)
        return State.along(self.motion, t, self.orders, self.phases)
