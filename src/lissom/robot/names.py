"""RobotNames: names and units of the entries of a robot's arrays."""

from __future__ import annotations

from ..locks import lazy_property
from ..model import Joint, Motor, names
from .base import RobotBase


class RobotNames(RobotBase):
    """Names of the entries of coordinates, velocities, torques and wrenches."""

    @property
    def coordinate_joints(self) -> tuple[Joint, ...]:
        """Joints of the coordinates, in their order; motors behind springs, which have coordinates too, come last."""
        return self.model.independent_joints

    @lazy_property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of q: a joint's own, with a suffix where it has several axes."""
        return names.coordinate_names(self.model)

    @lazy_property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of velocities and accelerations, in the order of qd and qdd."""
        return names.velocity_names(self.model)

    @property
    def torque_names(self) -> tuple[str, ...]:
        """Names of the joint torques, in the order of tau."""
        return self.velocity_names

    @property
    def wrench_names(self) -> tuple[str, ...]:
        """Joints in the order of `joint_wrenches`."""
        return self.moving_joint_names

    @property
    def free_names(self) -> tuple[str, ...]:
        """Velocities that no drive can hold: none, as every velocity of a tree has a torque; closed robots may have some."""
        return ()

    @lazy_property
    def coordinate_units(self) -> tuple[str, ...]:
        """Units of the coordinates: "rad", "m", or nothing for those of a quaternion."""
        return names.coordinate_units(self.model)

    @lazy_property
    def velocity_units(self) -> tuple[str, ...]:
        """Units of the velocities: "rad/s" or "m/s"."""
        return names.velocity_units(self.model)

    @lazy_property
    def torque_units(self) -> tuple[str, ...]:
        """Units of the joint torques: "N m" or "N"."""
        return names.torque_units(self.model)

    @property
    def _tree_parts(self) -> tuple[tuple[str, ...], ...]:
        """Names of a tree's entries in trajectories in addition to the coordinates: none."""
        return ()

    @lazy_property
    def _effort_limits(self) -> tuple[float, ...]:
        """Largest permitted magnitudes of the joint torques: `limits.effort`, whatever the ranges of joints are."""
        return names.effort_limits(self.model)

    @lazy_property
    def has_friction(self) -> bool:
        """Whether a joint or motor has viscous or Coulomb friction, or a spring or force element has damping."""
        parts: tuple[Joint | Motor, ...] = (*self.model.joints, *self.model.motors)
        damped = any(part.spring is not None and part.spring.damping for part in parts)
        damped = damped or any(element.damped for element in self.model.force_elements)
        return damped or any(part.friction.viscous or part.friction.coulomb for part in parts)
