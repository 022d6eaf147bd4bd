"""Inverse kinematics: the coordinates that bring a model's markers nearest to measured ones, in all frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from ..doubts import doubt
from ..errors import StateError
from ..model.show import by_shape
from ..read.osim.laws import IDENTITY_LAW
from .filtering import DEGREE, natural_spline
from .fit import Problem, solve
from .model import OsimModel
from .motion import coordinates_of
from .table import Table
from .tasks import Tasks
from .trc import Markers

TOLERANCE = 1e-8  # of the last step [rad or m]; what is left is the part of it by which steps shrink
SPREAD = 8  # one frame of so many is solved first
WORSE = 10.0  # a frame whose cost is so much that of its neighbor is solved again from there


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of `inverse_kinematics`.

    Attributes:
        model: the model.
        times: (N,) [s].
        q: (N, nq) coordinates of `model.robot`.
        markers: names of the markers that were followed.
        distances: (N, M) of the model's markers from the measured ones [m]; NaN where not seen.
        solved: (N,) whether the steps have come to rest.
    """

    model: OsimModel
    times: np.ndarray
    q: np.ndarray
    markers: tuple[str, ...]
    distances: np.ndarray
    solved: np.ndarray
    __repr__ = by_shape

    @property
    def values(self) -> np.ndarray:
        """All coordinates (N, n) in the order of the model's file, those that follow or stand still too [rad or m]."""
        own = {joint.name: self.q[:, k] for k, joint in enumerate(self.model.robot.model.independent_joints)}
        found = []
        for name in self.model.coordinates:
            terms = self.model.sums.get(name) or (self.model.couplings.get(name, (name, IDENTITY_LAW)),)
            total = np.zeros(len(self.times))
            for leader, law in terms:
                x = own[leader] if leader in own else np.full(len(self.times), self.model.coordinates[leader].default)
                total = total + law.derivatives(x, 0)[0]
            found.append(total)
        return np.column_stack(found)

    @property
    def table(self) -> Table:
        """The coordinates as a table in degrees, as OpenSim writes them."""
        turns = [180 / np.pi if self.model.kinds[name] == "rotational" else 1.0 for name in self.model.coordinates]
        return Table(tuple(self.model.coordinates), self.times, self.values * turns, degrees=True, title="Coordinates")

    @property
    def rms(self) -> np.ndarray:
        """Root of the mean square distance of each frame (N,) [m]."""
        return np.sqrt(np.nanmean(self.distances**2, axis=1))


def inverse_kinematics(
    model: OsimModel, markers: Markers, tasks: Tasks | None = None, time: tuple[float, float] | None = None
) -> Fit:
    """Return the coordinates that bring the model's markers nearest to measured ones, in every frame by itself.

    Clamped coordinates stay in their ranges, locked ones at their defaults, coupled ones follow. The first frame begins at the
    defaults, all others at its result; a frame that ends worse than its neighbor is solved again from there.

    Args:
        model: the model.
        markers: measured places.
        tasks: weights of markers and coordinates; None gives those that model and measurement share the weight one.
        time: first and last time [s]; None takes all.

    Raises:
        StateError: unknown names, no frames in the time, or a frame without markers.
        FileError: a marker with a weight was not measured.
    """
    parts = {marker.name: marker for marker in model.parts.markers}
    if tasks is None:
        tasks = Tasks(markers=dict.fromkeys([name for name in parts if name in markers.names], 1.0))
    tasks.check(parts, model.coordinates)
    names = [name for name, weight in tasks.markers.items() if weight > 0]
    if not names:
        raise StateError(f"model and measurement share no marker; the model has {', '.join(map(repr, parts)) or 'none'}")
    measured = markers if time is None else markers.between(*time)
    if not len(measured):
        raise StateError(f"there are no frames in the time {time}; they go from {markers.times[0]:g} to {markers.times[-1]:g} s")
    seen = measured.of(names)
    visible = np.isfinite(seen).all(axis=2)
    if not visible.any(axis=1).all():
        raise StateError(f"no marker was seen at {measured.times[int(np.argmin(visible.any(axis=1)))]:g} s; leave that time out")
    weights = visible * np.array([tasks.markers[name] for name in names])
    problem = _problem(model, names, seen, weights / weights.sum(axis=1, keepdims=True), tasks, measured.times)
    start = np.array([model.coordinates[joint.name].default for joint in model.robot.model.independent_joints])
    q, rest = _solved(problem, start)
    squared = problem.step(q, np.ones(len(q)))[1]
    distances = np.where(visible, np.sqrt(squared), np.nan)
    return Fit(model, measured.times, q, tuple(names), distances, rest)


