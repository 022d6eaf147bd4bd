"""CoordinateRobot: a mechanism with loops as those see it who know coordinates alone: planners, time scaling, prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import StateError
from ..model import Friction, Inertia, Joint, Link, Model, Motor
from ..robot import Robot

if TYPE_CHECKING:
    from .robot import ClosedRobot


def coordinate_model(closed: Model, names: tuple[str, ...]) -> Model:
    """Return a model whose joints are those of the coordinates, with their limits; its links stand for nothing."""
    parts: tuple[Joint | Motor, ...] = (*closed.joints, *closed.motors)
    rubs = any(x.friction != Friction() or (x.spring is not None and x.spring.damping) for x in parts)
    links, joints = [Link("base")], []
    for name in names:
        joint = closed.joint(name)
        links.append(Link(name, Inertia(1.0, tensor=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))))
        friction = Friction(viscous=1.0) if rubs else Friction()  # time scaling asks whether there is any
        joints.append(Joint(name, joint.kind, "base", name, limits=joint.limits, friction=friction))
    return Model(closed.name, tuple(links), tuple(joints))


class CoordinateRobot(Robot):
    """A Robot whose forces are those of a closed mechanism's drives; it has no links of its own.

    It has a drive for each coordinate. `lissom.timing.time_optimal` and motion problems take it.
    """

    def __init__(self, closed: ClosedRobot) -> None:
        if closed.free_names:
            raise StateError(
                f"{closed.name!r} has velocities that no drive holds ({', '.join(closed.free_names)}); predictions and time "
                "scaling are for mechanisms with a drive for each coordinate"
            )
        if len(closed.active_names) != closed.nq:
            raise StateError(
                f"{closed.name!r} has {len(closed.active_names)} drives for {closed.nq} coordinates; name as many active joints "
                "as there are degrees of freedom"
            )
        super().__init__(coordinate_model(closed.model, closed.joint_names), closed._chosen_backend)
        self.closed = closed

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.closed,)

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any, external: Any = None, **options: Any) -> np.ndarray:
        """Return the forces of the drives."""
        return self.closed.inverse_dynamics(q, qd, qdd, external, **options)

    def force_rates(self, q: Any, qd: Any, qdd: Any, qddd: Any, external: Any = None, **options: Any) -> np.ndarray:
        """Return the rates of the forces of the drives."""
        return self.closed.force_rates(q, qd, qdd, qddd, external, **options)

    def forward_dynamics(self, q: Any, qd: Any, tau: Any, external: Any = None, **options: Any) -> np.ndarray:
        """Return the accelerations of the coordinates."""
        return self.closed.forward_dynamics(q, qd, tau, external, **options)

    def joint_wrenches(self, q: Any, qd: Any, qdd: Any, external: Any = None, **options: Any) -> np.ndarray:
        """Return the wrenches through all joints, in the order of the mechanism's `wrench_names`."""
        return self.closed.joint_wrenches(q, qd, qdd, external, **options)
