"""Names of coordinates, velocities and joint torques, in the order of their arrays.

The entry of a single-axis joint has the joint's name; entries of other joints have a suffix:
    spherical   wrist_qx wrist_qy wrist_qz wrist_qw    wrist_wx wrist_wy wrist_wz
    planar      foot_x foot_y foot_angle               foot_vx foot_vy foot_w
    floating    base_x base_y base_z base_qx ..        base_vx base_vy base_vz base_wx base_wy base_wz
The columns of a path have their own names where coordinates do not add up, such as base_rx (`joints/chart.py`).
In files of motions and torques, these names have the prefix q_, qd_, qdd_ or tau_.
"""

from __future__ import annotations

from collections.abc import Collection

from .model import Model


def coordinate_names(model: Model) -> tuple[str, ...]:
    """Return the name of each of the nq coordinates."""
    return tuple(joint.name + suffix for joint in model.independent_joints for suffix in joint.kind.traits.coordinates)


def velocity_names(model: Model) -> tuple[str, ...]:
    """Return the name of each of the nv velocities, accelerations and joint torques."""
    return tuple(joint.name + suffix for joint in model.independent_joints for suffix in joint.kind.traits.velocities)


def path_columns(model: Model) -> tuple[str, ...]:
    """Return the name of each of the nv columns of a path."""
    every = ((joint.name, joint.kind.traits) for joint in model.independent_joints)
    return tuple(name + suffix for name, kind in every for suffix in kind.columns or kind.velocities)


def coordinate_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nq coordinates: "rad", "m", or nothing for those of a quaternion."""
    return tuple(unit for joint in model.independent_joints for unit in joint.kind.traits.units_of(joint))


def velocity_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nv velocities: "rad/s" or "m/s"."""
    return tuple(f"{unit}/s" for joint in model.independent_joints for unit in joint.kind.traits.rate_units_of(joint))


def torque_units(model: Model) -> tuple[str, ...]:
    """Return the unit of each of the nv joint torques: "N m" or "N"."""
    return tuple("N m" if unit == "rad/s" else "N" for unit in velocity_units(model))


def effort_limits(model: Model) -> tuple[float, ...]:
    """Return the largest permitted magnitude of each of the nv joint torques [N m or N]; infinity for none."""
    return tuple(joint.limits.effort for joint in model.independent_joints for _ in range(joint.kind.nv))


def unused(name: str, taken: Collection[str | None]) -> str:
    """Return `name`, with a number if it is in `taken`."""
    number, free = 1, name
    while free in taken:
        number, free = number + 1, f"{name}_{number + 1}"
    return free


def take(name: str, taken: set[str]) -> str:
    """Return `name`, with a number if it is in `taken`, and put it there."""
    free = unused(name, taken)
    taken.add(free)
    return free
