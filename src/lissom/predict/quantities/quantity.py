"""Quantity: a function of the joints' motion at one instant, with its first and second derivatives.

This is all that a motion problem knows of a robot: callables over many instants at once, with named entries. Any object with
`values`, `derivatives` and `curvature` of q, qd, qdd, qddd and higher derivatives can be limited or minimized.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithms.derivatives import directional
from ...algorithms.elastic.motors import PATH as NAMES  # q, qd, ... by order of the derivative
from ...compiler.task import Task
from ...protocol import DrivenRobot, PathTask
from ...spline import SplinePath

ORDERS = 4  # q, qd, qdd, qddd: always part of a motion


@dataclass(frozen=True, eq=False)
class State:
    """Motion of n joints at K instants.

    Attributes:
        rates: q, qd, qdd and qddd, each (K, n); higher derivatives follow where a quantity of the problem depends on them.
    """

    rates: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return len(self.rates[0])

    def inputs(self, robot: DrivenRobot) -> tuple[np.ndarray, ...]:
        """Return the last inputs of a robot's path tasks; they are searched once."""
        kept = vars(self).get("_inputs")
        if kept is None:
            kept = robot.path_inputs(self.rates[0])
            object.__setattr__(self, "_inputs", kept)
        return kept  # type: ignore[no-any-return]

    @classmethod
    def along(cls, path: SplinePath, t: np.ndarray, orders: int = ORDERS) -> State:
        """Return the motion of a path at times (K,) [s], with so many derivatives, q counted."""
        return cls((*path.states(t), *(path.rate(t, order) for order in range(ORDERS, orders))))


class Quantity:
    """A quantity with `size` entries at every instant.

    Attributes:
        name: in files and messages.
        labels: of the entries.
        unit: of all entries, or one per entry.
        orders: which of q, qd, qdd, qddd and the next two it depends on: 0, 1, 2, 3, 4, 5.
        depends: (size, n), whether an entry depends on a joint at all.
    """

    name: str
    labels: tuple[str, ...]
    unit: str | tuple[str, ...]
    orders: tuple[int, ...]
    depends: np.ndarray
    _joined_by = ": "  # name and label; the labels of lissom's own quantities are names of joints, motors and links

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.labels)

    def units(self) -> tuple[str, ...]:
        """Return the unit of every entry."""
        return (self.unit,) * self.size if isinstance(self.unit, str) else self.unit

    def entry_label(self, entry: int) -> str:
        """Return the label of an entry in tables and messages: "torque of elbow", "mine: speed", "regularity"."""
        label = self.labels[entry]
        return self.name if label == self.name else f"{self.name}{self._joined_by}{label}"

    def __repr__(self) -> str:
        entries = f"{self.size} entries" if self.size != 1 else "1 entry"
        units = ", ".join(filter(None, dict.fromkeys(self.units())))
        return f"<Quantity {self.name!r}: {entries}{f' [{units}]' if units else ''}>"

    def values(self, state: State) -> np.ndarray:
        """Return the entries (K, size)."""
        raise NotImplementedError

    def derivatives(self, state: State) -> np.ndarray:
        """Return the derivatives of the entries by the joints' motion (len(orders), K, size, n)."""
        raise NotImplementedError

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray | None:
        """Return the second derivatives of weights (K, size) . entries, (K, len(orders), n, len(orders), n); None if zero."""
        raise NotImplementedError


class JointMotion(Quantity):
    """Position, velocity, acceleration or jerk of the joints themselves."""

    _joined_by = " of "

    def __init__(self, name: str, order: int, labels: Sequence[str], units: Sequence[str]) -> None:
        self.name, self.labels, self.unit, self.orders = name, tuple(labels), tuple(units), (order,)
        self.depends = np.eye(len(labels), dtype=bool)

    def values(self, state: State) -> np.ndarray:
        """Return the rates of the joints."""
        return state.rates[self.orders[0]]

    def derivatives(self, state: State) -> np.ndarray:
        """Return ones."""
        return np.broadcast_to(np.eye(self.size), (1, len(state), self.size, self.size))

    def curvature(self, state: State, weights: np.ndarray) -> None:
        """Return None: the second derivatives are zero."""
        return


