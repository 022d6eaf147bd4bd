"""Wrenches on links, and a motion of the base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .arrays import Quaternions, Vectors
from .errors import StateError, is_choice, suggest
from .model.show import by_shape

EXTERNAL_AXES = ("link", "world")


def _zeros() -> np.ndarray:
    return np.zeros(3)


def _numbers(value: Any, size: int, what: str) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{what} must be numbers of shape (..., {size}), got {value!r}") from None
    if array.ndim == 0 or array.shape[-1] != size:
        raise StateError(f"{what} has shape {array.shape}, expected (..., {size})")
    if not np.isfinite(array).all():
        raise StateError(f"{what} is not finite")
    return array


def side_by_side(parts: Mapping[str, np.ndarray], what: str) -> np.ndarray:
    """Return arrays (..., size) joined on their last axes, the leading ones broadcast."""
    try:
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in parts.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {x.shape}" for name, x in parts.items())
        raise StateError(f"the leading axes of {shapes} of the {what} do not fit together (NumPy's broadcasting rules)") from None
    return np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in parts.values()], axis=-1)


def _packed(parts: Any, names: Sequence[str], what: str) -> np.ndarray:
    return side_by_side({name: getattr(parts, name) for name in names}, what)


@dataclass(frozen=True, eq=False)
class Wrench:
    """An external force and moment on a link.

    Attributes:
        force: [N], shape (3,) or (..., 3) for a batch.
        moment: [N m], about `point`.
        axes: axes of the components of force and moment: "link" (they turn with it) or "world".
        point: point of application, in the link's frame [m].

    Example:
        >>> push = Wrench(force=(0, 0, -20), axes="world", point=(0, 0, 0.1))
    """

    force: Vectors = field(default_factory=_zeros)
    moment: Vectors = field(default_factory=_zeros)
    axes: str = field(kw_only=True)
    point: Vectors = field(default_factory=_zeros, kw_only=True)
    __repr__ = by_shape

    def __post_init__(self) -> None:
        for name in ("force", "moment", "point"):
            object.__setattr__(self, name, _numbers(getattr(self, name), 3, f"{name} of the wrench"))
        if not is_choice(self.axes, EXTERNAL_AXES):
            raise StateError(f"no axes {self.axes!r} of a wrench; {suggest(str(self.axes), EXTERNAL_AXES)}")
        self.packed()  # shapes that do not fit together are reported here

    def packed(self) -> np.ndarray:
        """Return force, moment and point side by side, (..., 9)."""
        return _packed(self, ("force", "moment", "point"), "wrench")


Wrenches = Mapping[str, Wrench]  # by link name


def wrenches_at(external: Wrenches | None, times: np.ndarray, t: np.ndarray) -> dict[str, Wrench] | None:
    """Return wrenches at times t (K,), linear between those given at times (T,); constant ones stay as they are."""
    if external is None:
        return None

    def at(value: Any) -> np.ndarray:
        given = np.asarray(value)
        if given.ndim == 1:
            return given
        return np.stack([np.interp(t, times, column) for column in np.broadcast_to(given, (len(times), 3)).T], axis=-1)

    return {link: Wrench(at(w.force), at(w.moment), axes=w.axes, point=at(w.point)) for link, w in external.items()}


@dataclass(frozen=True, eq=False)
class WrenchRate:
    """Rate of an external wrench: the time derivatives of the components of the Wrench on the same link.

    They are along the axes of this Wrench, "link" or "world". With zero rates, a wrench along the link's axes turns with it, one
    along the world's axes keeps its direction in the world, and the point of application is fixed in the link.

    Attributes:
        force: [N/s], shape (3,) or (..., 3) for a batch.
        moment: [N m/s].
        point: velocity of the point of application in the link's frame [m/s].
    """

    force: Vectors = field(default_factory=_zeros)
    moment: Vectors = field(default_factory=_zeros)
    point: Vectors = field(default_factory=_zeros, kw_only=True)
    __repr__ = by_shape

    def __post_init__(self) -> None:
        for name in ("force", "moment", "point"):
            object.__setattr__(self, name, _numbers(getattr(self, name), 3, f"{name} of the wrench rate"))
        self.packed()

    def packed(self) -> np.ndarray:
        """Return the rates of force, moment and point side by side, (..., 9)."""
        return _packed(self, ("force", "moment", "point"), "wrench rate")


@dataclass(frozen=True, eq=False)
class BaseMotion:
    """A prescribed motion of the base link, along its own axes.

    Attributes:
        orientation: of the base in the world, quaternion x y z w.
        angular_velocity: [rad/s].
        acceleration: of the base frame's origin, without gravity [m/s^2].
        angular_acceleration: [rad/s^2].
        jerk: third derivative of the position of the base frame's origin [m/s^3]; only needed for torque rates.
        angular_jerk: rate of the angular acceleration in the world [rad/s^3]; only needed for torque rates.
    """

    orientation: Quaternions = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))
    angular_velocity: Vectors = field(default_factory=_zeros)
    acceleration: Vectors = field(default_factory=_zeros)
    angular_acceleration: Vectors = field(default_factory=_zeros)
    jerk: Vectors | None = None
    angular_jerk: Vectors | None = None
    __repr__ = by_shape

    def __post_init__(self) -> None:
        for name in ("orientation", "angular_velocity", "acceleration", "angular_acceleration", "jerk", "angular_jerk"):
            value, size = getattr(self, name), 4 if name == "orientation" else 3
            if value is not None or "jerk" not in name:
                object.__setattr__(self, name, _numbers(value, size, f"{name} of the base motion"))
        if (np.linalg.norm(self.orientation, axis=-1) == 0).any():
            raise StateError("orientation of the base motion is a zero quaternion")
        self.packed()

    def packed(self) -> np.ndarray:
        """Return orientation, angular velocity and the two accelerations side by side, (..., 13)."""
        return _packed(self, ("orientation", "angular_velocity", "acceleration", "angular_acceleration"), "base motion")

    def packed_jerk(self) -> np.ndarray:
        """Return jerk and angular jerk side by side, (..., 6)."""
        parts = {name: getattr(self, name) for name in ("jerk", "angular_jerk")}
        for name, value in parts.items():
            if value is None:
                raise StateError(
                    f"torque rates need the {name} of the base motion; give BaseMotion(..., {name}=(0, 0, 0)) where it is zero"
                )
        return side_by_side(parts, "base motion")
