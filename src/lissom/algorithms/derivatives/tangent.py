"""Tangents: coordinates of a robot and their derivatives by velocities.

A quaternion has four numbers and three degrees of freedom, so derivatives by q are taken along velocities: q moves at the rate
E(q) v, the child's own velocity v in its own axes (`coordinate_rates`; Pinocchio's convention). A tangent v of q becomes the
tangent E v of its numbers; an adjoint of its numbers becomes the adjoint E' of v.

Second derivatives need one thing more. With g the gradient by velocities, the rate of g along v is not symmetric where motions do
not commute: turning about x, then y, is not turning about y, then x. In exponential coordinates d, q (+) d, it is: with the
bracket [v, d] of the joint's group, (w x d_v - w_d x v, w x w_d) for screws (v, w) and (d_v, w_d),
    second derivative along v = rate of g along v - 1/2 [v, .]' g
because f(q (+) d) = sum (d . E)^n f / n! and only the symmetric part of E_i E_j is in its second term.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...joints.flow import coordinate_rates
from ...model.joint import JointKind
from ...model.layout import Place
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.twist import STILL, Twist, along, plus
from ..elastic.links import link_nq, link_nv, link_places


def rates_along(model: Model, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return E(q) v (nq): rates of all coordinates, or of those of a path."""
    places = _places(model, q)
    if places is None:
        return list(v)
    return [x for at in places for x in coordinate_rates(at.kind, q[at.q], v[at.v])]


def by_velocities(model: Model, q: Sequence[Scalar], adjoints: Sequence[Scalar]) -> list[Scalar]:
    """Return E(q)' times adjoints of the coordinates: adjoints (nv) of the velocities."""
    places = _places(model, q)
    if places is None:
        return list(adjoints)
    found: list[Scalar] = []
    for at in places:
        for k in range(at.kind.nv):
            column = coordinate_rates(at.kind, q[at.q], [float(i == k) for i in range(at.kind.nv)])
            total: Scalar = 0.0
            for e, adjoint in zip(column, adjoints[at.q], strict=True):
                total = add(total, mul(e, adjoint))
            found.append(total)
    return found


def made_symmetric(model: Model, rate: Sequence[Scalar], v: Sequence[Scalar], gradient: Sequence[Scalar]) -> list[Scalar]:
    """Return the second derivative along v in exponential coordinates (nv), given the rate of the gradient along v."""
    found = list(rate)
    if len(found) not in (model.nv, link_nv(model)):  # of a path of the joints that drive a closed robot
        return found
    for at in link_places(model):  # motors add up
        if at.kind.traits.adds_up:
            continue
        (linear, w), (g, m) = _six(at.kind, v[at.v]), _six(at.kind, gradient[at.v])
        turned = (g.cross(w), g.cross(linear) + m.cross(w))
        for k, S in enumerate(at.kind.traits.directions):
            found[at.iv + k] = sub(rate[at.iv + k], mul(0.5, along(S, turned)))
    return found


def _places(model: Model, q: Sequence[Scalar]) -> Sequence[Place] | None:
    """Return the joints whose coordinates these are: all, or those without elastic drives.

    None for those that drive a closed robot, of one axis each.
    """
    return {model.nq: model.layout, link_nq(model): link_places(model)}.get(len(q))


def _six(kind: JointKind, x: Sequence[Scalar]) -> Twist:
    """Return linear and angular part of a joint's own velocities or torques."""
    total = STILL
    for (linear, angular), value in zip(kind.traits.directions, x, strict=True):
        total = plus(total, (linear * value, angular * value))
    return total
