"""Quantities by name that a problem can limit or minimize, with units."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algorithms.contacts.loads import Load
from ...errors import NameLookupError, StateError, suggest
from ...protocol import DrivenRobot, PathTask, expect_drives
from ...robot.check import COMPONENTS, check_wrench_axes
from ..data.channels import Channel
from ..data.contact import Contact
from ..data.ground import SplitGround
from ..data.joints import drive_names, joint_units, motor_names, motor_units, path_names
from .channels import ChannelMotion, UnderLoads, places_of
from .compiled import OfRobot
from .contacts import ContactSpace
from .quantity import JointMotion, Quantity
from .supplied_power import Drawn
from .task_space import TaskSpace, three

LINEAR = ("position", "velocity", "acceleration", "jerk", "snap")
LOADED = ("torque", "torque_rate", "power", "drawn_power", "joint_wrench", "joint_wrench_rate")  # that external wrenches change
OF_MOTORS = ("kinetic_energy", "momentum", "deflection", "motor_position", "motor_velocity")  # which follow them behind springs


class Quantities(TaskSpace, ContactSpace):
    """The quantities of one robot, each made once for the same options.

    Args:
        robot: the robot. With elastic drives, torques, speeds and powers are those of the motors: behind springs,
            or at joints without one. Of a closed robot they are those of its active joints.
        external: wrenches that act all the time, as in `inverse_dynamics`; a payload belongs to the model instead.
    """

    def __init__(self, robot: DrivenRobot, external: Mapping[str, Any] | None = None) -> None:
        expect_drives(robot, "a motion problem", columns=True)
        self.robot, self.channels, self.contacts = robot, dict[str, Channel](), dict[str, Contact]()
        self.further = dict[str, Callable[..., Quantity]]()  # makers of others, by name
        self.ground: SplitGround | None = None
        self._loaded = (*LOADED, *OF_MOTORS) if robot.n_elastic else LOADED
        self._loads: tuple[list[np.ndarray], dict[str, Any]] = robot._loads(external, None)
        self._external: dict[str, Any] = dict(external or {})
        for load in self._loads[0]:
            if load.ndim != 1:
                raise StateError(f"external wrenches have leading axes {load.shape[:-1]}, expected one constant wrench per link")
        self._made: dict[Any, Quantity] = {}
        self.prepared: dict[Any, Quantity] = {}  # by what names their code: those for which everything was compiled
        makers: dict[str, Callable[..., Quantity]] = {
            "torque": self._torque,
            "torque_rate": self._torque_rate,
            "power": self._power,
            "drawn_power": self._drawn_power,
            "joint_wrench": self._joint_wrench,
            "joint_wrench_rate": self._joint_wrench_rate,
            "link_position": self._link_position,
            "link_rotation": self._link_rotation,
            "distance_squared": self._distance,
            "swing_product": self._swing_product,
            "center_of_mass": self._center_of_mass,
            "kinetic_energy": self._kinetic_energy,
            "link_velocity": self._link_velocity,
            "speed_squared": self._speed_squared,
            "link_acceleration": self._link_acceleration,
            "orientation": self._orientation,
            "link_pose": self._link_pose,
            "tilt": self._tilt,
            "momentum": self._momentum,
            "center_of_mass_velocity": self._center_of_mass_velocity,
            "deflection": self._deflection,
            "motor_position": self._motor_position,
            "motor_velocity": self._motor_velocity,
            "regularity": self._regularity,
        }
        known = {*robot.path_quantities, "drawn_power"}  # which follows from the power
        self._makers = {name: maker for name, maker in makers.items() if name in known} | {
            "clearance": self._clearance,
            "gap": self._gap,
            "gap_rate": self._gap_rate,
            "friction": self._friction,
            "contact_force": self._contact_force,
            "contact_force_rate": self._contact_force_rate,
            "pressure_point": self._pressure_point,
            "ground_force": self._ground_force,
            "ground_share": self._ground_share,
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all quantities."""
        return (*LINEAR, *self._makers, *self._of_channels)

    def has(self, quantity: Quantity) -> bool:
        """Return whether a quantity was made here."""
        return any(quantity is made for made in self._made.values())

    def with_channel(self, channel: Channel, used: Iterable[Quantity]) -> Quantities:
        """Return the quantities with another channel, whose values and rates are quantities, too.

        Args:
            channel: to add.
            used: quantities that are limited or minimized.

        Raises:
            StateError: the channel is a wrench, and a quantity that it changes is used.
        """
        pushes = channel.load is not None
        if pushes and self.ground is not None:
            raise StateError(f"split_ground gives all that the motion needs; leave channel {channel.name!r} out")
        loaded = {id(quantity) for quantity in self._made.values() if quantity.name in self._loaded}  # not those of a user's own
        changed = next((quantity for quantity in used if id(quantity) in loaded), None)
        if pushes and changed is not None:
            raise StateError(f"{changed.name} is limited or minimized already; add channel {channel.name!r} before")
        other = self._copy(channels={**self.channels, channel.name: channel})
        other._made = {key: made for key, made in self._made.items() if not (pushes and made.name in self._loaded)}
        return other

    def with_ground(self, ground: SplitGround) -> Quantities:
        """Return the quantities under a split ground."""
        other = self._copy(ground=ground)
        other._made = {key: made for key, made in self._made.items() if made.name not in LOADED}
        return other

    def with_contact(self, contact: Contact) -> Quantities:
        """Return the quantities with a contact; the channels of its forces and place are added beside."""
        return self._copy(contacts={**self.contacts, contact.name: contact})

    def with_makers(self, makers: Mapping[str, Callable[..., Quantity]]) -> Quantities:
        """Return the quantities with others by their names, such as those of muscles."""
        return self._copy(further={**self.further, **makers})

    def _copy(self, **changes: Any) -> Quantities:
        other = Quantities(self.robot, self._external)
        kept = {name: getattr(self, name) for name in ("channels", "contacts", "ground", "further")}
        vars(other).update(kept | changes, _made=dict(self._made))
        other._makers |= other.further
        return other

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
            self._made[key] = (
                maker(**options) if maker else self._of_channel(name) if name in self._of_channels else self._linear(name)
            )
        return self._made[key]

    def takes(self, name: str, option: str) -> bool:
        """Return whether a quantity has an option."""
        maker = self._makers.get(name)
        return maker is not None and option in inspect.signature(maker).parameters

    def _linear(self, name: str) -> Quantity:
        order = LINEAR.index(name)
        per = ("", "/s", "/s^2", "/s^3", "/s^4")[order]
        return JointMotion(name, order, path_names(self.robot), joint_units(self.robot, per))

    @property
    def _of_channels(self) -> dict[str, tuple[Channel, int]]:
        """Channels and orders of derivatives by the names of their quantities."""
        orders = (("", 0), ("_rate", 1))
        return {f"{name}{suffix}": (channel, order) for name, channel in self.channels.items() for suffix, order in orders}

    def _of_channel(self, name: str) -> Quantity:
        channel, order = self._of_channels[name]
        units = [f"{unit}/s" if order else unit for unit in channel.units]
        return ChannelMotion(name, channel.name, order, channel.labels, units)

    def _torque(self) -> Quantity:
        return self._of_robot("torque", drive_names(self.robot), joint_units(self.robot, force=True))

    def _torque_rate(self) -> Quantity:
        return self._of_robot("torque_rate", drive_names(self.robot), joint_units(self.robot, "/s", force=True))

    def _power(self) -> Quantity:
        return self._of_robot("power", drive_names(self.robot), "W")

    def _drawn_power(self, rounding: float = 1.0) -> Quantity:
        if isinstance(rounding, bool) or not isinstance(rounding, (int, float)) or not 0 < rounding < np.inf:
            raise StateError(
                f"rounding is {rounding!r}, expected a positive number [W]: the width of the rounded corner at zero power"
            )
        return Drawn(self.get("power"), float(rounding))

    def _joint_wrench(self, joint: str, components: Sequence[str] = COMPONENTS, axes: str = "joint") -> Quantity:
        return self._wrench_of("joint_wrench", "", joint, components, axes)

    def _joint_wrench_rate(self, joint: str, components: Sequence[str] = COMPONENTS, axes: str = "joint") -> Quantity:
        return self._wrench_of("joint_wrench_rate", "/s", joint, components, axes)

    def _wrench_of(self, name: str, per: str, joint: str, components: Sequence[str], axes: str) -> Quantity:
        check_wrench_axes(axes)
        if joint not in self.robot.wrench_names:
            raise NameLookupError("joint", str(joint), self.robot.wrench_names, " that moves")
        which = [components] if isinstance(components, str) else list(components)
        for component in which:
            if component not in COMPONENTS:
                raise StateError(f"no component {component!r} of a wrench; {suggest(str(component), COMPONENTS)}")
        if not which or len(set(which)) < len(which):
            raise StateError(f"components of a wrench are {which}, expected one or more, each once")
        numbers = tuple(COMPONENTS.index(c) for c in which)
        units = tuple(("N" if c < 3 else "N m") + per for c in numbers)
        labels = [f"{joint}.{c}" for c in which]
        options: dict[str, Any] = {"joint": self.robot.wrench_names.index(joint), "components": numbers, "axes": axes}
        return self._of_robot(name, labels, units, **options)

    def _link_position(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Quantity:
        options: dict[str, Any] = {"link": self._link(link), "point": three(point, "point")}
        labels = [f"{link}.{axis}" for axis in "xyz"]
        return self._of_robot("link_position", labels, "m", **options)

    def _link_rotation(self, link: str) -> Quantity:
        labels = [f"{link}.R{i}{j}" for i in range(3) for j in range(3)]
        return self._of_robot("link_rotation", labels, "1", link=self._link(link))

    def _distance(
        self,
        link: str,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        center: Sequence[float] = (0.0, 0.0, 0.0),
        other: str | None = None,
    ) -> Quantity:
        to = "center" if other is None else self._link(other)
        one, two = three(point, "point"), three(center, "center")
        options: dict[str, Any] = {"link": self._link(link), "point": one, "other": other, "center": two}
        return self._of_robot("distance_squared", [f"{link} to {to}"], "m^2", **options)

    def _center_of_mass(self) -> Quantity:
        return self._of_robot("center_of_mass", ["x", "y", "z"], "m")

    def _kinetic_energy(self) -> Quantity:
        return self._of_robot("kinetic_energy", ["T"], "J")

    def _deflection(self) -> Quantity:
        return self._of_robot("deflection", motor_names(self.robot), motor_units(self.robot))

    def _motor_position(self) -> Quantity:
        return self._of_robot("motor_position", motor_names(self.robot), motor_units(self.robot))

    def _motor_velocity(self) -> Quantity:
        return self._of_robot("motor_velocity", motor_names(self.robot), motor_units(self.robot, "/s"))

    def _regularity(self) -> Quantity:
        """Return the square of the closure's determinant, relative to home: zero where the drives do not hold the robot."""
        return self._of_robot("regularity", ["regularity"], "")

    def _of_robot(self, name: str, labels: Sequence[str], unit: Any, inputs: Sequence[str] = (), **options: Any) -> Quantity:
        task, loads = self.robot.path_task(name, **options), self._unknown
        if task.loaded and self.ground is not None:
            return self._under_ground(name, labels, unit, **options)
        if not (task.loaded and loads):
            return OfRobot(self.robot, name, labels, unit, task, self._loads, inputs)
        return self.under_loads(name, labels, task, unit)

    def under_loads(self, name: str, labels: Sequence[str], task: PathTask, unit: Any = "") -> UnderLoads:
        """Return a task of the robot's path under its unknown loads as a quantity."""
        return UnderLoads(self.robot, name, labels, unit, task, self._loads, self._unknown, places_of(self.robot))

    @property
    def _unknown(self) -> dict[str, Load]:
        """Loads that are channels, by their names."""
        return {name: channel.load for name, channel in self.channels.items() if channel.load is not None}

    def _link(self, name: str) -> str:
        if not isinstance(name, str):
            raise StateError(f"link is {name!r}, expected a name")
        self.robot.model.link(name)  # a wrong name raises
        return name


def _check_options(name: str, maker: Callable[..., Quantity] | None, options: Mapping[str, Any]) -> None:
    """Raise for options that a quantity does not have, or that it needs and lacks."""
    known = {} if maker is None else inspect.signature(maker).parameters
    for option, value in options.items():
        if option not in known:
            raise StateError(f"quantity {name!r} has no option {option}=; {suggest(option, (*known, 'entries', 'scale'))}")
        if isinstance(value, Mapping) and option not in ("points", "surface"):
            raise StateError(f"{option} of quantity {name!r} is {value!r}, expected a name, numbers or names in a list")
    for option, parameter in known.items():
        if parameter.default is parameter.empty and option not in options:
            raise StateError(f"quantity {name!r} needs {option}=, the name of a {option}")


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((name, _frozen(x)) for name, x in value.items())
    return tuple(_frozen(x) for x in value) if isinstance(value, (list, tuple, np.ndarray)) else value