def _problem(
    model: OsimModel, names: list[str], seen: np.ndarray, weights: np.ndarray, tasks: Tasks, times: np.ndarray
) -> Problem:
    places = tuple(model.seats[name] for name in names)
    joints = model.robot.model.independent_joints
    pull, target = _pulls(model, tasks, times)
    lower, upper = (np.array([getattr(joint.limits, end) for joint in joints]) for end in ("lower", "upper"))
    flat = np.nan_to_num(seen).reshape(len(seen), -1)
    return Problem(model.robot, places, flat, weights, pull, target, lower, upper, model.fits)


def _pulls(model: OsimModel, tasks: Tasks, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (n,) of the robot's coordinates, and the values (n,) or (N, n) that they are pulled to."""
    joints = [joint.name for joint in model.robot.model.independent_joints]
    for name in (*tasks.coordinates, *tasks.tracked):
        if name in model.couplings or name in model.sums:
            leaders = ", ".join(repr(leader) for leader, _ in model.sums.get(name) or (model.couplings[name],))
            doubt(f"the weight of {name!r}, which follows {leaders}, counts for nothing: weigh that one")
    pull = np.array([tasks.tracked.get(name, tasks.coordinates.get(name, (0.0, None))[0]) for name in joints])
    given = [tasks.coordinates.get(name, (0.0, None))[1] for name in joints]
    target = np.array([model.coordinates[name].default if x is None else x for name, x in zip(joints, given, strict=True)])
    followed = [name for name in joints if name in tasks.tracked]
    if not followed:
        return pull, target
    assert tasks.motion is not None  # or there are no tasks
    table = coordinates_of(model, tasks.motion)
    if not (table.times[0] <= times[0] and times[-1] <= table.times[-1]):
        span = f"from {table.times[0]:g} to {table.times[-1]:g} s; the markers go from {times[0]:g} to {times[-1]:g} s"
        raise StateError(f"the coordinates to be tracked are given {span}")
    values = table.columns(followed)
    if len(table) > DEGREE:
        values = natural_spline(table.times, values)(times)
    else:
        values = np.column_stack([np.interp(times, table.times, column) for column in values.T])
    target = np.repeat(target[None], len(times), axis=0)
    target[:, [joints.index(name) for name in followed]] = values
    return pull, target


def _solved(problem: Problem, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates of all frames, and whether each has come to rest.

    The first frame begins at `start`. Some frames, spread evenly, begin at its result and tell where those between them begin.
    """
    n = len(problem.seen)
    first, rest = solve(problem.frames(np.array([0])), start[None], TOLERANCE)
    if n == 1:
        return first, rest
    knots = np.unique(np.append(np.arange(0, n, SPREAD), n - 1))
    part = problem.frames(knots)
    q, rest = _mended(part, *solve(part, np.repeat(first, len(knots), axis=0), TOLERANCE))
    between = (
        np.column_stack([np.interp(np.arange(n), knots, column) for column in q.T])
        if len(knots) < 4
        else (CubicSpline(knots, q, bc_type="natural")(np.arange(n)))
    )
    found, good = solve(problem, between, TOLERANCE)
    return _mended(problem, found, good)


def _mended(problem: Problem, q: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return results in which no frame is far worse than what its neighbor's coordinates lead to."""
    cost = problem.cost(q)
    for order in (range(1, len(q)), range(len(q) - 2, -1, -1)):
        side = -1 if order.step > 0 else 1
        before, own = (cost[:-1], cost[1:]) if side < 0 else (cost[1:], cost[:-1])
        if rest.all() and (own <= WORSE * before + 1e-16).all():
            continue
        for k in order:
            if cost[k] <= WORSE * cost[k + side] + 1e-16 and rest[k]:
                continue
            one = problem.frames(np.array([k]))
            again, good = solve(one, q[k + side][None], TOLERANCE)
            if (found := one.cost(again)[0]) < cost[k] or (good[0] and not rest[k]):
                q[k], cost[k], rest[k] = again[0], found, good[0]
    return q, rest
