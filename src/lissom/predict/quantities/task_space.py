"""Quantities of task space: velocities and accelerations of links, their orientation, momentum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...algorithms.dynamics.momentum import MOMENTUM_POINTS
from ...algorithms.kinematics.kinematics import AXES
from ...errors import StateError, suggest
from ...model.pose import IDENTITY
from ..data.rotation import pose_parts, rotation
from .quantity import Quantity

ORIGIN = (0.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)
VELOCITY = ("vx", "vy", "vz", "wx", "wy", "wz")
ACCELERATION = ("ax", "ay", "az", "dwx", "dwy", "dwz")
MOMENTUM = ("px", "py", "pz", "Lx", "Ly", "Lz")


class TaskSpace:
    """Makers of quantities of task space; `Quantities` finds them by name."""

    _of_robot: Callable[..., Quantity]
    _link: Callable[[str], str]

    def _link_velocity(self, link: str, point: Sequence[float] = ORIGIN, axes: str = "world") -> Quantity:
        labels, units = [f"{self._link(link)}.{name}" for name in VELOCITY], _six("m/s", "rad/s")
        return self._of_robot("link_velocity", labels, units, link=link, point=three(point, "point"), axes=_axes(axes))

    def _speed_squared(self, link: str, point: Sequence[float] = ORIGIN) -> Quantity:
        options: dict[str, Any] = {"link": self._link(link), "point": three(point, "point")}
        return self._of_robot("speed_squared", [link], "m^2/s^2", **options)

    def _link_acceleration(self, link: str, point: Sequence[float] = ORIGIN, axes: str = "world") -> Quantity:
        labels, units = [f"{self._link(link)}.{name}" for name in ACCELERATION], _six("m/s^2", "rad/s^2")
        return self._of_robot("link_acceleration", labels, units, link=link, point=three(point, "point"), axes=_axes(axes))

    def _orientation(self, link: str, target: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), Z)) -> Quantity:
        labels = [f"{self._link(link)}.{axis}" for axis in "xyz"]
        return self._of_robot("orientation", labels, "1", inputs=("target",), link=link, target=_rows(target))

    def _link_pose(self, link: str, target: Any = IDENTITY, point: Sequence[float] = ORIGIN) -> Quantity:
        labels = [f"{self._link(link)}.{axis}" for axis in ("x", "y", "z", "rx", "ry", "rz")]
        position, turn = pose_parts(target, "target")
        if turn is None:
            raise StateError("target of link_pose is a position, expected a pose (4, 4); limit link_position for positions alone")
        to = tuple((*row, x) for row, x in zip(_rows(turn), three(position, "target"), strict=True))
        options: dict[str, Any] = {"link": link, "target": to, "point": three(point, "point")}
        return self._of_robot("link_pose", labels, _six("m", "1"), inputs=("target",), **options)

    def _tilt(self, link: str, axis: Sequence[float] = Z, direction: Sequence[float] = Z) -> Quantity:
        labels = [f"{self._link(link)}.{name}" for name in "uv"]
        options: dict[str, Any] = {"axis": _direction(axis, "axis"), "direction": _direction(direction, "direction")}
        return self._of_robot("tilt", labels, "1", link=link, **options)

    def _swing_product(
        self, link: str, root: str, other: str, other_root: str, direction: Sequence[float] = (1.0, 0.0, 0.0)
    ) -> Quantity:
        named = {"link": link, "root": root, "other": other, "other_root": other_root}
        options: dict[str, Any] = {key: self._link(name) for key, name in named.items()}
        n = np.array(_direction(direction, "direction"))
        options["direction"] = tuple((n / np.linalg.norm(n)).tolist())
        return self._of_robot("swing_product", [f"{link} and {other}"], "m^2", **options)

    def _momentum(self, about: str = "com") -> Quantity:
        if about not in MOMENTUM_POINTS:
            raise StateError(f"no momentum about {about!r}; {suggest(str(about), MOMENTUM_POINTS)}")
        return self._of_robot("momentum", MOMENTUM, _six("N s", "N m s"), point=about)

    def _center_of_mass_velocity(self) -> Quantity:
        return self._of_robot("center_of_mass_velocity", ["x", "y", "z"], "m/s")


def three(value: Any, what: str, unit: str = " [m]") -> tuple[float, ...]:
    """Return three finite numbers."""
    found = _array(value)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise StateError(f"{what} is {value!r}, expected three numbers{unit}")
    return tuple(float(x) for x in found)


def _rows(target: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(x) for x in row) for row in rotation(target, "target"))


def _direction(value: Any, what: str) -> tuple[float, ...]:
    found = three(value, what, ", a direction")
    if not any(found):
        raise StateError(f"{what} is zero, expected three numbers, a direction")
    return found


def _axes(axes: str) -> str:
    if axes not in AXES:
        raise StateError(f"no axes {axes!r} of a velocity; {suggest(str(axes), AXES)}")
    return axes


def _six(linear: str, angular: str) -> tuple[str, ...]:
    return (linear,) * 3 + (angular,) * 3


def _array(value: Any) -> np.ndarray:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.full(1, np.nan)
