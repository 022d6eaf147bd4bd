"""Links and joints of an OpenSim model: each joint of OpenSim becomes a chain of lissom's, one for each of its coordinates."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...joints.motion import Part
from ...model import IDENTITY, Coupling, Inertia, Joint, JointKind, Limits, Link, Motion, Pose
from ...model.displacement import moved as displaced
from ..build import Draft
from ..source import Source
from .actuators import efforts
from .chain import Simple, backward, motions
from .coordinates import Leading, turning
from .laws import after, line, stretched
from .parts import BodyPart, OsimParts
from .tree import from_ground

Named = set[str]
INFINITE = float("inf")


@dataclass(frozen=True)
class Group:
    """What one joint moves: its coordinate, the one that leads it, its motions by that, and the constant pose after them."""

    coordinate: str
    leader: str
    motions: tuple[Simple, ...]
    then: Pose = IDENTITY

    @property
    def plain(self) -> bool:
        """Whether it is one motion by the coordinate itself, or by its opposite."""
        return len(self.motions) == 1 and self.proportional

    @property
    def proportional(self) -> bool:
        """Whether one of its motions is the coordinate itself, or its opposite."""
        return any(line(simple.law) in ((1.0, 0.0), (-1.0, 0.0)) for simple in self.motions)


class Assembly:
    """Makes links and joints of a draft from the parts of a model."""

    def __init__(self, parts: OsimParts, source: Source, moving: dict[str, Leading], draft: Draft) -> None:
        self.parts, self.source, self.moving, self.draft = parts, source, moving, draft
        self.coordinates = {coordinate.name: coordinate for coordinate in parts.coordinates}
        self.kinds = turning(parts, source)
        self.efforts = efforts(parts, source)
        self.links: Named = set()
        self.joints: Named = set(self.coordinates)
        self.made: set[str] = set()  # coordinates whose own joint is made

    def build(self) -> None:
        """Fill the draft."""
        bodies = {body.name: body for body in self.parts.bodies}
        self.add_link("ground", 1)
        for name, body in bodies.items():
            self.add_link(name, body.line, self.inertia(body))
        for joint, parent, child, reverse in from_ground(self.parts, self.source):
            chain = motions(joint, self.source)
            ends = self.parts.seat(joint.parent)[1], self.parts.seat(joint.child)[1]
            if reverse:
                chain, ends = backward(chain), ends[::-1]
            with self.source.at(joint.line):
                self.add_chain(joint.name, joint.line, chain, parent, child, ends)
        for marker in self.parts.markers:
            holder, pose = self.parts.seat(marker.frame)
            link = self.unused(marker.name, self.links)
            self.add_link(link, marker.line)
            with self.source.at(marker.line):
                at = pose @ Pose(translation=marker.location)
                self.add_joint(Joint(self.unused(marker.name, self.joints), JointKind.FIXED, holder, link, at), marker.line)

    def inertia(self, body: BodyPart) -> Inertia | None:
        """Return the inertia of a body; without mass, its moments are left to be moved to a body that it is fixed to."""
        if body.mass == 0.0:
            if any(any(row) for row in body.inertia):
                self.draft.loose[body.name] = body.inertia
            return None
        with self.source.at(body.line):
            return Inertia(body.mass, body.com, body.inertia)

    def add_chain(self, name: str, line_: int, chain: list[Simple], parent: str, child: str, ends: tuple[Pose, Pose]) -> None:
        """Add the joints of a chain between two bodies, whose frames have the poses `ends` in them."""
        origin, groups = _groups(self.split(chain, line_), ends[0])
        tail = ends[1].inverse()
        if not groups:
            self.add_joint(Joint(self.unused(name, self.joints), JointKind.FIXED, parent, child, origin @ tail), line_)
            return
        own = self.own_joints(groups)
        for k, group in enumerate(groups):
            last = k == len(groups) - 1
            link = child if last else self.unused(f"{name}.{group.coordinate}", self.links)
            if not last:
                self.add_link(link, line_, massless=True)
            ends_at = group.then @ tail if last else group.then
            self.add_joint(self.joint(group, own.get(group.coordinate) == k, name, (parent, link), (origin, ends_at)), line_)
            parent, origin = link, IDENTITY

    def split(self, chain: list[Simple], line_: int) -> list[tuple[Simple, str]]:
        """Return motions by one leader each, with its name: those of a coordinate that is a sum follow one after the other."""
        found: list[tuple[Simple, str]] = []
        for simple in chain:
            if simple.coordinate is None:
                found.append((simple, ""))
                continue
            terms, straight = self.moving[simple.coordinate].terms, line(simple.law)
            if len(terms) == 1:
                ((leader, law),) = terms
                found.append((replace(simple, law=after(simple.law, law)), leader))
                continue
            if straight is None:
                what = f"coordinate {simple.coordinate!r} follows several coordinates, and moves an axis by a curve"
                raise self.source.error(f"{what}; lissom has sums of functions of one", line_)
            for k, (leader, law) in enumerate(terms):
                found.append((replace(simple, law=stretched(law, straight[0], straight[1] if k == 0 else 0.0)), leader))
        return found

    def own_joints(self, groups: list[Group]) -> dict[str, int]:
        """Return which group is the own joint of each coordinate that has none yet: rather one in proportion."""
        found: dict[str, int] = {}
        for k, group in enumerate(groups):
            name = group.coordinate
            if name in self.made:
                continue
            if name not in found or (group.proportional and not groups[found[name]].proportional):
                found[name] = k
        self.made.update(found)
        return found

    def joint(self, group: Group, own: bool, within: str, links: tuple[str, str], poses: tuple[Pose, Pose]) -> Joint:
        """Return the joint of a group: a coordinate's own, or one more that follows it."""
        part, leads = self.coordinates[group.coordinate], own and group.leader == group.coordinate
        name = part.name if own else self.unused(f"{part.name}.{within}", self.joints)
        limits, coupling = Limits(), None
        if leads:
            lower, upper = part.range if part.clamped and part.range is not None else (-INFINITE, INFINITE)
            limits = Limits(lower, upper, effort=self.efforts.get(part.name, INFINITE))
        else:
            coupling = Coupling(group.leader)
        first = group.motions[0]
        straight = line(first.law) if len(group.motions) == 1 else None
        if straight is not None and (group.plain or not leads):
            kind, axis = JointKind.PRISMATIC if first.slides else JointKind.REVOLUTE, first.axis
            if leads and straight[0] < 0:
                axis = (-axis[0], -axis[1], -axis[2])
            if not leads:
                coupling = Coupling(group.leader, *straight)
            return Joint(name, kind, *links, poses[0], axis, poses[1], limits, coupling=coupling)
        slides, turns = (tuple((s.axis, s.law) for s in group.motions if s.slides is which) for which in (True, False))
        motion = Motion(slides, turns, "m" if self.kinds[group.leader] == "translational" else "rad")
        return Joint(name, JointKind.CUSTOM, *links, poses[0], tail=poses[1], limits=limits, coupling=coupling, motion=motion)

    def add_link(self, name: str, line_: int, inertia: Inertia | None = None, massless: bool = False) -> None:
        """Add a link that stands in a line of the file."""
        self.source.note("link", name, line_)
        self.links.add(name)
        self.draft.links.append(Link(name, inertia, massless=massless))

    def add_joint(self, joint: Joint, line_: int) -> None:
        """Add a joint that stands in a line of the file."""
        self.source.note("joint", joint.name, self.coordinates[joint.name].line if joint.name in self.coordinates else line_)
        self.joints.add(joint.name)
        self.draft.joints.append(joint)

    def unused(self, name: str, taken: Named) -> str:
        """Return a name that nothing has yet."""
        k, found = 2, name
        while found in taken:
            k, found = k + 1, f"{name}_{k}"
        return found


