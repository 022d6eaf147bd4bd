"""Functions of a robot by name: evaluation with options, operation counts and generated programs, all by the catalogue."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ..arrays import Out
from ..compiler.backend import show
from ..compiler.program import OperationCount, Program
from ..compiler.run import Function, as_array, check_out
from ..compiler.task import Task
from ..errors import NameLookupError, StateError
from ..locks import lazy_property
from ..memory import FEWER, check_result, samples_of
from .base import RobotBase, task_key
from .catalogue import CATALOGUE
from .entry import Entry
from .options import Chosen
from .scatter import spread


class Functions(RobotBase):
    """The functions of a robot by name."""

    catalogue: ClassVar[Mapping[str, Entry]] = CATALOGUE

    @lazy_property
    def functions(self) -> tuple[str, ...]:
        """Names of the robot's functions, for `operation_count`, `program`, `jvp`, `vjp` and `derivatives`."""
        return tuple(name for name, entry in self.catalogue.items() if entry.suits(self))

    def operation_count(self, name: str, **options: Any) -> OperationCount:
        """Return how many operations one evaluation of a function takes.

        Args:
            name: one of `functions`.
            options: of the function: link, axes, external, method, ... Of arrays only the structure counts. With
                `regrouped=False`, functions that use base parameters are counted without them.

        Raises:
            NameLookupError: there is no such function.
            StateError: an option is wrong or missing; the message says which.
        """
        return self._program(name, options).operation_count()

    def program(self, name: str, *, form: str = "program", **options: Any) -> str:
        """Return the generated program of a function as text.

        Args:
            name, options: as in `operation_count`.
            form: "program" (readable), "llvm" or "assembly", or a form of the robot's own backend.
        """
        return show(self._program(name, options), form, self.backend)

    def _program(self, name: str, values: Mapping[str, Any]) -> Program:
        entry = self._entry(name)
        return self._task(entry, entry.choose(self, values).options).program(self.name)

    def _task(self, entry: Entry, options: Mapping[str, Any]) -> Task:
        """Return the task of a function, with options of its maker."""
        return entry.maker(self.model, **options)

    def _call(self, name: str, state: Sequence[Any], out: Out = None, **values: Any) -> np.ndarray:
        """Evaluate a function of the catalogue at a state, with the values of its options."""
        entry = self.catalogue[name]
        chosen = entry.choose(self, values)
        return self._evaluate(entry, chosen, self._path_of(entry, state) if entry.path else state, out)

    def _plain(self, name: str) -> Callable[..., np.ndarray]:
        """Return a function of the catalogue at its defaults, of its state and out=, for fast calls."""
        quick = self._quick_calls.get(name)
        if quick is None:
            entry = self.catalogue[name]
            assert entry.shape is not None
            quick = self._quick_calls.setdefault(name, self._quick(entry.maker, entry.shape(self, {})))
        return quick

    def _evaluate(self, entry: Entry, chosen: Chosen, state: Sequence[Any], out: Out = None) -> np.ndarray:
        """Evaluate a function with options that have been read."""
        if entry.places is not None:
            return self._spread(entry, chosen, state, out)
        assert entry.shape is not None
        options = chosen.options
        if chosen.arguments:
            function = self._function(entry.maker, entry.shape(self, options), **options)
            state = [*state, *in_order(function, chosen, len(state))]
        elif not options and entry.name in self.__dict__:  # the built-in function of this name has left it to Python
            return self._function(entry.maker, entry.shape(self, options))(state, out)  # type: ignore[no-any-return]
        quick = self._quick_calls.get(task_key(entry.maker, options))
        if quick is None:
            quick = self._quick(entry.maker, entry.shape(self, options), **options)
        if out is not None:
            return quick(*state, out=out)
        found = quick(*state)
        return found if found.shape else found[()]  # a number instead of an array without axes

    def _spread(self, entry: Entry, chosen: Chosen, state: Sequence[Any], out: Out) -> np.ndarray:
        """Evaluate a function whose task gives the entries at some places of the result; the others are zero."""
        shape, where = entry.places(self, chosen.options)  # type: ignore[misc]
        if out is not None:
            check_out(out)
        else:
            check_result(samples_of(state), math.prod(shape), f"{entry.name} of {self.name!r}", FEWER)
        function = self._function(entry.maker, (len(where),), **chosen.options)
        return spread(function([*state, *in_order(function, chosen, len(state))]), where, shape, out)

    def _path_of(self, entry: Entry, state: Sequence[Any]) -> Sequence[Any]:
        """Return the state of a function; a path of the joints alone is checked here, where a message can say so."""
        if not entry.path:
            return state
        size, drives = entry.width(self), " of the joints, without elastic drives," if self.model.elastic_motors else ""
        return [as_array(x, name + drives, size, self.name) for x, name in zip(state, entry.state, strict=True)]

    def _entry(self, name: Any) -> Entry:
        """Return the entry of a function that the robot has, or raise NameLookupError."""
        if not isinstance(name, str):
            raise StateError(f"the first argument is the name of a function, 'inverse_dynamics' or another, got {name!r}")
        if name not in self.functions:
            raise NameLookupError("function", name, self.functions)
        return self.catalogue[name]


def in_order(function: Function, chosen: Chosen, first: int) -> list[Any]:
    """Return the arguments that options have become, as the inputs of a task from number `first` on have them."""
    return [chosen.arguments[port.name] for port in function.task.inputs[first:] if port.name in chosen.arguments]
