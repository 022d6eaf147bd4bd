"""Sensitivities: exact derivatives of joint torques and joint wrenches by q, qd and qdd, cost O(n d), d the depth of the tree.

Barman 2020, chapter III, steps 1-10, differentiates the two passes of the Newton-Euler recursion quantity by quantity. Here the
same derivatives are collected first: a joint's coordinate moves everything beyond it as one, so the wrench that this changes is
that of a composite body, and it is computed once per joint instead of once per pair of bodies (Singh, Russell and Wensing 2022).
`docs/theory/sensitivities.md` sets the steps of the thesis beside these, and says which of its equations are misprinted.

Symbols of body j, in its axes, at its origin; motions are (linear, angular), wrenches (force, moment):
    S             a direction of joint j                        V, A     velocity and acceleration of the body, A less gravity
    Psi'          V_i x S, change of V by q along S             I        inertia of all that joint j carries, frozen
    Psi''         A_i x S + V_i x Psi', change of A by q        B        its change with motion, `coriolis.Change`
    S'            V x S, rate of S as the body moves it         f        wrench through joint j
with V_i, A_i of the body before j, in the axes of j. A coordinate of j, its velocity and its acceleration change the wrench
through j, and through every joint k on the way to the base, by
    by q      2 B Psi' + I Psi''         and, for k before j, + S x* f: the wrench turns with the joint    (3.75), (3.83)
    by qd     2 B S + I (Psi' + S')                                                                        (3.75), (3.83)
    by qdd    I S
and the force of joint j itself changes with a coordinate of k by the same terms, with S, Psi', Psi'' of k and I, B of j. Forces
that keep their direction in space turn against the body: E S more by q, E of the form of B (3.77), (3.85), (3.89).
Directions of joints with several velocities are those of their tangent space, as in `integrate`: q is varied by q (+) S dq.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...compiler.labels import label, legend, section
from ...model.joint import SINGLE_DOF
from ...spatial.inertia import SpatialInertia
from ...spatial.scalar import Scalar, add, mul
from ...spatial.twist import STILL, Twist, along, carried, plus, turned, twice
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Body, Tree
from ..dynamics.coriolis import AXES, Change
from ..dynamics.rnea import Passes, rnea
from ..force_elements import element_slopes
from ..loads import Situation, acting
from ..step import Step, shares_of

Table = list[list[Scalar]]


@dataclass(frozen=True)
class Direction:
    """One velocity of a body's joint: its index in qd, its share of that entry, and the changes by moving along it.

    Attributes:
        S: the direction itself; a change of qdd adds it to the acceleration of all that the joint carries.
        by_q: changes of velocity and acceleration by q, Psi' and Psi''.
        by_qd: changes of velocity and acceleration by qd, S and Psi' + S'.
        bends: where its own coordinate x is a function of q: d x' / d q, d x'' / d q and d x'' / d q'.
    """

    column: int
    ratio: Scalar
    S: Twist
    by_q: tuple[Twist, Twist]
    by_qd: tuple[Twist, Twist]
    bends: tuple[Scalar, Scalar, Scalar] | None = None

    def shares(self, order: int) -> list[tuple[int, Scalar]]:
        """Return (order, share): changes by q, qd, qdd that change its own coordinate (order 0), velocity (1) or rate of it."""
        found = [(order, self.ratio)]
        if self.bends is not None and order:
            velocity, acceleration, by_rate = self.bends
            found += [(0, velocity)] if order == 1 else [(0, acceleration), (1, by_rate)]
        return found

    def carried_by(self, step: Step) -> Direction:
        """Return it in the axes of the next body."""
        carry = step.acceleration_to_child
        by_q, by_qd = (carry(*self.by_q[0]), carry(*self.by_q[1])), (carry(*self.by_qd[0]), carry(*self.by_qd[1]))
        return replace(self, S=carry(*self.S), by_q=by_q, by_qd=by_qd)


@dataclass
class Carried:
    """All that the joint of a body carries, taken as one: its inertia, how that changes with motion, and forces held in space.

    Attributes:
        E: of forces that keep their direction in space; None where there are none.
    """

    I: SpatialInertia
    B: Change
    E: Change | None

    def __add__(self, other: Carried) -> Carried:
        return Carried(self.I + other.I, self.B + other.B, _sum_of(self.E, other.E))

    def to_parent(self, step: Step) -> Carried:
        """Return it in the frame of the body before."""
        E = None if self.E is None else self.E.to_parent(step)
        return Carried(step.inertia_to_parent(self.I), self.B.to_parent(step), E)

    def by_q(self, d: Direction) -> Twist:
        """Return the change of the wrench that it needs, by q along a direction given in its axes."""
        velocity, acceleration = d.by_q
        change = self._wrench(velocity, acceleration)
        return change if self.E is None else plus(change, self.E.times(d.S[1]))

    def by_qd(self, d: Direction) -> Twist:
        """Return the same by qd."""
        return self._wrench(*d.by_qd)

    def by_qdd(self, d: Direction) -> Twist:
        """Return the same by qdd."""
        return self.I.times(*d.S)

    def of_turn(self, d: Direction) -> Vector:
        """Return E' S, the moment whose component along a rotation is the change of the force along d by it."""
        return ZERO if self.E is None else self.E.transposed_times(*d.S)[1]

    def _wrench(self, velocity: Twist, acceleration: Twist) -> Twist:
        return plus(twice(self.B.times(velocity[1])), self.I.times(*acceleration))


