"""Joints whose path is unknown, and their drives: with elastic drives, the motion of motors follows from the joints."""

from __future__ import annotations

from ...model import Joint, Motor
from ...protocol import DrivenRobot


def path_joints(robot: DrivenRobot) -> tuple[Joint, ...]:
    """Return the joints that a path has a column for: all with coordinates, without the motors behind springs."""
    joints = robot.coordinate_joints
    return joints[: len(joints) - robot.n_elastic]


def path_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the names of the joints of a path."""
    return tuple(joint.name for joint in path_joints(robot))


def elastic_motors(robot: DrivenRobot) -> dict[str, Motor]:
    """Return the motors behind springs by the joint that each drives."""
    return {motor.joint: motor for motor in robot.model.elastic_motors} if robot.n_elastic else {}


def drive_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the name of each joint's drive: the motor behind its spring, or else the joint itself."""
    motors = elastic_motors(robot)
    return tuple(motors[name].name if name in motors else name for name in path_names(robot))


def motor_names(robot: DrivenRobot) -> tuple[str, ...]:
    """Return the names of elastic drives, in the order of their coordinates."""
    return tuple(motor.name for motor in robot.model.elastic_motors)


def joint_units(robot: DrivenRobot, per: str = "", force: bool = False) -> tuple[str, ...]:
    """Return the unit of each joint's coordinate, or of its torque, with a suffix such as "/s"."""
    return tuple(_unit(joint, force) + per for joint in path_joints(robot))


def motor_units(robot: DrivenRobot, per: str = "") -> tuple[str, ...]:
    """Return the unit of each elastic drive's coordinate, at the joint, with a suffix such as "/s"."""
    return tuple(_unit(robot.model.joint(motor.joint)) + per for motor in robot.model.elastic_motors)


def _unit(joint: Joint, force: bool = False) -> str:
    turning, sliding = ("N m", "N") if force else ("rad", "m")
    return sliding if joint.unit == "m" else turning
