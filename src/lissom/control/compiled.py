"""Controllers with a compiled control law: compiled when they are made, and again in a process that unpickles them."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..compiler.task import Task
from ..errors import StateError
from ..locks import lazy_property
from ..robot import Robot
from ..simulate.law import Law
from ..wrench import Wrench


class Compiled(abc.ABC):
    """Base class of these controllers.

    Attributes:
        robot: the controlled robot.
    """

    robot: Robot

    def _compile(self, robot: Robot, law: Callable[..., Task], size: int, external: Mapping[str, Wrench] | None) -> None:
        """Compile the law, whose result has `size` numbers, for known wrenches."""
        expect_tree(self, robot)
        self.robot = robot
        self._loads, options = robot._loads(external, None)
        self._law = law, (size,), options
        self._function = robot._quick(law, (size,), **options)

    def law(self) -> Law:
        """Return the law as a text, for steps on a card."""
        return self._text

    @lazy_property
    def _text(self) -> Law:
        law, _, options = self._law
        return Law(self.robot.model, law(self.robot.model, **options), lambda t: [*self._numbers(t), *self._loads])

    @abc.abstractmethod
    def _numbers(self, t: float) -> list[np.ndarray]:
        """Return what the law takes after the state: the reference at a time [s], and gains."""

    def __getstate__(self) -> dict[str, Any]:
        # neither machine code nor texts are pickled
        return {name: value for name, value in vars(self).items() if name not in ("_function", "_text")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        law, shape, options = self._law
        self._function = self.robot._quick(law, shape, **options)


def expect_tree(controller: object, robot: Robot) -> None:
    """Raise StateError for a closed robot."""
    if robot.model.loops:
        raise StateError(
            f"{type(controller).__name__} is for robots without closed loops, and {robot.name!r} has loops; "
            "for closed robots use control.ComputedTorque or control.PDGravity"
        )
