"""Motion prediction of mechanisms with loops: paths of coordinates, limits of drives, places of links, singular poses.

problem = lissom.closed.ClosedMotionProblem(lissom.robots.five_bar(), control_points=12, duration=(0.05, 2.0))
problem.start(q0).end(q1).limit("torque", -30, 30).limit("regularity", lower=0.1).minimize("time")
motion = problem.solve()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed import motion as closed_motion
from ..algorithms.kinematics.points_and_distances import point_position
from ..closed.coordinate_robot import CoordinateRobot
from ..closed.robot import ClosedRobot
from ..compiler.task import Task
from ..errors import StateError
from .problem.joints import joint_units
from .problem.problem import MotionProblem
from .quantities.by_name import Quantities
from .quantities.quantity import Compiled, Quantity, State


class ClosedCompiled(Compiled):
    """A quantity of a mechanism with loops; the closure is solved for all instants first."""

    def _arguments(self, state: State, rows: int | None = None) -> list[np.ndarray]:
        robot = self.robot
        assert isinstance(robot, CoordinateRobot)
        more = self._more if rows is None else [np.broadcast_to(x, (rows, x.shape[-1])) for x in self._more]
        return [*(state.rates[order] for order in self.orders), *more, places(robot.closed, state)]

    def _function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Any:
        function = super()._function(maker, shape, **options)

        def even_outside(arguments: list[np.ndarray]) -> np.ndarray:
            try:
                return function(arguments)  # type: ignore[no-any-return]
            except StateError:  # an instant where the loops do not close: not a number, which solvers step back from
                lead = np.broadcast_shapes(*(np.shape(a)[:-1] for a in arguments))
                return np.full((*lead, *shape), np.nan)

        return even_outside


def places(robot: ClosedRobot, state: State) -> np.ndarray:
    """Return the configurations of the tree at all instants of a state (K, nq of the tree); not a number out of reach."""
    kept = getattr(state, "_places", None)
    if kept is None:
        q = np.ascontiguousarray(state.rates[0])
        start = np.tile(robot.home_tree(), (len(q), 1))
        solved = robot._newton().from_home(q, robot.coordinates(start), start)
        kept = np.where(solved.good[:, None], solved.q, np.nan)
        object.__setattr__(state, "_places", kept)
    return kept


class ClosedQuantities(Quantities):
    """The quantities of a mechanism with loops: those of its drives, "link_position", "regularity", the coordinates' motion."""

    def __init__(self, robot: CoordinateRobot, external: Mapping[str, Any] | None = None) -> None:
        super().__init__(robot)
        self.closed = robot.closed
        self._loads, self._told = self.closed._loads(external, None)
        self._makers = {
            "torque": self._torque,
            "torque_rate": self._torque_rate,
            "power": self._power,
            "link_position": self._link_position,
            "regularity": self._regularity,
        }
        self._own: dict[str, Any] = {"closed": self.closed.model, "plan": self.closed.plan}

    def _torque(self) -> Quantity:
        return self._of_drives("torque", joint_units(self.robot, force=True), closed_motion.torque)

    def _torque_rate(self) -> Quantity:
        return self._of_drives("torque_rate", joint_units(self.robot, "/s", force=True), closed_motion.torque_rate)

    def _power(self) -> Quantity:
        return self._of_drives("power", "W", closed_motion.power)

    def _of_drives(self, name: str, units: Any, maker: Callable[..., Task]) -> Quantity:
        names = self.robot.joint_names
        return ClosedCompiled(self.robot, name, names, units, maker, self._loads, **self._own, **self._told)

    def _link_position(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Quantity:
        self.closed.model.link(link)  # a wrong name raises
        options: dict[str, Any] = {"of": point_position, "link": link, "point": tuple(float(x) for x in point)}
        labels = [f"{link}.{axis}" for axis in "xyz"]
        return _Place(self.robot, "link_position", labels, "m", closed_motion.place, **self._own, **options)

    def _regularity(self) -> Quantity:
        """Return the square of the closure's determinant over that at home: zero where the drives do not hold the mechanism."""
        home = self.closed.home_tree()
        plain = closed_motion.regularity(self.robot.model, **self._own)
        unit = float(plain.evaluate([self.closed.home()[None], home[None]])[0][0, 0])
        return ClosedCompiled(self.robot, "regularity", ["regularity"], "", closed_motion.regularity, **self._own, at_home=unit)


class _Place(ClosedCompiled):
    """A quantity of places; its maker has an option `of`, which differentiation has too."""

    def __init__(self, robot: Any, name: str, labels: Sequence[str], unit: Any, maker: Any, of: Any, **options: Any) -> None:
        def place(model: Any, **more: Any) -> Task:
            return maker(model, of=of, **more)  # type: ignore[no-any-return]

        place.__qualname__ = f"place_{of.__name__}"
        super().__init__(robot, name, labels, unit, place, **options)


class ClosedMotionProblem(MotionProblem):
    """A motion of a mechanism with loops that is to be found: `MotionProblem` over the coordinates of its active joints.

    Quantities are "position", "velocity", "acceleration", "jerk" of the coordinates, "torque", "torque_rate" and "power" of the
    drives, "link_position" of any link, and "regularity", one at home and zero at singular poses.

    Args:
        robot: a ClosedRobot with a drive for each coordinate.
        external, options: as for MotionProblem.
    """

    def __init__(self, robot: ClosedRobot, *, external: Mapping[str, Any] | None = None, **options: Any) -> None:
        if not isinstance(robot, ClosedRobot):
            raise StateError(f"this is for mechanisms with loops, got {type(robot).__name__}; lissom.MotionProblem is for trees")
        path = CoordinateRobot(robot)
        super().__init__(path, **options)
        self.external = external
        self.closed = robot
        self.quantities = ClosedQuantities(path, external)

    def _end(self, side: str, **told: Any) -> MotionProblem:
        super()._end(side, **told)
        if "position" in self.ends[side]:
            try:
                self.closed.closure(self.ends[side]["position"])
            except StateError as error:
                del self.ends[side]
                raise StateError(f"the {side} of the motion is out of reach: {error}") from error
        return self