class Compiled(Quantity):
    """A quantity that a task of a robot computes, differentiated through its trace.

    Args:
        robot: the robot of the task.
        name, labels, unit: see Quantity.
        maker: of the task; its inputs are some of q, qd, qdd, qddd and the next two, all of one size, then `more`, and
            then `robot.path_inputs`, of which trees have none.
        more: the task's other arguments (loads, points), the same at every instant.
        options: of the maker.
    """

    weight: int | None = None  # of a product of derivatives of the path; see `PathTask`

    def __init__(
        self,
        robot: DrivenRobot,
        name: str,
        labels: Sequence[str],
        unit: str | tuple[str, ...],
        maker: Callable[..., Task],
        more: Sequence[np.ndarray] = (),
        **options: Any,
    ) -> None:
        self.robot, self.name, self.labels, self.unit = robot, name, tuple(labels), unit
        self._maker, self._more, self._options = maker, list(more), options
        task = maker(robot.model, **options)
        self._state = directional.state_names(task)
        self.orders = tuple(NAMES.index(x) for x in self._state)
        self.n = directional.tangent_sizes(robot.model, task)[self._state[0]]
        self.depends = np.ones((self.size, self.n), dtype=bool)

    def values(self, state: State) -> np.ndarray:
        """Run the task."""
        return self._function(self._maker, (self.size,))(self._arguments(state))

    def derivatives(self, state: State) -> np.ndarray:
        """Run the task's Jacobian."""
        function = self._function(directional.jacobian, (len(self.orders), self.size, self.n), of=self._maker)
        return np.moveaxis(function(self._arguments(state)), 1, 0)

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Run products of the second derivatives with unit vectors, for one of each pair of orders that can meet."""
        n, r, k = self.n, len(self.orders), len(state)
        found = np.zeros((k, r, n, r, n))
        arguments = [*(x[:, None] for x in self._arguments(state, k)), weights[:, None], np.eye(n)]
        for row, order in enumerate(self.orders):
            columns = [c for c, other in enumerate(self.orders) if other >= order and self._meet(order, other)]
            if not columns:
                continue
            by = tuple(self._state[c] for c in columns)
            function = self._function(directional.hvp, (len(by), n), of=self._maker, along=(self._state[row],), by=by)
            product = function(arguments)  # (K, n, len(by), n)
            for number, column in enumerate(columns):
                found[:, row, :, column] = product[:, :, number]
                found[:, column, :, row] = product[:, :, number].swapaxes(1, 2)
        return found

    def _meet(self, one: int, other: int) -> bool:
        """Return whether there are second derivatives by these two orders: terms have any function of q as a factor."""
        return self.weight is None or not one or one + other <= self.weight

    def _arguments(self, state: State, rows: int | None = None) -> list[np.ndarray]:
        more = self._more if rows is None else [np.broadcast_to(x, (rows, x.shape[-1])) for x in self._more]
        return [*(state.rates[order] for order in self.orders), *more, *state.inputs(self.robot)]

    def _function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        return self.robot.path_function(maker, shape, **options, **self._options)


class OfRobot(Compiled):
    """A quantity of a robot along a path.

    Args:
        robot, name, labels, unit: see Compiled.
        task: the robot's own, `robot.path_task(name, ...)`.
        loads: external wrenches, and their options of the task.
    """

    _joined_by = " of "

    def __init__(
        self,
        robot: DrivenRobot,
        name: str,
        labels: Sequence[str],
        unit: str | tuple[str, ...],
        task: PathTask,
        loads: tuple[Sequence[np.ndarray], Mapping[str, Any]],
    ) -> None:
        more, told = loads if task.loaded else ((), {})
        super().__init__(robot, name, labels, unit, task.maker, more, **told, **task.options)
        self.weight, self._analytic = task.weight, task.derivatives
        if task.entries is not None:
            self.depends = np.zeros((self.size, self.n), dtype=bool)
            self.depends[task.entries] = True

    def derivatives(self, state: State) -> np.ndarray:
        """Run the robot's own derivatives, or those of the task's program."""
        if self._analytic is None:
            return super().derivatives(state)
        function = self._function(self._analytic, (len(self.orders), self.size, self.n))
        return np.moveaxis(function(self._arguments(state)), 1, 0)
