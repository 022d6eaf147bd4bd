"""The coordinates of a closed robot: which numbers of the tree's configuration belong to given velocities.

A joint of one axis has one number for its velocity. A joint of several axes (spherical, planar, floating) of which any velocity
is given gives all of its numbers, a quaternion among them: they say where the joint is to be along the given velocities, and the
loops decide the others. The rod between two ball joints is the usual case: two of its turns follow from the loops, the spin about
its own axis is free.

A joint has reached its target where e(q) = 0, with e the velocity that would lead there, to first order:
    spherical   2 vec(u* t)              its rate   -(c w + w x s)        c, s: scalar and vector part of u* t
    floating    R(u)' (t - p), and the same for u   -(v + w x e)
    planar      Rz' (t - p), t - angle               the same in the plane
The rates are exact, so that Newton's method doubles its digits however far the loops move the joint away from its target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.joint import JointKind
from ...model.model import Model
from ...tree import lump
from ..loads import chain


@dataclass(frozen=True)
class Share:
    """A joint with given velocities.

    Attributes:
        name, kind: of the joint.
        iq, iv: where its coordinates and velocities begin among those of the tree.
        own: which of its velocities are given.
        inside: whether it is part of a loop; others reach their targets at once.
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
