"""Singular joints: an equation of motion has a solution where the joint has inertia along its direction.

H is the inertia along a joint while all joints beyond it are free: a pivot of the elimination, the same in every method. It is
compared with what the joint moves and with the mechanism that the joint is part of, all links behind one joint at the base, since
a tip is heavy or light only relative to what carries it:
    m, r   mass that the joint carries, and the length over which it is spread
    M, L   the same of the whole mechanism
    sliding directions need   H > SINGULAR M
    turning ones              H > SINGULAR max(M r^2, m L^2): mass enough for the size, and size enough for the mass
Where a joint carries nothing and r gives no length, its rotor has to move as much as a body of the size GRAIN L would.
Micro-robots are compared with themselves; a gram on a hundred kilograms is far above these bounds.
"""

from __future__ import annotations

from ...errors import ModelError
from ...model.check import NEGLIGIBLE
from ...spatial.scalar import Scalar, guard
from ...tree import BASE, Body, Tree

SINGULAR = NEGLIGIBLE  # published robots stay a factor 1e5 above it
GRAIN = 1e-3  # share of the mechanism's length below which a body is a point


def pivot(tree: Tree, index: int, H: Scalar) -> Scalar:
    """Return H, the inertia along velocity `index` if all joints beyond are free.

    Where it is almost zero, a constant H raises ModelError, and any other becomes NaN.
    """
    body = _leader(tree, index)
    whole = _mechanism(tree, body)
    turns = body.kind.traits.rate_units[index - body.iv] == "rad"
    least = SINGULAR * whole.carried_mass
    if turns:
        size = max(body.reach, GRAIN * whole.reach)
        least = SINGULAR * max(whole.carried_mass * size**2, body.carried_mass * whole.reach**2)
    if type(H) is float and not least < H:
        unit = "kg m^2" if turns else "kg"
        raise ModelError(
            f"joint {body.name!r} has almost no inertia along its axis: {H:.3g} {unit}; in a mechanism of "
            f"{whole.carried_mass:.3g} kg and {whole.reach:.3g} m it needs more than {least:.1g} {unit}, or any torque would "
            "accelerate it without limit; give the links that it moves a mass and an inertia, give the joint a "
            "rotor inertia (armature), fix it, or give its acceleration instead of its torque (hybrid_dynamics)"
        )
    return guard(H, least)


def _leader(tree: Tree, index: int) -> Body:
    """Return the body whose own velocity stands at `index`, not one that follows it."""
    found = [b for b in tree.bodies if b.iv <= index < b.iv + b.kind.nv]
    return next((b for b in found if not b.spins and b.ratio == 1.0 and b.offset == 0.0), found[-1])


def _mechanism(tree: Tree, body: Body) -> Body:
    """Return the body next to the base that carries `body`: no other body is affected by it."""
    while body.parent != BASE:
        body = tree.bodies[body.parent]
    return body
