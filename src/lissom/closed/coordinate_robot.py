"""CoordinateRobot: a mechanism with loops as those see it who know coordinates alone: planners, time scaling, prediction."""

from __future__ import annotations

from collections.abc import Callable
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

    It has a drive for each coordinate. `lissom.timing.time_optimal` and motion problems take it. What the mechanism knows it asks
    the mechanism; every other function of a Robot is an error that says where to ask.

    Attributes:
        closed: the mechanism.
    """

    closed: ClosedRobot

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

    def __repr__(self) -> str:
        return f"<CoordinateRobot of {self.closed.name!r}: nq = nv = {self.nq}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.closed,)

    @property
    def link_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """All links of the mechanism."""
        return self.closed.link_names

    @property
    def moving_joint_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """All joints of the mechanism that wrenches go through, in the order of `joint_wrenches`: cut ones last."""
        return self.closed.wrench_names

    @property
    def total_mass(self) -> float:  # type: ignore[override]
        """Mass of all links [kg]."""
        return self.closed.tree.total_mass

    def torques_and_rates(
        self, q: Any, qd: Any, qdd: Any, qddd: Any, *rest: Any, **options: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the forces of the drives and their rates."""
        return self.inverse_dynamics(q, qd, qdd, *rest, **options), self.torque_rates(q, qd, qdd, qddd, *rest, **options)


OWN = {"backend", "model", "name", "nq", "nv", "n_elastic", "joint_names", "difference", "integrate"}  # of coordinates alone


def _asked(name: str) -> Callable[..., Any]:
    """Return a method that asks the mechanism."""

    def method(self: CoordinateRobot, *arguments: Any, **options: Any) -> Any:
        return getattr(self.closed, name)(*arguments, **options)

    method.__doc__ = getattr(_closed_robot(), name).__doc__
    return method


def _refused(name: str) -> Callable[..., Any]:
    """Return a method that refuses: the links of the model stand for nothing."""

    def method(self: CoordinateRobot, *_: Any, **__: Any) -> Any:
        raise StateError(
            f"{name} is not known here: these are the coordinates of {self.closed.name!r} alone, without links. `.closed` is the "
            "mechanism, `.closed.tree` its tree, which stands at `.closed.closure(q)`"
        )

    method.__doc__ = "Not known of coordinates alone."
    return method


def _closed_robot() -> type[ClosedRobot]:
    from .robot import ClosedRobot

    return ClosedRobot


def _complete() -> None:
    """Let every public name of Robot be the mechanism's, be right for coordinates alone, or refuse."""
    for name in dir(Robot):
        if name.startswith("_") or name in OWN or name in vars(CoordinateRobot):
            continue
        is_property = not callable(getattr(Robot, name))
        method = _asked(name) if hasattr(_closed_robot(), name) else _refused(name)
        method.__name__, method.__qualname__ = name, f"CoordinateRobot.{name}"
        setattr(CoordinateRobot, name, property(method) if is_property else method)


_complete()