def inverse_dynamics_tables(s: Situation) -> tuple[Table, Table, Table]:
    """Return d tau / d q, d qd and d qdd (nv, nv): forces in rows."""
    passes = passes_of(s)
    return tables_of(s, passes, *outward(s, passes))


def passes_of(s: Situation) -> Passes:
    """Return the passes of inverse dynamics without force elements, whose wrenches depend on the state."""
    return rnea(replace(s.tree, elements=()), s["q"], s["qd"], s["qdd"], s.wrenches, s.base)


def tables_of(
    s: Situation, passes: Passes, carried: list[Carried], directions: Sequence[Sequence[Direction]]
) -> tuple[Table, Table, Table]:
    """Return the tables, given what each joint's coordinate changes; `carried` is added up on the way."""
    tree = replace(s.tree, elements=())
    legend(I="inertia of all that the joint carries, frozen: blocks A, B, C of force, both, moment")
    legend(BF="its change with motion, vector part", BD="its change with motion, matrix part")
    by_q, by_qd, by_qdd = tables = tuple([[0.0] * tree.nv for _ in range(tree.nv)] for _ in range(3))

    # backward pass, tips to base: a body's own directions, then its share in what the body before carries
    for j in reversed(range(len(tree.bodies))):
        section(
            "inward: derivatives by the joint, and of its torque",
            j,
            tree.bodies[j].name,
            "Barman 2020 chapter III",
        )
        label("I", j, carried[j].I)
        label("BF", j, carried[j].B.F)
        label("BD", j, carried[j].B.D)
        for d in directions[j]:
            changes = [carried[j].by_q(d), carried[j].by_qd(d), carried[j].by_qdd(d)]
            for own in directions[j]:
                for order, change in enumerate(changes):
                    _put(tables, order, own, d, along(own.S, change))
            # on the way to the base: forces that this direction changes
            if not tree.bodies[j].spins:
                changes[0] = plus(changes[0], turned(d.S, (passes.f[j], passes.m[j])))
            for order, change in enumerate(changes):
                for k, wrench in inward(tree, passes.steps, j, change):
                    for before in directions[k]:
                        _put(tables, order, before, d, along(before.S, wrench))
            # and derivatives of its own force by the joints there: I S, and 2 B' S and E' S, which are pure moments
            moments = (ZERO, carried[j].B.transposed_times(*d.S)[1] * 2.0), (ZERO, carried[j].of_turn(d))
            ways = (inward(tree, passes.steps, j, wrench) for wrench in (changes[2], *moments))
            for (k, of_S), (_, (_, of_B)), (_, (_, of_E)) in zip(*ways, strict=True):
                for before in directions[k]:
                    (dV, dA), (S, dS) = before.by_q, before.by_qd
                    _put(tables, 0, d, before, add(add(of_B.dot(dV[1]), along(dA, of_S)), of_E.dot(S[1])))
                    _put(tables, 1, d, before, add(of_B.dot(S[1]), along(dS, of_S)))
                    _put(tables, 2, d, before, along(before.S, of_S))
        hand_on(tree, passes.steps, carried, j)
    for body in tree.bodies:
        if body.kind in SINGLE_DOF:
            # the drive: friction by qd, with Coulomb's sign taken as constant, and the reflected inertia by qdd
            for table, value in ((by_qd, body.viscous), (by_qdd, body.rotor)):
                table[body.iv][body.iv] = add(table[body.iv][body.iv], mul(body.ratio**2, value))
    for j, body in enumerate(tree.bodies):
        if body.law is not None:
            # the share of the torque that tau has changes with q
            force = along(body.directions[0], (passes.f[j], passes.m[j]))
            by_q[body.iv][body.iv] = add(by_q[body.iv][body.iv], mul(shares_of(body, s["q"])[1], force))
    for spring in tree.springs:
        for _, i, share in spring.shares:
            for _, j, other in spring.shares:
                by_q[i][j] = add(by_q[i][j], share * other * spring.stiffness)
                by_qd[i][j] = add(by_qd[i][j], share * other * spring.damping)
    for i, j, along_q, along_qd in element_slopes(s.tree, s["q"], s["qd"]):
        by_q[i][j], by_qd[i][j] = add(by_q[i][j], along_q), add(by_qd[i][j], along_qd)
    return by_q, by_qd, by_qdd


