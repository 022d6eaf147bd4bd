"""Joints whose path is unknown, its columns, and their drives: with elastic drives, the motion of motors follows from the joints.

A joint of one axis has one column with its name, others have one per velocity, such as "base_x" and "base_rz".
"""

from __future__ import annotations

from ...model import Joint, Motor
from ...protocol import DrivenRobot


def path_joints(robot: DrivenRobot) -> tuple[Joint, ...]:
    """Return the joints that a path has columns for: all with coordinates, without the motors behind springs."""
    joints = robot.coordinate_joints
    return joints[: len(joints) - robot.n_elastic]


def path_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the names of the columns of a path: joints, with a suffix where one has several."""
    return robot.path_columns


def column_joints(robot: DrivenRobot) -> tuple[Joint, ...]:
    """Return the joint of each column of a path."""
    return tuple(joint for joint in path_joints(robot) for _ in range(joint.kind.nv))


def elastic_motors(robot: DrivenRobot) -> dict[str, Motor]:
    """Return the motors behind springs by the joint that each drives."""
    return {motor.joint: motor for motor in robot.model.elastic_motors} if robot.n_elastic else {}


def drive_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the name of each column's drive: the motor behind its spring, or else the joint itself.

    Torques of floating, spherical and planar joints are along the joint's velocities, such as "base_wz", not along columns.
    """
    motors = elastic_motors(robot)
    found: list[str] = []
    for joint in path_joints(robot):
        own = motors.get(joint.name)
        found += [own.name] if own else [joint.name + suffix for suffix in joint.kind.traits.velocities]
    return tuple(found)


def motor_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the names of elastic drives, in the order of their coordinates."""
    return tuple(motor.name for motor in robot.model.elastic_motors)


def joint_units(robot: DrivenRobot, per: str = "", force: bool = False) -> tuple[str, ...]:
    """Return the unit of each column, or of its torque, with a suffix such as "/s"."""
    turning, sliding = ("N m", "N") if force else ("rad", "m")
    return tuple((sliding if unit == "m" else turning) + per for unit in column_units(robot))


def column_units(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the unit of each column, "rad" or "m"."""
    return tuple(unit for joint in path_joints(robot) for unit in joint.kind.traits.rate_units_of(joint))


def motor_units(robot: DrivenRobot, per: str = "") -> tuple[str, ...]:
    """Return the unit of each elastic drive's coordinate, at the joint, with a suffix such as "/s"."""
    return tuple(robot.model.joint(motor.joint).unit + per for motor in robot.model.elastic_motors)
