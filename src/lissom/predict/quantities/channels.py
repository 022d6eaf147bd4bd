"""Quantities of channels: their values and rates, and quantities of a robot under loads whose entries are channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...algorithms.contacts.loads import GIVEN as RATES
from ...algorithms.contacts.loads import Load, Places, Touch, steady, under_changing_loads, under_loads
from ...algorithms.derivatives import directional
from ...algorithms.loads import chain
from ...model.model import Model
from ...protocol import DrivenRobot, PathTask
from ...tree import lump
from .compiled import Compiled, Derived
from .quantity import Block, JointMotion
from .state import State

FORCE = 2  # weight of a force in products of derivatives of a path, as that of an acceleration; see `PathTask`


class ChannelMotion(JointMotion):
    """Values of a channel, or their rates.

    Args:
        name: of the quantity.
        channel: name of the channel.
        order: 0 for the values, 1 for their rates, and so on.
        labels, units: of the entries.
    """

    _joined_by = " of "

    def __init__(self, name: str, channel: str, order: int, labels: Sequence[str], units: Sequence[str]) -> None:
        super().__init__(name, order, labels, units)
        self.path, self.channels = False, (channel,)


class WithGiven(Compiled):
    """A quantity of a robot's path and of entries of channels, which its task calls "given", and their rates "given_rate", ....

    Its columns are the joints, then the entries of the channels.

    Args:
        robot, name, labels, unit, maker, more, options: see Compiled.
        channels: names of the channels.
        size: number of their entries.
        linear: whether it is linear in the entries, so that second derivatives by them twice are zero.
    """

    _joined_by = " of "

    def __init__(
        self,
        robot: DrivenRobot,
        name: str,
        labels: Sequence[str],
        unit: str | tuple[str, ...],
        maker: Any,
        more: Sequence[np.ndarray],
        channels: tuple[str, ...],
        size: int,
        linear: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(robot, name, labels, unit, maker, more, **options)
        self.given = tuple(x for x in self._state if x in RATES)
        self._state = tuple(x for x in self._state if x not in RATES)
        self.channels, self.joints, self.linear, self.n = channels, self.n, linear, self.n + size
        self.depends = np.ones((self.size, self.n), dtype=bool)

    def _orders(self, names: Sequence[str]) -> tuple[int, ...]:
        return super()._orders([x for x in names if x not in RATES])

    def table_sizes(self) -> tuple[int, ...]:
        """Return the size of one table: derivatives by the path, then by the entries of channels and their rates."""
        return (self.size * (len(self.orders) * self.joints + len(self.given) * (self.n - self.joints)),)

    def derivative_tasks(self) -> list[Derived]:
        """Return the task's Jacobian, of one table."""
        return [Derived(directional.jacobian, self.table_sizes(), {"of": self._maker})]

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the inputs by which the task is differentiated."""
        return (*self._state, *self.given)

    def state_columns(self) -> list[tuple[int, slice]]:
        """Return, for each of these inputs, the row of its order, and its columns."""
        path = [(row, slice(0, self.joints)) for row in range(len(self.orders))]
        return [*path, *((self._row(name), slice(self.joints, self.n)) for name in self.given)]

    def blocks(self, tables: Sequence[np.ndarray]) -> list[Block]:
        """Return derivatives by the path, and by what is given: entries of channels are beside q, and their rates beside qd."""
        r, n = len(self.orders), self.joints
        end = r * self.size * n
        by_path, by_given = (tables[0][:, :end], tables[0][:, end:]) if len(tables) == 1 else tables
        own = Block(by_path.reshape(-1, r, self.size, n), tuple(range(r)), slice(0, n))
        rows = tuple(self._row(name) for name in self.given)
        return [own, Block(by_given.reshape(-1, len(rows), self.size, self.n - n), rows, slice(n, self.n))]

    def _row(self, name: str) -> int:
        """Return the row of the orders that an input belongs to."""
        return self.orders.index(RATES.index(name))

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Run products of the second derivatives with unit vectors of the joints, and of what is given."""
        r, k, n, c = len(self.orders), len(state), self.joints, self.n - self.joints
        found = np.zeros((k, r, r, self.n, self.n)).transpose(0, 1, 3, 2, 4)  # in memory as it is summed over instants
        arguments = self._along_units(state, weights, n)
        for row, order in enumerate(self.orders):
            columns = [s for s, other in enumerate(self.orders) if other >= order and self._meet(order, other)]
            # a torque has its Jacobian, of q alone, as the slope by a force, and motors behind springs have rates of that
            pushed = [x for k, x in enumerate(self.given) if self.weight is None or not order or order + k + FORCE <= self.weight]
            by = (*(self._state[s] for s in columns), *pushed)
            if not by:
                continue
            size = len(columns) * n + len(pushed) * c
            function = self._function(directional.hvp, (size,), of=self._maker, along=(self._state[row],), by=by)
            product = function(*arguments).reshape(k, n, size)
            for number, column in enumerate(columns):
                own = product[:, :, number * n : (number + 1) * n]
                found[:, row, :n, column, :n] = own
                found[:, column, :n, row, :n] = own.swapaxes(1, 2)
            for number, name in enumerate(pushed):
                start, column = len(columns) * n + number * c, self._row(name)
                own = product[:, :, start : start + c]
                found[:, row, :n, column, n:] = own
                found[:, column, n:, row, :n] = own.swapaxes(1, 2)
        for number, name in enumerate(() if self.linear else self.given):
            by, at = self.given[number:], self._row(name)
            function = self._function(directional.hvp, (len(by) * c,), of=self._maker, along=(name,), by=by)
            both = function(*self._along_units(state, weights, c)).reshape(k, c, len(by), c)
            for place, other in enumerate(by):
                found[:, at, n:, self._row(other), n:] = both[:, :, place]
                found[:, self._row(other), n:, at, n:] = both[:, :, place].swapaxes(1, 2)
        return found

    def _arguments(self, state: State) -> list[np.ndarray]:
        given = state.part(np.arange(self.joints, self.n))
        return [*super()._arguments(state.part(np.arange(self.joints))), *(given.rates[RATES.index(x)] for x in self.given)]


