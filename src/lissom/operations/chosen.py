"""Chosen: a function of a robot with its options, as an operation and what is done before and after it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.derivatives import by_parameters
from ..closed.functions import ClosedFunctions
from ..compiler.run import as_array
from ..errors import NameLookupError, StateError
from ..locks import once_property
from ..model import Model
from ..robot.entry import Entry
from ..robot.functions import Functions as RobotFunctions
from ..robot.robot import Robot
from .closure import Closure
from .operation import Operation

BY_PARAMETERS = {
    "inverse_dynamics": by_parameters.inverse_dynamics,
    "mass_matrix": by_parameters.mass_matrix,
    "forward_dynamics": by_parameters.forward_dynamics,
}


@dataclass(frozen=True, eq=False)
class Chosen:
    """A function of a robot with its options.

    Attributes:
        name: of the function.
        state: names of its arguments, and their sizes.
        sizes: numbers of each argument of one sample.
        operation: what computes it, a function of the arguments and `constants`.
        constants: further inputs of the operation, loads and points, each (..., size).
        shape: of the result of one sample.
        places: positions of the operation's numbers in the flattened result, whose others are zero; None where it has all.
        closure: of a closed robot, by which the coordinates become the configuration of the tree that the operation takes.
    """

    name: str
    state: tuple[str, ...]
    sizes: tuple[int, ...]
    operation: Operation
    constants: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    places: np.ndarray | None
    closure: Closure | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arguments and constants."""
        return (*self.state, *(port.name for port in self.operation.task.inputs[len(self.state) :]))

    @property
    def whole(self) -> int:
        """Numbers of the result of one sample."""
        return math.prod(self.shape)


class Functions:
    """The functions of a robot, as operations by name.

    Args:
        robot: a `Robot`, a `ClosedRobot`, or the model of a `Robot`.
        what: who asks, for messages.
    """

    def __init__(self, robot: Any, what: str) -> None:
        robot = Robot(robot) if isinstance(robot, Model) else robot
        if not isinstance(robot, RobotFunctions | ClosedFunctions):
            raise StateError(f"{what} needs a lissom.Robot or ClosedRobot, got {type(robot).__name__}; lissom.load reads one")
        self.robot: Any = robot
        self._what = what
        self.closure = Closure(robot) if isinstance(robot, ClosedFunctions) else None
        self._operations: dict[Any, Operation] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Functions, (self.robot, self._what)

    @once_property
    def names(self) -> tuple[str, ...]:
        """Names of the functions: those that have derivatives."""
        known = self.robot.catalogue
        return tuple(x for x in self.robot.functions if known[x].shape is not None and known[x].smooth)

    def choose(self, name: str, options: Mapping[str, Any]) -> Chosen:
        """Return a function with its options, checked.

        Raises:
            NameLookupError: there is no such function.
            StateError: an option is unknown, missing or wrong.
        """
        if name not in self.names:
            raise NameLookupError("function", name, self.names, f" of {self.robot.name!r} that can be differentiated")
        entry = self.robot.catalogue[name]
        if "parameters" in options:
            return self._by_parameters(entry, {key: x for key, x in options.items() if key != "parameters"})
        chosen = entry.choose(self.robot, options)
        shape, places = entry.shape(self.robot, chosen.options), None  # type: ignore[misc]
        if entry.places is not None:
            places = entry.places(self.robot, chosen.options)[1]
        operation = self._operation(entry.maker, chosen.options)
        ports = operation.task.inputs[len(entry.state) :]
        constants = tuple(as_array(chosen.arguments[x.name], x.name, x.size, self.robot.name) for x in ports)
        sizes = operation.sizes[: len(entry.state)]
        if self.closure is not None:
            sizes = (self.robot.nq, *sizes[1:])
        return Chosen(name, entry.state, sizes, operation, constants, shape, places, self.closure)

    def _by_parameters(self, entry: Entry, options: Mapping[str, Any]) -> Chosen:
        """Return a function of the inertial parameters, too."""
        maker = BY_PARAMETERS.get(entry.name)
        if maker is None or self.closure is not None:
            kind = "a closed robot" if self.closure is not None else entry.name
            raise StateError(f"{kind} takes no parameters=; {', '.join(BY_PARAMETERS)} of robots that are trees do")
        chosen = entry.choose(self.robot, options)
        if wrong := [x for x in chosen.options if x != "base_motion"]:
            raise StateError(f"{entry.name} with parameters= takes no {wrong[0]}=")
        operation = self._operation(maker, chosen.options)
        state = (*entry.state, "parameters")
        ports = operation.task.inputs[len(state) :]
        constants = tuple(as_array(chosen.arguments[x.name], x.name, x.size, self.robot.name) for x in ports)
        shape = entry.shape(self.robot, {})  # type: ignore[misc]
        return Chosen(entry.name, state, operation.sizes[: len(state)], operation, constants, shape, None, None)

    def _operation(self, maker: Any, options: Mapping[str, Any]) -> Operation:
        """Return the operation of a task, the same one for the same options."""
        key = maker, tuple(sorted(options.items()))
        found = self._operations.get(key)
        if found is None:
            robot = self.robot
            task = maker(robot.model, **options) if self.closure is None else maker(robot.model, robot.plan, **options)
            found = Operation(robot, task)
        return self._operations.setdefault(key, found)
