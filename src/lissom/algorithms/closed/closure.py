"""Closure: velocities of a closed robot from independent ones, one for each degree of freedom.

The rows of all loops (`cut_joint.py`) are K(q) qd = 0. A plan names the independent rows, and independent velocities x of
the tree; the others follow:
    qd = G_x x,    qdd = G_x x-dot + gamma,    K gamma = - K-dot qd                                        (Khalil 2010, eq. (56))
The coordinates of the user belong to joints c with qd_c = A x, A being rows of G_x. Taking x for c itself makes A the identity.
For a platform on legs it is far cheaper to take the velocities of the platform for x: then each leg is solved on its own, and
what is left is one matrix of the size of the platform. That is Khalil's section 5, eqs (61)-(66), found from the zeros of K.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...locks import lazy_property
from ...model.model import Model
from ...model.names import velocity_units
from ...spatial.scalar import Scalar, add, is_zero, mul, sub
from ...tree import Tree
from ..elimination import Elimination
from .cut_joint import ROWS, Meeting


@dataclass(frozen=True)
class Plan:
    """How the closure of a model is solved.

    Attributes:
        rows: (loop, row) of the constraints that are kept; all others follow from them.
        independent: indices of the velocities x.
        coordinates: indices of the velocities that belong to the user's coordinates.
        active: indices of the velocities that are driven.
        length: characteristic length of the mechanism [m].
        swapped: whether the frames of cut joints change places.
        gaps: of mechanisms whose loops close within a tolerance only, by how much each kept row stays open; empty where they
            close.
    """

    rows: tuple[tuple[int, int], ...]
    independent: tuple[int, ...]
    coordinates: tuple[int, ...]
    active: tuple[int, ...]
    length: float
    swapped: bool = False
    gaps: tuple[float, ...] = ()


def slides(model: Model) -> list[bool]:
    """Return for each velocity of the tree whether it is a length per time."""
    return [unit == "m/s" for unit in velocity_units(model)]


def all_rows(model: Model) -> list[tuple[int, int]]:
    """Return (loop, row) of all constraints."""
    return [(k, row) for k, loop in enumerate(model.loops) for row in ROWS[loop.kind]]


class Closed:
    """A closed robot at a configuration of its tree that closes its loops."""

    def __init__(self, tree: Tree, q: Sequence[Scalar], model: Model, plan: Plan) -> None:
        self.tree, self.q, self.plan = tree, q, plan
        self.meetings = [Meeting(tree, q, loop, plan.swapped, bool(plan.gaps)) for loop in model.loops]
        self.units = [plan.length if slide else 1.0 for slide in slides(model)]
        columns = [meeting.columns() for meeting in self.meetings]
        self.K: list[dict[int, Scalar]] = []
        for loop, row in plan.rows:
            meeting = self.meetings[loop]
            entries = {c: meeting.component(V, row) for c, V in columns[loop].items()}
            self.K.append({c: x for c, x in entries.items() if not is_zero(x)})
        independent = set(plan.independent)
        self.dependent = [c for c in range(tree.nv) if c not in independent]
        row_units = [plan.length if row < 3 else 1.0 for _, row in plan.rows]
        units = {c: self.units[c] for c in self.dependent}
        self.elimination = Elimination(self.K, self.dependent, row_units, units)

    @property
    def residuals(self) -> list[Scalar]:
        """Residuals of the kept rows."""
        found = [self.meetings[loop].residual(row) for loop, row in self.plan.rows]
        return [sub(x, gap) for x, gap in zip(found, self.plan.gaps, strict=True)] if self.plan.gaps else found

    @lazy_property
    def G(self) -> list[dict[int, Scalar]]:
        """G_x by rows: for each velocity of the tree, what each independent one contributes."""
        G: list[dict[int, Scalar]] = [{} for _ in range(self.tree.nv)]
        for x in self.plan.independent:
            G[x][x] = 1.0
            right = [sub(0.0, row.get(x, 0.0)) for row in self.K]
            for c, value in self.elimination.solve(right).items():
                if not is_zero(value):
                    G[c][x] = value
        return G

    def eliminate(
        self,
        joints: Sequence[int],
        weights: Sequence[float] | None = None,
        along: Sequence[Mapping[int, Scalar]] | None = None,
    ) -> Elimination:
        """Return A, the rows of G_x of some velocities, ready to solve with.

        `weights` scale the rows; `along` replaces each velocity by a sum of velocities of the tree.
        """
        scale = [1.0] * len(joints) if weights is None else list(weights)
        rows = []
        for parts, s in zip(along or [{c: 1.0} for c in joints], scale, strict=True):
            row: dict[int, Scalar] = {}
            for c, share in parts.items():
                for x, value in self.G[c].items():
                    row[x] = add(row.get(x, 0.0), mul(mul(s, share), value))
            rows.append(row)
        units = [self.units[c] * s for c, s in zip(joints, scale, strict=True)]
        return Elimination(rows, self.plan.independent, units, {x: self.units[x] for x in self.plan.independent})

    @lazy_property
    def A(self) -> Elimination:
        """A of the user's coordinates, with qd = A x, ready to solve with."""
        return self.eliminate(self.plan.coordinates)

    def spread(self, x: Mapping[int, Scalar], more: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return G_x x, plus `more`, for all velocities of the tree."""
        found: list[Scalar] = []
        for c, row in enumerate(self.G):
            total: Scalar = 0.0 if more is None else more[c]
            for k, value in row.items():
                total = add(total, mul(value, x[k]))
            found.append(total)
        return found

    def gather(self, forces: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return G_x' times forces along the velocities of the tree."""
        found: dict[int, Scalar] = dict.fromkeys(self.plan.independent, 0.0)
        for row, force in zip(self.G, forces, strict=True):
            for k, value in row.items():
                found[k] = add(found[k], mul(value, force))
        return found

    def velocities(self, qd: Sequence[Scalar]) -> list[Scalar]:
        """Return the velocities of the tree that go with those of the user's coordinates."""
        return self.spread(self.A.solve(qd))

    def gamma(self, qd: Sequence[Scalar], pull: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return the accelerations of the tree that its velocities alone cause; `pull` adds rates of rows."""
        by_loop: dict[int, list[int]] = {}
        for loop, row in self.plan.rows:
            by_loop.setdefault(loop, []).append(row)
        biases = {loop: dict(zip(rows, self.meetings[loop].bias(qd, rows), strict=True)) for loop, rows in by_loop.items()}
        right = [sub(0.0, biases[loop][row]) for loop, row in self.plan.rows]
        if pull is not None:
            right = [add(x, y) for x, y in zip(right, pull, strict=True)]
        found = self.elimination.solve(right)
        return [found.get(c, 0.0) for c in range(self.tree.nv)]

    def accelerations(self, qdd: Sequence[Scalar], gamma: Sequence[Scalar]) -> list[Scalar]:
        """Return the accelerations of the tree that go with those of the user's coordinates."""
        right = [sub(a, gamma[c]) for a, c in zip(qdd, self.plan.coordinates, strict=True)]
        return self.spread(self.A.solve(right), gamma)

    def driving(self, forces: Mapping[int, Scalar], weights: Sequence[float] | None) -> list[Scalar]:
        """Return forces of active joints equivalent to forces along x, those of least weighted sum of squares.

        With A now the rows of the active joints: A' tau = forces, sum of weight tau^2 least.
        """
        if len(self.plan.active) == len(self.plan.independent) and weights is None:
            solved = self.A if self.plan.active == self.plan.coordinates else self.eliminate(self.plan.active)
            return solved.transposed(forces)
        roots = [1.0] * len(self.plan.active) if weights is None else [float(w) ** -0.5 for w in weights]
        found = self.eliminate(self.plan.active, roots).transposed(forces)
        return [mul(root, x) for root, x in zip(roots, found, strict=True)]

    def driven(self, tau: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return the forces along x that are equivalent to forces of the active joints."""
        forces: list[Scalar] = [0.0] * self.tree.nv
        for c, force in zip(self.plan.active, tau, strict=True):
            forces[c] = force
        return self.gather(forces)

    def multipliers(self, forces: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces of the rows, given the forces of the tree's joints that drives do not supply: K' lambda = forces."""
        return self.elimination.transposed({c: forces[c] for c in self.dependent})
