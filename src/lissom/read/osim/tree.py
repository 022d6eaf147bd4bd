"""The tree of an OpenSim model: which joint carries which body, from the ground outward."""

from __future__ import annotations

from ..source import Source
from .parts import CoordinatePart, JointPart, OsimParts

Carried = tuple[JointPart, str, str, bool]  # joint, the body it hangs on, the body it carries, whether it runs backward


def with_free_bodies(parts: OsimParts, source: Source) -> tuple[JointPart, ...]:
    """Return the joints, with a free one for each body that no joint touches, as OpenSim adds them."""
    touched = {parts.seat(frame)[0] for joint in parts.joints for frame in (joint.parent, joint.child)}
    found = list(parts.joints)
    for body in parts.bodies:
        if body.name in touched:
            continue
        name = f"free_{body.name}"
        source.warn(f"no joint touches body {body.name!r}: it is free to move, by a joint {name!r}", body.line)
        coordinates = tuple(CoordinatePart(f"{name}_coord_{k}", name, body.line) for k in range(6))
        found.append(JointPart("FreeJoint", name, body.line, "/ground", body.path, coordinates))
    return tuple(found)


def from_ground(parts: OsimParts, source: Source) -> list[Carried]:
    """Return the joints from the ground outward, those of one body in the order of the file."""
    touching: dict[str, list[JointPart]] = {}
    ends = {}
    for joint in parts.joints:
        ends[joint.name] = (parts.seat(joint.parent)[0], parts.seat(joint.child)[0])
        if ends[joint.name][0] == ends[joint.name][1]:
            raise source.error(f"joint {joint.name!r} connects body {ends[joint.name][0]!r} to itself", joint.line)
        for body in ends[joint.name]:
            touching.setdefault(body, []).append(joint)
    reached, done, found = ["ground"], set(), []
    seen = {"ground"}
    for body in reached:
        for joint in touching.get(body, []):
            if joint.name in done:
                continue
            done.add(joint.name)
            parent, child = ends[joint.name]
            other = child if parent == body else parent
            if other in seen:
                raise source.error(
                    f"joint {joint.name!r} closes a loop: bodies {parent!r} and {child!r} are connected already; lissom reads "
                    "OpenSim's models without loops",
                    joint.line,
                )
            seen.add(other)
            reached.append(other)
            found.append((joint, body, other, other == parent))
    lost = [body for body in parts.bodies if body.name not in seen]
    if lost:
        raise source.error(f"body {lost[0].name!r} is not connected to the ground: no chain of joints leads there", lost[0].line)
    return found
