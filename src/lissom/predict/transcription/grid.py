"""Grid: instants along splines whose control points and durations are unknown, and the chain rule to those.

    q^(r)(s) = sum_i B_i^(r)(s) P_i / T_c^r,   s = t / T_c                Barman 2020, (4.13)-(4.15)

at fixed s, so that the instants move with the durations. c is the clock of an instant: without phases, there is one. Where each
phase has its own, derivatives are by the share of its duration.
Symbols: P control points | T durations of clocks (C,) [s] | K instants | R orders of a quantity | N columns of all tracks, those
of the path first | b = B^(r) / T_c^r | y an entry of a quantity | u_r = dq^(r)/dT_c = -r q^(r) / T_c.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...locks import lazy_property
from ..data.columns import Columns
from ..data.part import AnyBasis
from ..data.phases import Phases
from ..quantities.state import ORDERS, State, Taken
from .assembly import Span, spans_of
from .instants import Instants, plain
from .track import Track


class Grid:
    """Instants of the splines of a problem.

    Args:
        bases: of the path and of channels.
        columns: of joints and channels.
        instants: with their clocks; or places s (K,), with one clock.
        orders: number of derivatives in its states, the splines themselves counted.
        phases: of the problem; None for one.

    Attributes:
        s: places along the splines (K,).
        clock: of each instant (K,).
        clocks: number of clocks C.
        weights: for integrals by time, see `Instants`.
        tracks: the path and the channels.
    """

    def __init__(
        self,
        bases: Sequence[AnyBasis],
        columns: Columns,
        instants: Instants | np.ndarray,
        orders: int = ORDERS,
        phases: Phases | None = None,
    ) -> None:
        phases = phases or Phases()
        instants = instants if isinstance(instants, Instants) else plain(instants)
        shares = np.diff(phases.clock_ends)
        tracks = [Track(basis, n, instants, orders, shares) for basis, n in zip(bases, columns.sizes, strict=True)]
        self._set(bases, columns, instants, orders, phases, tracks)

    def _set(
        self,
        bases: Sequence[AnyBasis],
        columns: Columns,
        instants: Instants,
        orders: int,
        phases: Phases,
        tracks: list[Track],
    ) -> None:
        self.bases, self.columns, self.orders, self.phases, self.tracks = tuple(bases), columns, orders, phases, tracks
        self.instants, self.clocks = instants, phases.clocks
        self.s, self.clock, self.n = instants.s, instants.clock, columns.total
        ends = np.cumsum([0, *columns.sizes])
        self.places = [slice(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]  # of tracks, among the columns
        self.starts = np.cumsum([0, *(track.size for track in tracks)])  # of tracks, among all control points

    def __len__(self) -> int:
        return len(self.s)

    @property
    def weights(self) -> np.ndarray:
        """Weights of integrals by time, as shares of the durations of clocks."""
        assert self.instants.weights is not None
        return self.instants.weights

    def state(self, points: np.ndarray, T: np.ndarray) -> State:
        """Return the motion at all instants, given all control points, one track after the other, and durations (C,)."""
        rates = np.empty((self.orders, len(self), self.n))
        for a, b, track, place in zip(self.starts[:-1], self.starts[1:], self.tracks, self.places, strict=True):
            rates[..., place] = track.at(points[a:b].reshape(-1, track.n))
        each = self.durations(T, 2)
        for r in range(1, self.orders):
            rates[r] /= each**r
        return State(tuple(rates), self.s, self.instants.left, T[self.clock])

    def some(self, whole: State, rows: np.ndarray, T: np.ndarray) -> State:
        """Return the motion at all instants, given that at others too, and which of them they are."""
        return State(Taken(whole.rates, rows), self.s, self.instants.left, T[self.clock])

    def by_duration(self, orders: tuple[int, ...], state: State, T: np.ndarray) -> np.ndarray:
        """Return u (R, K, N), by the duration of the instant's own clock."""
        each = self.durations(T, 2)
        return np.stack([-r / each * state.rates[r] for r in orders])

    def scaled(self, track: Track, orders: tuple[int, ...], T: np.ndarray) -> np.ndarray:
        """Return b (R, K, degree + 1) of a track."""
        powers = np.array(orders, dtype=float)[:, None, None]
        return track.local[list(orders)] / self.durations(T, 2) ** powers  # type: ignore[no-any-return]

    def durations(self, T: np.ndarray, axes: int = 1) -> Any:
        """Return the duration of the clock of every instant, (K,) with ones for more axes; a number where all have one."""
        if self.clocks == 1:
            return float(T[0])
        return T[self.clock].reshape(-1, *(1,) * (axes - 1))

    def by_clock(self, values: np.ndarray) -> np.ndarray:
        """Return sums (C,) over the instants of each clock, given values (K,)."""
        if self.clocks == 1:
            return np.array([values.sum()])
        return np.bincount(self.clock, weights=values, minlength=self.clocks)

    def powers(self, orders: tuple[int, ...], T: np.ndarray) -> np.ndarray:
        """Return T_c^-r of every instant and order, (K, R, 1), or one row where there is one clock."""
        each = T[self.clock] if self.clocks > 1 else T
        return each[:, None, None] ** -np.array(orders, dtype=float)[:, None]  # type: ignore[no-any-return]

    @lazy_property
    def of_clocks(self) -> list[np.ndarray | slice]:
        """Of every clock, the numbers of its instants."""
        return [slice(None)] if self.clocks == 1 else [np.flatnonzero(self.clock == c) for c in range(self.clocks)]

    @lazy_property
    def spans(self) -> list[Span]:
        """Spans of the path that have instants, in their order."""
        return spans_of(self.bases[0], self.s, self.instants.left)  # type: ignore[arg-type]

    @property
    def middles(self) -> np.ndarray:
        """Places in the middle of every span of the path."""
        ends = self.bases[0].span_ends  # type: ignore[union-attr]
        return 0.5 * (ends[1:] + ends[:-1])  # type: ignore[no-any-return]

    @lazy_property
    def reach(self) -> list[np.ndarray]:
        """Of every clock, the numbers of the unknowns that its instants depend on."""
        if self.clocks == 1:
            return [np.arange(self.starts[-1])]
        found, ends = [], self.phases.clock_ends
        for c in range(self.clocks):
            s, every = self.middles[(self.middles > ends[c]) & (self.middles < ends[c + 1])], []
            for track, start in zip(self.tracks, self.starts, strict=False):
                first = track.basis.local(s[track.lives(s)], 0)[0]
                points = np.unique(first[:, None] + np.arange(track.basis.degree + 1))
                every.append((start + points[:, None] * track.n + np.arange(track.n)).ravel())
            found.append(np.concatenate(every))
        return found


class HullGrid(Grid):
    """Control points of a derivative of one track instead of instants; see `Track.hull`.

    Args:
        bases, columns, orders, phases: see Grid.
        number: of the track.
        order: of the derivative.
    """

    def __init__(
        self,
        bases: Sequence[AnyBasis],
        columns: Columns,
        number: int,
        order: int,
        orders: int = ORDERS,
        phases: Phases | None = None,
    ) -> None:
        phases = phases or Phases()
        own, instants = Track.hull(bases[number], columns.sizes[number], order, orders, phases)  # type: ignore[arg-type]
        tracks = [
            own if k == number else Track.silent(basis, n, len(instants), orders)
            for k, (basis, n) in enumerate(zip(bases, columns.sizes, strict=True))
        ]
        self._set(bases, columns, instants, orders, phases, tracks)
