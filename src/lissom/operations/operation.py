"""Operation: a compiled task with all its derivatives, which are operations too."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..algorithms.derivatives.numbers import pullback, pushforward
from ..compiler.run import Function
from ..compiler.task import Task
from ..locks import once_property

_numbers = itertools.count()
_known: weakref.WeakValueDictionary[str, Operation] = weakref.WeakValueDictionary()


class Operation:
    """A function of arrays (..., size) with one result (..., size): all numbers of an input or result on one axis.

    Leading axes are the batch and broadcast. Derivatives are by the numbers of inputs, made when first asked for and kept.

    Args:
        robot: a `Robot` or `ClosedRobot`.
        task: with one output.
        of: of a derivative along tangents, the operation that it is the derivative of, and the inputs that have tangents.

    Attributes:
        sizes, size: of the inputs and of the result.
        name: of the operation in this process, see `operation_of`.
    """

    def __init__(self, robot: Any, task: Task, of: tuple[Operation, tuple[int, ...]] | None = None) -> None:
        self.robot, self.task, self.of = robot, task, of
        self.sizes = tuple(port.size for port in task.inputs)
        self.size = task.outputs[0].size
        self._derived: dict[Any, Operation] = {}
        self.name = f"operation {next(_numbers)}"
        _known[self.name] = self

    def __repr__(self) -> str:
        return f"<{self.name}: {self.task.named} of {self.robot.name!r}>"

    def pushforward(self, along: tuple[int, ...]) -> Operation:
        """Return the derivative along tangents of these inputs, a function of all inputs and then of the tangents."""
        made = self._derived.get(("push", along))
        if made is None:
            made = Operation(self.robot, pushforward(self.robot.model, self.task, along), (self, along))
        return self._derived.setdefault(("push", along), made)

    def pullback(self, by: tuple[int, ...]) -> Operation:
        """Return the derivatives of weights . result by these inputs, side by side, a function of all inputs and the weights."""
        made = self._derived.get(("pull", by))
        if made is None:
            made = Operation(self.robot, pullback(self.robot.model, self.task, by))
        return self._derived.setdefault(("pull", by), made)

    @once_property
    def function(self) -> Function:
        """The task, ready to be called."""
        return Function(self.robot.model, self.task, (self.size,), self.robot.backend, self.robot._describe)

    @once_property
    def run(self) -> Callable[..., np.ndarray]:
        """f(*inputs, out=None) on NumPy arrays: machine code from the first line on where possible."""
        made = self.function.built_in("operation", self.task.named, self.function.call)
        return self.function.call if made is None else made


def operation_of(name: str) -> Operation:
    """Return the operation of a name; KeyError once it is gone."""
    return _known[name]
