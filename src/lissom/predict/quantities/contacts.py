"""Quantities of contacts: gaps, heights over a surface, friction, forces, and the point at which the pressure acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...algorithms.contacts.loads import Touch
from ...algorithms.contacts.points import contact_gap, heights, pressure_point, rate_along_path, surface_positions
from ...errors import NameLookupError, StateError
from ...protocol import DrivenRobot
from ..data.contact import AXES, Contact, contact_points
from ..data.surface import as_surface
from .channels import WithGiven, places_of
from .compiled import Compiled
from .ground import GroundSpace
from .quantity import Quantity
from .state import State

GAPS = ("x", "y", "height", "second_height", "turn", "third_height")


class OfContact(Compiled):
    """A quantity of contacts that no channel changes."""

    _joined_by = " of "


class OfChannels(Quantity):
    """Sums of entries of channels, or of their rates, with constant factors.

    Args:
        name, labels, unit: see Quantity.
        channels: their names.
        factors: (size, entries of the channels).
        order: 0 for values, 1 for rates.
    """

    path, constant = False, True
    _joined_by = " of "

    def __init__(
        self, name: str, labels: Sequence[str], unit: str, channels: Sequence[str], factors: np.ndarray, order: int = 0
    ) -> None:
        self.name, self.labels, self.unit, self.orders, self.channels = name, tuple(labels), unit, (order,), tuple(channels)
        self.factors, self.depends = factors, factors != 0.0

    def values(self, state: State) -> np.ndarray:
        """Return the sums."""
        return state.rates[self.orders[0]] @ self.factors.T

    def derivatives(self, state: State) -> np.ndarray:
        """Return the factors."""
        return np.broadcast_to(self.factors, (1, len(state), *self.factors.shape))

    def curvature(self, state: State, weights: np.ndarray) -> None:
        """Return None: the second derivatives are zero."""
        return


class FrictionCone(Quantity):
    """mu^2 n^2 - t1^2 - t2^2 [N^2] of each point, at zero or above inside the friction cone, where n is."""

    path = False
    _joined_by = " of "

    def __init__(self, contact: Contact) -> None:
        self.name, self.labels, self.unit, self.orders = "friction_cone", contact.labels, "N^2", (0,)
        self.channels = (contact.force,)
        squares = [contact.friction**2 if c == 2 else -1.0 for c in contact.touch.components]
        self.factors = np.kron(np.eye(len(contact.labels)), np.array([squares]))
        self.depends = self.factors != 0.0

    def values(self, state: State) -> np.ndarray:
        """Return the differences of squares."""
        return state.rates[0] ** 2 @ self.factors.T

    def derivatives(self, state: State) -> np.ndarray:
        """Return the derivatives by the forces."""
        return 2.0 * (state.rates[0][:, None, :] * self.factors)[None]

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Return the second derivatives, constants times the weights."""
        found = np.zeros((len(state), 1, self.factors.shape[1], 1, self.factors.shape[1]))
        k = np.arange(self.factors.shape[1])
        found[:, 0, k, 0, k] = 2.0 * weights @ self.factors
        return found


def surface_position(robot: DrivenRobot, contact: Contact) -> Compiled:
    """Return u, v, h on the surface of the points of a contact's rows, as a quantity of the path [m]."""
    labels = [f"{contact.name}.{k}.{axis}" for k in contact.tips for axis in "uvh"]
    options: dict[str, Any] = {
        "touch": contact.touch._replace(components=(0, 1, 2)),
        "origin": contact.surface.origin,
        "places": places_of(robot),
        "tips": contact.tips,
    }
    return OfContact(robot, "surface_position", labels, "m", surface_positions, **options)


