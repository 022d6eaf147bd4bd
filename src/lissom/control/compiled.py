"""Controllers whose law is a program of its own: compiled when they are made, and again in the process that they travel to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..compiler.task import Task
from ..errors import StateError
from ..wrench import Wrench

if TYPE_CHECKING:
    from ..robot import Robot


class Compiled:
    """What such controllers share.

    Attributes:
        robot: that is controlled.
    """

    robot: Robot

    def _compile(self, robot: Robot, law: Callable[..., Task], size: int, external: Mapping[str, Wrench] | None) -> None:
        """Compile the law, whose result has `size` numbers, for wrenches that it knows of."""
        if robot.model.loops:
            raise StateError(
                f"{type(self).__name__} is for robots whose joints form a tree, and {robot.name!r} has loops; "
                "control.ComputedTorque and control.PDGravity serve closed robots"
            )
        self.robot = robot
        self._loads, options = robot._loads(external, None)
        self._law = law, (size,), options
        self._function = robot._quick(law, (size,), **options)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_function"}  # machine code stays at home

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        law, shape, options = self._law
        self._function = self.robot._quick(law, shape, **options)
