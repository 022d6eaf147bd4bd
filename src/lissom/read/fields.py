"""The parts that trees and Denavit-Hartenberg tables share: poses, inertias, limits, friction, springs, couplings.

Units are SI, angles radians. See `tree.py` and `dh.py` for whole documents.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model import IDENTITY, Coupling, Friction, Inertia, JointKind, Limits, Pose, Spring
from ..model.pose import as_matrix3, as_vector3, rotation_from_quaternion, rotation_from_rpy
from .build import Draft
from .entry import Entry

INERTIA = ("mass", "com", "inertia", "first_moment", "inertia_origin", "massless")
DRIVE = ("limits", "friction", "rotor_inertia", "coupling", "spring")
POSE = ("xyz", "rpy", "rotation", "quaternion")


def read_pose(entry: Entry | None) -> Pose:
    """Read {xyz: [m], and one of rpy: [rad], rotation: 3x3, quaternion: x y z w}; nothing is the identity."""
    return IDENTITY if entry is None else pose_of(entry, entry.mapping(POSE))


def pose_of(entry: Entry, keys: dict[str, Entry]) -> Pose:
    """Return the pose given by the entries of POSE in `keys`."""
    turns = [key for key in POSE[1:] if key in keys]
    if len(turns) > 1:
        raise entry.error(f"{entry.label} gives its rotation {len(turns)} times ({', '.join(turns)}); give it once")
    with entry.source.at(entry.line):
        R = np.eye(3)
        if "rpy" in keys:
            R = rotation_from_rpy(*keys["rpy"].numbers(3))
        elif "rotation" in keys:
            R = keys["rotation"].matrix()
        elif "quaternion" in keys:
            R = rotation_from_quaternion(list(keys["quaternion"].numbers(4)))
        p = keys["xyz"].numbers(3) if "xyz" in keys else np.zeros(3)
        return Pose(as_matrix3(R, "rotation"), as_vector3(p, "translation"))


def read_inertia(entry: Entry, keys: dict[str, Entry]) -> Inertia | None:
    """Read the inertia of a link, None if it has none.

    Either mass, com and inertia about the center of mass, as six numbers [ixx, iyy, izz, ixy, ixz, iyz] or 3x3; or, in Khalil's
    form, mass, first_moment [MX, MY, MZ] and inertia_origin [XX, XY, XZ, YY, YZ, ZZ] about the origin of the link's frame.
    """
    if "mass" in keys and "massless" in keys and keys["massless"].flag():
        raise keys["mass"].error(f"{entry.label} is marked massless but has a mass; remove one of the two")
    stated = [key for key in INERTIA[1:5] if key in keys]
    if "mass" not in keys:
        if stated:
            raise keys[stated[0]].error(f"{entry.label} has {stated[0]!r} but no 'mass'")
        return None
    if {"com", "inertia"} & set(stated) and {"first_moment", "inertia_origin"} & set(stated):
        raise entry.error(
            f"{entry.label} mixes {' and '.join(stated)}; use com with inertia (about the center of mass), "
            "or first_moment with inertia_origin (about the frame's origin)"
        )
    with entry.source.at(keys["mass"].line):
        if keys["mass"].number() == 0.0:
            raise keys["mass"].error(f"{entry.label} has mass 0; {_without_mass(stated)}")
        mass = Inertia(keys["mass"].number()).mass  # positive
        if "first_moment" in keys or "inertia_origin" in keys:
            return _about_origin(mass, keys)
        com = keys["com"].numbers(3) if "com" in keys else np.zeros(3)
        tensor = _tensor(keys["inertia"]) if "inertia" in keys else np.zeros((3, 3))
        return Inertia(mass, as_vector3(com, "com"), as_matrix3(tensor, "inertia"))


def _without_mass(stated: list[str]) -> str:
    """Return the fix for a link of zero mass, depending on its other keys."""
    if {"inertia", "inertia_origin"} & set(stated):
        return (
            "for an inertia without mass, as in older tables, write mass: 1e-9 without com or first_moment, which has no other "
            "measurable effect; if only the inertia about the joint's axis counts, use rotor_inertia, which is exact"
        )
    return "leave the mass out, and write massless: true if the joint moves nothing else"


def _tensor(entry: Entry) -> np.ndarray:
    if len(entry.items()) == 3:
        return entry.matrix()
    xx, yy, zz, xy, xz, yz = entry.numbers(6)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _about_origin(mass: float, keys: dict[str, Entry]) -> Inertia:
    c = keys["first_moment"].numbers(3) / mass if "first_moment" in keys else np.zeros(3)
    xx, xy, xz, yy, yz, zz = keys["inertia_origin"].numbers(6) if "inertia_origin" in keys else np.zeros(6)
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    # Steiner: from the frame's origin to the center of mass
    return Inertia(mass, as_vector3(c, "com"), as_matrix3(J - mass * (c @ c * np.eye(3) - np.outer(c, c)), "inertia"))


def read_limits(entry: Entry | None) -> Limits:
    """Read {lower, upper [rad or m], velocity [rad/s or m/s], effort [N m or N]}; missing ones are infinite."""
    if entry is None:
        return Limits()
    keys = entry.mapping(("lower", "upper", "velocity", "effort"))
    with entry.source.at(entry.line):
        return Limits(**{key: value.number(infinite=True) for key, value in keys.items()})


def read_friction(entry: Entry | None) -> Friction:
    """Read {viscous [N m s/rad or N s/m], coulomb [N m or N]}."""
    if entry is None:
        return Friction()
    keys = entry.mapping(("viscous", "coulomb"))
    with entry.source.at(entry.line):
        return Friction(**{key: value.number() for key, value in keys.items()})


def read_coupling(entry: Entry | None) -> Coupling | None:
    """Read {joint, ratio, offset [rad or m]}."""
    if entry is None:
        return None
    keys = entry.mapping(("joint", "ratio", "offset"), required=("joint",))
    return Coupling(keys["joint"].text(), **{key: keys[key].number() for key in ("ratio", "offset") if key in keys})


def read_spring(entry: Entry | None) -> Spring | None:
    """Read {stiffness [N m/rad or N/m], rest [rad or m], damping [N m s/rad or N s/m]}; the joint checks the numbers."""
    if entry is None:
        return None
    keys = entry.mapping(("stiffness", "rest", "damping"), required=("stiffness",))
    return Spring(**{key: value.number() for key, value in keys.items()})


def need_mass(draft: Draft, excused: set[str], entry: Entry) -> None:
    """Raise a FileError for a moving joint without mass beyond it or a rotor: most likely a number is missing.

    Links in `excused` may be without mass; they are marked massless, and the model does not warn of them.
    """
    joints, links = draft.joints, draft.links
    parents = {joint.name: joint.parent for joint in joints}
    massive = {link.name for link in links if link.inertia is not None}
    massive |= {motor.link or parents.get(motor.joint, "") for motor in draft.motors if motor.inertia is not None}
    driven = {motor.joint for motor in draft.motors if motor.reflected_inertia > 0 and not motor.elastic}
    holders = {joint.child: joint.parent for joint in joints}
    for start in list(massive):
        name: str | None = start
        while name is not None and name in holders:
            name = holders[name]
            if name in massive:
                break
            massive.add(name)
    for joint in joints:
        idle = joint.child not in massive and joint.rotor_inertia == 0 and joint.name not in driven
        if joint.kind is not JointKind.FIXED and idle and joint.child not in excused:
            raise entry.source.error(
                f"joint {joint.name!r} moves no mass: neither link {joint.child!r} nor anything beyond it has one; "
                "give it a mass, or write 'massless: true' if this is intended",
                entry.source.lines.get(f"joint {joint.name!r}"),
            )
    links[:] = [replace(link, massless=True) if link.name in excused else link for link in links]
