"""MotionProblem: the motion to find, given by ends, limits and goals with names and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import StateError, suggest
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ..quantities.by_name import LINEAR, Quantities
from ..quantities.quantity import Quantity
from .check import (
    entry_numbers,
    own_quantity,
    path_degree,
    path_points,
    refuse_order,
    refuse_size,
    scales,
    shares,
    span_points,
    two_bounds,
    two_times,
)
from .check_goal import check_goal, distance_of, end_pairs
from .check_limit import may_be_hull, named_bounds
from .contradiction import refuse_contradiction
from .ends import between_ends, end_equations, point_bounds, read_end, repeating
from .joints import path_names
from .parts import Equation, Integral, Limit, Parts

if TYPE_CHECKING:
    from ..result.prediction import Prediction

SHORTEST = 0.05  # [s]: with no bound at all, some objectives drive the duration to zero


class MotionProblem:
    """A motion problem: the path is a B-spline whose control points and duration are unknown.

    Methods that add to the problem (`start`, `limit`, `minimize`, ...) change it and return it, so that they can be chained;
    `copy` makes another.

    Args:
        robot: a Robot or a ClosedRobot, joints of one axis each. With elastic drives, the unknown is the path of the joints, and
            the motors follow from it; of a closed robot, that of the active joints, one per degree of freedom.
        control_points: of every joint's spline, 1000 at most.
        degree: 3, or 5 where jerk or torque rates matter. With elastic drives 5 or more, then 7 by default.
        points_per_span: instants between two knots at which limits hold and integrals are taken; even. 4, or 8 if elastic.
        duration: [s], a number if it is known, otherwise (shortest, longest).
        external: wrenches that act on links all the time, as in `inverse_dynamics`.
        name: for reports.

    Example:
        >>> import lissom
        >>> problem = lissom.MotionProblem(lissom.robots.rr(), control_points=20, duration=(0.05, 2.0))
        >>> problem.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")
        <MotionProblem of 'barman_rr': 20 control points of 2 joints, 0.05 to 2 s, 1 limit, minimize time>
    """

    def __init__(
        self,
        robot: DrivenRobot,
        *,
        control_points: int = 20,
        degree: int | None = None,
        points_per_span: int | None = None,
        duration: float | tuple[float, float] = (SHORTEST, 10.0),
        external: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        if not hasattr(robot, "path_task"):
            raise StateError(f"a motion problem needs a Robot, got {type(robot).__name__}; lissom.load(path) reads one")
        self.robot, self.name = robot, name or robot.name
        self.basis = Basis(path_points(control_points), path_degree(robot, degree))
        self.points_per_span = span_points(robot, points_per_span)
        refuse_size(self.basis, self.points_per_span, self.n)
        self.duration = two_times(duration)
        self.external = external
        self.quantities = Quantities(robot, external)
        self.parts = Parts()
        self.goals: list[str] = []
        self.ends: dict[str, dict[str, np.ndarray]] = {}
        self.settings: dict[str, Any] = {}

    @property
    def n(self) -> int:
        """Number of joints whose path is unknown."""
        return len(path_names(self.robot))

    def __repr__(self) -> str:
        low, high = self.duration
        time = f"{low:g} s" if low == high else f"{low:g} to {high:g} s"
        n = len(self.parts.limits)
        what = f"{n} limit" + ("" if n == 1 else "s") + (f", minimize {' + '.join(self.goals)}" if self.goals else "")
        return f"<MotionProblem of {self.name!r}: {self.basis.count} control points of {self.n} joints, {time}, {what}>"

    def start(
        self, position: Any, velocity: Any = 0.0, acceleration: Any = None, jerk: Any = None, snap: Any = None
    ) -> MotionProblem:
        """Set the start of the motion.

        Args:
            position: of the joints (n,) [rad or m], or by joint names.
            velocity: (n,) [rad/s or m/s], a number for all, or None to leave it free.
            acceleration, jerk, snap: 0.0, or "free", which they are unless given. Of a robot with elastic drives that starts
                without velocity, acceleration and jerk are zero unless "free": motors behind springs rest only then. With
                snap=0.0, too, their torques start at the values that hold the robot still.
        """
        return self._end("start", position=position, velocity=velocity, acceleration=acceleration, jerk=jerk, snap=snap)

    def end(
        self, position: Any, velocity: Any = 0.0, acceleration: Any = None, jerk: Any = None, snap: Any = None
    ) -> MotionProblem:
        """Set the end of the motion, as `start`. With position=None, limits at=1.0 (of a link's position, ...) fix it."""
        return self._end("end", position=position, velocity=velocity, acceleration=acceleration, jerk=jerk, snap=snap)

    def limit(
        self,
        quantity: str | Quantity,
        *bounds: Any,
        lower: Any = None,
        upper: Any = None,
        entries: Sequence[str] | str | None = None,
        at: Any = None,
        scale: Any = None,
        hull: bool = False,
        **options: Any,
    ) -> MotionProblem:
        """Keep a quantity within bounds.

        Args:
            quantity: "position", "velocity", "acceleration", "jerk", "snap", "torque", "torque_rate", "power", "drawn_power",
                "joint_wrench", "link_position", "link_rotation", "distance_squared", "center_of_mass", "kinetic_energy"; of
                elastic drives "deflection", "motor_position", "motor_velocity"; of closed robots "regularity", one at home and
                zero at singular poses; or a Quantity.
            bounds: lower and upper, both: limit("torque", -10, 10). One alone is ambiguous and raises an error.
            lower, upper: in the quantity's unit: a number for all entries, one per entry, or by name; None for no bound.
            entries: names of entries; None for all. Joints of joint quantities, "x", "y", "z" of points, and so on.
            at: fractions of the duration, 0 for the start and 1 for the end; None for all the time.
            scale: magnitude of a notable change, in the same unit; None takes that of the bounds.
            hull: bound the control points of "position", "velocity", "acceleration", "jerk" or "snap", which are splines
                themselves, instead of instants: the limit then holds at all times, but is somewhat stricter.
            options: of the quantity: joint=, components=, link=, point=, center=.
        """
        which = entry_numbers(found := self._quantity(quantity, options), entries)
        low, high = two_bounds(found, which, *named_bounds(found, bounds, lower, upper))
        size = scales(found, which, scale, low, high)
        limit = Limit(found, which, low, high, size, shares(at), hull=may_be_hull(found, hull, at))
        refuse_contradiction(limit, self.parts.limits, self.ends)
        self.parts.limits.append(limit)
        return self

    def limit_by_model(self, *names: str, hull: bool = False) -> MotionProblem:
        """Keep the limits of the robot's model: "position", "velocity", "torque"; without names, all of them.

        `hull` is that of `limit`, for positions and velocities. Elastic drives have "motor_position", "motor_velocity" and
        "deflection" too; see `model_limits.py`.
        """
        from .model_limits import model_bounds, model_names

        for name in names or model_names(self.robot):
            which, low, high = model_bounds(self.robot, name)
            if names and not which:
                raise StateError(f"robot {self.robot.name!r} has no limits of {name}; give them: limit({name!r}, ...)")
            if which:
                self.limit(name, low, high, entries=which, hull=hull)
        return self

    def avoid(
        self,
        link: str,
        center: Sequence[float],
        distance: float,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        other: str | None = None,
    ) -> MotionProblem:
        """Keep a point of a link at a distance from a point of the world or of another link (spheres).

        Args:
            link, point: name, and the point in the link's frame [m].
            center: in the world's frame, or in that of `other` [m].
            distance: between the points, at least [m].
            other: name of the other link.
        """
        options: dict[str, Any] = {"link": link, "point": point, "center": center, "other": other}
        square = distance_of(distance) ** 2
        return self.limit("distance_squared", square, None, scale=square, **options)

    def same_at_both_ends(self, *names: str, pairs: Sequence[tuple[str, str, float]] | None = None) -> MotionProblem:
        """Make position, velocity or acceleration at the end equal to that at the start, for repeating motions.

        Args:
            names: "position", "velocity", "acceleration"; of a robot with elastic drives "jerk" and "snap" too; all for none.
            pairs: (joint at the start, joint at the end, sign), for motions that repeat mirrored; None pairs each with itself.
        """
        joints, known = path_names(self.robot), repeating(self.robot)
        every = [(joint, joint, 1.0) for joint in joints] if pairs is None else end_pairs(pairs)
        for name in names or known:
            if name not in known:
                raise StateError(f"no {name!r} at both ends; {suggest(str(name), known)}")
            for one, two, sign in every:
                ends = (LINEAR.index(name), self._joint(one), self._joint(two), float(sign))
                self.parts.equations.append(between_ends(self.basis, joints, ends))
        return self

    def minimize(
        self,
        goal: str,
        weight: float = 1.0,
        quantity: str | Quantity | None = None,
        *,
        entries: Sequence[str] | str | None = None,
        square: bool = True,
        scale: Any = None,
        **options: Any,
    ) -> MotionProblem:
        """Add a term to the objective.

        Args:
            goal: "time", the duration [s]; "integral" of a quantity's entries over time, squared or not; "peak", the largest
                |entry| / scale over all the time.
            weight: of the term.
            quantity, entries, options: as in `limit`.
            square: whether an integral is of squares.
            scale: of a peak's entries; None takes 1.
        """
        own = {"quantity": quantity, "entries": entries, "square": None if square else square, "scale": scale, **options}
        check_goal(goal, weight, [name for name, value in own.items() if value is not None], self.quantities.names)
        if goal == "time":
            self.parts.time += float(weight)
            self.goals.append("time")
            return self
        assert quantity is not None
        which = entry_numbers(found := self._quantity(quantity, options), entries)
        self.goals.append(f"{goal} of {found.name}")
        if goal == "integral":
            factors = np.isin(np.arange(found.size), which).astype(float)
            self.parts.integrals.append(Integral(found, factors, float(weight), square))
        else:
            size = scales(found, which, 1.0 if scale is None else scale, None, None)
            none = np.zeros(len(which))
            self.parts.limits.append(Limit(found, which, none, none, size, None, len(self.parts.peaks)))
            self.parts.peaks.append(float(weight))
        return self

    def copy(self) -> MotionProblem:
        """Return an independent copy of the problem; compiled code is shared."""
        other = copy(self)
        other.parts, other.goals, other.settings = self.parts.copy(), list(self.goals), dict(self.settings)
        other.ends = {side: dict(given) for side, given in self.ends.items()}
        return other

    def solve(self, **options: Any) -> Prediction:
        """Find the motion; `predict/search/solve.py` lists the options. Those of a problem file hold unless given here.

        Raises:
            PredictionError: no motion was found that keeps the limits; with throw=False, the best one is returned.
        """
        from ..search.solve import solve

        return solve(self, **{**self.settings, **options})

    def bounds(self, basis: Basis) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds of the control points (m, n): those that the ends fix are equal."""
        return point_bounds(self.ends, basis, self.n)

    def equations(self, basis: Basis) -> list[Equation]:
        """Return the other conditions at the ends: derivatives that are not zero, or at a free position; and repetition."""
        names = path_names(self.robot)
        own = [e if e.ends is None else between_ends(basis, names, e.ends) for e in self.parts.equations]
        return own + end_equations(self.ends, basis, names)

    def _end(self, side: str, **told: Any) -> MotionProblem:
        given = read_end(self.robot, side, self.basis.degree, told)
        if "position" in given:
            try:
                self.robot.expect_reach(given["position"])
            except StateError as error:
                raise StateError(f"the {side} of the motion is out of reach: {error}") from error
        for limit in self.parts.limits:
            refuse_contradiction(limit, (), {side: given})
        self.ends[side] = given
        return self

    def _quantity(self, quantity: str | Quantity, options: Mapping[str, Any]) -> Quantity:
        if isinstance(quantity, Quantity):
            return refuse_order(own_quantity(quantity, self.robot, options), self.basis.degree)
        return refuse_order(self.quantities.get(quantity, **options), self.basis.degree)

    def _joint(self, name: str) -> int:
        names = path_names(self.robot)
        if name not in names:
            raise StateError(f"no joint {name!r} with its own coordinates; {suggest(str(name), names)}")
        return names.index(name)
