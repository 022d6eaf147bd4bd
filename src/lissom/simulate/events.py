"""Events: moments of a motion at which a function of the state passes through zero."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import SimulationError, SimulationWarning, StateError
from ..model.show import by_shape
from .status import Status

State = Callable[[float], tuple[np.ndarray, np.ndarray]]  # time -> q, qd


@dataclass(frozen=True)
class Event:
    """An event to detect: where a function of the state passes through zero.

    A plain function g(t, q, qd) with attributes of these names, as SciPy has them, will do as well.

    Attributes:
        function: g(t, q, qd), a number; the event is where it passes through zero.
        name: used in results and messages; by default the function's name.
        terminal: whether the simulation ends there.
        direction: 1 counts only passages from below, -1 only from above, 0 both.
        required: how a run without the event is treated. None: a SimulationWarning says how close it came, unless another
            terminal event ended the run before this terminal one. True: the run fails, `Status.EVENT_MISSED`. False: no warning.
            Runs that fail for another reason report only that; `Trajectory.unfired` names the event in every case.
    """

    function: Callable[[float, np.ndarray, np.ndarray], float]
    name: str = ""
    terminal: bool = False
    direction: int = 0
    required: bool | None = None


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An event that happened: its name, the time [s], and the state q (nq,), qd (nv,) then."""

    name: str
    t: float
    q: np.ndarray
    qd: np.ndarray
    __repr__ = by_shape


def as_events(events: Any) -> list[Event]:
    """Return events from a function or Event, or several of them."""
    several = (events,) if callable(events) or isinstance(events, Event) else events
    try:
        return [_as_event(event, k) for k, event in enumerate(several)]
    except TypeError:
        raise StateError(f"events must be functions g(t, q, qd) or lissom.simulate.Event, got {type(events).__name__}") from None


def _as_event(event: Any, k: int) -> Event:
    if not isinstance(event, Event):
        if not callable(event):
            raise StateError(f"events[{k}] is {type(event).__name__}, expected a function g(t, q, qd) or lissom.simulate.Event")
        fields = {name: getattr(event, name) for name in ("terminal", "direction", "required") if hasattr(event, name)}
        event = Event(event, getattr(event, "__name__", type(event).__name__), **fields)
    if not callable(event.function) or not isinstance(event.name, str):
        kinds = f"Event({type(event.function).__name__}, {type(event.name).__name__})"
        raise StateError(f"events[{k}] is {kinds}, expected a function g(t, q, qd) and then a name: Event(g, 'low')")
    name = event.name or getattr(event.function, "__name__", "")
    name = f"event {k}" if name in ("", "<lambda>") else name
    if event.direction not in (-1, 0, 1):
        raise StateError(f"direction of event {name!r} is {event.direction!r}, expected -1, 0 or 1")
    if event.required not in (None, True, False):
        raise StateError(f"required of event {name!r} is {event.required!r}, expected True, False or None")
    return replace(event, name=name)


@dataclass
class Seen:
    """Values of an event's function in a run: whether it fired, least, greatest, last, and closest to zero."""

    fired: bool = False
    least: float = math.inf
    greatest: float = -math.inf
    last: float = math.nan
    closest: tuple[float, float] = (math.inf, 0.0)  # value, time

    def note(self, t: float, value: float) -> None:
        """Record a value."""
        self.least, self.greatest, self.last = min(self.least, value), max(self.greatest, value), value
        if abs(value) < abs(self.closest[0]):
            self.closest = value, t

    def describe(self, event: Event) -> str:
        """Say how close the event came."""
        way = {1: " from below", -1: " from above"}.get(event.direction, "")
        value, t = self.closest
        return (
            f"event {event.name!r} never happened: its function did not pass through zero{way}; it lay between {self.least:.4g} "
            f"and {self.greatest:.4g}, closest to zero with {value:.4g} at t = {t:.4g} s, and was {self.last:.4g} at the end"
        )


