"""A transcription on a tape: objective, constraints and the Jacobian in its structure, as functions of the unknowns."""

from __future__ import annotations

import numpy as np

from ...errors import StateError
from ..quantities.quantity import Block as Derivatives
from ..quantities.quantity import Quantity
from ..transcription.continuity import Joins
from ..transcription.grid import Grid
from ..transcription.source import Source
from ..transcription.transcription import Transcription
from .tape import Block, Tape, Terms
from .values import Values, ports_of

NAMES = ("objective", "gradient", "constraints", "jacobian", "jacobian_product", "lagrangian_gradient", "hessian_product")


class Recorded:
    """The functions of a transcription.

    Attributes:
        x, d, multipliers, factor: inputs: unknowns, a direction, weights of the constraints and of the objective.
    """

    def __init__(self, of: Transcription) -> None:
        self.of, self.tape = of, Tape()
        tape, n = self.tape, len(of.lower)
        self.x, self.d = tape.block(n), tape.block(n)
        self.multipliers, self.factor = tape.block(of.rows), tape.block(1)
        tape.direction[self.x.number] = self.d
        C = of.phases.clocks
        self.T = tape.sums(C, [Terms(np.arange(C), 1.0, self.x.start + of.size + np.arange(C), tape.one.start)])
        if not of.timed:  # nobody asks for derivatives by durations that are given
            tape.held.add(self.T.number)
        self.powers = [tape.one]  # T^0, which is one for all, then T^-r
        self._rates: dict[tuple[int, int, bytes], Block] = {}
        self._entries = {source: self._entries_of(source) for source in of.sources}
        self.values = {x.source: x for x in tape.nodes if isinstance(x, Values)}
        self.constraints, self.objective = self._constraints(), self._objective()
        self._known: dict[str, Block] = {}

    def block(self, name: str) -> Block:
        """Return the result of a function."""
        if name not in self._known:
            self._known[name] = self._block(name)
        return self._known[name]

    def _block(self, name: str) -> Block:
        tape = self.tape
        if name == "gradient":
            return tape.adjoint([(self.objective, tape.one)], self.x)
        if name == "lagrangian_gradient":
            return tape.adjoint([(self.objective, self.factor), (self.constraints, self.multipliers)], self.x)
        if name == "jacobian":
            return self._jacobian()
        if name == "jacobian_product":
            return tape.moved(self.constraints)
        if name == "hessian_product":
            return tape.moved(self.block("lagrangian_gradient"))
        return self.objective if name == "objective" else self.constraints

    # -- motions
    def _power(self, order: int) -> Block:
        while len(self.powers) <= order:
            inverse = self.tape.inverse(self.T) if len(self.powers) == 1 else self.powers[1]
            self.powers.append(inverse if len(self.powers) == 1 else self.tape.product(self.powers[-1], inverse))
        return self.powers[order]

    def _scale(self, order: int, clock: np.ndarray) -> np.ndarray:
        """Return the addresses of T_c^-order of clocks."""
        block = self._power(order)
        return block.start + clock * (order > 0)

    def rate(self, grid: Grid, order: int, columns: np.ndarray) -> Block:
        """Return a derivative of the motion (columns, K)."""
        key = id(grid), order, columns.tobytes()
        if key not in self._rates:
            self._rates[key] = self.tape.sums(len(columns) * len(grid), self._motion(grid, order, columns))
        return self._rates[key]

    def _motion(self, grid: Grid, order: int, columns: np.ndarray) -> list[Terms]:
        terms, k = [], np.arange(len(grid))
        for place, track, start in zip(grid.places, grid.tracks, grid.starts, strict=False):
            row = np.flatnonzero((columns >= place.start) & (columns < place.stop))
            if len(row):
                own = columns[row] - place.start
                points = track.first[:, None] + np.arange(track.basis.degree + 1)  # (K, a)
                unknowns = self.x.start + int(start) + points * track.n + own[:, None, None]  # (columns, K, a)
                rows = (row[:, None] * len(grid) + k)[..., None]
                terms.append(Terms(rows, track.local[order], unknowns, self._scale(order, grid.clock)[:, None]))
        return terms

    def _entries_of(self, source: Source) -> Block:
        quantity, grid = source.quantity, source.grid
        if quantity.constant:  # its derivatives are needed here
            source.evaluate(grid.state(np.zeros(self.of.size), np.ones(grid.clocks)))
            source.blocks()
        if type(quantity).by_duration is not Quantity.by_duration:
            raise StateError(f"{quantity.name} depends on durations by more than the motion: batches of problems do not have it")
        if quantity.identity:
            return self.rate(grid, quantity.orders[0], source.columns)
        if quantity.constant:
            return self._linear(source)
        rates = [self.rate(grid, order, source.columns) for order in range(max(quantity.orders) + 1)]
        out = self.tape.block(len(grid) * quantity.size)
        found: Block = self.tape.add(Values(out, [*rates, self.T], self.tape, source, rates, self.T, ports_of(quantity))).out
        return found

    def _linear(self, source: Source) -> Block:
        """Return the entries of a quantity whose derivatives are the same everywhere, and which is zero at zero."""
        terms, K = [], len(source.grid)
        for block, values in self._constant(source):
            for number, row in enumerate(block.rows):
                e, j = np.nonzero(source.quantity.depends[:, block.columns])
                rate = self.rate(source.grid, source.quantity.orders[row], source.columns).at().reshape(-1, K)
                rows = e[:, None] * K + np.arange(K)
                own = rate[block.columns][j]
                terms.append(Terms(rows, values[:, number][:, e, j].T, own, self.tape.one.start))
        return self.tape.sums(K * source.quantity.size, terms)

    def _constant(self, source: Source) -> list[tuple[Derivatives, np.ndarray]]:
        """Return blocks of derivatives that are the same everywhere, with their numbers."""
        return [(block, np.array(block.values)) for block in source.blocks()]

    # -- rows
    def _taken(self) -> np.ndarray:
        """Return the addresses of the entries that limits take."""
        found = []
        for source in self.of.sources:
            own = self._entries[source].at().reshape(source.quantity.size, len(source.grid))
            found.append(own.T.ravel())
        every = np.concatenate([np.zeros(0, dtype=np.int64), *found])
        return every[self.of.rules.take]

    def _constraints(self) -> Block:
        of, one = self.of, self.tape.one.start
        rules = of.rules
        terms = [Terms(rules.rows, rules.factor, self._taken(), one), Terms(rules.rows, -rules.offset, one, one)]
        terms += [Terms(p.first + np.arange(p.size), p.sign, self.x.start + p.variable, one) for p in rules.peaks]
        rows, columns, coefficients = rules.equations
        terms.append(Terms(of.equations_at + rows, coefficients, self.x.start + columns, one))
        for row, joins in of.joins:
            for own in self._joined(joins):
                terms.append(own._replace(rows=row + joins.row[:, None], factors=joins.factor[:, None] * own.factors))
        return self.tape.sums(of.rows, terms)

    def _joined(self, joins: Joins) -> list[Terms]:
        """Return the terms of derivatives at instants (M, a), rows are those of M."""
        local = joins.track.local[joins.order, joins.instant]
        scale = np.zeros(len(joins.order), dtype=np.int64)
        for order in np.unique(joins.order):
            own = joins.order == order
            scale[own] = self._scale(int(order), joins.clock[own])
        return [Terms(np.arange(len(scale))[:, None], local, self.x.start + joins.points, scale[:, None])]

    def _objective(self) -> Block:
        of, tape = self.of, self.tape
        one, C = tape.one.start, of.phases.clocks
        means: list[Terms] = []
        for group in of.groups:
            if not group.integrals:
                continue
            y = self._entries[group.source].at().reshape(group.quantity.size, -1)[:, group.rows]  # (E, K)
            if not isinstance(group.factor, float):
                row = np.arange(y.size).reshape(y.shape)
                terms = [Terms(row, group.spread(group.factor).T, y, one), Terms(row, -group.spread(group.offset).T, one, one)]
                y = tape.sums(y.size, terms).at().reshape(y.shape)
            for integral in group.integrals:
                share = integral.weight * group.grid.weights * integral.factors[:, None]
                means.append(Terms(group.grid.clock, share, y, y if integral.square else one))
        mean, first = tape.sums(C, means), np.zeros(C, dtype=int)
        terms = [Terms(first, 1.0, self.T.at(), mean.at()), Terms(first, of.parts.time, self.T.at(), one)]
        peaks = np.array(of.parts.peaks, dtype=float)
        terms.append(Terms(np.zeros(len(peaks), dtype=int), peaks, self.x.start + of.peaks_at + np.arange(len(peaks)), one))
        return tape.sums(1, terms)

    # -- the Jacobian, in its structure
    def _jacobian(self) -> Block:
        """Return the derivatives of the constraints in the order of their structure."""
        of, tape = self.of, self.tape
        slopes, one, terms, begin = of.slopes, tape.one.start, list[Terms](), 0
        if len(of.rules.rows):
            matrix, codes = slopes.matrix, slopes.codes
            rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
            clock, order = np.divmod(codes, of.orders)
            scale = np.zeros(len(order), dtype=np.int64)
            for r in np.unique(order):
                scale[order == r] = self._scale(int(r), clock[order == r])
            terms += self._by_points(rows, slopes.base, matrix.indices.astype(np.int64), scale)
            begin = matrix.shape[0]
            if of.timed:
                by_duration = self._by_durations()
                taken = np.concatenate([x.at().reshape(s.quantity.size, -1).T.ravel() for s, x in by_duration])[of.rules.take]
                terms.append(Terms(begin + np.arange(len(taken)), of.rules.factor, taken, one))
            begin += len(of.rules.take)
        constant = [*(np.full(p.size, p.sign) for p in of.rules.peaks), of.rules.equations[2]]
        flat = np.concatenate(constant)
        terms.append(Terms(begin + np.arange(len(flat)), flat, one, one))
        begin += len(flat)
        for _, joins in of.joins:
            begin = self._joins(joins, begin, terms)
        return tape.sums(len(slopes.rows), terms)

    def _by_points(self, rows: np.ndarray, base: np.ndarray, places: np.ndarray, scale: np.ndarray) -> list[Terms]:
        found = []
        for source in self.of.limited:
            own = (places >= source.begin) & (places < source.begin + source.size)
            if not own.any():
                continue
            local = places[own] - source.begin
            if source.quantity.constant:
                source.blocks()
                values = self.of.memory[source.begin : source.begin + source.size][local]
                found.append(Terms(rows[own], base[own] * values, self.tape.one.start, scale[own]))
            else:
                found.append(Terms(rows[own], base[own], self.values[source].slope(local), scale[own]))
        return found

    def _by_durations(self) -> list[tuple[Source, Block]]:
        """Return derivatives of the entries of all sources by the durations of their clocks: by motions u = -r q^(r) / T_c."""
        found = []
        for source in self.of.sources:
            K, quantity = len(source.grid), source.quantity
            terms: list[Terms] = []
            if source in self.of.limited and max(quantity.orders) > 0:
                moved = {r: self._shrunk(source, r) for r in quantity.orders if r > 0}
                if quantity.constant:
                    for block, values in self._constant(source):
                        for number, row in enumerate(block.rows):
                            if (order := quantity.orders[row]) in moved:
                                e, j = np.nonzero(quantity.depends[:, block.columns])
                                u = moved[order].at().reshape(-1, K)[block.columns][j]
                                terms.append(
                                    Terms(e[:, None] * K + np.arange(K), values[:, number][:, e, j].T, u, self.tape.one.start)
                                )
                else:
                    for port, e, j, slopes in self.values[source].pairs():
                        if port.order in moved:
                            u = moved[port.order].at().reshape(-1, K)[port.columns][j]
                            terms.append(Terms(e[:, None] * K + np.arange(K), 1.0, slopes, u))
            found.append((source, self.tape.sums(K * quantity.size, terms)))
        return found

    def _shrunk(self, source: Source, order: int) -> Block:
        rate = self.rate(source.grid, order, source.columns)
        own = rate.at().reshape(-1, len(source.grid))
        rows = np.arange(own.size).reshape(own.shape)
        return self.tape.sums(rate.size, [Terms(rows, -float(order), own, self._scale(1, source.grid.clock))])

    def _joins(self, joins: Joins, begin: int, terms: list[Terms]) -> int:
        """Add the derivatives of jumps, in the order of `Joins.jacobian`."""
        one = self.tape.one.start
        (own,) = self._joined(joins)
        M, a = joins.points.shape
        rows = begin + np.arange(M * a).reshape(M, a)
        terms.append(Terms(rows, joins.factor[:, None] * own.factors, one, own.second))
        rates = self.tape.sums(M, [own])
        begin += M * a
        terms.append(Terms(begin + np.arange(M), -joins.factor * joins.order, rates.at(), self._scale(1, joins.clock)))
        return begin + M
