"""Bound: methods whose plain calls go straight to machine code, from the moment that they are looked up."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..errors import LissomError
from .base import RobotBase, TaskMaker

F = TypeVar("F", bound=Callable[..., Any])
Shape = Callable[[Any], tuple[int, ...]]  # of a robot, of the result of one sample


def bound(maker: TaskMaker, shape: Shape, keywords: str) -> Callable[[F], F]:
    """Make a method a built-in function of each robot, which leaves what is not a plain call to the method.

    The function is put into the robot when the method is first looked up, so that one that is taken before the first call is as
    fast as one taken later; it compiles nothing until it is called.

    Args:
        maker: of the task whose arguments are the first of the method.
        shape: of the result.
        keywords: the other arguments, for the signature.
    """

    def decorate(method: F) -> F:
        return cast(F, _Bound(method, maker, shape, keywords))

    return decorate


class _Bound:
    """In the place of a method of a class; `Robot.method` is the method itself."""

    def __init__(self, method: Callable[..., Any], maker: TaskMaker, shape: Shape, keywords: str) -> None:
        self.method, self.maker, self.shape, self.keywords = method, maker, shape, keywords
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, robot: RobotBase | None, owner: type) -> Any:
        if robot is None:
            return self.method
        method = types.MethodType(self.method, robot)
        found = next(kind.__dict__[self.name] for kind in type(robot).__mro__ if self.name in kind.__dict__)
        if found is not self:  # super().method of one that overrides it, which must go on being called
            return method
        return robot.__dict__.setdefault(self.name, self._built_in(robot, method) or method)

    def _built_in(self, robot: RobotBase, method: types.MethodType) -> Any:
        try:
            function = robot._function(self.maker, self.shape(robot))
            names = ", ".join(port.name for port in function.task.inputs)
            return function.built_in(self.name, f"{self.name}({names}, {self.keywords})\n--\n\n{method.__doc__}", method)
        except LissomError:
            return None  # the call will raise it
