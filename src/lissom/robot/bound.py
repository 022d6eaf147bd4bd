"""Bound: methods whose plain calls go straight to machine code once they are looked up."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..errors import LissomError
from .functions import Functions

F = TypeVar("F", bound=Callable[..., Any])


def bound(method: F) -> F:
    """Make a method a built-in function of each robot, which leaves all but plain calls to the method.

    The method is that of a function in the catalogue without required options; a plain call has only its state and `out`. The
    built-in function is put into the robot when the method is first looked up, so that one that is taken before the first call is
    as fast as one taken later; it compiles nothing until it is called.
    """
    return cast(F, _Bound(method))


class _Bound:
    """In the place of a method of a class; `Robot.method` is the method itself."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, robot: Functions | None, owner: type) -> Any:
        if robot is None:
            return self.method
        method = types.MethodType(self.method, robot)
        found = next(kind.__dict__[self.name] for kind in type(robot).__mro__ if self.name in kind.__dict__)
        if found is not self:  # super().method of one that overrides it, which must go on being called
            return method
        return robot.__dict__.setdefault(self.name, self._built_in(robot, method) or method)

    def _built_in(self, robot: Functions, method: types.MethodType) -> Any:
        entry = robot.catalogue[self.name]
        assert entry.shape is not None
        try:
            chosen = entry.choose(robot, {})
            function = robot._function(entry.maker, entry.shape(robot, chosen.options))
            return function.built_in(self.name, f"{self.name}{_signature(method)}\n--\n\n{method.__doc__}", method)
        except LissomError:
            return None  # the call will raise it


def _signature(method: types.MethodType) -> str:
    """Return the arguments of a method without their types, which are not those of Python's text signatures."""
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(method).parameters.values()]
    return str(inspect.Signature(plain))
