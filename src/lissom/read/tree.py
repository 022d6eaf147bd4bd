"""lissom's format for any robot, also written by `save`: links and joints, with nothing left out.

    lissom: 1
    kind: tree
    name: pendulum
    gravity: [0, 0, -9.81]                 # [m/s^2]
    links:
      - name: base
      - {name: rod, mass: 1.0, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0, 0, 0, 0]}   # [kg], [m], [kg m^2]
    joints:
      - name: pivot
        kind: revolute                     # fixed, continuous, prismatic, helical, universal, spherical, planar, floating, custom
        parent: base
        child: rod
        origin: {xyz: [0, 0, 1], rpy: [0, 0, 0]}   # or rotation: 3x3, or quaternion: [x, y, z, w]
        axis: [0, 1, 0]                    # default z
        limits: {lower: -pi/2, upper: 90deg, velocity: 3, effort: 20}
        friction: {viscous: 0.1, coulomb: 0.02}
        rotor_inertia: 0.01
        spring: {stiffness: 80, rest: 0.1, damping: 0.5}   # [N m/rad or N/m], [rad or m], [N m s/rad or N s/m]
    motors:
      - {name: drive, joint: pivot, link: base, ratio: 100, mass: 0.2, inertia: [1e-5, 1e-5, 2e-5, 0, 0, 0], axis: [0, 1, 0]}

A joint may also have a tail (a pose after the motion) and a coupling {joint, ratio, offset}. A helical joint has a pitch [m/rad],
a universal one a second_axis, a custom one a motion (`motion.py`). See `fields.py` for inertias and `motors.py` for motors.
"""

from __future__ import annotations

from ..model import Joint, JointKind, Link
from ..model.pose import as_vector3
from .build import Draft
from .entry import Entry
from .fields import DRIVE, INERTIA, need_mass, read_coupling, read_friction, read_inertia, read_limits, read_pose, read_spring
from .motion import read_motion
from .motors import read_motors

KEYS = ("links", "joints", "motors")
_LINK = ("name", *INERTIA)
_JOINT = ("name", "kind", "parent", "child", "origin", "axis", "tail", *DRIVE, "pitch", "second_axis", "motion")


def read_tree(document: Entry, keys: dict[str, Entry], draft: Draft) -> None:
    """Add the links and joints of a tree document to `draft`."""
    if "links" not in keys:
        raise document.error("a tree needs the key 'links'")
    excused = set()
    for item in keys["links"].items():
        found = item.mapping(_LINK, required=("name",))
        name = found["name"].text()
        document.source.note("link", name, item.line)
        if "massless" in found and found["massless"].flag():
            excused.add(name)
        draft.links.append(Link(name, read_inertia(item.called(f"link {name!r}"), found)))
    for item in keys["joints"].items() if "joints" in keys else []:
        draft.joints.append(_joint(item))
    read_motors(keys, draft)
    need_mass(draft, excused, document)


def _joint(item: Entry) -> Joint:
    keys = item.mapping(_JOINT, required=("name", "kind", "parent", "child"))
    name = keys["name"].text()
    item.source.note("joint", name, item.line)
    kind = JointKind(keys["kind"].called(f"'kind' of joint {name!r}").choice([k.value for k in JointKind]))
    limits = read_limits(keys.get("limits"))
    friction, coupling = read_friction(keys.get("friction")), read_coupling(keys.get("coupling"))
    spring = read_spring(keys.get("spring"))
    axis = keys["axis"].numbers(3) if "axis" in keys else (0.0, 0.0, 1.0)
    rotor = keys["rotor_inertia"].number() if "rotor_inertia" in keys else 0.0
    pitch = keys["pitch"].number() if "pitch" in keys else None
    second = keys["second_axis"].numbers(3) if "second_axis" in keys else None
    motion = read_motion(keys["motion"].called(f"'motion' of joint {name!r}")) if "motion" in keys else None
    if "axis" in keys and motion is not None and kind is JointKind.CUSTOM:
        raise keys["axis"].error(f"joint {name!r} is custom and takes no 'axis': the axes are those of its 'motion'; remove it")
    origin, tail = read_pose(keys.get("origin")), read_pose(keys.get("tail"))
    with item.source.at(item.line):
        return Joint(
            name,
            kind,
            keys["parent"].text(),
            keys["child"].text(),
            origin,
            as_vector3(axis, "axis"),
            tail,
            limits,
            friction,
            rotor,
            coupling,
            spring,
            pitch,
            None if second is None else as_vector3(second, "second axis"),
            motion,
        )
