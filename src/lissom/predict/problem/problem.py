"""MotionProblem: the motion to find, given by ends, limits and goals with names and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Unpack

import numpy as np

import lissom

from ...arrays import ArrayLike, AtEnd, Curve, EntryValues, Instants
from ...errors import StateError
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ...wrench import Wrenches
from ..data.joints import path_names
from ..data.motion import bases
from ..data.phases import Phases
from ..quantities.box_clearances import BoxClearances
from ..quantities.by_name import Quantities
from ..quantities.clearances import Clearances
from ..quantities.quantity import Quantity
from .avoid import WithObstacles
from .check import (
    own_quantity,
    path_degree,
    path_points,
    refuse_order,
    refuse_size,
    scales,
    span_points,
    two_bounds,
    two_times,
)
from .check_goal import check_goal
from .check_limit import may_be_hull, named_bounds
from .contradiction import refuse_contradiction
from .describe import problem_line, problem_tables
from .ends import between_ends, end_equations, point_bounds, read_end
from .follow import followed, span_of
from .limit_times import during_of, when
from .parts import Equation, Integral, Limit, Parts
from .poses import WithPoses
from .repeat import WithRepetition
from .undriven import WithUndriven, undriven_columns
from .with_functions import WithFunctions
from .with_muscles import WithMuscles
from .with_phases import WithPhases

SHORTEST = 0.05  # [s]: with no bound at all, some objectives drive the duration to zero
USUAL = (SHORTEST, 10.0)  # [s], unless a duration or phases are given


class MotionProblem(WithPoses, WithPhases, WithRepetition, WithMuscles, WithObstacles, WithUndriven, WithFunctions):
    """A motion problem: the path is a B-spline whose control points and duration are unknown.

    Methods that add to the problem (`start`, `limit`, `minimize`, ...) change it and return it, so that they can be chained;
    `copy` makes another.

    Args:
        robot: a Robot or a ClosedRobot. With elastic drives, the unknown is the path of the joints, and the motors follow from
            it; of a closed robot, that of the active joints, one per degree of freedom. Floating, spherical and planar joints
            have one column per velocity: position, and rotation vector or angle.
        control_points: of every joint's spline, 1000 at most.
        degree: 3, or 5 where jerk or torque rates matter. With elastic drives 5 or more, then 7 by default.
        points_per_span: instants between two knots at which limits hold and integrals are taken; even. 4, or 8 if elastic.
        duration: [s], a number if it is known, otherwise (shortest, longest); with `phases`, their sum unless given.
        external: wrenches that act on links all the time, as in `inverse_dynamics`.
        name: for reports.
        undriven: names of joints without a drive; floating and planar joints to the base have none anyway,
        driven: unless they are named here.

    Example:
        >>> import lissom
        >>> problem = lissom.MotionProblem(lissom.robots.rr(), control_points=20, duration=(0.05, 2.0))
        >>> problem.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")
        <MotionProblem of 'barman_rr': 20 control points of 2 joints, 0.05 to 2 s, 1 limit, minimize time>
    """

    _search: ClassVar[Callable[..., lissom.Prediction]]  # solve of `search/solve.py`, which imports this file; `predict` sets it

    def __init__(
        self,
        robot: DrivenRobot,
        *,
        control_points: int = 20,
        degree: int | None = None,
        points_per_span: int | None = None,
        duration: float | tuple[float, float] = USUAL,
        external: Wrenches | None = None,
        name: str = "",
        undriven: Sequence[str] | str = (),
        driven: Sequence[str] | str = (),
    ) -> None:
        if not hasattr(robot, "path_task"):
            raise StateError(f"a motion problem needs a Robot, got {type(robot).__name__}; lissom.load(path) reads one")
        self.robot, self.name = robot, name or robot.name
        self.basis = Basis(path_points(control_points), path_degree(robot, degree))
        self.points_per_span = span_points(robot, points_per_span)
        refuse_size(self.basis, self.points_per_span, self.n)
        self.duration, self.timing = two_times(duration), Phases()
        self.duration_given = duration is not USUAL
        self.external = external
        self.quantities = Quantities(robot, external)
        self.undriven, self.balanced = undriven_columns(robot, undriven, driven), False
        self.parts = Parts()
        self.goals: list[str] = []
        self.ends: dict[str, dict[str, np.ndarray]] = {}
        self.settings: dict[str, Any] = {}
        self.notes: tuple[str, ...] = ()  # of its file, for reports
        self.lines: dict[str, tuple[object, int]] = {}  # of its file: name and line, by the names of contacts

    def __repr__(self) -> str:
        return problem_line(self)

    def _repr_html_(self) -> str:
        return problem_tables(self)

    def start(
        self, position: AtEnd, velocity: AtEnd = 0.0, acceleration: AtEnd = None, jerk: AtEnd = None, snap: AtEnd = None
    ) -> MotionProblem:
        """Set the start of the motion.

        Args:
            position: of the joints (nq,) [rad or m], or by joint names: {"base": [x, y, z, qx, qy, qz, qw], "knee": 0.3}.
            velocity: (nv,) [rad/s or m/s], of the joints as in qd, by names, a number for all, or None to leave it free.
            acceleration, jerk, snap: 0.0, or "free", which they are unless given. Of a robot with elastic drives that starts
                without velocity, acceleration and jerk are zero unless "free": motors behind springs rest only then. With
                snap=0.0, too, their torques start at the values that hold the robot still.
        """
        return self._end("start", position=position, velocity=velocity, acceleration=acceleration, jerk=jerk, snap=snap)

    def end(
        self, position: AtEnd, velocity: AtEnd = 0.0, acceleration: AtEnd = None, jerk: AtEnd = None, snap: AtEnd = None
    ) -> MotionProblem:
        """Set the end of the motion, as `start`. With position=None, `reach` or limits at=1.0 fix it."""
        return self._end("end", position=position, velocity=velocity, acceleration=acceleration, jerk=jerk, snap=snap)

    def limit(
        self,
        quantity: str | Quantity,
        *bounds: EntryValues | None,
        lower: EntryValues | None = None,
        upper: EntryValues | None = None,
        entries: Sequence[str] | str | None = None,
        at: Instants | None = None,
        scale: ArrayLike | None = None,
        hull: bool = False,
        during: Sequence[str] | str | None = None,
        **options: Any,
    ) -> MotionProblem:
        """Keep a quantity within bounds.

        Args:
            quantity: "position", "velocity", "acceleration", "jerk", "snap", "torque", "torque_rate", "power", "drawn_power",
                "joint_wrench" and its rate, "link_position", "link_rotation", "link_velocity", "link_acceleration",
                "speed_squared", "orientation", "tilt", "distance_squared", "center_of_mass" and its velocity, "momentum",
                "kinetic_energy"; of elastic drives "deflection", "motor_position", "motor_velocity"; of closed robots
                "regularity"; or a Quantity.
            bounds: lower and upper, both: limit("torque", -10, 10). One alone is ambiguous and raises an error.
            lower, upper: in the quantity's unit: a number for all entries, one per entry, or by name; None for no bound.
            entries: names of entries; None for all. Joints of joint quantities, "x", "y", "z" of points, and so on.
            at: fractions of the duration, or of the phases `during`, 0 for the start and 1 for the end; None for all the time.
                "knots", for equations: at as many instants as accelerations have free numbers, at the ends of spans.
            scale: magnitude of a notable change, in the same unit; None takes that of the bounds.
            hull: bound the control points of "position", "velocity", "acceleration", "jerk" or "snap", which are splines
                themselves, instead of instants: the limit then holds at all times, but is somewhat stricter.
            during: names of the phases in which it holds; None for all.
            options: of the quantity: joint=, components=, link=, point=, axes=, target=, ...
        """
        which = self.entries_of(found := self._quantity(quantity, options), entries)
        low, high = two_bounds(found, which, *named_bounds(found, bounds, lower, upper))
        size = scales(found, which, scale, low, high)
        hull, equal = may_be_hull(found, hull, at), bool((low == high).all())
        times = when(self.timing, self.quantities.channels, found, at, during, equal, hull)
        limit = Limit(found, which, low, high, size, hull=hull, **times)
        refuse_contradiction(limit, self.parts.limits, self.ends, self.timing)
        self.parts.limits.append(limit)
        return self

    def limit_by_model(self, *names: str, hull: bool = False) -> MotionProblem:
        """Keep the limits of the robot's model: "position", "velocity", "torque"; without names, all of them.

        `hull` is that of `limit`, for positions and velocities. Elastic drives have "motor_position", "motor_velocity" and
        "deflection" too; see `model_limits.py`.
        """
        from .model_limits import model_bounds, model_names

        for name in names or model_names(self.robot):
            which, low, high = model_bounds(self.robot, name, self.undriven)
            if names and not which:
                raise StateError(f"robot {self.robot.name!r} has no limits of {name}; give them: limit({name!r}, ...)")
            if which:
                self.limit(name, low, high, entries=which, hull=hull)
        return self

    def minimize(
        self,
        goal: str,
        weight: float = 1.0,
        quantity: str | Quantity | None = None,
        *,
        entries: Sequence[str] | str | None = None,
        square: bool = True,
        scale: ArrayLike | None = None,
        target: Curve | None = None,
        weights: Curve | None = None,
        during: Sequence[str] | str | None = None,
        **options: Any,
    ) -> MotionProblem:
        """Add a term to the objective.

        Args:
            goal: "time", the duration [s]; "integral" of a quantity's entries over time, squared or not; "peak", the largest
                |entry| / scale over all the time.
            weight: of the term.
            quantity, entries, options: as in `limit`.
            square: whether an integral is of squares.
            scale: of the entries, which are divided by it; None takes 1.
            target: what the entries follow, then entry - target counts: a number, one per entry, rows (m, entries) at equal
                fractions of the duration, or of the phases `during`, with straight lines between, or a function of the
                fraction, 0 to 1. "orientation" and "link_pose" have a target of their own, one for all the time.
            weights: of instants, zero or more: numbers (m,) or rows (m, entries) at equal fractions, or a function.
            during: names of the phases over which it is taken; None for all.
        """
        own = {"quantity": quantity, "entries": entries, "square": None if square else square, "scale": scale, **options}
        own |= {"target": target, "weights": weights, "during": during}
        check_goal(goal, weight, [name for name, value in own.items() if value is not None], self.quantities.names)
        if goal == "time":
            self.parts.time += float(weight)
            self.goals.append("time")
            return self
        assert quantity is not None
        if target is not None and isinstance(quantity, str) and self.quantities.takes(quantity, "target"):
            target, options = None, {**options, "target": target}
        which = self.entries_of(found := self._quantity(quantity, options), entries)
        phases = during_of(self.timing, self.quantities.channels, found, during)
        over = span_of(self.timing, phases)
        found = followed(found, which, target, weights, None if goal == "peak" else scale, square, over)
        self.goals.append(f"{goal} of {found.name}")
        if goal == "integral":
            factors = np.isin(np.arange(found.size), which).astype(float)
            self.parts.integrals.append(Integral(found, factors, float(weight), square, phases))
        else:
            size = scales(found, which, 1.0 if scale is None else scale, None, None)
            none = np.zeros(len(which))
            self.parts.limits.append(Limit(found, which, none, none, size, None, len(self.parts.peaks), during=phases))
            self.parts.peaks.append(float(weight))
        return self

    def copy(self) -> MotionProblem:
        """Return an independent copy of the problem; compiled code is shared."""
        other = copy(self)
        other.parts, other.goals, other.settings = self.parts.copy(), list(self.goals), dict(self.settings)
        other.ends = {side: dict(given) for side, given in self.ends.items()}
        return other

    def solve(self, **options: Unpack[lissom.predict.SolveOptions]) -> lissom.Prediction:
        """Find the motion; options of a problem file hold unless given here. See `lissom.predict.SolveOptions`.

        Raises:
            PredictionError: no motion was found that keeps the limits; with throw=False, the best one is returned.
        """
        return type(self)._search(self, **{**self.settings, **options})

    def bounds(self, basis: Basis) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds of the control points (m, n) of the path: those that the ends fix are equal."""
        return point_bounds(self.ends, basis, self.n)

    def equations(self, basis: Basis) -> list[Equation]:
        """Return the other conditions at the ends: derivatives that are not zero, or at a free position; and repetition."""
        names = path_names(self.robot)
        every = bases(basis, self.channels, self.timing)
        size = sum(b.count * n for b, n in zip(every, self.columns.sizes, strict=True))
        own = [e if e.ends is None else between_ends(basis, names, e.ends) for e in self.parts.equations if not self._several(e)]
        return (
            own + end_equations(self.ends, basis, names, size, self.timing) + self.sum_of_durations(size) + self.mirrored(every)
        )

    def _end(self, side: str, **values: AtEnd) -> MotionProblem:
        other = self.ends.get("end" if side == "start" else "start", {}).get("position")
        given = read_end(self.robot, side, self.basis.degree, values, other)
        if "position" in given:
            try:
                self.robot.expect_reach(given["position"])
            except StateError as error:
                raise StateError(f"the {side} of the motion is out of reach: {error}") from error
        for limit in self.parts.limits:
            refuse_contradiction(limit, (), {side: given}, self.timing)
        self.ends[side] = given
        return self

    def _quantity(self, quantity: str | Quantity, options: Mapping[str, Any]) -> Quantity:
        if isinstance(quantity, Quantity):
            made = isinstance(quantity, Clearances | BoxClearances) or self.quantities.has(quantity)  # lissom's own
            found = quantity if made and not options else own_quantity(quantity, self.robot, self.columns, options)
            return refuse_order(found, self.basis.degree)
        return refuse_order(self.quantities.get(quantity, **options), self.basis.degree)
