"""Layout: the indices of each joint's coordinates and velocities in q and qd."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from .joint import Joint, JointKind


@dataclass(frozen=True, eq=False)
class Place:
    """The coordinates of one joint.

    Attributes:
        joint: an independent joint; for an elastic drive its shaft.
        kind: of the joint.
        iq, iv: index of its first coordinate in q, and of its first velocity in qd, qdd and tau.
        q, v: all of them, as slices.
    """

    joint: Joint
    iq: int
    iv: int
    kind: JointKind = field(init=False)
    q: slice = field(init=False)
    v: slice = field(init=False)

    def __post_init__(self) -> None:
        kind = self.joint.kind
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "q", slice(self.iq, self.iq + kind.nq))
        object.__setattr__(self, "v", slice(self.iv, self.iv + kind.nv))

    @property
    def quaternion(self) -> slice | None:
        """Slice of its quaternion x y z w in q, or None."""
        return slice(self.q.stop - 4, self.q.stop) if self.kind.nq > self.kind.nv else None


class Layout(tuple[Place, ...]):
    """The places of all independent joints, in the order of their coordinates; `layout.of(name)` finds one."""

    @classmethod
    def of_joints(cls, joints: Iterable[Joint]) -> Layout:
        """Return the layout of joints, given in the order of their coordinates."""
        found: list[Place] = []
        iq = iv = 0
        for joint in joints:
            found.append(Place(joint, iq, iv))
            iq, iv = found[-1].q.stop, found[-1].v.stop
        return cls(found)

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self[-1].q.stop if self else 0

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self[-1].v.stop if self else 0

    @cached_property
    def _by_name(self) -> dict[str, Place]:
        return {place.joint.name: place for place in self}

    def of(self, name: str) -> Place:
        """Return the place of the joint called `name`; KeyError if it is not independent."""
        return self._by_name[name]

    @property
    def quaternions(self) -> list[tuple[Joint, slice]]:
        """Joints with a quaternion, and its slice in q."""
        return [(place.joint, place.quaternion) for place in self if place.quaternion is not None]

    @property
    def neutral(self) -> list[float]:
        """The configuration (nq,) with every joint at zero and every quaternion at the identity."""
        return [x for place in self for x in place.kind.traits.neutral]