class Watch:
    """Finds and keeps the events between successive states of a run."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.found: list[Occurrence] = []
        self._t = 0.0
        self._last: list[float] = []
        self._seen = [Seen() for _ in events]

    def begin(self, t: float, q: np.ndarray, qd: np.ndarray) -> None:
        """Record the first state."""
        self._t, self._last = t, [self._call(event, t, q, qd) for event in self.events]
        self._note(t, self._last)

    def look(self, t: float, state: State) -> float | None:
        """Find events between the last state and the one at t; return the time of the first terminal one, or None."""
        q, qd = state(t)
        now = [self._call(event, t, q, qd) for event in self.events]
        found: list[tuple[float, int]] = []
        for k, (event, before, after) in enumerate(zip(self.events, self._last, now, strict=True)):
            up, down = before < 0.0 <= after, before > 0.0 >= after
            if (up and event.direction >= 0) or (down and event.direction <= 0):
                found.append((self._passage(event, t, state), k))
        found.sort()
        end = next((when for when, k in found if self.events[k].terminal), None)
        for when, k in found:
            if end is None or when <= end:
                self.found.append(Occurrence(self.events[k].name, when, *(x.copy() for x in state(when))))
                self._seen[k].fired = True
        if end is not None:
            t, now = end, [self._call(event, end, *state(end)) for event in self.events]
        self._t, self._last = t, now
        self._note(t, now)
        return end

    def unfired(self) -> tuple[str, ...]:
        """Return the names of events that never happened."""
        return tuple(event.name for event, seen in zip(self.events, self._seen, strict=True) if not seen.fired)

    def warn(self) -> None:
        """Warn of events that never happened, unless required is True (an error) or False (no warning).

        Terminal events are alternatives: where one of them ended the run, the others are not missed.
        """
        ended = any(event.terminal and seen.fired for event, seen in zip(self.events, self._seen, strict=True))
        for event, seen in zip(self.events, self._seen, strict=True):
            if not seen.fired and event.required is None and not (ended and event.terminal):
                text = f"{seen.describe(event)}. Event(..., required=False) silences this, required=True makes it an error"
                warnings.warn(text, SimulationWarning, stacklevel=4)  # the caller of Robot.simulate

    def missed(self) -> SimulationError | None:
        """Return the error of a run that ended without its required events."""
        pairs = [pair for pair in zip(self.events, self._seen, strict=True) if pair[0].required and not pair[1].fired]
        if not pairs:
            return None
        text = "; ".join(seen.describe(event) for event, seen in pairs)
        return SimulationError(f"{text}. {Status.EVENT_MISSED.advice}", Status.EVENT_MISSED, self._t)

    def _note(self, t: float, values: Sequence[float]) -> None:
        for seen, value in zip(self._seen, values, strict=True):
            seen.note(t, value)

    def _passage(self, event: Event, t: float, state: State) -> float:
        """Return the time at which the function is zero, to rounding."""
        from scipy.optimize import brentq

        def g(s: float) -> float:
            return self._call(event, s, *state(s))

        first, last = g(self._t), g(t)
        if first * last >= 0.0:  # zero at an end, or within rounding of it
            return self._t if abs(first) < abs(last) else t
        return float(brentq(g, self._t, t, xtol=4 * np.spacing(max(abs(t), 1.0)), rtol=1e-14))

    @staticmethod
    def _call(event: Event, t: float, q: np.ndarray, qd: np.ndarray) -> float:
        try:
            value = float(event.function(t, q, qd))
        except Exception as error:
            text = f"event {event.name!r} failed at t = {t:.6g} s: {type(error).__name__}: {error}"
            raise SimulationError(text, Status.CONTROLLER_FAILED, t) from error
        if math.isnan(value):
            raise SimulationError(f"event {event.name!r} returned nan at t = {t:.6g} s", Status.CONTROLLER_FAILED, t)
        return value
