"""Motors of a YAML document, in trees and Denavit-Hartenberg tables (`tree.py` shows the section).

    motors:
      - name: drive
        joint: pivot                       # the driven joint
        link: base                         # the link that carries it; default: the parent of the joint
        ratio: 100                         # rotor angle per joint angle; rad/m for a prismatic joint
        mass: 0.2                          # of the rotor, and its inertia in the same forms as for links
        inertia: [1e-5, 1e-5, 2e-5, 0, 0, 0]
        origin: {xyz: [0, 0.05, 1]}        # of the motor's frame in the link's; the rotor turns about its z
        axis: [0, 1, 0]                    # instead of a rotation: direction of z in the link's frame
        spring: {stiffness: 500, rest: 0, damping: 0.1}    # of an elastic drive; a rigid one has none
        friction: {viscous: 1e-4, coulomb: 1e-3}           # of the rotor in its bearings
        limits: {effort: 60}               # of an elastic drive
        rotor: full                        # or reflected

Only name and joint are required; a motor without mass has a ratio and friction, but no inertia.
"""

from __future__ import annotations

import math

from ..model import Inertia, Motor, Pose
from ..model.motor import ROTORS
from ..model.pose import frame_with_z
from .build import Draft
from .entry import Entry
from .fields import POSE, pose_of, read_friction, read_inertia, read_limits, read_spring

INERTIA = ("mass", "com", "inertia", "first_moment", "inertia_origin")
KEYS = ("name", "joint", "link", "ratio", *INERTIA, "origin", "axis", "spring", "friction", "limits", "rotor")


def read_motors(keys: dict[str, Entry], draft: Draft) -> None:
    """Add the motors of a document to `draft`."""
    drives: dict[str, Motor] = {}
    for item in keys["motors"].items() if "motors" in keys else []:
        motor = _motor(item)
        lines = item.source.lines
        if f"joint {motor.name!r}" in lines:
            where = f"the joint at line {lines[f'joint {motor.name!r}']}"
            raise item.error(f"motor {motor.name!r} has the name of a joint ({where}); names must be unique")
        if motor.joint in drives:
            first = drives[motor.joint].name
            raise item.error(
                f"motors {first!r} (line {lines[f'motor {first!r}']}) and {motor.name!r} both drive joint {motor.joint!r}; "
                "a joint has one motor"
            )
        drives[motor.joint] = motor
        draft.motors.append(motor)


def _motor(item: Entry) -> Motor:
    keys = item.mapping(KEYS, required=("name", "joint"))
    name = keys["name"].text()
    item.source.note("motor", name, item.line)
    inertia = _inertia(item.called(f"motor {name!r}"), keys)
    spring, friction = read_spring(keys.get("spring")), read_friction(keys.get("friction"))
    limits = read_limits(keys.get("limits"))
    with item.source.at(item.line):
        return Motor(
            name,
            keys["joint"].text(),
            keys["link"].text() if "link" in keys else None,
            keys["ratio"].number() if "ratio" in keys else 1.0,
            inertia,
            _origin(keys, name),
            spring,
            friction,
            limits,
            keys["rotor"].called(f"'rotor' of motor {name!r}").choice(ROTORS) if "rotor" in keys else "full",
        )


def _inertia(entry: Entry, keys: dict[str, Entry]) -> Inertia | None:
    return read_inertia(entry, {key: value for key, value in keys.items() if key in INERTIA})


def _origin(keys: dict[str, Entry], name: str) -> Pose:
    entry = keys.get("origin")
    stated = {} if entry is None else entry.mapping(POSE)
    pose = Pose() if entry is None else pose_of(entry, stated)
    if "axis" not in keys:
        return pose
    axis = keys["axis"]
    turns = [key for key in POSE[1:] if key in stated]
    if turns:
        raise axis.error(f"motor {name!r} gives its direction twice ('axis' and {turns[0]!r} of its origin); remove one")
    x, y, z = axis.numbers(3).tolist()
    length = math.hypot(x, y, z)
    if not 1e-12 < length < math.inf:
        raise axis.error(f"motor {name!r}: its axis has zero length: {[x, y, z]}")
    return Pose(frame_with_z((x / length, y / length, z / length)), pose.translation)
