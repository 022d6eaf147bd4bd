"""Check of a motion's limits, also between the instants at which they were enforced.

Every limit that holds all the time is evaluated on a grid ten times finer, of a thousand points at least. Where it may have a
peak between two of those points, the grid is refined there twice, so that peaks are found to a small part of the distance of
points. The peaks beyond a bound are the instants at which it is enforced next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...nlp.solution import Solution
from ...spline import SplinePath
from ..problem.parts import Limit
from ..problem.problem import MotionProblem
from ..quantities.quantity import Quantity, State
from ..search.transcription import Transcription
from .prediction import FINER, LimitReport

NEAR = 1e-4  # share of its scale within which a limited entry counts as at its bound
LEAST = 1000  # points of the grid
A_DEGREE = 8  # points per span and degree of the path, at least: polynomials of high degree have many peaks
CLOSER = 8  # points on both sides of a peak in a refinement
LOOKS = 2  # refinements, each around the best point of the one before
LEFT = 1e-9  # of the duration, by which an instant on the left of a knot is apart from it
MOST = 500  # peaks of a quantity that are refined


@dataclass(frozen=True, eq=False)
class Findings:
    """Limits of a motion, and where they are broken.

    Attributes:
        reports: of every entry of every limit.
        violation: the largest one (relative to its limit's scale).
        peaks: by the number of a limit, fractions of the duration where it has peaks beyond its bounds; how far (relative).
    """

    reports: list[LimitReport]
    violation: float
    peaks: dict[int, tuple[np.ndarray, np.ndarray]]


def find(problem: MotionProblem, transcription: Transcription, solution: Solution, path: SplinePath) -> Findings:
    """Return the check of the limits at a solution."""
    look = _Look(problem, path)
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
        own_y = group.y[:, limit.entries]
        near = np.minimum(own_y - limit.lower, limit.upper - own_y) < NEAR * limit.scale
        s, y = (group.grid.s, group.y) if limit.at is not None else look.at(limit.quantity, [x for x in limits if x.peak is None])
        beyond = limit.beyond(y)
        beyond[np.isnan(beyond)] = np.inf  # a value that is not a number breaks the limit
        if limit.at is None:
            peaks[number] = _peaks(s, beyond / limit.scale)
        for e in range(len(limit.entries)):
            worst = int(np.argmax(beyond[:, e]))
            reports.append(
                LimitReport(
                    label=limit.label(e),
                    unit=limit.quantity.units()[int(limit.entries[e])],
                    lower=float(limit.lower[e]),
                    upper=float(limit.upper[e]),
                    active=float(near[:, e].mean()),
                    violation=max(0.0, float(beyond[worst, e])),
                    at=float(s[worst] * path.duration),
                    multiplier=float(multipliers[e] / limit.scale[e]),
                    scale=float(limit.scale[e]),
                    shares=() if limit.at is None else tuple(limit.at.tolist()),
                )
            )
    return Findings(reports, max((r.violation / r.scale for r in reports), default=0.0), peaks)


def _peaks(s: np.ndarray, beyond: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where entries (K, E) have peaks above zero, and how high the highest of them is there."""
    none = np.full((1, beyond.shape[1]), -np.inf)
    before, after = np.concatenate([none, beyond[:-1]]), np.concatenate([beyond[1:], none])
    which = ((beyond > 0) & (beyond >= before) & (beyond > after)).any(axis=1)
    return s[which], beyond[which].max(axis=1)


class _Look:
    """Quantities along a path at many instants, each evaluated once."""

    def __init__(self, problem: MotionProblem, path: SplinePath) -> None:
        self.path, self.orders = path, problem.parts.orders
        least = -(-LEAST // path.basis.spans)
        grid = path.basis.grid(max(FINER * problem.points_per_span, A_DEGREE * path.degree, least))
        # quantities that jump at knots have another value on their left
        self.s = np.sort(np.concatenate([grid, np.arange(1, path.basis.spans) / path.basis.spans - LEFT]))
        self.apart = grid[1]
        self.state = self._state(self.s)
        self.seen: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def at(self, quantity: Quantity, limits: list[Limit]) -> tuple[np.ndarray, np.ndarray]:
        """Return increasing instants s (K,), and a quantity there (K, size)."""
        if id(quantity) not in self.seen:
            y = quantity.values(self.state)
            own = [limit for limit in limits if limit.quantity is quantity and limit.at is None]
            self.seen[id(quantity)] = self._closer(quantity, y, own)
        return self.seen[id(quantity)]

    def _closer(self, quantity: Quantity, y: np.ndarray, limits: list[Limit]) -> tuple[np.ndarray, np.ndarray]:
        """Add instants around possible peaks beyond a bound; each entry of each limit has its own."""
        beyond = np.concatenate([limit.beyond(y) / limit.scale for limit in limits], axis=1)
        middle = beyond[1:-1]
        bend = np.abs(beyond[2:] - 2.0 * middle + beyond[:-2])  # a parabola rises by an eighth of it between points
        with np.errstate(invalid="ignore"):  # entries without a bound are infinitely far from it
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
            found = quantity.values(self._state(around.ravel()))
            some.append(around.ravel())
            values.append(found)
            all_beyond = np.concatenate([limit.beyond(found) / limit.scale for limit in limits], axis=1)
            own = all_beyond.reshape(len(k), len(steps), -1)[np.arange(len(k)), :, e]
            s, half = around[np.arange(len(k)), np.argmax(own, axis=1)], half / CLOSER
        every, order = np.unique(np.concatenate(some), return_index=True)
        return every, np.concatenate(values)[order]

    def _state(self, s: np.ndarray) -> State:
        return State.along(self.path, np.minimum(s * self.path.duration, self.path.duration), self.orders)
