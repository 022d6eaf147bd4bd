"""Coordinates of an OpenSim model: their names in lissom, which of them follow others, and which stand still."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import suggest
from ...joints.function import Function
from ..source import Source
from .chain import completed, motions
from .laws import IDENTITY_LAW, after, law_of, line, stretched
from .parts import CouplerPart, JointPart, OsimParts


@dataclass(frozen=True)
class Leading:
    """What moves a coordinate: another one, by a function of it; a leader moves itself."""

    leader: str
    law: Function = IDENTITY_LAW


def named_apart(joints: tuple[JointPart, ...], source: Source) -> tuple[JointPart, ...]:
    """Return joints with all their coordinates, whose names are unique: "joint/coordinate" where several joints have the same."""
    filled = [replace(joint, coordinates=completed(joint, source)) for joint in joints]
    count: dict[str, int] = {}
    for joint in filled:
        names = [c.name for c in joint.coordinates]
        for coordinate in joint.coordinates:
            if names.count(coordinate.name) > 1:
                raise source.error(f"joint {joint.name!r} has two coordinates {coordinate.name!r}", coordinate.line)
            count[coordinate.name] = count.get(coordinate.name, 0) + 1
    return tuple(_renamed(joint, {name for name, n in count.items() if n > 1}) for joint in filled)


def _renamed(joint: JointPart, shared: set[str]) -> JointPart:
    def full(name: str) -> str:
        return f"{joint.name}/{name}" if name in shared else name

    if not any(coordinate.name in shared for coordinate in joint.coordinates):
        return joint
    coordinates = tuple(replace(c, name=full(c.name)) for c in joint.coordinates)
    axes = tuple(replace(axis, coordinates=tuple(map(full, axis.coordinates))) for axis in joint.axes)
    return replace(joint, coordinates=coordinates, axes=axes)


def leaders(parts: OsimParts, source: Source) -> dict[str, Leading]:
    """Return what moves each coordinate, by the couplers that are enforced."""
    names = [coordinate.name for coordinate in parts.coordinates]
    followers: dict[str, CouplerPart] = {}
    for coupler in parts.couplers:
        for name in (coupler.follower, *coupler.leaders):
            if name not in names:
                raise source.error(
                    f"{coupler.name!r} couples an unknown coordinate {name!r}; {suggest(name, names)}", coupler.line
                )
        if not coupler.enforced:
            continue
        if len(coupler.leaders) != 1:
            many = ", ".join(map(repr, coupler.leaders))
            raise source.error(f"{coupler.name!r} couples {coupler.follower!r} to several coordinates, {many}", coupler.line)
        if coupler.follower in followers:
            other = followers[coupler.follower].name
            raise source.error(f"coordinate {coupler.follower!r} is coupled by {other!r} and {coupler.name!r}", coupler.line)
        followers[coupler.follower] = coupler
    found: dict[str, Leading] = {}
    for name in names:
        leader = name
        law: Function = IDENTITY_LAW
        seen = {name}
        while leader in followers:
            coupler = followers[leader]
            own = stretched(law_of(coupler.function, f"coordinate {leader!r}", source), coupler.scale)
            with source.at(coupler.line):
                law, leader = after(law, own), coupler.leaders[0]
            if leader in seen:
                raise source.error(f"coordinates are coupled in a circle through {leader!r}", coupler.line)
            seen.add(leader)
        found[name] = Leading(leader, law)
    return found


def standing(parts: OsimParts, moved: dict[str, Leading], source: Source) -> dict[str, float]:
    """Return the values [rad or m] at which locked coordinates stand; prescribed ones are refused."""
    found = {}
    for coordinate in parts.coordinates:
        if coordinate.prescribed:
            raise source.error(
                f"coordinate {coordinate.name!r} is prescribed as a function of time, which no robot is; set <prescribed> to "
                "false and give its motion where you use it",
                coordinate.line,
            )
        if not coordinate.locked:
            continue
        if moved[coordinate.name].leader != coordinate.name:
            leader = moved[coordinate.name].leader
            raise source.error(
                f"coordinate {coordinate.name!r} is locked, and coupled to {leader!r}; lock {leader!r} instead", coordinate.line
            )
        found[coordinate.name] = coordinate.default
    return found


def turning(parts: OsimParts, source: Source) -> dict[str, str]:
    """Return OpenSim's kind of each coordinate: "rotational" (in degrees in files that say so), "translational" or "coupled".

    One of a custom joint is what it moves in proportion one, and coupled if there is nothing.
    """
    found = {}
    for joint in parts.joints:
        chain = motions(joint, source)
        for coordinate in joint.coordinates:
            own = [s for s in chain if s.coordinate == coordinate.name and (straight := line(s.law)) and straight == (1.0, 0.0)]
            turns = any(not s.slides for s in own)
            found[coordinate.name] = "rotational" if turns else "translational" if own else "coupled"
    return found
