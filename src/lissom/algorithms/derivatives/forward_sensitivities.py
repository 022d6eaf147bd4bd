"""Sensitivities of forward dynamics, through those of inverse dynamics.

tau(q, qd, qdd(q, qd, tau)) = tau for every q, qd and tau, hence with M = d tau / d qdd, at the acceleration that tau causes,
    d qdd / d q = - M^-1 d tau / d q        d qdd / d qd = - M^-1 d tau / d qd        d qdd / d tau = M^-1
(Carpentier and Mansard 2018). M is factored once; its factor is as sparse as the tree is branched, and so is its
inverse.

A change of acceleration by c along directions S of the joint itself is what its own qdd does: that part of d tau is M c, and its
solution c. A new pose of a free base only turns gravity against it, and a new linear velocity only adds w x v to its own
acceleration: joints behind it accelerate by neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...spatial.scalar import Scalar, sub
from ...spatial.twist import Twist, axis_of
from ...spatial.vector import Vector
from ..dynamics.factor import mass_factor
from ..dynamics.forward_dynamics import walker_orin
from ..dynamics.inverse_factor import InverseFactor
from ..loads import Situation
from .sensitivities import Direction, Table, outward, passes_of, tables_of

Own = tuple[int, int, int, Scalar]  # order 0 or 1, row, column and value of what a joint's own acceleration does


def forward_dynamics_tables(s: Situation) -> tuple[Table, Table, Table]:
    """Return d qdd / d q, d qd and d tau (nv, nv): accelerations in rows."""
    s = s.at(qdd=walker_orin(s))
    passes = passes_of(s)
    carried, directions = outward(s, passes)
    own: list[Own] = []
    rest = [list(_without_own(joint, own)) for joint in directions]
    by_q, by_qd, M = tables_of(s, passes, carried, rest)
    inverse = InverseFactor(mass_factor(s.tree, M))
    found = inverse.minus_times(by_q), inverse.minus_times(by_qd)
    for order, i, j, value in own:
        found[order][i][j] = sub(found[order][i][j], value)
    return *found, inverse.matrix()


def _without_own(directions: list[Direction], own: list[Own]) -> Iterator[Direction]:
    """Yield the directions of a joint less accelerations along unit directions of the joint itself, which are added to `own`."""
    axes = {axis: d.column for d in directions if (axis := axis_of(d.S)) is not None}
    for d in directions:
        if len(directions) == 1:  # of a single axis, one product less is not worth a term
            yield d
            continue
        changes = []
        for order, (velocity, acceleration) in enumerate((d.by_q, d.by_qd)):
            six = [*acceleration[0], *acceleration[1]]
            own += [(order, row, d.column, six[axis]) for axis, row in axes.items()]
            kept = [0.0 if axis in axes else x for axis, x in enumerate(six)]
            changes.append((velocity, _twist(kept)))
        yield replace(d, by_q=changes[0], by_qd=changes[1])


def _twist(six: list[Scalar]) -> Twist:
    return Vector(*six[:3]), Vector(*six[3:])
