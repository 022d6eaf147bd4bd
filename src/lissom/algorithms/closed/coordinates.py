"""The coordinates of a mechanism with loops: which numbers of the tree's configuration belong to given velocities.

A joint of one axis has one number for its velocity. A joint of several axes (spherical, planar, floating) of which any velocity
is given gives all of its numbers, a quaternion among them: they say where the joint is to be along the given velocities, and the
loops decide the others. The rod between two ball joints is the usual case: two of its turns follow from the loops, the spin about
its own axis is free.

Where a joint is to go from q is e(q) = 0, with e the velocity that would lead there, to first order:
    spherical   2 vec(u* t)              its rate   -(c w + w x s)        c, s: scalar and vector part of u* t
    floating    R(u)' (t - p), and the same for u   -(v + w x e)
    planar      Rz' (t - p), t - angle               the same in the plane
The rates are exact, so that Newton's method doubles its digits however far the loops move the joint away from where it was sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.joint import SINGLE_DOF, JointKind
from ...model.model import Model
from ...spatial.rotation import TurnInSpace, TurnZ
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.vector import Vector
from ...tree import lump
from ..loads import chain


@dataclass(frozen=True)
class Share:
    """A joint with given velocities.

    Attributes:
        name, kind: of the joint.
        iq, iv: where its coordinates and velocities begin among those of the tree.
        own: which of its velocities are given.
        inside: whether it is part of a loop; others go where they are sent.
    """

    name: str
    kind: JointKind
    iq: int
    iv: int
    own: tuple[int, ...]
    inside: bool

    @property
    def whole(self) -> bool:
        """Whether all of its velocities are given."""
        return len(self.own) == self.kind.nv

    @property
    def places(self) -> range:
        """Its coordinates, among those of the tree."""
        return range(self.iq, self.iq + self.kind.nq)


def shares(model: Model, given: Sequence[int]) -> list[Share]:
    """Return the joints of given velocities, in their order; those of one joint stand together."""
    within = inside(model)
    owner = [place for place in model.layout for _ in range(place.kind.nv)]
    found = []
    for place in dict.fromkeys(owner[k] for k in given):
        velocities = range(place.v.start, place.v.stop)
        own = tuple(k - place.iv for k in given if k in velocities)
        found.append(Share(place.joint.name, place.kind, place.iq, place.iv, own, any(k in within for k in velocities)))
    return found


def inside(model: Model) -> frozenset[int]:
    """Return the velocities of joints that are part of a loop."""
    tree = lump(model)
    found: set[int] = set()
    for loop in model.loops:
        first, second = (chain(tree, tree.places[link][0]) for link in (loop.first, loop.second))
        for j in set(first) ^ set(second):
            body = tree.bodies[j]
            found.update(range(body.iv, body.iv + body.kind.nv))
    return frozenset(found)


def difference(kind: JointKind, q: Sequence[Scalar], target: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
    """Return e, the velocity that leads from q to the target to first order, and D: along velocities v its rate is -D v."""
    if kind in SINGLE_DOF:
        return [sub(target[0], q[0])], [[1.0]]
    if kind is JointKind.SPHERICAL:
        u, t = Vector(*q[:3]), Vector(*target[:3])
        s = t * q[3] - u * target[3] - u.cross(t)
        c = add(mul(q[3], target[3]), u.dot(t))
        # (w x s)_i = -(s x w)_i
        return [mul(2.0, x) for x in s], _plus(_crossed(s), c)
    if kind is JointKind.PLANAR:
        x, y, _ = TurnZ.by(q[2]).to_child(Vector(sub(target[0], q[0]), sub(target[1], q[1]), 0.0))
        return [x, y, sub(target[2], q[2])], [[1.0, 0.0, sub(0.0, y)], [0.0, 1.0, x], [0.0, 0.0, 1.0]]
    if kind is JointKind.FLOATING:
        linear = TurnInSpace.by(q[3:]).to_child(Vector(*target[:3]) - Vector(*q[:3]))
        turn, D = difference(JointKind.SPHERICAL, q[3:], target[3:])
        upper = [[*(float(i == j) for j in range(3)), *row] for i, row in enumerate(_crossed(linear))]
        return [*linear, *turn], [*upper, *([0.0, 0.0, 0.0, *row] for row in D)]
    raise AssertionError(f"joint kind {kind} has no differences")


def _crossed(e: Vector) -> list[list[Scalar]]:
    """Return the matrix of w -> w x e, by rows."""
    x, y, z = e
    return [[0.0, z, sub(0.0, y)], [sub(0.0, z), 0.0, x], [y, sub(0.0, x), 0.0]]


def _plus(table: list[list[Scalar]], c: Scalar) -> list[list[Scalar]]:
    return [[c if i == j else x for j, x in enumerate(row)] for i, row in enumerate(table)]