class UnderLoads(WithGiven):
    """A quantity of a robot that depends on external wrenches, under unknown pushes and contact forces.

    It is linear in these, but for the power and the energy of motors behind springs, which follow the loads.

    Args:
        robot, name, labels, unit: see Compiled.
        task: the robot's own, `robot.path_task(name, ...)`.
        constant: other external wrenches, and their options of the task.
        loads: unknown ones, by the names of their channels.
        places: of the links along the path.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        name: str,
        labels: Sequence[str],
        unit: str | tuple[str, ...],
        task: PathTask,
        constant: tuple[Sequence[np.ndarray], Mapping[str, Any]],
        loads: Mapping[str, Load],
        places: Places,
    ) -> None:
        more, load_options = constant
        every = tuple(loads.values())
        options = {"loads": every, "places": None if steady(every) else places, **load_options, **task.options}
        size, follows = sum(load.size for load in every), robot.n_elastic > 0
        maker = under_changing_loads if follows else under_loads
        options |= {"loaded_task": task.maker} if follows else {"inner": task.maker, "changing": task.changing}
        super().__init__(robot, name, labels, unit, maker, more, tuple(loads), size, not follows, **options)
        self.weight = task.weight
        self._analytic = task.derivatives if steady(every) else None
        if task.entries is not None:
            self.depends[:, : self.joints] = False
            self.depends[task.entries] = True
            self._spare(every)

    def table_sizes(self) -> tuple[int, ...]:
        """Return the sizes of the tables: one by the path and one by the loads, where the robot has derivatives of its own."""
        if self._analytic is None:
            return super().table_sizes()
        return len(self.orders) * self.size * self.joints, len(self.given) * self.size * (self.n - self.joints)

    def derivative_tasks(self) -> list[Derived]:
        """Return the robot's own derivatives under these loads, if it has them, and those by the loads, which are Jacobians."""
        if self._analytic is None:
            return super().derivative_tasks()
        by_path, by_loads = self.table_sizes()
        own = Derived(self._maker, (by_path,), {"inner": self._analytic})
        return [own, Derived(directional.jacobian, (by_loads,), {"of": self._maker, "by": self.given})]

    def _spare(self, loads: Sequence[Load]) -> None:
        """Leave out torques of joints that do not carry a load, and what moves a surface that the link does not stand on."""
        model = self.robot.model
        start = self.joints
        for load in loads:
            links = [load.link, *([load.surface] if isinstance(load, Touch) and load.surface is not None else [])]
            carrying = sorted({column for link in links for column in carrying_columns(model, link)})
            rows = np.isin(np.arange(self.size), carrying)
            self.depends[:, start : start + load.size] = rows[:, None]
            if (
                isinstance(load, Touch) and load.surface is not None
            ):  # a force that turns with the surface: with all of both chains
                self.depends[np.ix_(carrying, carrying)] = True
            start += load.size


def carrying_columns(model: Model, link: str) -> list[int]:
    """Return the velocities of the joints between the base and a link."""
    tree = lump(model)
    bodies = (tree.bodies[j] for j in chain(tree, tree.places[link][0]))
    return [body.iv + k for body in bodies for k in range(len(body.directions))]


def places_of(robot: DrivenRobot) -> Places:
    """Return how a robot's path says where its links are."""
    some = robot.link_names[0]
    tasks = [robot.path_task(name, link=some) for name in ("link_position", "link_rotation", "link_velocity")]
    parts = [(task.maker, tuple((k, v) for k, v in task.options.items() if k != "link")) for task in tasks]
    return Places(*parts)
