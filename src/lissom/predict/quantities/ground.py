"""Quantities under a split ground: torques, powers, joint wrenches, forces on links, pressure points and their rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.contacts.ground_split import TOTALS, reaction_entries, reaction_rates
from ...algorithms.derivatives import directional
from ...errors import NameLookupError, StateError
from ...protocol import DrivenRobot, PathTask
from ..data.contact import AXES
from .channels import WithGiven, carrying_columns
from .quantity import Block, Quantity
from .state import State
from .tracked import fractions

if TYPE_CHECKING:
    from ..data.ground import SplitGround

OTHERS = 8  # entries of a link after the totals: couple, anchor, pressure


class OfGround(WithGiven):
    """Sums of entries of a task under a split ground, with constant factors; linear in internal forces.

    Args:
        robot, name, labels, unit: see Compiled.
        task: the robot's own, `robot.path_task("ground_...", ...)`.
        constant: external wrenches, and their options of the task.
        split: the ground.
        factors: (size, entries of the task).
        rates: whether it is the rate of the first entries of the task, as many as factors have columns.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        name: str,
        labels: Sequence[str],
        unit: str | tuple[str, ...],
        task: PathTask,
        constant: tuple[Sequence[np.ndarray], Mapping[str, Any]],
        split: SplitGround,
        factors: np.ndarray,
        rates: bool = False,
    ) -> None:
        more, load_options = constant
        options: dict[str, Any] = {**load_options, **task.options, "ground": split.ground}
        maker: Callable[..., Any] = task.maker
        if rates:
            maker, options = reaction_rates, {**options, "inner": task.maker, "count": factors.shape[1]}
        moves = any(support.to is not None for own in split.stands for support in own)
        self.split, self.factors, self._timed = split, factors, rates and moves and split.timing.free
        size = split.ground.internal
        super().__init__(robot, name, labels, unit, maker, more, split.channels, size, **options)
        self._inputs = [port.name for port in maker(robot.model, **options).inputs]
        self._key = (maker, id(split), repr(sorted(options.items(), key=lambda item: item[0])))

    def values(self, state: State) -> np.ndarray:
        """Run the task, once for all quantities of it at a state."""
        return self._once(state) @ self.factors.T

    def by_duration(self, state: State) -> np.ndarray | None:
        """Return the part of the rates that comes from anchors that move, over -T: these are faster in shorter phases."""
        if not self._timed:
            return None
        assert state.durations is not None
        return (self._once(state, still=True) - self._once(state)) / state.durations[:, None] @ self.factors.T  # type: ignore[no-any-return]

    def _once(self, state: State, still: bool = False) -> np.ndarray:
        """Return all entries of the task (K, N), computed once at a state; `still`: as if no anchor moved."""
        kept, key = vars(state).setdefault("_reactions", {}), (still, *self._key)
        if key not in kept:
            given = self._given_at(state)
            if still:
                at = self._inputs.index("ground_rate")
                given = [*given[:at], np.zeros_like(given[at]), *given[at + 1 :]]
            kept[key] = self._function(self._maker, (self.factors.shape[1],))(*given)
        return kept[key]  # type: ignore[no-any-return]

    def fill(self, state: State, tables: Sequence[np.ndarray]) -> None:
        """Run products of the factors with the task's Jacobian, one per entry."""
        arguments = [np.repeat(x, self.size, axis=0) for x in self._given_at(state)]
        numbers = self.table_sizes()[0] // self.size
        function = self._function(directional.vjp, (numbers,), of=self._maker)
        function(*arguments, np.tile(self.factors, (len(state), 1)), out=tables[0].reshape(-1, numbers))

    def blocks(self, tables: Sequence[np.ndarray]) -> list[Block]:
        """Return derivatives by the path, and by internal forces and their rates; rows of the table are entries."""
        r, n, c = len(self.orders), self.joints, self.n - self.joints
        flat = tables[0].reshape(len(tables[0]), self.size, -1)
        own = flat[..., : r * n].reshape(len(flat), self.size, r, n).swapaxes(1, 2)
        rows = tuple(self._row(name) for name in self.given)
        given = flat[..., r * n :].reshape(len(flat), self.size, len(rows), c).swapaxes(1, 2)
        return [Block(own, tuple(range(r)), slice(0, n)), Block(given, rows, slice(n, self.n))]

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Run products of the second derivatives of all entries."""
        if self._timed:
            raise StateError(
                f"{self.name} under anchors that move, in phases of free durations, has no exact second derivatives; give "
                "hessian='gauss-newton', or fixed durations"
            )
        return super().curvature(state, weights @ self.factors)

    def _arguments(self, state: State) -> list[np.ndarray]:
        k = len(state)
        ground, rates = self.split.parameters(fractions(state), state.left, state.durations)
        values: dict[str, Any] = {"ground": ground, "ground_rate": rates}
        path, given = state.part(np.arange(self.joints)), state.part(np.arange(self.joints, self.n))
        for name in self._inputs:
            if name in ("given", "given_rate"):
                values[name] = given.rates[int(name == "given_rate")]
            elif name == "external":
                values[name] = np.broadcast_to(self._more[0], (k, self._more[0].shape[-1]))
        values |= {name: path.rates[order] for name, order in zip(self._state, self.orders, strict=True)}
        if "ground_rate" in self._inputs and rates is None:
            raise StateError(f"{self.name} under a split ground needs a State with durations")
        return [values[name] for name in self._inputs]


class GroundSpace:
    """Makers of quantities under a split ground; `Quantities` finds them by name."""

    robot: DrivenRobot
    ground: SplitGround | None
    _loads: tuple[list[np.ndarray], dict[str, Any]]

    def _under_ground(self, name: str, labels: Sequence[str], unit: Any, **options: Any) -> Quantity:
        """Return torque, power, joint_wrench or the rate of a torque or a wrench under the ground."""
        assert self.ground is not None
        if name in ("power", "joint_wrench", "joint_wrench_rate"):
            task = self.robot.path_task("ground_power" if name == "power" else "ground_wrench", **self._told, **options)
            rates = name == "joint_wrench_rate"
            return OfGround(self.robot, name, labels, unit, task, self._loads, self.ground, np.eye(len(labels)), rates)
        n = self.robot.nv
        found = self._reaction(name, labels, unit, np.arange(n), np.eye(n), name == "torque_rate")
        feel = {column for link in self.ground.ground.links for column in carrying_columns(self.robot.model, link)}
        others = [k for k in range(n) if k not in feel]  # joints that carry no support: as without a ground
        rows, columns = self.robot.path_task("torque").entries or (np.zeros(0, dtype=int),) * 2
        if len(rows):
            own = np.zeros((n, n), dtype=bool)
            own[rows, columns] = True
            found.depends[others, :n], found.depends[others, n:] = own[others], False
        return found

    def _reaction(
        self, name: str, labels: Sequence[str], unit: Any, which: np.ndarray, factors: np.ndarray, rates: bool = False
    ) -> OfGround:
        """Return sums of some entries of the reaction, or of their rates."""
        assert self.ground is not None
        places = reaction_entries(self.robot.model, self.ground.ground)
        whole = np.zeros((len(labels), places["force" if rates else "pressure"].stop))
        whole[:, which] = factors
        task = self.robot.path_task("ground_reaction", **self._told)
        return OfGround(self.robot, name, labels, unit, task, self._loads, self.ground, whole, rates)

    def reaction(self) -> OfGround:
        """Return all entries of the reaction, see `algorithms/contacts/ground_split.py`."""
        assert self.ground is not None
        size = reaction_entries(self.robot.model, self.ground.ground)["pressure"].stop
        labels = [str(k) for k in range(size)]
        return self._reaction("reaction", labels, "", np.arange(size), np.eye(size))

    @property
    def _told(self) -> dict[str, Any]:
        assert self.ground is not None
        return {"ground": self.ground.ground}

    def _support_force(self, name: str, link: str, rates: bool = False) -> Quantity:
        return self._reaction(name, [f"{link}.{axis}" for axis in AXES], "N/s" if rates else "N", *self._of_link(link), rates)

    def _support_friction(self, link: str) -> Quantity:
        """Return mu n cos(pi/4) less the tangential forces along the normals of a pyramid's four faces."""
        assert self.ground is not None
        which, _ = self._of_link(link)
        angles = (2.0 * np.arange(4) + 1.0) * np.pi / 4.0
        rows = np.stack([-np.cos(angles), -np.sin(angles), np.full(4, self.ground.friction * np.cos(np.pi / 4.0))], axis=1)
        return self._reaction("friction", [f"{link}.face_{k + 1}" for k in range(4)], "N", which, rows)

    def _support_pressure(self, link: str | None) -> Quantity:
        assert self.ground is not None
        places = reaction_entries(self.robot.model, self.ground.ground)
        if link is None:
            which = places["totals"].start + np.array([TOTALS.index("u"), TOTALS.index("v")])
        else:
            number = self._number(link)
            which = places["pressure"].start + OTHERS * number + np.array([6, 7])
        return self._reaction("pressure_point", ["x", "y"] if link is None else [f"{link}.x", f"{link}.y"], "m", which, np.eye(2))

    def _ground_force(self) -> Quantity:
        return self._of_totals("ground_force", AXES, "N", ("t1", "t2", "n"))

    def _ground_share(self) -> Quantity:
        return self._of_totals("ground_share", ("share", "beside"), ("", "m"), ("share", "beside"))

    def _of_totals(self, name: str, labels: Sequence[str], unit: Any, entries: Sequence[str]) -> Quantity:
        if self.ground is None:
            raise StateError(f"{name} is one of a split ground; give it first: problem.split_ground(...)")
        start = reaction_entries(self.robot.model, self.ground.ground)["totals"].start
        return self._reaction(name, labels, unit, start + np.array([TOTALS.index(x) for x in entries]), np.eye(len(labels)))

    def _of_link(self, link: str) -> tuple[np.ndarray, np.ndarray]:
        assert self.ground is not None
        start = reaction_entries(self.robot.model, self.ground.ground)["force"].start + 3 * self._number(link)
        return start + np.arange(3), np.eye(3)

    def _number(self, link: Any) -> int:
        assert self.ground is not None
        if link not in self.ground.ground.links:
            raise NameLookupError("support", str(link), self.ground.ground.links, " of the ground")
        return self.ground.ground.links.index(link)
