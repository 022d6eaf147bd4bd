"""Compiled: a quantity that a task of a robot computes, differentiated through its trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.derivatives import directional
from ...algorithms.elastic.links import PATH as NAMES  # q, qd, ... by order of the derivative
from ...compiler.task import Task
from ...protocol import DrivenRobot, PathTask
from .quantity import Quantity
from .root import ROOTS, Root
from .state import State


class Derived(NamedTuple):
    """A task of derivatives: maker, shape of one result, and options beside those of the quantity."""

    maker: Callable[..., Task]
    shape: tuple[int, ...]
    options: dict[str, Any]


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
        self._rows = [x[None] for x in self._more]  # the same, one row per instant
        self._calls: dict[Any, Callable[..., np.ndarray]] = {}
        task = maker(robot.model, **options)
        self._state = directional.state_names(task)
        self.orders = self._orders(self._state)
        self.n = directional.tangent_sizes(robot.model, task)[self._state[0]]
        self.depends = np.ones((self.size, self.n), dtype=bool)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_calls": {}}  # functions are made anew in another process

    def _orders(self, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(NAMES.index(x) for x in names)

    @property
    def options(self) -> dict[str, Any]:
        """Options of the task: link, point, ..."""
        return self._options

    def values(self, state: State) -> np.ndarray:
        """Run the task."""
        return self._function(self._maker, (self.size,))(*self._given_at(state))

    def derivatives(self, state: State) -> np.ndarray:
        """Run the task's Jacobian."""
        tables = [np.zeros((len(state), size)) for size in self.table_sizes()]
        self.fill(state, tables)
        found = np.zeros((len(self.orders), len(state), self.size, self.n))
        for block in self.blocks(tables):
            found[list(block.rows), ..., block.columns] = np.moveaxis(block.values, 1, 0)
        return found

    def fill(self, state: State, tables: Sequence[np.ndarray]) -> None:
        """Run the tasks of derivatives, one for each table."""
        arguments = self._given_at(state)
        for (maker, shape, options), table in zip(self.derivative_tasks(), tables, strict=True):
            self._function(maker, shape, **options)(*arguments, out=table.reshape(len(state), *shape))

    def derivative_tasks(self) -> list[Derived]:
        """Return the tasks of derivatives, one for each table."""
        return [Derived(directional.jacobian, (len(self.orders), self.size, self.n), {"of": self._maker})]

    def curvature_task(self) -> Derived:
        """Return the task of second derivatives along a motion.

        Inputs are those of the task, weights, and motions by `state_columns`, which the result follows, too.
        """
        names, sizes = self.state_names, {own.stop - own.start for _, own in self.state_columns()}
        shape = (len(names), *sizes) if len(sizes) == 1 else (sum(own.stop - own.start for _, own in self.state_columns()),)
        return Derived(directional.hvp, shape, {"of": self._maker, "along": names, "by": names})

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the inputs by which the task is differentiated."""
        return self._state

    def state_columns(self) -> list[tuple[int, slice]]:
        """Return, for each of these inputs, the row of its order, and its columns."""
        return [(row, slice(0, self.n)) for row in range(len(self.orders))]

    def arguments_from(
        self, rate: Callable[[int, slice], Any], same: Callable[[np.ndarray], Any], s: Callable[[], Any]
    ) -> list[Any]:
        """Return the arguments of the task.

        Args:
            rate: returns columns of a derivative by time, by its order.
            same: returns what is the same at every instant, given that.
            s: returns the instants as fractions of the duration.
        """
        path = [rate(self.orders[row], columns) for row, columns in self.state_columns()]
        return [*path[: len(self.orders)], *map(same, self._more), *path[len(self.orders) :]]

    def function_of(self, robot: DrivenRobot, task: Derived | None = None) -> Callable[..., Any]:
        """Return a function of the task's arguments and out=, or of derivatives of it, of another robot of the same model."""
        task = task or Derived(self._maker, (self.size,), {})
        return robot.path_function(task.maker, task.shape, **{**self._options, **task.options})

    def curvature_along(self, state: State, weights: np.ndarray, changes: np.ndarray) -> np.ndarray:
        """Run the product of second derivatives with a motion."""
        maker, shape, options = self.curvature_task()
        columns = self.state_columns()
        function = self._function(maker, shape, **options)
        product = function(*self._given_at(state), weights, *(changes[:, row, own] for row, own in columns))
        product, found, begin = product.reshape(len(state), -1), np.zeros_like(changes), 0
        for row, own in columns:
            found[:, row, own] = product[:, begin : begin + own.stop - own.start]
            begin += own.stop - own.start
        return found

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Run products of the second derivatives with unit vectors, for one of each pair of orders that can meet."""
        n, r, k = self.n, len(self.orders), len(state)
        found = np.zeros((k, r, r, n, n)).transpose(0, 1, 3, 2, 4)  # in memory as it is summed over instants
        arguments = self._along_units(state, weights, n)
        for row, order in enumerate(self.orders):
            columns = [c for c, other in enumerate(self.orders) if other >= order and self._meet(order, other)]
            if not columns:
                continue
            by = tuple(self._state[c] for c in columns)
            function = self._function(directional.hvp, (len(by), n), of=self._maker, along=(self._state[row],), by=by)
            product = function(*arguments).reshape(k, n, len(by), n)
            for number, column in enumerate(columns):
                found[:, row, :, column] = product[:, :, number]
                found[:, column, :, row] = product[:, :, number].swapaxes(1, 2)
        return found

    def _along_units(self, state: State, weights: np.ndarray, n: int) -> list[np.ndarray]:
        """Return arguments of products of second derivatives: every instant n times, along unit vectors."""
        given = [np.repeat(x, n, axis=0) for x in (*self._given_at(state), weights)]
        return [*given, np.tile(np.eye(n), (len(state), 1))]

    def _meet(self, one: int, other: int) -> bool:
        """Return whether there are second derivatives by these two orders: terms have any function of q as a factor."""
        return self.weight is None or not one or one + other <= self.weight

    def _given_at(self, state: State) -> list[np.ndarray]:
        """Return the arguments, made once for a state."""
        kept = vars(state).setdefault("_arguments", {})
        found = kept.get(self)
        if found is None:
            found = kept[self] = self._arguments(state)
        return found  # type: ignore[no-any-return]

    def _arguments(self, state: State) -> list[np.ndarray]:
        """Return the arguments of the task, one row per instant: machine code takes them as they are."""
        return [*(state.rates[order] for order in self.orders), *self._constants(len(state)), *state.inputs(self.robot)]

    def _constants(self, rows: int) -> list[np.ndarray]:
        found = self._rows
        if found and len(found[0]) != rows:
            found = self._rows = [np.ascontiguousarray(np.broadcast_to(x, (rows, x.shape[-1]))) for x in self._more]
        return found

    def _function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        """Return a function of the task's arguments and out=, the same one for the same options."""
        key = maker, shape, *options.items()
        if key not in self._calls:
            self._calls[key] = self.robot.path_function(maker, shape, **{**self._options, **options})
        return self._calls[key]


