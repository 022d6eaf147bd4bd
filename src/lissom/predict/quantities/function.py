"""Quantities from a plain function: it is recorded once, and its first and second derivatives follow."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...compiler.program import INPUT, Port, Program, operands
from ...compiler.task import Task
from ...compiler.trace import trace
from ...errors import LissomError, NameLookupError, StateError
from ...model.model import Model
from ...protocol import DrivenRobot
from ..data.joints import path_names
from .by_name import Quantities
from .channels import WithGiven
from .compiled import Compiled, OfRobot
from .state import State
from .tracked import fractions
from .value import Value, plain

PATH = ("q", "qd", "qdd")
RATE = "_rate"


class OnScalars:
    """The robot as a formula sees it: its quantities at the instant, over the formula's own values.

    Attributes:
        names: of the joints, in the order of q.
    """

    def __init__(self, quantities: Quantities, arguments: Sequence[Sequence[Any]]) -> None:
        self.names, self._quantities, self._arguments = path_names(quantities.robot), quantities, arguments

    def get(self, name: str, **options: Any) -> list[Value]:
        """Return the entries of a quantity of lissom by its name: "link_position", "torque", "center_of_mass", ..."""
        found = self._quantities.get(name, **options)
        if not isinstance(found, OfRobot):
            raise NameLookupError("quantity", name, self._quantities.robot.path_quantities, " for formulas")
        if max(found.orders) >= len(PATH):
            raise StateError(f"{name} depends on more than q, qd and qdd; a formula cannot use it")
        rates, more = self._arguments[: len(PATH)], self._arguments[len(PATH) :]
        task = found._maker(self._quantities.robot.model, **found.options)
        (values,) = task.texts[0](*(rates[order] for order in found.orders), *more)
        return [Value(x) for x in values]


def quantity(
    robot: DrivenRobot,
    function: Callable[..., Any],
    labels: Sequence[str] | str,
    unit: str | Sequence[str] = "",
    name: str | None = None,
    channels: Mapping[str, int] | None = None,
    forward: bool = False,
) -> Compiled:
    """Return a quantity of your own from a formula, with exact first and second derivatives.

    Args:
        robot: whose motion it is a function of.
        function: of (robot, q, qd, qdd), which returns one value per label, or the only one. q, qd and qdd are lists with one
            value per joint; robot.get(name, ...) gives the entries of lissom's own quantities (without external wrenches), and
            robot.names the joints. Values have + - * /, whole powers, and the functions of `lissom.predict.functions`; `if`
            and functions of NumPy are refused. A parameter `s` is the instant as a fraction of the duration, 0 to 1; parameters
            with the names of channels are lists of their entries, and "<name>_rate" of their rates.
        labels: of the entries; a text for one.
        unit: of all entries, or one per entry.
        name: in messages and files; None takes that of the function.
        channels: of a problem that it depends on: names, and numbers of entries.
        forward: whether derivatives are taken in forward mode, for formulas with many `select` within each other.

    Raises:
        StateError: the formula uses something that cannot be recorded, or returns another number of values.
    """
    if not callable(function):
        raise StateError(f"function is {function!r}, expected a function of robot, q, qd and qdd")
    if not hasattr(robot, "path_task"):
        raise StateError(f"a quantity needs a Robot, got {type(robot).__name__}; lissom.load(path) reads one")
    listed = (labels,) if isinstance(labels, str) else tuple(labels)
    called = str(name or getattr(function, "__name__", "quantity"))
    quantities, n = Quantities(robot), len(path_names(robot))
    still = np.zeros((1, n))
    others = tuple(Port("start" if k == 0 else f"start_{k}", x.shape[-1]) for k, x in enumerate(robot.path_inputs(still)))
    timed, sizes, changing, taken = _further(function, called, channels or {})
    entries_given = sum(sizes.values())
    ports = (*(Port(rate, n) for rate in PATH), *others)
    ports += (Port("given", entries_given),) * bool(sizes) + (Port("given_rate", entries_given),) * bool(changing)
    ports += (Port("s", 1),) * timed

    def text(*arguments: Sequence[Any]) -> list[list[Any]]:
        values = [[Value(x) for x in rate] for rate in arguments[: len(PATH)]]
        more: dict[str, Any] = {"s": Value(arguments[-1][0])} if timed else {}
        for rates in range(bool(sizes) + bool(changing)):
            given = iter(arguments[len(PATH) + len(others) + rates])
            every = {channel: [Value(next(given)) for _ in range(size)] for channel, size in sizes.items()}
            more |= {channel + RATE: every[channel] for channel in changing} if rates else every
        more = {name: value for name, value in more.items() if name in taken}
        try:
            found = function(OnScalars(quantities, arguments[: len(PATH) + len(others)]), *values, **more)
        except LissomError as error:
            raise StateError(f"quantity {called!r}: {error}") from error
        except TypeError as error:
            raise StateError(
                f"quantity {called!r}: {error}; formulas take + - * / and the functions of lissom.predict.functions, not NumPy's"
            ) from error
        entries = list(found) if isinstance(found, (list, tuple, np.ndarray)) else [found]
        if len(entries) != len(listed):
            raise StateError(f"quantity {called!r} returns {len(entries)} values, but has {len(listed)} labels")
        return [[plain(x) for x in entries]]

    output = Port("own", len(listed))
    program = trace(called, ports, (output,), text)
    # the key names the formula itself: machine code is kept on disk by it
    digest = hashlib.sha256(repr((program.code, program.outputs, program.results)).encode()).hexdigest()[:32]
    used = {code[1] for code in program.code if code[0] == INPUT}
    kept = [k for k in range(len(ports)) if k in used or k >= len(PATH)]
    if sizes:
        kept = sorted({0, *((1,) if changing else ()), *kept})  # entries of channels are beside q, and their rates beside qd
    if not sizes and not any(k < len(PATH) for k in kept):
        raise StateError(f"quantity {called!r} does not depend on the motion; it must use q, qd or qdd")

    def some(*arguments: Sequence[Any]) -> list[list[Any]]:
        given = dict(zip(kept, arguments, strict=True))
        return text(*(given.get(k, [0.0] * port.size) for k, port in enumerate(ports)))

    def maker(model: Model) -> Task:
        return Task(f"formula {digest}", tuple(ports[k] for k in kept), (output,), [some], of_columns=True, forward=forward)

    units = unit if isinstance(unit, str) else tuple(unit)
    if sizes:
        kind: Any = _TimedWithGiven if timed else WithGiven
        made: Compiled = kind(robot, called, listed, units, maker, (), tuple(sizes), entries_given, linear=False)
    else:
        made = (_Timed if timed else Compiled)(robot, called, listed, units, maker)
    if not others:
        made.depends = _depends(program, {**dict.fromkeys(PATH, 0), "given": n, "given_rate": n}, n + entries_given)
    return made


class _Timed(Compiled):
    """A formula of the instant, too, the last argument of its task."""

    def _arguments(self, state: State) -> list[np.ndarray]:
        return [*super()._arguments(state), fractions(state)[:, None]]

    def arguments_from(
        self, rate: Callable[[int, slice], Any], same: Callable[[np.ndarray], Any], s: Callable[[], Any]
    ) -> list[Any]:
        """Return the arguments of the task."""
        return [*super().arguments_from(rate, same, s), s()]


class _TimedWithGiven(_Timed, WithGiven):
    """A formula of channels and of the instant."""


def _depends(program: Program, places: Mapping[str, int], columns: int) -> np.ndarray:
    """Return which entries of a formula depend on which columns (size, columns); `places` are those of its arguments' first."""
    at: list[int] = []  # sets of columns as bits
    for code in program.code:
        own = 0
        if code[0] == INPUT:
            place = places.get(program.inputs[int(code[1] or 0)].name)
            own = 0 if place is None else 1 << (place + int(code[2] or 0))
        for operand in operands(code):
            own |= at[operand]
        at.append(own)
    return np.array([[bool(at[k] >> column & 1) for column in range(columns)] for k in program.results[0]])


