"""Quantities by name: what a problem can limit or minimize of a robot, with units."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algorithms.dynamics import energy, inverse_dynamics, momentum
from ...algorithms.kinematics import points_and_distances as tasks
from ...algorithms.rates import tasks as rates
from ...compiler.task import Task
from ...errors import NameLookupError, StateError, suggest
from ...robot import Robot
from ...robot.base import check_wrench_axes
from ...robot.sensitivities import COMPONENTS
from ..problem.joints import joint_units, path_names, refuse_axes
from .quantity import Compiled, JointMotion, Quantity, Torque
from .supplied_power import Drawn

LINEAR = ("position", "velocity", "acceleration", "jerk", "snap")


class Quantities:
    """The quantities of one robot, each made once for the same options.

    Args:
        robot: joints of one axis each.
        external: wrenches that act all the time, as in `inverse_dynamics`; a payload belongs to the model instead.
    """

    def __init__(self, robot: Robot, external: Mapping[str, Any] | None = None) -> None:
        refuse_axes(robot)
        self.robot = robot
        self._loads, self._told = robot._loads(external, None)
        for load in self._loads:
            if load.ndim != 1:
                raise StateError(
                    f"external wrenches have leading axes {load.shape[:-1]}, expected one wrench a link, always the same"
                )
        self._made: dict[Any, Quantity] = {}
        self._makers: dict[str, Callable[..., Quantity]] = {
            "torque": self._torque,
            "torque_rate": self._torque_rate,
            "power": self._power,
            "drawn_power": self._drawn_power,
            "joint_wrench": self._joint_wrench,
            "link_position": self._link_position,
            "link_rotation": self._link_rotation,
            "distance_squared": self._distance,
            "center_of_mass": self._center_of_mass,
            "kinetic_energy": self._kinetic_energy,
        }

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return (*LINEAR, *self._makers)

    def get(self, name: str, **options: Any) -> Quantity:
        """Return a quantity; the same object for the same options.

        Args:
            name: one of `names`.
            options: joints and components of "joint_wrench"; link and point of link quantities; and so on.
        """
        if name not in self.names:
            raise NameLookupError("quantity", str(name), self.names)
        maker = self._makers.get(name)
        _check_options(name, maker, options)
        key = (name, *sorted((k, _frozen(v)) for k, v in options.items()))
        if key not in self._made:
            self._made[key] = self._linear(name) if maker is None else maker(**options)
        return self._made[key]

    def _linear(self, name: str) -> Quantity:
        order = LINEAR.index(name)
        per = ("", "/s", "/s^2", "/s^3", "/s^4")[order]
        return JointMotion(name, order, path_names(self.robot), joint_units(self.robot, per))

    def _torque(self) -> Quantity:
        units, names = joint_units(self.robot, force=True), self.robot.joint_names
        return Torque(self.robot, "torque", names, units, inverse_dynamics.inverse_dynamics, self._loads, **self._told)

    def _torque_rate(self) -> Quantity:
        units, names = joint_units(self.robot, "/s", force=True), self.robot.joint_names
        return Compiled(self.robot, "torque_rate", names, units, rates.joint_torque_rates, self._loads, **self._told)

    def _power(self) -> Quantity:
        return Compiled(self.robot, "power", self.robot.joint_names, "W", tasks.power, self._loads, **self._told)

    def _drawn_power(self, rounding: float = 1.0) -> Quantity:
        if isinstance(rounding, bool) or not isinstance(rounding, (int, float)) or not 0 < rounding < np.inf:
            raise StateError(f"rounding is {rounding!r}, expected a positive number [W]: of the corner between drive and brake")
        return Drawn(self.get("power"), float(rounding))

    def _joint_wrench(self, joint: str, components: Sequence[str] = COMPONENTS, axes: str = "joint") -> Quantity:
        check_wrench_axes(axes)
        number = self.robot._moving(joint)
        which = [components] if isinstance(components, str) else list(components)
        for component in which:
            if component not in COMPONENTS:
                raise StateError(f"no component {component!r} of a wrench; {suggest(str(component), COMPONENTS)}")
        if not which or len(set(which)) < len(which):
            raise StateError(f"components of a wrench are {which}, expected one or more, each once")
        numbers = tuple(COMPONENTS.index(c) for c in which)
        units = tuple("N" if c < 3 else "N m" for c in numbers)
        labels = [f"{joint}.{c}" for c in which]
        options: dict[str, Any] = {"joint": number, "components": numbers, "axes": axes}
        return self._of_forces("joint_wrench", labels, units, tasks.joint_wrench, **options)

    def _link_position(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Quantity:
        options: dict[str, Any] = {"link": self._link(link), "point": _point(point, "point")}
        labels = [f"{link}.{axis}" for axis in "xyz"]
        return self._of_places("link_position", labels, "m", tasks.point_position, **options)

    def _link_rotation(self, link: str) -> Quantity:
        labels = [f"{link}.R{i}{j}" for i in range(3) for j in range(3)]
        return self._of_places("link_rotation", labels, "1", tasks.link_rotation, link=self._link(link))

    def _distance(
        self,
        link: str,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        center: Sequence[float] = (0.0, 0.0, 0.0),
        other: str | None = None,
    ) -> Quantity:
        to = "center" if other is None else self._link(other)
        one, two = _point(point, "point"), _point(center, "center")
        options: dict[str, Any] = {"link": self._link(link), "point": one, "other": other, "center": two}
        return self._of_places("distance_squared", [f"{link} to {to}"], "m^2", tasks.distance_squared, **options)

    def _center_of_mass(self) -> Quantity:
        return self._of_places("center_of_mass", ["x", "y", "z"], "m", momentum.center_of_mass)

    def _kinetic_energy(self) -> Quantity:
        return Compiled(self.robot, "kinetic_energy", ["T"], "J", energy.kinetic_energy)

    def _of_forces(self, name: str, labels: Sequence[str], unit: Any, maker: Callable[..., Task], **options: Any) -> Quantity:
        """Return a quantity that depends on all of the motion, and on loads."""
        return Compiled(self.robot, name, labels, unit, maker, self._loads, **self._told, **options)

    def _of_places(self, name: str, labels: Sequence[str], unit: Any, maker: Callable[..., Task], **options: Any) -> Quantity:
        """Return a quantity that depends on where links are, alone."""
        return Compiled(self.robot, name, labels, unit, maker, **options)

    def _link(self, name: str) -> str:
        if not isinstance(name, str):
            raise StateError(f"link is {name!r}, expected a name")
        self.robot.model.link(name)  # a wrong name raises
        return name


def _check_options(name: str, maker: Callable[..., Quantity] | None, options: Mapping[str, Any]) -> None:
    """Refuse options that a quantity does not have, and their absence where it needs them."""
    known = {} if maker is None else inspect.signature(maker).parameters
    for option, value in options.items():
        if option not in known:
            raise StateError(f"quantity {name!r} has no option {option}=; {suggest(option, (*known, 'entries', 'scale'))}")
        if isinstance(value, Mapping):
            raise StateError(f"{option} of quantity {name!r} is {value!r}, expected a name, numbers or names in a list")
    for option, parameter in known.items():
        if parameter.default is parameter.empty and option not in options:
            raise StateError(f"quantity {name!r} needs {option}=, the name of a {option}")


def _point(value: Any, what: str) -> tuple[float, ...]:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.full(1, np.nan)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise StateError(f"{what} is {value!r}, expected three numbers [m]")
    return tuple(float(x) for x in found)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(x) for x in value) if isinstance(value, (list, tuple, np.ndarray)) else value
