"""Names of coordinates, velocities and joint forces, in the order of the arrays that hold them.

A single-axis joint lends its own name; the entries of the others carry a suffix:
    spherical   wrist_qx wrist_qy wrist_qz wrist_qw    wrist_wx wrist_wy wrist_wz
    planar      foot_x foot_y foot_angle               foot_vx foot_vy foot_w
    floating    base_x base_y base_z base_qx ..        base_vx base_vy base_vz base_wx base_wy base_wz
Files that hold motions or forces put q_, qd_, qdd_ or tau_ before these names.
"""

from __future__ import annotations

from .joint import JointKind
from .model import Model

_QUATERNION = ("_qx", "_qy", "_qz", "_qw")
_COORDINATES = {
    JointKind.SPHERICAL: _QUATERNION,
    JointKind.PLANAR: ("_x", "_y", "_angle"),
    JointKind.FLOATING: ("_x", "_y", "_z", *_QUATERNION),
}
_VELOCITIES = {
    JointKind.SPHERICAL: ("_wx", "_wy", "_wz"),
    JointKind.PLANAR: ("_vx", "_vy", "_w"),
    JointKind.FLOATING: ("_vx", "_vy", "_vz", "_wx", "_wy", "_wz"),
}
_UNITS = {
    JointKind.REVOLUTE: ("rad",),
    JointKind.CONTINUOUS: ("rad",),
    JointKind.PRISMATIC: ("m",),
    JointKind.SPHERICAL: ("",) * 4,
    JointKind.PLANAR: ("m", "m", "rad"),
    JointKind.FLOATING: ("m",) * 3 + ("",) * 4,
}
_FORCE_UNITS = {
    JointKind.REVOLUTE: ("N m",),
    JointKind.CONTINUOUS: ("N m",),
    JointKind.PRISMATIC: ("N",),
    JointKind.SPHERICAL: ("N m",) * 3,
    JointKind.PLANAR: ("N", "N", "N m"),
    JointKind.FLOATING: ("N",) * 3 + ("N m",) * 3,
}


def coordinate_names(model: Model) -> tuple[str, ...]:
    """Return the name of each of the nq coordinates."""
    return tuple(joint.name + suffix for joint in model.independent_joints for suffix in _COORDINATES.get(joint.kind, ("",)))


def velocity_names(model: Model) -> tuple[str, ...]:
    """Return the name of each of the nv velocities, accelerations and joint forces."""
    return tuple(joint.name + suffix for joint in model.independent_joints for suffix in _VELOCITIES.get(joint.kind, ("",)))


def coordinate_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nq coordinates: "rad", "m", or nothing for those of a quaternion."""
    return tuple(unit for joint in model.independent_joints for unit in _UNITS[joint.kind])


def velocity_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nv velocities: "rad/s" or "m/s"."""
    return tuple("rad/s" if unit == "N m" else "m/s" for unit in torque_units(model))


def torque_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nv joint forces: "N m" or "N"."""
    return tuple(unit for joint in model.independent_joints for unit in _FORCE_UNITS[joint.kind])


def effort_limits(model: Model) -> tuple[float, ...]:
    """Return the largest permitted magnitude of each of the nv joint forces [N m or N]; infinity where there is none."""
    return tuple(joint.limits.effort for joint in model.independent_joints for _ in range(joint.kind.nv))
