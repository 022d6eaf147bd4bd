"""Contact: points of a link that rest on a surface during some phases, with the forces and the place that are unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithms.contacts.loads import Point, Touch
from ...errors import StateError, is_choice, suggest
from ...protocol import DrivenRobot
from .friction import CONES, FACES, Friction
from .surface import Surface, as_surface

MOST_POINTS = 100
AXES = ("t1", "t2", "n")
FLAT = 1e-6  # [m], by which points of a contact may lie off one plane, and off one line
PLACE = ("x", "y", "heading")


@dataclass(frozen=True)
class Contact:
    """Points of a link that rest on a surface.

    Attributes:
        name: of the contact; its forces are the channel "<name>_force", an unknown place is the channel "<name>_place".
        touch: link, points, surface, and which components of the forces there are.
        labels: names of the points.
        surface: what they rest on.
        friction: coefficient.
        cone: "pyramid" of flat faces inside the friction cone, or the exact "cone".
        faces: of the pyramid.
        place: x, y [m] and, of two points or more, heading [rad] on the surface; None for those that are to be found.
        tips: numbers of the points whose gaps are rows; see `algorithms/contacts/points.py`.
        during: phases in which it holds; None for all the time.
        rows: of its gap that some joint changes, by number; all unless given.
    """

    name: str
    touch: Touch
    labels: tuple[str, ...]
    surface: Surface
    friction: float
    cone: str
    faces: int
    place: tuple[float | None, ...]
    tips: tuple[int, ...]
    during: tuple[str, ...] | None = None
    rows: tuple[int, ...] = ()

    @property
    def force(self) -> str:
        """Name of the channel of its forces."""
        return f"{self.name}_force"

    @property
    def where(self) -> str:
        """Name of the channel of its place."""
        return f"{self.name}_place"

    @property
    def entries(self) -> tuple[str, ...]:
        """Names of the entries of its forces: t1, t2, n of each point."""
        axes = [AXES[c] for c in self.touch.components]
        return tuple(axes) if len(self.labels) == 1 else tuple(f"{label}.{axis}" for label in self.labels for axis in axes)

    @property
    def placed(self) -> tuple[str, ...]:
        """Names of the entries of its place that are to be found."""
        return tuple(name for name, x in zip(PLACE, self.place, strict=False) if x is None)

    @property
    def grip(self) -> Friction:
        """Its friction."""
        return Friction(self.friction, self.cone, self.faces)

    def shares(self) -> np.ndarray:
        """Return the matrix from the entries of its forces to their sum along t1, t2, n (3, entries)."""
        return np.tile(np.eye(3)[:, list(self.touch.components)], len(self.labels))

    def faces_of(self) -> tuple[np.ndarray, list[str]]:
        """Return rows by entries of the forces that friction keeps at zero or above, and their names."""
        one = self.grip.rows(self.touch.components)
        names = [f"{label}.face_{k + 1}" for label in self.labels for k in range(len(one))]
        return np.kron(np.eye(len(self.labels)), one), names

    def __str__(self) -> str:
        plane, many = self.surface, len(self.labels)
        x, y, z = plane.point
        at = f"the plane through ({x:g}, {y:g}, {z:g}) m" if plane.link is None else f"a plane of {plane.link}"
        where = "the ground" if plane == Surface() else at
        when = "" if self.during is None else f" during {', '.join(self.during)}"
        cone = "in its cone" if self.cone == "cone" else f"in a pyramid of {self.faces} faces"
        what = f"{many} points" if many > 1 else "a point"
        return f"{self.name}: {what} of {self.touch.link} on {where}{when}, friction {self.friction:g} {cone}"


def new_contact(
    robot: DrivenRobot,
    name: Any,
    link: Any,
    points: Any,
    friction: Any,
    surface: Any,
    place: Any,
    cone: Any,
    faces: Any,
    during: tuple[str, ...] | None,
) -> Contact:
    """Return a contact of a problem, after checks."""
    if not isinstance(name, str) or not name.strip():
        raise StateError(f"the name of a contact is {name!r}, expected text")
    what = f"contact {name!r}"
    if not isinstance(link, str):
        raise StateError(f"link of {what} is {link!r}, expected a name")
    robot.model.link(link)  # a wrong name raises
    plane = as_surface(surface)
    if plane.link is not None:
        robot.model.link(plane.link)
        if plane.link == link:
            raise StateError(
                f"{what}: link {link!r} cannot rest on a surface of its own; name another link, or None for the world"
            )
    labels, listed = contact_points(points, what)
    if isinstance(friction, bool) or not isinstance(friction, (int, float)) or not 0 <= friction < np.inf:
        raise StateError(f"friction of {what} is {friction!r}, expected a coefficient, such as 0.8")
    if friction == 0:
        raise StateError(
            f"friction of {what} is 0: its points do not slip, so a load across the normal needs friction; give a coefficient, "
            "or limit 'clearance' of the points where they may slide"
        )
    if not is_choice(cone, CONES):
        raise StateError(f"no cone {cone!r} of {what}; {suggest(str(cone), CONES)}")
    if isinstance(faces, bool) or not isinstance(faces, int) or not FACES[0] <= faces <= FACES[1]:
        raise StateError(f"faces of {what} is {faces!r}, expected a whole number from {FACES[0]} to {FACES[1]}")
    tips = _tips(np.array(listed), what)
    given = _place(place, len(tips), what)
    touch = Touch(link, listed, (0, 1, 2), plane.axes, plane.link)
    return Contact(name, touch, labels, plane, float(friction), str(cone), faces, given, tips, during)


def contact_points(points: Any, what: str) -> tuple[tuple[str, ...], tuple[Point, ...]]:
    """Return names of points and the points, given by name, as a list, or one alone."""
    if isinstance(points, Mapping):
        labels, values = tuple(str(label) for label in points), list(points.values())
    else:
        try:
            one = np.asarray(points, dtype=float).shape == (3,)
            values = [points] if one else list(points)
        except (TypeError, ValueError):
            values = []
        labels = tuple(str(k + 1) for k in range(len(values)))
    found = []
    for value in values:
        try:
            point = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            point = np.zeros(0)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise StateError(f"a point of {what} is {value!r}, expected three numbers in the link's frame [m]")
        found.append((float(point[0]), float(point[1]), float(point[2])))
    if not 1 <= len(found) <= MOST_POINTS:
        raise StateError(f"points of {what} are {points!r:.100}, expected 1 to {MOST_POINTS} points in the link's frame [m]")
    return labels, tuple(found)


def _tips(points: np.ndarray, what: str) -> tuple[int, ...]:
    """Return the points whose gaps are rows: the first two, and the farthest from the line through them."""
    if len(points) == 1:
        return (0,)
    way = points[1] - points[0]
    for i in range(len(points)):
        for j in range(i):
            if np.linalg.norm(points[i] - points[j]) < FLAT:
                raise StateError(f"points {j + 1} and {i + 1} of {what} are the same")
    across = np.cross(points - points[0], way / np.linalg.norm(way))
    third = int(np.argmax(np.linalg.norm(across, axis=1)))
    if np.linalg.norm(across[third]) < FLAT:
        return (0, 1)
    normal = across[third] / np.linalg.norm(across[third])
    off = np.abs((points - points[0]) @ normal)
    if off.max() > FLAT:
        raise StateError(
            f"point {int(np.argmax(off)) + 1} of {what} lies {off.max():.3g} m off the plane of the others: they cannot all rest "
            "on one surface; make two contacts of them"
        )
    return (0, 1, third)


def _place(place: Any, tips: int, what: str) -> tuple[float | None, ...]:
    expected = "(x, y)" if tips == 1 else "(x, y, heading)"
    known = PLACE[: 2 if tips == 1 else 3]
    if place is None:
        return (None,) * len(known)
    value = place
    if isinstance(place, Mapping):
        for key in place:
            if key not in known:
                raise StateError(f"place of {what} has no {key!r}; {suggest(str(key), known)}")
        value = [place.get(key) for key in known]
    try:
        listed = list(value)
        found = np.asarray([0.0 if x is None else x for x in listed], dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (len(known),) or not np.isfinite(found).all():
        raise StateError(
            f"place of {what} is {place!r}, expected {expected} along the surface's axes [m, rad], or None to find it"
        )
    return tuple(None if given is None else float(x) for given, x in zip(listed, found, strict=True))
