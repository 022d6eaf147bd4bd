"""Responses: the numbers that a study keeps of every case."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import NameLookupError, StateError, suggest
from .bases.base import Ran
from .curves import Curves, curves, expect_simulated

STATISTICS = ("peak", "smallest", "largest", "mean", "rms", "integral", "final")
NUMBERS = (  # of the results that have them
    "duration",
    "objective",
    "iterations",
    "violation",
    "speed",
    "step_length",
    "cadence",
    "double_support",
    "stance",
    "flight",
    "cost_of_transport",
    "metabolic_cost",
    "tracking_error",
)


@dataclass(frozen=True)
class Response:
    """One number of a result.

    Attributes:
        name: its column.
        what: "duration" or another number of the result; a name that a function returns; or "peak", "mean", ... of a quantity.
        quantity: over time, such as "torque".
        of: an entry of it, such as a joint; None for all: of a mean, an rms, an integral or a final value their sum, else the one
            that is largest or smallest.
        options: of a motion problem's quantity: {"link": "flange"}.
    """

    name: str
    what: str
    quantity: str = ""
    of: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def digest(self) -> list[Any]:
        """Return what its value depends on."""
        return [self.name, self.what, self.quantity, self.of, dict(self.options)]

    def __call__(self, ran: Ran) -> float:
        """Return its value; raise StateError where the result has no such number."""
        if not self.quantity:
            return number_of(ran, self.what)
        made = curves(ran, self.quantity, self.options)
        return statistic(self.what, made, self._entries(made))

    def _entries(self, made: Curves) -> np.ndarray:
        if self.of is None:
            return made.y
        if self.of not in made.names:
            raise NameLookupError(f"entry of {self.quantity}", self.of, made.names)
        return made.y[:, [made.names.index(self.of)]]


def peak(quantity: str, of: str | None = None, name: str = "", **options: Any) -> Response:
    """Return the response "largest magnitude of a quantity"; see `of_quantity`."""
    return of_quantity("peak", quantity, of, name, **options)


def of_quantity(what: str, quantity: str, of: str | None = None, name: str = "", **options: Any) -> Response:
    """Return a statistic of a quantity over time: "peak" (largest magnitude), "smallest", "largest", "mean", ... as a response.

    Args:
        what: one of STATISTICS.
        quantity: "torque", "position", "velocity", "acceleration", "power", an energy, or, of motion problems, any of theirs.
        of: the entry, such as a joint; None for all.
        name: of the column; "" makes one: "peak torque of elbow".
        options: of the quantity: link="flange".
    """
    if what not in STATISTICS:
        raise StateError(f"no statistic {what!r}; {suggest(str(what), STATISTICS)}")
    extra = "".join(f" {value}" for value in options.values())
    return Response(name or f"{what} {quantity}{extra}" + (f" of {of}" if of else ""), what, quantity, of, options)


def as_response(given: Any) -> Response:
    """Return a response; a text is the name of a number."""
    if isinstance(given, Response):
        return given
    if isinstance(given, str) and given.strip():
        return Response(given, given)
    raise StateError(f"{given!r} is no response; expected a name such as 'duration', or peak('torque')")


def expect_known(responses: Sequence[Response], kind: str) -> None:
    """Raise StateError for a number, or a quantity of a simulated motion, that results of this kind of base cannot have."""
    if kind == "function":
        return
    for each in responses:
        if not each.quantity and each.what not in NUMBERS:
            if each.what in ("success", "status"):
                raise StateError(f"{each.what!r} needs no response: every table has it as a column")
            raise StateError(f"no response {each.what!r}; {suggest(each.what, (*NUMBERS, *STATISTICS))}")
        if each.quantity and kind in ("scenario", "torque"):
            expect_simulated(each.quantity)


def number_of(ran: Ran, what: str) -> float:
    """Return a number of a result by its name."""
    result = ran.result
    if isinstance(result, Mapping):
        if what not in result:
            raise NameLookupError("number returned by the function:", what, list(result))
        return float(result[what])
    if what == "tracking_error":
        if ran.scenario is None:
            raise StateError("tracking_error is a response of scenarios, the only results that have a reference")
        return float(np.abs(ran.scenario.tracking(result).errors).max())
    if what == "duration" and hasattr(result, "t"):
        return float(result.t[-1]) if len(result.t) else 0.0
    for source in (result, getattr(result, "prediction", None)):
        if source is not None and what in NUMBERS and hasattr(source, what):
            return float(getattr(source, what))
    has = [name for name in NUMBERS if hasattr(result, name) or hasattr(getattr(result, "prediction", None), name)]
    raise StateError(f"a {type(result).__name__} has no {what!r}; {suggest(what, has)}")


def statistic(what: str, made: Curves, y: np.ndarray) -> float:
    """Return a statistic of entries y (N, k) over the times of curves (N,)."""
    if not y.size:
        return math.nan
    if what in ("peak", "smallest", "largest"):
        return float({"peak": np.abs(y).max, "smallest": y.min, "largest": y.max}[what]())
    if what == "final":
        return float(y[-1].sum())
    t = made.t
    span = float(t[-1] - t[0])
    over = np.trapezoid(y * y if what == "rms" else y, t, axis=0)
    if what == "integral":
        return float(over.sum())
    mean = over / span if span > 0 else (y * y if what == "rms" else y).mean(axis=0)
    return float(np.sqrt(mean.sum()) if what == "rms" else mean.sum())


def responses_of(responses: Sequence[Response], ran: Ran) -> dict[str, float]:
    """Return all responses of a result by name; not a number where the result is not what was looked for."""
    if not ran.success:
        return {each.name: math.nan for each in responses}
    if not responses and isinstance(ran.result, Mapping):
        return {name: float(value) for name, value in ran.result.items()}
    return {each.name: each(ran) for each in responses}


def names_of(responses: Sequence[Response], found: Iterable[Mapping[str, float]]) -> tuple[str, ...]:
    """Return the names of responses; where none were chosen, of all that a function returned."""
    if responses:
        return tuple(each.name for each in responses)
    return tuple(dict.fromkeys(name for row in found for name in row))
