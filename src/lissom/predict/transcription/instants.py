"""Instants: where along the splines of a problem quantities are evaluated, each with the clock of its phase.

A boundary of phases has two instants, one on each side: accelerations may jump there, and channels begin and end.
Symbols: s place along the splines, 0 ... 1 | K instants | T_c duration of a clock [s] | w_c share of s that a clock has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...spline.basis import Basis
from ..data.phases import Phases
from ..problem.parts import Limit


@dataclass(frozen=True, eq=False)
class Instants:
    """Instants s (K,).

    Attributes:
        s: places along the splines.
        left: (K,), which of those at a break are taken from the span on their left.
        clock: (K,), the clock of each.
        weights: (K,), for integrals by time: the sum of weights times values, times T_c of each clock; None where they are not
            all instants of some spans.
    """

    s: np.ndarray
    left: np.ndarray
    clock: np.ndarray
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.s)

    def without_ends(self, first: bool, last: bool) -> Instants:
        """Return them without the first or the last one."""
        kept = slice(int(first), len(self) - int(last))
        return Instants(self.s[kept], self.left[kept], self.clock[kept]) if first or last else self

    def thinned(self, after_first: int, before_last: int) -> Instants:
        """Return them without some next to the first and to the last one, both of which stay."""
        kept = np.ones(len(self), dtype=bool)
        kept[1 : 1 + after_first] = kept[max(len(self) - 1 - before_last, 0) : -1] = False
        kept[[0, -1]] = True
        return Instants(self.s[kept], self.left[kept], self.clock[kept])

    @property
    def key(self) -> tuple[bytes, bytes, bool]:
        """What is the same for the same instants."""
        return self.s.tobytes(), self.left.tobytes(), self.weights is None


def plain(s: np.ndarray) -> Instants:
    """Return instants of a problem without phases, derivatives at knots from the right."""
    s = np.asarray(s, dtype=float)
    return Instants(s, np.zeros(len(s), dtype=bool), np.zeros(len(s), dtype=int))


def placed(phases: Phases, s: np.ndarray, left: np.ndarray | None = None) -> Instants:
    """Return instants at any places."""
    s = np.asarray(s, dtype=float)
    left = np.zeros(len(s), dtype=bool) if left is None else left
    ends = phases.clock_ends
    right = np.minimum(np.searchsorted(ends, s, side="right") - 1, phases.clocks - 1)
    return Instants(s, left, np.where(left, np.searchsorted(ends, s, side="left") - 1, right))


def union(parts: Sequence[Instants]) -> tuple[Instants, list[np.ndarray]]:
    """Return all instants of several lists, each once, and where those of every list are among them."""
    s, left, clock = (np.concatenate([getattr(part, name) for part in parts]) for name in ("s", "left", "clock"))
    every, first, where = np.unique(np.stack([s, ~left], axis=1), axis=0, return_index=True, return_inverse=True)
    ends = np.cumsum([0, *(len(part) for part in parts)])
    where = where.ravel()
    return Instants(every[:, 0], left[first], clock[first]), [where[a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]


def along(phases: Phases, basis: Basis, points_per_span: int, during: tuple[int, ...] | None = None) -> Instants:
    """Return instants in every span of some phases, None for all, with weights of integrals."""
    grid, weights = basis.grid(points_per_span), simpson(basis, points_per_span)
    if len(phases) == 1:
        return Instants(grid, np.zeros(len(grid), dtype=bool), np.zeros(len(grid), dtype=int), weights)
    wide = np.diff(phases.clock_ends)
    parts: list[tuple[np.ndarray, ...]] = []
    for number in range(len(phases)) if during is None else during:
        first, last = (int(np.searchsorted(basis.span_ends, end)) for end in phases.ends[number : number + 2])
        own = slice(first * points_per_span, last * points_per_span + 1)
        s, left = grid[own], np.zeros(own.stop - own.start, dtype=bool)
        left[-1] = number < len(phases) - 1
        own_clock = number if phases.free else 0
        w = weights[own].copy()  # at both ends, only the part of this phase
        for end, span in ((0, first), (-1, last - 1)):
            w[end] = (basis.span_ends[span + 1] - basis.span_ends[span]) / points_per_span / 3.0
        parts.append((s, left, np.full(len(s), own_clock), w / wide[own_clock]))
    return Instants(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def given(phases: Phases, fractions: np.ndarray, during: tuple[int, ...] | None = None) -> Instants:
    """Return instants at fractions of the whole duration, or of phases."""
    if during is None:
        return placed(phases, fractions)
    s, left = [], []
    for number in during:
        a, b = phases.ends[number : number + 2]
        s.append(np.where(fractions == 1.0, b, a + fractions * (b - a)))
        left.append((fractions == 1.0) & (number < len(phases) - 1))
    return placed(phases, np.concatenate(s), np.concatenate(left))


def collocation(phases: Phases, basis: Basis, jumps: Sequence[bool], during: tuple[int, ...] | None = None) -> Instants:
    """Return as many instants as the acceleration of a path has free numbers: an equation there holds nearly all the time.

    They are the means of its inner knots (Greville), at which splines interpolate: of a cubic path the ends of spans, of higher
    degrees some more near the ends.

    Args:
        phases, basis: of the path.
        jumps: whether the equation may jump at each inner boundary of phases (P - 1,): there are then instants on both sides.
        during: phases; None for all.
    """
    numbers = range(len(phases)) if during is None else during
    pieces: list[list[float]] = []
    for number in numbers:
        if pieces and pieces[-1][1] == phases.ends[number] and not jumps[number - 1]:
            pieces[-1][1] = phases.ends[number + 1]
        else:
            pieces.append([phases.ends[number], phases.ends[number + 1]])
    s, left = [], []
    for a, b in pieces:
        own = _centers(phases, basis, a, b)
        s.append(own)
        left.append((own == b) & (b < 1.0))
    return placed(phases, np.concatenate(s), np.concatenate(left))


def _centers(phases: Phases, basis: Basis, a: float, b: float) -> np.ndarray:
    """Return where the control points of an acceleration between two breaks have their weight."""
    degree, ends = max(basis.degree - 2, 0), basis.span_ends
    inner = np.flatnonzero((ends > a) & (ends < b))
    if not degree:
        own = np.concatenate([[a], ends[inner], [b]])
        return 0.5 * (own[1:] + own[:-1])
    # a break where the path has derivatives up to the order r is a knot of its acceleration, p - r times
    order = [phases.smooth if ends[k] in phases.ends else basis.smooth[k - 1] for k in inner]
    times = [min(degree, basis.degree - r) for r in order]
    knots = np.concatenate([np.full(degree + 1, a), np.repeat(ends[inner], times), np.full(degree + 1, b)])
    count = len(knots) - degree - 1
    found = np.mean([knots[k : k + count] for k in range(1, degree + 1)], axis=0)
    found[0], found[-1] = a, b
    return np.unique(found)


def limit_instants(limit: Limit, phases: Phases, basis: Basis, points_per_span: int, jumps: Sequence[bool]) -> Instants:
    """Return where a limit is enforced: at given instants, at knots, or all along its phases."""
    if limit.knots:
        return collocation(phases, basis, jumps, limit.during).thinned(*limit.fewer).without_ends(*limit.open)
    if limit.at is not None:
        return placed(phases, limit.at) if limit.of is not None else given(phases, limit.at, limit.during)
    return along(phases, basis, points_per_span, limit.during)


def simpson(basis: Basis, points_per_span: int) -> np.ndarray:
    """Return weights of the instants of `basis.grid(points_per_span)` for integrals over s; Simpson's, of order four."""
    h = np.full(basis.spans, 1.0 / (basis.spans * points_per_span)) if basis.even else np.diff(basis.span_ends) / points_per_span
    pattern = np.full(points_per_span + 1, 2.0)
    pattern[1::2] = 4.0
    pattern[[0, -1]] = 1.0
    weights = np.zeros(basis.spans * points_per_span + 1)
    for k in range(basis.spans):
        weights[k * points_per_span : (k + 1) * points_per_span + 1] += pattern * h[k] / 3.0
    return weights
