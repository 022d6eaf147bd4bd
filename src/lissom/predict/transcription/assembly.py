"""Assembly: second derivatives by control points, summed over the instants of each span before they find their slots.

All instants of a span depend on the same unknowns: w of them, control points of the path and of channels that live there. Their
second derivatives are one matrix (w, w) per span:
    sum over k, r, q of  b_ar b_bq H_riqj      weights b_ar b_bq of all instants and orders, times H
    sum over k, e of     X_ea X_eb             X = sqrt(bend) D b; of squares, without forming H
Symbols: S spans | K instants | R orders r, q | a, b unknowns of a span | i, j columns | e entries of a quantity.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...memory import check_size
from ...spline.basis import Basis
from ..data.part import AnyBasis, PartBasis

KEPT = 32  # structures of programs


class Span(NamedTuple):
    """Instants of one span: its number, its first instant, and one after its last."""

    number: int
    start: int
    stop: int


def spans_of(basis: Basis, s: np.ndarray, left: np.ndarray) -> list[Span]:
    """Return the spans that have instants, which are in increasing order."""
    if not len(s):
        return []
    number = basis.place(s, left)[0]
    edges = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(s)]
    return [Span(int(number[a]), a, b) for a, b in zip(edges[:-1], edges[1:], strict=True)]


class Assembly:
    """Places of second derivatives by control points: lower triangle, of pairs that some span depends on.

    Args:
        bases, sizes: functions and numbers of columns of the path and of channels.
        pattern: (columns, columns), whether second derivatives by two columns may differ from zero.

    Attributes:
        rows, columns: unknowns of every slot.
        first: of each spline, where its unknowns begin among the w of a span.
    """

    def __init__(self, bases: Sequence[AnyBasis], sizes: Sequence[int], pattern: np.ndarray) -> None:
        path = bases[0]
        assert isinstance(path, Basis)
        ends = path.span_ends
        middles = 0.5 * (ends[1:] + ends[:-1])
        numbers, which, alive = [], [], []
        start = column = 0
        self.first = [0]
        for basis, n in zip(bases, sizes, strict=True):
            width = np.arange(basis.degree + 1)
            points = basis.local(middles, 0)[0][:, None] + width
            numbers.append((start + points[..., None] * n + np.arange(n)).reshape(len(middles), -1))
            which.append(np.tile(column + np.arange(n), len(width)))
            lives = basis.inside(middles) if isinstance(basis, PartBasis) else np.ones(len(middles), dtype=bool)
            alive.append(np.repeat(lives[:, None], len(width) * n, axis=1))
            start, column = start + basis.count * n, column + n
            self.first.append(self.first[-1] + len(width) * n)
        own, live = np.concatenate(numbers, axis=1), np.concatenate(alive, axis=1)  # (S, w)
        w = own.shape[1]
        check_size(3.0 * len(own) * w**2, f"second derivatives of {len(own)} spans", "take fewer, or a lower degree")
        kind = np.concatenate(which)
        pairs = live[:, :, None] & live[:, None] & pattern[np.ix_(kind, kind)] & (own[:, :, None] >= own[:, None])
        keys = (own[:, :, None].astype(np.int64) * start + own[:, None])[pairs]
        slots, where = np.unique(keys, return_inverse=True)
        self.rows, self.columns = slots // start, slots % start
        self.shape = (len(own), w, w)
        self._from, self._to = np.flatnonzero(pairs), where.ravel()

    @property
    def size(self) -> int:
        """Number of slots."""
        return len(self.rows)

    def blocks(self) -> np.ndarray:
        """Return zeros (S, w, w) to add to."""
        return np.zeros(self.shape)

    def add_squares(self, to: np.ndarray, spans: Sequence[Span], roots: Mapping[int, np.ndarray]) -> None:
        """Add sums of squares, given X (K, E, a n) of the splines that they depend on."""
        low, high = self.first[min(roots)], self.first[max(roots) + 1]
        some = next(iter(roots.values()))
        X = np.zeros((*some.shape[:2], high - low)) if len(roots) > 1 else some
        for number, own in roots.items() if len(roots) > 1 else ():
            X[..., self.first[number] - low : self.first[number + 1] - low] = own
        for number, start, stop in spans:
            each = X[start:stop].reshape(-1, high - low)
            to[number, low:high, low:high] += each.T @ each

    def add_diagonal(
        self, to: np.ndarray, spans: Sequence[Span], spline: int, columns: slice, b: np.ndarray, bends: np.ndarray
    ) -> None:
        """Add squares of columns of one spline themselves, given its functions b (K, a) and the weights of squares (K, n)."""
        a = b.shape[1]
        low, high = self.first[spline], self.first[spline + 1]
        n = (high - low) // a
        weights = (b[:, :, None] * b[:, None]).reshape(len(b), a * a)
        for number, start, stop in spans:
            own = weights[start:stop].T @ bends[start:stop]
            square = to[number, low:high, low:high].reshape(a, n, a, n)  # a view
            np.einsum("ajbj->abj", square)[..., columns] += own.reshape(a, a, -1)

    def add_curvature(
        self, to: np.ndarray, spans: Sequence[Span], one: tuple[int, np.ndarray], two: tuple[int, np.ndarray], H: np.ndarray
    ) -> None:
        """Add second derivatives H (K, R, R, i, j) by the motion of two splines, given their numbers and functions (K, R, a)."""
        (first, f), (second, g) = one, two
        K, R, _, n, m = H.shape
        a, b = f.shape[2], g.shape[2]
        weights = (f[:, :, None, :, None] * g[:, None, :, None, :]).reshape(K, R * R, a * b)
        values = np.ascontiguousarray(H).reshape(K, R * R, n * m)
        rows = slice(self.first[first], self.first[first + 1])
        columns = slice(self.first[second], self.first[second + 1])
        for number, start, stop in spans:
            own = weights[start:stop].reshape(-1, a * b).T @ values[start:stop].reshape(-1, n * m)
            to[number, rows, columns] += own.reshape(a, b, n, m).transpose(0, 2, 1, 3).reshape(a * n, b * m)

    def values(self, blocks: np.ndarray) -> np.ndarray:
        """Return the numbers of all slots, given blocks (S, w, w)."""
        return np.bincount(self._to, weights=blocks.ravel()[self._from], minlength=self.size)


@functools.lru_cache(KEPT)
def _kept(bases: tuple[AnyBasis, ...], sizes: tuple[int, ...], pattern: bytes) -> Assembly:
    n = sum(sizes)
    return Assembly(bases, sizes, np.frombuffer(pattern, dtype=bool).reshape(n, n))


def assembly(bases: Sequence[AnyBasis], sizes: Sequence[int], pattern: np.ndarray) -> Assembly:
    """Return the assembly, the same one for the same splines and pattern."""
    return _kept(tuple(bases), tuple(sizes), pattern.tobytes())
