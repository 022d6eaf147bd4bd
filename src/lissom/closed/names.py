"""ClosedNames: names, sizes and units of a closed robot's arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..locks import lazy_property, once_property
from ..model import Joint, names
from ..robot.functions import Functions
from ..robot.names import RobotNames
from .coordinates import Coordinates

if TYPE_CHECKING:
    from ..algorithms.closed.closure import Plan
    from .constraints import Constraints


class ClosedNames(RobotNames, Functions):
    """Names of the entries of coordinates, velocities, torques and wrenches."""

    if TYPE_CHECKING:

        @once_property
        def plan(self) -> Plan:
            """How the closure is solved."""

        @once_property
        def constraints(self) -> Constraints:
            """The equations of the loops."""

    def __repr__(self) -> str:
        loops = _counted(len(self.model.loops), "loop")
        known = self.__dict__.get("_unusable")
        try:
            if known is not None:  # looking for a configuration once more would take as long
                raise known
            free = len(self.free_names)
            drives = len(self.torque_names) - free
            sizes = f"nq = {self.nq}, nv = {self.nv}" if self.nq != self.nv else _counted(self.nq, "coordinate")
        except Exception as error:  # an object that cannot be shown is worse than one that cannot be used
            self.__dict__["_unusable"] = error
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            return f"<{type(self).__name__} {self.name!r}: {loops}, not usable: {why}>"
        rest = f", {_counted(free, 'free velocity', 'free velocities')}" if free else ""
        return f"<{type(self).__name__} {self.name!r}: {loops}, {sizes}, {_counted(drives, 'drive')}{rest}>"

    @property
    def nq(self) -> int:
        """Number of coordinates: one per degree of freedom, but all of a joint of several axes that carries any."""
        return len(self._coordinates.places)

    @property
    def nv(self) -> int:
        """Number of velocities: one per degree of freedom."""
        return len(self.plan.coordinates)

    @lazy_property
    def _coordinates(self) -> Coordinates:
        return Coordinates(self.model, self.plan.coordinates, self.constraints.length)

    @property
    def n_elastic(self) -> int:
        """None: motors behind springs are joints of the tree like all others, and coordinates only where they have to be."""
        return 0

    @property
    def link_nv(self) -> int:
        """Number of velocities: all of them."""
        return self.nv

    @property
    def _elastic_drives(self) -> tuple[Any, ...]:
        return ()

    @lazy_property
    def coordinate_joints(self) -> tuple[Joint, ...]:  # type: ignore[override]
        """Joints that the coordinates belong to, in their order."""
        every = {joint.name: joint for joint in self.model.independent_joints}
        return tuple(every[name] for name in self.joint_names)

    @lazy_property
    def joint_names(self) -> tuple[str, ...]:
        """Joints that coordinates, velocities and accelerations belong to."""
        return tuple(share.name for share in self._coordinates.shares)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of q: a joint's own, with a suffix where it has several axes."""
        return self._coordinates.names

    @lazy_property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of velocities and accelerations, in the order of qd and qdd."""
        every = names.velocity_names(self.model)
        return tuple(every[k] for k in self.plan.coordinates)

    @lazy_property
    def torque_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the torques, in the order of tau: of driven joints, and along free velocities (`free_names`).

        They are more than velocities where actuation is redundant.
        """
        every = names.velocity_names(self.model)
        return tuple(every[k] for k in self.plan.active)

    @lazy_property
    def free_names(self) -> tuple[str, ...]:
        """Velocities that no drive holds: of a floating base, a joint on a spring, a rod that spins about its own axis.

        The torques along them are zero, unless external.
        """
        return tuple(name for name in self.torque_names if name not in (self.model.active or ()))

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        """Units of the coordinates: "rad", "m", or nothing for those of a quaternion."""
        return self._coordinates.units

    @lazy_property
    def velocity_units(self) -> tuple[str, ...]:
        """Units of the velocities: "rad/s" or "m/s"."""
        return tuple(names.velocity_units(self.model)[k] for k in self.plan.coordinates)

    @lazy_property
    def torque_units(self) -> tuple[str, ...]:
        """Units of the torques, in the order of `torque_names`: "N m" or "N"."""
        return tuple(names.torque_units(self.model)[k] for k in self.plan.active)

    @lazy_property
    def _tree_parts(self) -> tuple[tuple[str, ...], ...]:  # type: ignore[override]
        """Names of what trajectories hold of the tree: coordinates, velocities, accelerations, and forces of the closure."""
        q, qd = names.coordinate_names(self.model), names.velocity_names(self.model)
        return q, qd, qd, tuple(map(str, range(len(self.plan.rows))))

    @lazy_property
    def _effort_limits(self) -> tuple[float, ...]:
        """Largest permitted magnitudes of the torques [N m or N]; infinity where there is none, or no drive."""
        limits, free = names.effort_limits(self.model), set(self.free_names)
        return tuple(math.inf if n in free else limits[k] for k, n in zip(self.plan.active, self.torque_names, strict=True))

    @lazy_property
    def passive_names(self) -> tuple[str, ...]:
        """Joints of the tree that nothing drives."""
        return tuple(j.name for j in self.model.independent_joints if j.name not in (self.model.active or ()))

    @lazy_property
    def loop_names(self) -> tuple[str, ...]:
        """Cut joints."""
        return tuple(loop.name for loop in self.model.loops)

    @lazy_property
    def wrench_names(self) -> tuple[str, ...]:
        """Joints in the order of `joint_wrenches`: those of the tree that move, then the cut ones."""
        return (*self.moving_joint_names, *self.loop_names)


def _counted(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"
