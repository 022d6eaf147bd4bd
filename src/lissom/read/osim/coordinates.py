"""Coordinates of an OpenSim model: their names in lissom, which of them follow others, and which stand still."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import suggest
from ...joints.function import Function
from ..source import Source
from .chain import completed, motions
from .laws import IDENTITY_LAW, after, line, stretched
from .parts import CouplerPart, JointPart, OsimParts
from .several import Term, summed, terms_of


@dataclass(frozen=True)
class Leading:
    """What moves a coordinate: another one, by a function of it; a leader moves itself.

    `more` are other leaders with their functions: the coordinate is the sum of all.
    """

    leader: str
    law: Function = IDENTITY_LAW
    more: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """All leaders with their functions."""
        return ((self.leader, self.law), *self.more)


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
        if coupler.follower in followers:
            other = followers[coupler.follower].name
            raise source.error(f"coordinate {coupler.follower!r} is coupled by {other!r} and {coupler.name!r}", coupler.line)
        followers[coupler.follower] = coupler
    found: dict[str, list[Term]] = {}
    opened: set[str] = set()
    waiting = list(reversed(names))
    while waiting:  # not by calls: files of strangers may couple thousands in a row
        name = waiting[-1]
        needed = [leader for leader in followers[name].leaders if leader not in found] if name in followers else []
        if name in found:
            waiting.pop()
        elif not needed:
            found[name] = _terms(followers[name], found, source) if name in followers else [(name, IDENTITY_LAW)]
        else:
            opened.add(name)
            for leader in needed:
                if leader in opened:
                    raise source.error(f"coordinates are coupled in a circle through {leader!r}", followers[name].line)
            waiting += needed
    return {name: Leading(*found[name][0], tuple(found[name][1:])) for name in names}


def _terms(coupler: CouplerPart, known: dict[str, list[Term]], source: Source) -> list[Term]:
    """Return the leaders of a coordinate, with the functions of them that add up to it."""
    what, found = f"coordinate {coupler.follower!r}", []
    for leader, law in terms_of(coupler.function, coupler.leaders, what, source):
        own, inner = stretched(law, coupler.scale), known[leader]
        straight = line(own)
        with source.at(coupler.line):
            if len(inner) == 1:
                found.append((inner[0][0], after(own, inner[0][1])))
            elif straight is None:
                raise source.error(f"{what} is a curve of {leader!r}, which follows several coordinates", coupler.line)
            else:
                slope, offset = straight
                found += [(one, stretched(part, slope, offset if k == 0 else 0.0)) for k, (one, part) in enumerate(inner)]
    with source.at(coupler.line):
        return summed(found, what, source, coupler.line)


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
        if moved[coordinate.name] != Leading(coordinate.name):
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