def _groups(chain: list[tuple[Simple, str]], origin: Pose) -> tuple[Pose, list[Group]]:
    """Return the constant pose before the first joint, and the joints.

    A joint takes what its leader moves without anything between; translations of a joint come before its rotations.
    """
    groups: list[Group] = []
    for one, leader in chain:
        if one.coordinate is None or one.law.constant is not None:
            step = displaced(Part(one.slides, _unit(one.axis)), one.law.constant or 0.0)
            if groups:
                groups[-1] = replace(groups[-1], then=groups[-1].then @ step)
            else:
                origin = origin @ step
            continue
        last = groups[-1] if groups else None
        same = last is not None and (last.coordinate, last.leader) == (one.coordinate, leader)
        if last is not None and same and last.then == IDENTITY and _fits(last.motions, one):
            groups[-1] = replace(last, motions=(*last.motions, one))
        else:
            groups.append(Group(one.coordinate, leader, (one,)))
    return origin, groups


def _fits(group: tuple[Simple, ...], one: Simple) -> bool:
    """Return whether a motion may be one more of a custom joint."""
    if one.slides and not group[-1].slides:
        return False
    return sum(s.slides == one.slides for s in group) < 3


def _unit(axis: tuple[float, float, float]) -> tuple[float, float, float]:
    n = sum(x * x for x in axis) ** 0.5
    return (axis[0] / n, axis[1] / n, axis[2] / n)
