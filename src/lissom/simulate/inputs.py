"""Inputs: the torques or accelerations that drive a simulation, in any of these forms.

    None                 zero
    array (nv,)          the same for all times and states
    array (K, ..., nv)   K rows, each held for duration / K (zero-order hold); leading axes of the states may follow the first
    Held(times, values)  rows held from their time to the next
    Interpolated(times, values)  a curve through the rows, straight lines where they are not smooth (`interpolated.py`)
    function, or object  f(t, q, qd), or the method `torque` (`acceleration`) of a controller, whose `reset`, if there is one, is
                         called before the run
A function is called wherever the integrator evaluates the motion (adaptive), or once at the beginning of every step and held over
it (fixed-step methods); with `hold` it is called only at multiples of that time, like a digital controller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

import numpy as np

from ..arrays import ArrayLike
from ..compiler.cuda.arrays import on_card
from ..errors import SimulationError, StateError
from ..model.show import by_shape
from .interpolated import Curve
from .status import Status

Function = Callable[[float, np.ndarray, np.ndarray], ArrayLike]
AnyRows = TypeVar("AnyRows", "Held", "Interpolated")
SAME = 1e-12  # share of the duration below which two times are equal


class Controller(Protocol):
    """An object with this method; its `reset()`, if it has one, is called before a run."""

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray) -> ArrayLike:
        """Return the joint torques (..., nv) at time t [s] in the state q (..., nq), qd (..., nv)."""


class AccelerationController(Protocol):
    """The same for joints whose accelerations are given."""

    def acceleration(self, t: float, q: np.ndarray, qd: np.ndarray) -> ArrayLike:
        """Return the accelerations (..., nv) at time t [s] in the state q (..., nq), qd (..., nv)."""


@dataclass(frozen=True, eq=False)
class Held:
    """Values held from each time to the next (zero-order hold), the last one to the end.

    Attributes:
        times: (K,) [s], increasing; the first value also holds before its time.
        values: (K, ..., nv).
    """

    times: Annotated[Any, "(K,) [s]"]
    values: Annotated[Any, "(K, ..., nv)"]
    __repr__ = by_shape

    def __post_init__(self) -> None:
        _check_table(self, "held")


@dataclass(frozen=True, eq=False)
class Interpolated:
    """Values on a curve through rows: smooth where the rows show a smooth curve, straight from row to row where they jump.

    Fixed-step methods hold the mean over each step. Before the first and after the last time these rows hold.

    Attributes:
        times: (K,) [s], increasing.
        values: (K, ..., nv).
    """

    times: Annotated[Any, "(K,) [s]"]
    values: Annotated[Any, "(K, ..., nv)"]
    __repr__ = by_shape

    def __post_init__(self) -> None:
        _check_table(self, "interpolated")


# forms of an input: zero, a constant (nv,), rows (K, ..., nv), a table, or f(t, q, qd), alone or as a method of a controller
TorqueInput = ArrayLike | Held | Interpolated | Function | Controller | None
AccelerationInput = ArrayLike | Held | Interpolated | Function | AccelerationController | None


def _check_table(rows: Held | Interpolated, what: str) -> None:
    """Return arrays of times and values; raise unless they form a table."""
    try:
        times, values = np.asarray(rows.times, dtype=float), np.asarray(rows.values, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"times and {what} values must be arrays of numbers, (K,) and (K, ..., nv)") from None
    if times.ndim != 1 or not len(times) or values.ndim < 2 or len(values) != len(times):
        raise StateError(f"{what} values have shape {values.shape}, expected (K, ..., nv) for times of shape {times.shape}")
    if not np.isfinite(times).all() or not (np.diff(times) > 0).all():
        raise StateError(f"the times of {what} values must be finite and increase")
    object.__setattr__(rows, "times", times)
    object.__setattr__(rows, "values", values)


class Given:
    """An input: `begin` is called where an interval begins (a step, or the time between two jumps), then `value`."""

    jumps: np.ndarray = np.empty(0)  # times at which the value jumps
    constant = False  # whether one value serves the whole run
    asked = False  # whether the value changes with time and state between jumps

    def begin(self, t: float, q: np.ndarray, qd: np.ndarray) -> None:
        """Start a new interval."""

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return (*lead, nv), or something that broadcasts to it."""
        raise NotImplementedError

    def over(self, t: float, dt: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the value held over a fixed step of length dt from t on: the value at t, or a better mean."""
        return self.value(t, q, qd)


class Constant(Given):
    """The same value all the time."""

    constant = True

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the value."""
        return self.values


class Rows(Given):
    """Rows held one after the other."""

    def __init__(self, held: Held, duration: float) -> None:
        self.times, self.values = held.times - SAME * duration, held.values
        self.jumps = held.times[1:]
        self.row = self.values[0]

    def begin(self, t: float, q: np.ndarray, qd: np.ndarray) -> None:
        """Take the row that holds at t."""
        self.row = self.values[max(int(np.searchsorted(self.times, t, side="right")) - 1, 0)]

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the row."""
        return self.row  # type: ignore[no-any-return]


class Between(Given):
    """A curve through rows; the integrator starts anew at each, where the curve may have a kink."""

    asked = True

    def __init__(self, rows: Interpolated) -> None:
        self.curve, self.shape = Curve(rows.times, rows.values.reshape(len(rows.times), -1)), rows.values.shape[1:]
        self.jumps = rows.times

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the value at t."""
        return self.curve.at(t).reshape(self.shape)

    def over(self, t: float, dt: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the mean over a step."""
        return self.curve.mean(t, t + dt).reshape(self.shape) if dt else self.value(t, q, qd)


class Asked(Given):
    """A function of time and state, evaluated at every call, or held between multiples of `hold` [s]."""

    def __init__(self, function: Function, name: str, shape: tuple[int, ...], duration: float, hold: float | None) -> None:
        self.function, self.name, self.shape, self.hold = function, name, shape, hold
        if hold is not None:
            self.jumps = np.arange(1, int(np.ceil(duration / hold - SAME))) * hold
            self.slack = SAME * duration
        self.asked = hold is None
        self.period = -1
        self.kept: np.ndarray | None = None

    def begin(self, t: float, q: np.ndarray, qd: np.ndarray) -> None:
        """Call the function if a new period begins."""
        if self.hold is not None:
            period = int((t + self.slack) / self.hold)
            if period != self.period:
                self.period, self.kept = period, self.ask(t, q, qd)

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the held value, or call the function."""
        return self.ask(t, q, qd) if self.kept is None else self.kept

    def ask(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Call the function and check the shape of its result; whether it is finite is checked where it is used."""
        try:
            found: Any = self.function(t, q, qd)
            value = found if on_card(found) else np.asarray(found)
        except Exception as error:
            text = f"the {self.name} function failed at t = {t:.6g} s: {type(error).__name__}: {error}"
            raise SimulationError(text, Status.CONTROLLER_FAILED, t) from error
        if not on_card(value) and value.dtype.kind not in "fiu":
            text = f"the {self.name} function returned {_kind(value)} at t = {t:.6g} s, expected numbers of shape {self.shape}"
            raise SimulationError(text, Status.CONTROLLER_FAILED, t)
        if tuple(value.shape) not in (self.shape, self.shape[-1:]):
            text = f"the {self.name} function returned shape {tuple(value.shape)} at t = {t:.6g} s, expected {self.shape}"
            raise SimulationError(text, Status.CONTROLLER_FAILED, t)
        return value


class Mixed(Given):
    """Torques where they are given, accelerations elsewhere."""

    def __init__(self, forces: Given, accelerations: Given, torque_known: np.ndarray) -> None:
        self.forces, self.accelerations, self.torque_known = forces, accelerations, torque_known
        self.jumps = np.union1d(forces.jumps, accelerations.jumps)
        self.constant = forces.constant and accelerations.constant
        self.asked = forces.asked or accelerations.asked

    def begin(self, t: float, q: np.ndarray, qd: np.ndarray) -> None:
        """Start an interval of both."""
        self.forces.begin(t, q, qd)
        self.accelerations.begin(t, q, qd)

    def value(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the torque or acceleration given for each velocity."""
        return np.where(self.torque_known, self.forces.value(t, q, qd), self.accelerations.value(t, q, qd))

    def over(self, t: float, dt: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the value of each held over a step."""
        return np.where(self.torque_known, self.forces.over(t, dt, q, qd), self.accelerations.over(t, dt, q, qd))


def make_given(
    x: TorqueInput | AccelerationInput,
    name: str,
    lead: tuple[int, ...],
    nv: int,
    duration: float,
    hold: float | None,
    of: Sequence[str] = (),
) -> Given:
    """Return the input for `x`; `name` is "torque" or "acceleration", also the method that a controller needs.

    `of` names the entries in messages, where they are not simply those of the joints.
    """
    shape = (*lead, nv)
    if x is None:
        return Constant(np.zeros(nv))
    if isinstance(x, Held):
        return Rows(_checked_rows(x, name, shape), duration)
    if isinstance(x, Interpolated):
        return Between(_checked_rows(x, name, shape))
    method = getattr(x, name, None)
    if callable(method) or callable(x):
        reset = getattr(x, "reset", None)
        if callable(reset):
            reset()
        function: Any = method if callable(method) else x
        return Asked(function, name, shape, duration, hold)
    try:
        array = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        text = f"{name} must be an array, a function f(t, q, qd) or an object with a method {name!r}, got {type(x).__name__}"
        raise StateError(text) from None
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise StateError(f"{name}{list(at)} is {array[at]}; every input must be finite")
    if array.shape == (nv,):
        return Constant(array)
    if array.ndim < 2 or not len(array):
        expected = f"({nv},) for a constant one, or (K, {'..., ' if lead else ''}{nv}) for K rows held in turn"
        entries = f"; the entries are those of {', '.join(of)}" if of else ""
        raise StateError(f"{name} has shape {array.shape}, expected {expected}{entries}")
    return Rows(_checked_rows(Held(np.arange(len(array)) * duration / len(array), array), name, shape), duration)


def _checked_rows(held: AnyRows, name: str, shape: tuple[int, ...]) -> AnyRows:
    if held.values.shape[1:] not in (shape, shape[-1:]):
        rows = " or ".join(f"(K, {', '.join(map(str, s))})" for s in dict.fromkeys((shape, shape[-1:])))
        how = "held in turn" if isinstance(held, Held) else "to be interpolated"
        raise StateError(f"{name} has shape {held.values.shape}, expected {rows}: K rows {how}")
    if not np.isfinite(held.values).all():
        raise StateError(f"{name} is not finite in row {int(np.argwhere(~np.isfinite(held.values))[0][0])}")
    return held


def _kind(value: np.ndarray) -> str:
    return "None" if value.dtype == object and value.ndim == 0 and value.item() is None else f"dtype {value.dtype}"