class OfRobot(Compiled):
    """A quantity of a robot along a path.

    Args:
        robot, name, labels, unit: see Compiled.
        task: the robot's own, `robot.path_task(name, ...)`.
        loads: external wrenches, and their options of the task.
        inputs: names of options that the task takes as inputs where they are None: code is the same for all their values.
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
        inputs: Sequence[str] = (),
    ) -> None:
        more, load_options = loads if task.loaded else ((), {})
        self._given = {option: task.options[option] for option in inputs}
        more = [*more, *(np.ravel(value) for value in self._given.values())]
        super().__init__(robot, name, labels, unit, task.maker, more, **load_options, **{**task.options, **dict.fromkeys(inputs)})
        self.weight, self._analytic = task.weight, task.derivatives
        if task.entries is not None:
            self.depends = np.zeros((self.size, self.n), dtype=bool)
            self.depends[task.entries] = True

    def root(self, entry: int) -> Root | None:
        """Return the distance or the speed of a square."""
        name, unit = ROOTS.get(self.name, ("", ""))
        return Root(f"{name} of {self.labels[entry]}", unit) if name else None

    @property
    def options(self) -> dict[str, Any]:
        """Options of the task: link, point, target, ..."""
        return {**self._options, **self._given}

    @property
    def code(self) -> tuple[str, str]:
        """What names its compiled code, among the quantities of its robot."""
        return self.name, repr(sorted(self._options.items()))

    def derivative_tasks(self) -> list[Derived]:
        """Return the robot's own derivatives, or those of the task's program."""
        own = super().derivative_tasks()
        return own if self._analytic is None else [Derived(self._analytic, own[0].shape, {})]