def _further(
    function: Callable[..., Any], called: str, channels: Mapping[str, int]
) -> tuple[bool, dict[str, int], tuple[str, ...], tuple[str, ...]]:
    """Return what a formula takes: whether the instant, channels with their sizes, those whose rates it takes, and all names."""
    for name, size in channels.items():
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise StateError(f"quantity {called!r}: channel {name!r} has {size!r} entries, expected a whole number from 1")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False, {}, (), ()
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    names = [x.name for x in parameters[1 + len(PATH) :] if x.default is x.empty and x.kind in named]
    rates = {channel + RATE: channel for channel in channels}
    for name in names:
        if name != "s" and name not in channels and name not in rates:
            raise StateError(
                f"quantity {called!r} takes {name!r} after robot, q, qd and qdd; expected s, the instant, or a channel: "
                "channels={name: number of entries}"
            )
    for name in channels:
        if name not in names and name + RATE not in names:
            raise StateError(
                f"quantity {called!r} has no parameter {name!r} for its channel; write def f(robot, q, qd, qdd, {name})"
            )
    taken = list(dict.fromkeys(rates.get(name, name) for name in names if name != "s"))
    changing = tuple(rates[name] for name in names if name in rates)
    return "s" in names, {name: channels[name] for name in taken}, changing, tuple(names)
