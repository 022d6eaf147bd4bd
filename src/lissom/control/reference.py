"""References: motions for a controller to follow, with as many derivatives as it needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..arrays import ArrayLike, PerJoint, Positions
from ..errors import StateError
from ..spline import SplinePath


@runtime_checkable
class Reference(Protocol):
    """An object that gives a motion and its derivatives."""

    def derivatives(self, t: float, order: int) -> np.ndarray:
        """Return the motion and its derivatives (order + 1, ..., n) at time t [s]."""


class Hold:
    """A constant posture.

    Args:
        q: the posture, (..., n) [rad or m].
    """

    def __init__(self, q: Positions) -> None:
        self.q = _finite(q, "q")
        if not self.q.ndim:
            raise StateError(f"q of a reference is one number, {float(self.q):g}; give one per joint")

    def derivatives(self, t: float, order: int) -> np.ndarray:
        """Return q and zeros."""
        found = np.zeros((order + 1, *self.q.shape))
        found[0] = self.q
        return found


class Sine:
    """Sine: offset + amplitude sin(frequency t + phase).

    Args:
        amplitude, offset: (..., n) or one number for all [rad or m].
        frequency: [rad/s], phase: [rad], in the same forms.
        n: number of joints, where all others are single numbers.
    """

    def __init__(
        self, amplitude: PerJoint, frequency: PerJoint, phase: PerJoint = 0.0, offset: PerJoint = 0.0, n: int | None = None
    ) -> None:
        parts = [
            _finite(x, name)
            for x, name in ((amplitude, "amplitude"), (frequency, "frequency"), (phase, "phase"), (offset, "offset"))
        ]
        try:
            shape = np.broadcast_shapes(*(x.shape for x in parts), () if n is None else (n,))
        except ValueError:
            sizes = ", ".join(str(x.shape) for x in parts) + ("" if n is None else f", and n = {n}")
            raise StateError(f"amplitude, frequency, phase and offset of a sine do not fit together: {sizes}") from None
        if not shape:
            raise StateError("a sine needs the number of joints: give arrays, or n")
        self.amplitude, self.frequency, self.phase, self.offset = (np.broadcast_to(x, shape) for x in parts)

    def derivatives(self, t: float, order: int) -> np.ndarray:
        """Return the sine and its derivatives."""
        angle = self.frequency * t + self.phase
        found = np.array([self.amplitude * self.frequency**k * np.sin(angle + k * np.pi / 2) for k in range(order + 1)])
        found[0] += self.offset
        return found


class Path:
    """A path over time, `lissom.SplinePath`, then constant at its end.

    Args:
        path: of degree high enough for the derivatives that the controller needs: 3 for computed torque, 5 for elastic joints.
    """

    def __init__(self, path: SplinePath) -> None:
        self.path = path
        self._end = Hold(path.at(path.duration))
        # Taylor's series of each span, from its beginning: all derivatives at a time are one small product
        self._starts = path.basis.span_ends[:-1] * path.duration
        self._rates = np.stack([path.rate(self._starts, k) for k in range(path.degree + 1)], axis=1)
        later = np.arange(path.degree + 1) - np.arange(path.degree + 1)[:, None]
        self._powers = np.maximum(later, 0)
        self._factors = np.where(later < 0, 0.0, 1.0 / np.array([[math.factorial(k) for k in row] for row in self._powers]))

    def derivatives(self, t: float, order: int) -> np.ndarray:
        """Return the path and its derivatives."""
        if t >= self.path.duration:
            return self._end.derivatives(t, order)
        if t < 0.0:
            self.path.at(t)  # raises
        span = int(np.searchsorted(self._starts, t, side="right")) - 1
        shares = self._factors * (t - self._starts[span]) ** self._powers
        found = np.zeros((order + 1, self._rates.shape[-1]))
        found[: len(shares)] = shares[: order + 1] @ self._rates[span]
        return found


class Function:
    """A function of time that returns the motion and its derivatives, in order."""

    def __init__(self, function: Callable[[float], ArrayLike]) -> None:
        self.function = function

    def derivatives(self, t: float, order: int) -> np.ndarray:
        """Return the function's values."""
        return _checked(self.function(t), order)[: order + 1]


# a reference, a path over time, a constant posture (n,), or a function of time that returns (order + 1, ..., n)
ReferenceLike = Reference | SplinePath | Positions | Callable[[float], ArrayLike]


def as_reference(x: ReferenceLike, n: int, order: int) -> Reference:
    """Return the reference for x: a reference, a SplinePath, an array (n,) (a constant posture), or a function of time.

    Args:
        x: one of these.
        n: number of joints.
        order: number of derivatives needed.
    """
    found: Reference
    if isinstance(x, SplinePath):
        if x.degree <= order:
            raise StateError(f"derivative number {order} of a path of degree {x.degree} jumps; take degree {order + 1} or more")
        if x.smoothness < order:
            raise StateError(
                f"derivative number {x.smoothness + 1} of the path jumps at a break, {order} are needed; make its breaks smoother"
            )
        found = Path(x)
    elif isinstance(x, Reference):
        found = x
    elif callable(x):
        found = Function(x)
    else:
        found = Hold(x)
    values = _checked(found.derivatives(0.0, order), order)
    if len(values) != order + 1:
        raise StateError(f"the reference gives {len(values) - 1} derivatives, expected {order}")
    if values.shape[-1] != n:
        raise StateError(f"the reference has {values.shape[-1]} joints, the robot {n}")
    return found


def packed(reference: Reference, t: float, order: int) -> np.ndarray:
    """Return the motion and its derivatives side by side (..., (order + 1) n)."""
    found = np.moveaxis(np.asarray(reference.derivatives(t, order), dtype=float), 0, -2)
    return found.reshape(*found.shape[:-2], -1)


def _checked(values: Any, order: int) -> np.ndarray:
    """Return the motion and its derivatives as an array; raise StateError if there are too few."""
    expected = f"a reference must return the motion and {order} derivatives, an array ({order + 1}, ..., n)"
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{expected}; got {values!r:.80}") from None
    if found.ndim < 2 or len(found) <= order:
        raise StateError(f"{expected}; got shape {found.shape}")
    return found


def _finite(x: Any, name: str) -> np.ndarray:
    try:
        found = np.asarray("nothing" if x is None else x, dtype=float)  # NumPy takes None for nan
    except (TypeError, ValueError):
        raise StateError(f"{name} of a reference must be numbers, got {x!r:.80}") from None
    if not np.isfinite(found).all():
        raise StateError(f"{name} of a reference must be finite")
    return found