def inward(tree: Tree, steps: Sequence[Step], j: int, wrench: Twist) -> Iterator[tuple[int, Twist]]:
    """Yield the bodies on the way from j to the base, with a wrench on j in the frame of each of them."""
    while tree.bodies[j].parent != BASE:
        wrench = steps[j].wrench_to_parent(*wrench)
        j = tree.bodies[j].parent
        yield j, wrench


def hand_on(tree: Tree, steps: Sequence[Step], carried: list[Carried], j: int) -> None:
    """Add what joint j carries to what the joint before carries."""
    i = tree.bodies[j].parent
    if i != BASE:
        carried[i] = carried[i] + carried[j].to_parent(steps[j])


def outward(s: Situation, passes: Passes) -> tuple[list[Carried], list[list[Direction]]]:
    """Forward pass, base to tips: each body by itself, and the directions of its joint."""
    tree = s.tree
    legend(v="velocity of the origin", Vq="change of velocity by the coordinate", Aq="change of acceleration by it")
    legend(Aqd="change of acceleration by the velocity")
    V: list[Twist] = []
    held = _held_in_space(s)
    alone: list[Carried] = []
    directions: list[list[Direction]] = []
    for j, (body, step, before) in enumerate(zip(tree.bodies, passes.steps, passes.before, strict=True)):
        section("outward: what the joint's coordinate changes", j, body.name, "Barman 2020 chapter III")
        V_i = step.acceleration_to_child(*((ZERO, s.base.w) if body.parent == BASE else V[body.parent]))
        A_i = before.dV - V_i[1].cross(V_i[0]), before.dw  # the rate of V at a fixed point in space, not of a point of the body
        relative = (step.motion.v, step.motion.w)
        V.append(plus(V_i, relative))
        label("v", j, V[-1][0])
        alone.append(Carried(body.inertia, Change.of(body, *V[-1]), held[j]))
        directions.append([])
        for k, S in enumerate(body.directions):
            dS = carried(V_i, S)
            ddS = plus(carried(A_i, S), carried(V_i, dS))
            # S' differs from Psi' only where a joint has several velocities
            both = twice(dS) if body.kind in SINGLE_DOF else plus(twice(dS), carried(relative, S))
            # a rotor looks the same at every angle
            by_q = (STILL, STILL) if body.spins else (dS, ddS)
            share, bends = (body.ratio, None) if body.law is None else _along_law(body, s)
            for symbol, twist in (("Vq", dS), ("Aq", ddS), ("Aqd", both)):
                label(symbol, body.iv + k, twist)
            directions[-1].append(Direction(body.iv + k, share, S, by_q, (S, both), bends))
    return alone, directions


def _along_law(body: Body, s: Situation) -> tuple[Scalar, tuple[Scalar, Scalar, Scalar]]:
    """Return the share of a body whose coordinate is a function x of q, and `bends`: x' = f' q', x'' = f' q'' + f'' q'^2."""
    share, bend, third = shares_of(body, s["q"])
    qd, qdd = s["qd"][body.iv], s["qdd"][body.iv]
    by_rate = mul(bend, qd)
    return share, (by_rate, add(mul(bend, qdd), mul(third, mul(qd, qd))), mul(2.0, by_rate))


def _held_in_space(s: Situation) -> list[Change | None]:
    """Return for each body how the external wrenches that keep their direction in space turn against it."""
    E: list[Change | None] = [None] * len(s.tree.bodies)
    for body, axes, force, moment, arm in acting(s.tree, s.external, s.values.get("external", ()), s["q"], s.base):
        if axes == "world":
            columns = (axis.cross(moment) - arm.cross(force.cross(axis)) for axis in AXES)
            E[body] = _sum_of(E[body], Change(force, Matrix(columns).T))
    return E


def _sum_of(a: Change | None, b: Change | None) -> Change | None:
    return b if a is None else a if b is None else a + b


def _put(tables: Sequence[Table], order: int, force: Direction, by: Direction, value: Scalar) -> None:
    """Add the derivative of a body's force by another's own coordinate, its velocity or its acceleration (order 0, 1, 2).

    Several bodies share an entry where joints are coupled. A coordinate that is a function of q moves at a velocity that depends
    on q, and accelerates by what depends on q and qd.
    """
    i, j = force.column, by.column
    for table, share in by.shares(order):
        tables[table][i][j] = add(tables[table][i][j], mul(mul(force.ratio, share), value))