class ContactSpace(GroundSpace):
    """Makers of quantities of contacts; `Quantities` finds them by name."""

    robot: DrivenRobot
    contacts: dict[str, Contact]
    _link: Callable[[str], str]

    def _gap(self, contact: str) -> Quantity:
        return self._gap_of("gap", self._contact(contact), "m", contact_gap, {})

    def _gap_rate(self, contact: str) -> Quantity:
        return self._gap_of("gap_rate", self._contact(contact), "m/s", rate_along_path, {"inner": contact_gap})

    def _gap_of(self, name: str, contact: Contact, unit: str, maker: Any, more: dict[str, Any]) -> Quantity:
        rows = (3, 5, 6)[len(contact.tips) - 1]
        labels = [f"{contact.name}.{row}" for row in GAPS[:rows]]
        options: dict[str, Any] = {
            "touch": contact.touch._replace(components=(0, 1, 2)),
            "origin": contact.surface.origin,
            "places": places_of(self.robot),
            "tips": contact.tips,
            "place": contact.place,
            **more,
        }
        if not contact.placed:
            return OfContact(self.robot, name, labels, unit, maker, **options)
        size = len(contact.placed)
        return WithGiven(self.robot, name, labels, unit, maker, (), (contact.where,), size, linear=False, **options)

    def _clearance(self, link: str, points: Any = (0.0, 0.0, 0.0), surface: Any = None) -> Quantity:
        names, listed = contact_points(points, f"the clearance of {self._link(link)!r}")
        plane = as_surface(surface)
        touch = Touch(link, listed, (0, 1, 2), plane.axes, None if plane.link is None else self._link(plane.link))
        labels = [link] if len(names) == 1 else [f"{link}.{name}" for name in names]
        options: dict[str, Any] = {"touch": touch, "origin": plane.origin, "places": places_of(self.robot)}
        return OfContact(self.robot, "clearance", labels, "m", heights, **options)

    def _friction(self, contact: str) -> Quantity:
        if self.ground is not None:
            return self._support_friction(contact)
        own = self._contact(contact)
        if own.cone == "cone" and len(own.touch.components) == 3:
            return FrictionCone(own)
        factors, labels = own.faces_of()
        return OfChannels("friction", [f"{own.name}.{label}" for label in labels], "N", [own.force], factors)

    def _contact_force(self, contact: Any) -> Quantity:
        return self._force_of("contact_force", contact, "N", 0)

    def _contact_force_rate(self, contact: Any) -> Quantity:
        return self._force_of("contact_force_rate", contact, "N/s", 1)

    def _force_of(self, name: str, contact: Any, unit: str, order: int) -> Quantity:
        """Return the force of a contact, or of several on one surface together, or its rate."""
        if self.ground is not None:
            return self._support_force(name, contact, bool(order))
        own = self._together(contact, name)
        labels = [f"{own[0].name}.{axis}" for axis in AXES] if len(own) == 1 else list(AXES)
        factors = np.concatenate([each.shares() for each in own], axis=1)
        return OfChannels(name, labels, unit, [each.force for each in own], factors, order)

    def _together(self, contact: Any, what: str) -> list[Contact]:
        """Return contacts by one name or several, on one surface."""
        names = [contact] if isinstance(contact, str) else list(contact) if isinstance(contact, (list, tuple)) else [contact]
        own = [self._contact(name) for name in names]
        if not own or len(set(names)) < len(names) or any(other.surface != own[0].surface for other in own):
            raise StateError(f"contacts of {what} are {contact!r}, expected one or more different ones on one surface")
        return own

    def _pressure_point(self, contact: Any = None) -> Quantity:
        if self.ground is not None:
            return self._support_pressure(contact)
        if contact is None:
            raise StateError("quantity 'pressure_point' needs contact=, the name of a contact")
        own = self._together(contact, "a pressure point")
        touches = tuple(each.touch for each in own)
        options: dict[str, Any] = {"touches": touches, "origin": own[0].surface.origin, "places": places_of(self.robot)}
        labels = [f"{own[0].name}.{axis}" for axis in "xy"] if len(own) == 1 else ["x", "y"]
        channels, size = tuple(each.force for each in own), sum(touch.size for touch in touches)
        return WithGiven(self.robot, "pressure_point", labels, "m", pressure_point, (), channels, size, linear=False, **options)

    def _contact(self, name: Any) -> Contact:
        if not isinstance(name, str):
            raise StateError(f"contact is {name!r}, expected the name of one")
        if name not in self.contacts:
            raise NameLookupError("contact", str(name), self.contacts)
        return self.contacts[name]
