"""Functions of a robot by name: evaluation with options, operation counts and generated programs, all by the catalogue."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..algorithms.elastic.links import path_ports
from ..arrays import Out, State
from ..compiler.backend import Backend, show
from ..compiler.cuda.backend import CUDA
from ..compiler.program import OperationCount, Program
from ..compiler.run import Function, as_input
from ..compiler.task import Task
from ..errors import NameLookupError, StateError
from ..locks import lazy_property
from ..model import Model
from .base import RobotBase
from .catalogue import CATALOGUE
from .check import by_name
from .entry import Entry
from .options import Chosen
from .scatter import Spread, in_full


class Call(NamedTuple):
    """A function of a robot with its options.

    Attributes:
        run: f(*state, *more, out=).
        shape: of the result of one sample.
        more: arguments of the task that follow the state.
    """

    run: Callable[..., np.ndarray]
    shape: tuple[int, ...]
    more: tuple[Any, ...]


class Functions(RobotBase):
    """The functions of a robot by name."""

    catalogue: ClassVar[Mapping[str, Entry]] = CATALOGUE

    def __init__(self, model: Model, *, backend: Backend | str | None = None, precision: str = "double") -> None:
        super().__init__(model, backend=backend, precision=precision)
        self._calls: dict[Any, Call] = {}  # by name, or by name and options

    @lazy_property
    def functions(self) -> tuple[str, ...]:
        """Names of the robot's functions, for `evaluate`, `operation_count`, `program`, `jvp`, `vjp` and `derivatives`."""
        return tuple(name for name, entry in self.catalogue.items() if entry.suits(self))

    def evaluate(self, name: str, state: State, *, out: Out = None, **options: Any) -> np.ndarray:
        """Return the result of a function, in one array; methods of the same name may divide it into parts.

        Args:
            name: one of `functions`.
            state: the arguments in the order of the method, (q, qd, qdd), or by name, {"q": q, ...}.
            out: float64 array for the result.
            options: of the function: external, base_motion, link, axes, point, ...

        Raises:
            NameLookupError: there is no function of this name, or its result is more than one array.
            StateError: an argument or option is wrong; the message says which.
        """
        entry = self._single(name)
        return self._call(name, by_name("state", state, entry.state), out, **options)

    def operation_count(self, name: str, **options: Any) -> OperationCount:
        """Return how many operations one evaluation of a function takes.

        Args:
            name: one of `functions`.
            options: of the function: link, axes, external, method, ... Of arrays only the structure counts, and weights and
                tangents need not be given. With `regrouped=False`, functions that use base parameters are counted without them.

        Raises:
            NameLookupError: there is no such function.
            StateError: an option is wrong or missing; the message says which.
        """
        return self._program(name, options).operation_count() * self._entry(name).runs(self)

    def program(self, name: str, *, form: str = "program", **options: Any) -> str:
        """Return the generated program of a function as text; of `inverse_dynamics_hessian`, which it runs once per velocity.

        Args:
            name, options: as in `operation_count`.
            form: "program" (readable), "llvm" or "assembly", or a form of the robot's own backend.
        """
        return show(self._program(name, options), form, self.backend)

    def _program(self, name: str, values: Mapping[str, Any]) -> Program:
        entry = self._entry(name)
        return self._task(entry, entry.choose(self, {**entry.assumed(self), **values}).options).program(self.name)

    def _task(self, entry: Entry, options: Mapping[str, Any]) -> Task:
        """Return the task of a function, with options of its maker."""
        return entry.maker(self.model, **options)

    def _call(self, name: str, state: Sequence[Any], out: Out = None, **values: Any) -> np.ndarray:
        """Evaluate a function of the catalogue at a state, with the values of its options."""
        entry = self.catalogue[name]
        call = self._with(entry, values)
        if entry.path:
            state = self._path_of(entry, state)
        return call.run(*state, *call.more, out=out)

    def _with(self, entry: Entry, values: Mapping[str, Any]) -> Call:
        """Return a function with the values of its options, kept where they are words and flags."""
        key: Any = (entry.name, *values, *values.values(), *map(type, values.values()))  # equal, but no flag: 1 and True
        try:
            found = self._calls.get(key)
        except TypeError:  # loads, lists and arrays, which may be others in the next call
            found = key = None
        if found is not None:
            return found
        chosen = entry.choose(self, values)
        call = self._made(entry, chosen)
        return call if key is None or chosen.arguments else self._calls.setdefault(key, call)

    def _made(self, entry: Entry, chosen: Chosen) -> Call:
        """Return a function with options that have been read."""
        assert entry.shape is not None
        options, shape = chosen.options, entry.shape(self, chosen.options)
        where = None if entry.places is None else entry.places(self, options)[1]
        maker = entry.maker
        if where is not None and isinstance(self.backend, CUDA):  # results on a card are not put together here
            maker, where = in_full(maker, tuple(where.tolist()), math.prod(shape)), None
        numbers = shape if where is None else (len(where),)
        function = self._function(maker, numbers, **options)
        run: Callable[..., np.ndarray]
        if not options and entry.name in self.__dict__:  # the built-in function of this name has left it to Python
            run = function.call
        else:
            run = self._quick(maker, numbers, **options)
        if where is not None:
            run = Spread(run, where, shape, f"{entry.name} of {self.name!r}")
        return Call(run, shape, tuple(in_order(function, chosen, len(entry.state))))

    def _plain(self, name: str) -> Callable[..., np.ndarray]:
        """Return a function of the catalogue at its defaults, of its state and out=, for fast calls."""
        call = self._calls.get(name)
        return (self._calls.setdefault(name, self._with(self.catalogue[name], {})) if call is None else call).run

    def _path_of(self, entry: Entry, state: Sequence[Any]) -> Sequence[Any]:
        """Return the state of a function; a path of the joints alone is checked here, where a message can say so."""
        if not entry.path:
            return state
        sizes, drives = path_ports(self.model, len(entry.state)), " of the joints, without elastic drives,"
        return [
            as_input(x, name + (drives if self.model.elastic_motors else ""), sizes[name], self.name)
            for x, name in zip(state, entry.state, strict=True)
        ]

    def _entry(self, name: Any) -> Entry:
        """Return the entry of a function that the robot has, or raise NameLookupError."""
        if not isinstance(name, str):
            raise StateError(f"the first argument is the name of a function, 'inverse_dynamics' or another, got {name!r}")
        if name not in self.functions:
            raise NameLookupError("function", name, self.functions)
        return self.catalogue[name]

    def _single(self, name: Any) -> Entry:
        """Return the entry of a function whose result is one array."""
        entry = self._entry(name)
        if entry.shape is None:
            known = [x for x in self.functions if self.catalogue[x].shape is not None]
            raise NameLookupError("function", name, known, " with one array as its result")
        return entry


def in_order(function: Function, chosen: Chosen, first: int) -> list[Any]:
    """Return the arguments that options have become, as the inputs of a task from number `first` on have them."""
    return [chosen.arguments[port.name] for port in function.task.inputs[first:] if port.name in chosen.arguments]
