"""MotionProblem: which motion is sought, told in parts. From here on everything has names and units; no formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import StateError, suggest
from ..robot import Robot
from ..spline.basis import Basis
from .check import entry_numbers, joint_values, own_quantity, refuse_order, scales, shares, two_bounds, two_times
from .check_goal import check_goal, distance_of, end_pairs
from .contradiction import refuse_contradiction
from .parts import Equation, Integral, Limit, Parts
from .quantities import LINEAR, Quantities
from .quantity import Quantity

if TYPE_CHECKING:
    from .result import Prediction

SHORTEST = 0.05  # [s]: with no bound at all, some objectives drive the duration to zero


class MotionProblem:
    """A motion of a robot that is to be found: its path is a B-spline whose control points and duration are unknown.

    Args:
        robot: joints of one axis each.
        control_points: of every joint's spline.
        degree: 3, or 5 where jerk or torque rates matter.
        points_per_span: instants between two knots at which limits hold and integrals are taken; even.
        duration: [s], a number if it is known, otherwise the least and the most that it may be.
        external: wrenches that act on links all the time, as in `inverse_dynamics`.
        name: for reports.

    Example:
        >>> import lissom
        >>> problem = lissom.MotionProblem(lissom.robots.rr(), control_points=20, duration=(0.05, 2.0))
        >>> problem.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimise("time")
        <MotionProblem of 'barman_rr': 20 control points of 2 joints, 0.05 to 2 s, 1 limit, minimise time>
    """

    def __init__(
        self,
        robot: Robot,
        *,
        control_points: int = 20,
        degree: int = 3,
        points_per_span: int = 4,
        duration: float | tuple[float, float] = (SHORTEST, 10.0),
        external: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        if not isinstance(robot, Robot):
            raise StateError(f"a motion problem needs a Robot, got {type(robot).__name__}; lissom.load(path) reads one")
        self.robot, self.name = robot, name or robot.name
        self.basis = Basis(control_points, degree)
        if not isinstance(points_per_span, int) or points_per_span < 2 or points_per_span % 2:
            raise StateError(
                f"points_per_span is {points_per_span!r}, expected an even number from 2 on (4 serves most problems): with fewer "
                "instants than spans, limits are kept at the instants and broken between them"
            )
        self.points_per_span = points_per_span
        self.duration = two_times(duration)
        self.external = external
        self.quantities = Quantities(robot, external)
        self.parts = Parts()
        self.goals: list[str] = []
        self.ends: dict[str, dict[str, np.ndarray]] = {}
        self.settings: dict[str, Any] = {}

    def __repr__(self) -> str:
        low, high = self.duration
        time = f"{low:g} s" if low == high else f"{low:g} to {high:g} s"
        n = len(self.parts.limits)
        what = f"{n} limit" + ("" if n == 1 else "s") + (f", minimise {' + '.join(self.goals)}" if self.goals else "")
        return f"<MotionProblem of {self.name!r}: {self.basis.count} control points of {self.robot.nv} joints, {time}, {what}>"

    def start(self, position: Any, velocity: Any = 0.0, acceleration: Any = None) -> MotionProblem:
        """Say where the motion begins.

        Args:
            position: of the joints (nv,) [rad or m], or by joint names.
            velocity: (nv,) [rad/s or m/s], a number for all, or None to leave it free.
            acceleration: likewise; free unless given.
        """
        return self._end("start", position, velocity, acceleration)

    def end(self, position: Any, velocity: Any = 0.0, acceleration: Any = None) -> MotionProblem:
        """Say where the motion ends; as `start`. A position of None leaves it to limits "at" 1.0, such as a link's position."""
        return self._end("end", position, velocity, acceleration)

    def limit(
        self,
        quantity: str | Quantity,
        lower: Any = None,
        upper: Any = None,
        *,
        entries: Sequence[str] | str | None = None,
        at: Any = None,
        scale: Any = None,
        **options: Any,
    ) -> MotionProblem:
        """Keep a quantity within bounds.

        Args:
            quantity: "position", "velocity", "acceleration", "jerk", "torque", "torque_rate", "power", "drawn_power",
                "joint_wrench", "link_position", "link_rotation", "distance_squared", "center_of_mass", "kinetic_energy", or
                a Quantity.
            lower, upper: in the quantity's unit: a number for all entries, one for each, or by their names; None for no bound.
            entries: names of entries; None for all. Joints of joint quantities, "x", "y", "z" of points, and so on.
            at: shares of the duration, 0 for the start and 1 for the end; None for all the time.
            scale: size of a notable change, in the same unit; None takes the bounds' own size.
            options: what the quantity needs: joint=, components=, link=, point=, center=.
        """
        found = self._quantity(quantity, options)
        which = entry_numbers(found, entries)
        low, high = two_bounds(found, which, lower, upper)
        size = scales(found, which, scale, low, high)
        limit = Limit(found, which, low, high, size, shares(at))
        refuse_contradiction(limit, self.parts.limits, self.ends)
        self.parts.limits.append(limit)
        return self

    def limit_by_model(self, *names: str) -> MotionProblem:
        """Keep to the limits that the robot's own description gives: "position", "velocity", "torque"; all three for none."""
        from .model_limits import model_bounds

        for name in names or ("position", "velocity", "torque"):
            which, low, high = model_bounds(self.robot, name)
            if names and not which:
                raise StateError(f"robot {self.robot.name!r} gives no limits of {name}; give them: limit({name!r}, ...)")
            if which:
                self.limit(name, low, high, entries=which)
        return self

    def avoid(
        self,
        link: str,
        center: Sequence[float],
        distance: float,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        other: str | None = None,
    ) -> MotionProblem:
        """Keep a point of a link away from a point of the world, or of another link: spheres whose radii sum up to `distance`.

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
        """Ask for the same position, velocity or acceleration at the end as at the start, for motions that repeat.

        Args:
            names: "position", "velocity", "acceleration"; all three for none.
            pairs: (joint at the start, joint at the end, sign), for motions that repeat mirrored; None pairs each with itself.
        """
        every = [(joint, joint, 1.0) for joint in self.robot.joint_names] if pairs is None else end_pairs(pairs)
        for name in names or LINEAR[:3]:
            order = LINEAR.index(name) if name in LINEAR[:3] else -1
            if order < 0:
                raise StateError(f"no {name!r} at both ends; {suggest(str(name), LINEAR[:3])}")
            for one, two, sign in every:
                ends = (order, self._joint(one), self._joint(two), float(sign))
                self.parts.equations.append(self._between_ends(self.basis, ends))
        return self

    def minimise(
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
        """Add a term to what is minimised.

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
        found = self._quantity(quantity, options)
        which = entry_numbers(found, entries)
        self.goals.append(f"{goal} of {found.name}")
        if goal == "integral":
            factors = np.zeros(found.size)
            factors[which] = 1.0
            self.parts.integrals.append(Integral(found, factors, float(weight), square))
        else:
            size = scales(found, which, 1.0 if scale is None else scale, None, None)
            none = np.zeros(len(which))
            self.parts.limits.append(Limit(found, which, none, none, size, None, len(self.parts.peaks)))
            self.parts.peaks.append(float(weight))
        return self

    def solve(self, **options: Any) -> Prediction:
        """Find the motion; see `lissom.predict.solve.solve` for the options. Those of a problem's file hold unless given here."""
        from .solve import solve

        return solve(self, **{**self.settings, **options})

    def bounds(self, basis: Basis) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds of the control points (m, n): those that the ends fix are equal."""
        shape = (basis.count, self.robot.nv)
        lower, upper = np.full(shape, -np.inf), np.full(shape, np.inf)
        taken = 0
        for side, given in self.ends.items():
            if "position" not in given:
                continue
            rest = 1
            if _at_rest(given):
                rest = 3 if "acceleration" in given and not given["acceleration"].any() else 2
            taken += rest
            if taken > basis.count:
                raise StateError(f"{basis.count} control points are too few for what both ends ask for, expected {taken} or more")
            rows = slice(0, rest) if side == "start" else slice(basis.count - rest, None)
            lower[rows] = upper[rows] = given["position"]
        return lower, upper

    def equations(self, basis: Basis) -> list[Equation]:
        """Return what else the ends ask for: derivatives that are not zero, or at a free position; and what repeats."""
        found = [e if e.ends is None else self._between_ends(basis, e.ends) for e in self.parts.equations]
        size = basis.count * self.robot.nv
        for side, given in self.ends.items():
            s = np.array([0.0 if side == "start" else 1.0])
            for order, name in ((1, "velocity"), (2, "acceleration")):
                if name not in given or ("position" in given and _at_rest(given) and not given[name].any()):
                    continue  # nothing is asked, or equal control points have it
                row = basis.matrix(s, order).tocoo()
                for joint, value in enumerate(given[name]):
                    # B' P = v T, and B'' P = 0
                    columns = np.append(row.col * self.robot.nv + joint, size)
                    label = f"{name} of {self.robot.joint_names[joint]} at the {side}"
                    found.append(Equation(columns, np.append(row.data, -value if order == 1 else 0.0), 0.0, 0.0, label))
        return found

    def _end(self, side: str, position: Any, velocity: Any, acceleration: Any) -> MotionProblem:
        given: dict[str, np.ndarray] = {}
        for name, value in (("position", position), ("velocity", velocity), ("acceleration", acceleration)):
            if value is not None:
                given[name] = joint_values(self.robot, value, f"{side}'s {name}", angles=name == "position")
        if "acceleration" in given and given["acceleration"].any():
            raise StateError(f"the {side}'s acceleration must be zero or free; limit 'acceleration' at= instead")
        for limit in self.parts.limits:
            refuse_contradiction(limit, (), {side: given})
        self.ends[side] = given
        return self

    def _quantity(self, quantity: str | Quantity, options: Mapping[str, Any]) -> Quantity:
        if isinstance(quantity, Quantity):
            return refuse_order(own_quantity(quantity, self.robot.nv, options), self.basis.degree)
        return refuse_order(self.quantities.get(quantity, **options), self.basis.degree)

    def _joint(self, name: str) -> int:
        if name not in self.robot.joint_names:
            raise StateError(f"no joint {name!r} with coordinates of its own; {suggest(str(name), self.robot.joint_names)}")
        return self.robot.joint_names.index(name)

    def _between_ends(self, basis: Basis, ends: tuple[int, int, int, float]) -> Equation:
        order, one, two, sign = ends
        start, end = (basis.matrix(np.array([s]), order).tocoo() for s in (0.0, 1.0))
        columns = np.concatenate([start.col * self.robot.nv + one, end.col * self.robot.nv + two])
        names = self.robot.joint_names
        label = f"{LINEAR[order]} of {names[one]} at the start and of {names[two]} at the end"
        return Equation(columns, np.concatenate([sign * start.data, -end.data]), 0.0, 0.0, label, ends)


def _at_rest(given: Mapping[str, np.ndarray]) -> bool:
    return "velocity" in given and not given["velocity"].any()
