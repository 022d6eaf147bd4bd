"""Transcription: a motion problem as a sparse nonlinear program in control points, durations and peaks.

    x = (P of the path, P of channels, T_1 ... T_C, z_1, ...)
    minimize  w (T_1 + ... + T_C) + sum of integrals + w_z z    subject to limits at every instant

All instants are evaluated in one batch; entries of the Jacobian come from the compiled derivatives through local support of the
splines, second derivatives from compiled products. Nothing is ever as large as constraints times variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...locks import lazy_property
from ...nlp.problem import Nlp
from ...spline.basis import Basis
from ..data.columns import Columns
from ..data.part import AnyBasis, PartBasis
from ..data.phases import Phases
from ..problem.parts import Integral, Limit, Parts
from ..quantities.quantity import Quantity
from ..quantities.state import State
from ..quantities.tracked import Tracked
from .constraints import Constraints
from .continuity import Joins, joined_clocks, typical
from .curvature import Curvature
from .grid import Grid, HullGrid
from .group import Group
from .instants import Instants, along, limit_instants, union
from .jacobian import Jacobian
from .objective import Objective
from .source import Source


class Wanted(NamedTuple):
    """Limits and integrals of a quantity at the instants of a grid."""

    quantity: Quantity
    grid: Grid
    limits: list[tuple[int, Limit]]
    integrals: list[Integral]

    @property
    def base(self) -> Quantity:
        """What is evaluated: the quantity, or that which follows a target."""
        return self.quantity.quantity if isinstance(self.quantity, Tracked) else self.quantity

    def group(self, source: Source, rows: np.ndarray | slice) -> Group:
        """Return it as a group on a source, some of whose instants are its own."""
        factor, offset = self.quantity.line(self.grid.s) if isinstance(self.quantity, Tracked) else (1.0, 0.0)
        return Group(self.quantity, self.grid, source, rows, factor, offset, self.limits, self.integrals)


class Transcription:
    """A motion problem on a spline basis.

    Args:
        bases: of the path and of channels, with the same spans.
        columns: of joints and channels; n of them.
        parts: limits, integrals and equations.
        points_per_span: instants between knots, even.
        lower, upper: bounds of all control points, one spline after the other.
        duration: bounds of T [s], numbers, or one for each clock.
        phases: of the problem; None for one.

    Attributes:
        size: number of control points, all columns; the durations follow, then, at `peaks_at`, the peaks.
        rows: number of constraints.
        groups: limits and integrals of quantities on grids.
        sources: quantities, each at all instants at which it is needed; `limited` are those with limits.
        of_source: the groups of every source.
        memory: derivatives of all sources by the motion.
        rules, goal: constraints and objective.
        exact: whether second derivatives are all there; see `curvature.py`.
        T: durations of the clocks (C,) at the x evaluated last.
    """

    def __init__(
        self,
        bases: Sequence[AnyBasis],
        columns: Columns,
        parts: Parts,
        points_per_span: int,
        lower: np.ndarray,
        upper: np.ndarray,
        duration: tuple[float | np.ndarray, float | np.ndarray],
        phases: Phases | None = None,
    ) -> None:
        assert isinstance(bases[0], Basis)
        self.basis, self.bases, self.columns, self.parts = bases[0], tuple(bases), columns, parts
        self.exact = True
        self._bends: Curvature | None = None
        self.phases, self.points_per_span = phases or Phases(), points_per_span
        self.size, self.orders = len(lower), parts.orders
        self.peaks_at = self.size + self.phases.clocks
        self._known: dict[object, Grid] = {}
        self.grid = self._grid(along(self.phases, self.basis, points_per_span))
        low, high = (np.atleast_1d(np.asarray(side, dtype=float)) for side in duration)
        self.lower = np.concatenate([lower, low, np.zeros(len(parts.peaks))])
        self.upper = np.concatenate([upper, high, np.full(len(parts.peaks), np.inf)])
        self.rows = 0
        wanted: dict[tuple[int, int], Wanted] = {}
        for limit in parts.limits:
            own = self._wanted(wanted, limit.quantity, self.grid_of(limit))
            own.limits.append((self.rows, limit))
            self.rows += len(own.grid) * len(limit.entries) * (1 if limit.peak is None else 2)
        for integral in parts.integrals:
            instants = along(self.phases, self.basis, points_per_span, integral.during)
            self._wanted(wanted, integral.quantity, self._grid(instants)).integrals.append(integral)
        self.equations_at = self.rows
        self.rows += len(parts.equations)
        self.joins: list[tuple[int, Joins]] = []
        if self.phases.free:
            self.joins = joined_clocks(self.bases, columns, self.phases, parts, self.rows, typical(low, high))
            self.rows += sum(joins.size for _, joins in self.joins)
        self.T = np.ones(self.phases.clocks)
        self._states: dict[int, State] = {}
        self.sources: list[Source] = []
        self.of_source: dict[Source, list[Group]] = {}
        self.groups = self._grouped(list(wanted.values()))
        self.limited = [source for source in self.sources if any(group.limits for group in self.of_source[source])]
        begins = np.cumsum([0, *(source.size for source in self.sources)])
        self.memory = np.zeros(int(begins[-1]))
        for source, begin in zip(self.sources, begins, strict=False):
            source.attach(self.memory, int(begin))
        self.rules, self.goal = Constraints(self), Objective(self)

    def nlp(self, factor: float = 1.0) -> Nlp:
        """Return the nonlinear program, its objective multiplied by a factor."""
        low, high = self.bounds()
        return Nlp(
            n=len(self.lower),
            objective=lambda x: factor * self.objective(x),
            gradient=lambda x: factor * self.gradient(x),
            lower=self.lower,
            upper=self.upper,
            m=self.rows,
            constraints=self.constraints,
            constraint_lower=low,
            constraint_upper=high,
            jacobian_structure=self.jacobian_structure(),
            jacobian=self.jacobian,
            hessian_structure=self.hessian_structure(),
            hessian=lambda x, share, multipliers: self.hessian(x, factor * share, multipliers),
            evaluate=self.evaluate,
        )

    @property
    def timed(self) -> bool:
        """Whether durations are unknown; otherwise nobody needs derivatives by them, and they are left at zero."""
        durations = slice(self.size, self.peaks_at)
        return bool((self.lower[durations] < self.upper[durations]).any())

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all control points, and the durations of clocks (C,)."""
        return x[: self.size], np.array(x[self.size : self.peaks_at])

    def evaluate(self, x: np.ndarray) -> None:
        """Evaluate all quantities at x; derivatives are computed when needed."""
        P, self.T = self.split(x)
        whole, parts = self._grids
        motion = whole.state(P, self.T)
        self._states = {id(grid): motion if grid is whole else grid.some(motion, rows, self.T) for grid, rows in parts}
        self._states |= {id(grid): grid.state(P, self.T) for grid in self._apart}
        for source in self.sources:
            source.evaluate(self.state(source.grid))

    @lazy_property
    def _grids(self) -> tuple[Grid, list[tuple[Grid, np.ndarray]]]:
        """A grid with the instants of all sources, and the grids of these with their instants among them."""
        own = list({id(s.grid): s.grid for s in self.sources if not isinstance(s.grid, HullGrid)}.values())
        if not own:
            return self.grid, []
        instants, rows = union([grid.instants for grid in own])
        whole = next((grid for grid in own if len(grid) == len(instants)), None) or self._grid(instants)
        return whole, list(zip(own, rows, strict=True))

    @lazy_property
    def _apart(self) -> list[Grid]:
        """Grids whose states are not part of others: of control points, and of jumps between phases."""
        hulls = {id(s.grid): s.grid for s in self.sources if isinstance(s.grid, HullGrid)}
        return list((hulls | {id(joins.grid): joins.grid for _, joins in self.joins}).values())

    def state(self, grid: Grid) -> State:
        """Return the motion at the instants of a grid, at the x evaluated last."""
        return self._states[id(grid)]

    def objective(self, x: np.ndarray) -> float:
        """Return the objective."""
        return self.goal.value(x)

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Return its derivatives."""
        return self.goal.gradient(x)

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Return the rows of `constraints.py`."""
        return self.rules.values(x)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return lower and upper bounds of the constraints."""
        return self.rules.bounds()

    @lazy_property
    def slopes(self) -> Jacobian:
        """The derivatives of the constraints."""
        return Jacobian(self)

    @property
    def bends(self) -> Curvature:
        """The second derivatives, all of them or those of Gauss and Newton."""
        if self._bends is None or self._bends.exact != self.exact:
            self._bends = Curvature(self)
        return self._bends

    def jacobian_structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the derivatives of the constraints."""
        return self.slopes.rows, self.slopes.columns

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Return the derivatives of the constraints, in the order of their structure."""
        return self.slopes.values()

    def hessian_structure(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of second derivatives, lower triangle: control points, then the row of every duration."""
        return self.bends.structure()

    def hessian(self, x: np.ndarray, factor: float, multipliers: np.ndarray) -> np.ndarray:
        """Return second derivatives of factor * objective + multipliers . constraints."""
        return self.bends.values(factor, multipliers)

    def grid_of(self, limit: Limit) -> Grid:
        """Return where a limit is enforced: at instants, or on control points."""
        if limit.hull:
            number = self.columns.track(limit.quantity)
            return HullGrid(self.bases, self.columns, number, limit.quantity.orders[0], self.orders, self.phases)
        jumps = self.jumps(limit.quantity) if limit.knots else ()
        return self._grid(limit_instants(limit, self.phases, self.basis, self.points_per_span, jumps))

    def jumps(self, quantity: Quantity) -> list[bool]:
        """Return at which inner boundaries of phases a quantity may jump: by the path, or as a channel begins or ends."""
        highest, found = max(quantity.orders), []
        own = [1 + list(self.columns.places).index(name) for name in quantity.channels]
        for boundary in self.phases.ends[1:-1]:
            ends = any(self._cut(number, boundary) for number in own)
            rates = not quantity.path and highest > 0
            found.append(ends or rates or (quantity.path and highest > self.phases.smooth))
        return found

    def _cut(self, number: int, boundary: float) -> bool:
        """Return whether a spline begins or ends at a boundary of phases with a jump: where it is not held at zero."""
        basis = self.bases[number]
        if not isinstance(basis, PartBasis) or boundary not in (basis.begin, basis.end):
            return False
        sizes = [b.count * n for b, n in zip(self.bases, self.columns.sizes, strict=True)]
        begin, n = sum(sizes[:number]), self.columns.sizes[number]
        last = begin + (0 if boundary == basis.begin else sizes[number] - n)
        return bool((self.lower[last : last + n] < self.upper[last : last + n]).any())

    def _wanted(self, known: dict[tuple[int, int], Wanted], quantity: Quantity, grid: Grid) -> Wanted:
        return known.setdefault((id(quantity), id(grid)), Wanted(quantity, grid, [], []))

    def _grouped(self, wanted: list[Wanted]) -> list[Group]:
        """Return groups on sources: what is wanted of one quantity, at whatever instants, has one source."""
        by_base: dict[int, list[int]] = {}
        for k, own in enumerate(wanted):
            hull = isinstance(own.grid, HullGrid)
            by_base.setdefault(id(own.grid) if hull else id(own.base), []).append(k)
        found: dict[int, Group] = {}
        for members in by_base.values():
            grids, base = [wanted[k].grid for k in members], wanted[members[0]].base
            rows: list[np.ndarray | slice] = [slice(None)] * len(grids)
            whole = grids[0]
            if not all(grid is whole for grid in grids):
                instants, some = union([grid.instants for grid in grids])
                whole, rows = self._grid(instants), list(some)
            source = Source(base, whole, self.columns.of(base))
            self.sources.append(source)
            for k, which in zip(members, rows, strict=True):
                found[k] = wanted[k].group(source, which)
            self.of_source[source] = [found[k] for k in members]
        return [found[k] for k in range(len(wanted))]

    def _grid(self, instants: Instants) -> Grid:
        """Return the grid of instants, the same for the same ones."""
        if instants.key not in self._known:
            self._known[instants.key] = Grid(self.bases, self.columns, instants, self.orders, self.phases)
        return self._known[instants.key]
