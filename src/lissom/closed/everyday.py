"""ClosedEveryday: limits, steps and random configurations, payloads and locked joints of a closed robot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

import lissom

from ..arrays import InertiaTensor, Positions, Random, Times, Velocities
from ..errors import StateError
from ..locks import lazy_property
from ..manifold import configuration_difference, integrate_configuration
from ..model import Model
from ..model.joint import SINGLE_DOF
from ..model.limits import CoordinateLimits, coordinate_limits
from ..model.lock import locked
from ..model.random import random_configurations
from ..robot.check import common_lead
from ..robot.everyday import Everyday, as_generator, as_lead
from ..robot.kinematics import as_times, expect_finite, finite_array
from .names import ClosedNames

TRIES = 50  # rounds of drawing
PIECES = 8  # of the straight line from home: where it cannot be followed in these, other coordinates are drawn


class ClosedEveryday(Everyday, ClosedNames):
    """Helpers of closed robots, in the order of their coordinates."""

    @lazy_property
    def limits(self) -> CoordinateLimits:
        """Limits as arrays: `lower`, `upper` (nq,), `velocity` (nv,), `effort` in the order of tau; infinite where not given."""
        tree, places = coordinate_limits(self.model), self._coordinates.places
        speeds = tree.velocity[list(self.plan.coordinates)]
        return CoordinateLimits(
            self.coordinate_names, tree.lower[places], tree.upper[places], speeds, np.array(self._effort_limits)
        )

    def random_configuration(self, rng: Random = None, *, size: int | Sequence[int] | None = None) -> np.ndarray:
        """Return random coordinates at which the loops close on the branch of home, with all joints within their limits.

        Coordinates are drawn as by `Robot.random_configuration`, until the loops can be followed there on a straight line.

        Args:
            rng: a NumPy Generator, or a seed; None draws differently in every call.
            size: shape of the batch; None for a single configuration.

        Returns:
            (nq,), or (*size, nq).

        Raises:
            StateError: the loops close at hardly any of the random coordinates; set limits of the driven joints.
        """
        generator, lead = as_generator(rng), as_lead(size)
        wanted, found = math.prod(lead), np.empty((0, self.nq))
        limits = coordinate_limits(self.model)
        for _ in range(TRIES):
            if len(found) >= wanted:
                return found[:wanted].reshape(*lead, self.nq)
            drawn = random_configurations(self.model, generator, limits, (max(32, 2 * (wanted - len(found))),))
            q = self._coordinates.of(drawn)
            found = np.concatenate([found, q[self._closes(q, limits)]])
        raise StateError(
            f"the loops of {self.name!r} closed at {len(found)} of {wanted} random coordinates in {TRIES} rounds; "
            "set limits of the joints that the coordinates belong to"
        )

    def integrate(self, q: Positions, v: Velocities, dt: Times = 1.0) -> np.ndarray:
        """Return the coordinates (..., nq) after the constant velocity v (..., nv) for the time dt [s] from q.

        As `Robot.integrate`: quaternions of a floating base stay of length one. Whether the loops close there is not looked at.
        """
        tree, along = self._in_tree(q, "q"), self._along(v)
        times = as_times(dt)
        common_lead(q=tree.shape[:-1], v=along.shape[:-1], dt=times.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            return expect_finite(self._coordinates.of(integrate_configuration(self.model, tree, along, times)))

    def difference(self, start: Positions, end: Positions) -> np.ndarray:
        """Return the velocity (..., nv) that leads from coordinates `start` to `end` (..., nq) in one second.

        It is the inverse of `integrate`.
        """
        first, last = self._in_tree(start, "start"), self._in_tree(end, "end")
        common_lead(start=first.shape[:-1], end=last.shape[:-1])
        with np.errstate(over="ignore", invalid="ignore"):
            way = expect_finite(configuration_difference(self.model, first, last))
        return way[..., list(self.plan.coordinates)]

    def _in_tree(self, q: Any, name: str) -> np.ndarray:
        """Return coordinates in configurations of the tree, whose other joints stand as at home."""
        for share in self._coordinates.shares:
            if not share.whole:
                raise StateError(
                    f"joint {share.name!r} moves freely along some of its velocities only, and the loops decide the others: "
                    "its coordinates do not change by the free ones alone. Move the tree instead: "
                    "robot.tree.integrate(tree_q, robot.velocity_matrix(tree_q=tree_q) @ v)"
                )
        q = self._coordinates.unit(finite_array(q, name, self.nq, self.name))
        home = self.home_tree_q()  # type: ignore[attr-defined]
        return self._coordinates.put(np.broadcast_to(home, (*q.shape[:-1], len(home))), q)

    def _along(self, v: Any) -> np.ndarray:
        """Return velocities (..., nv) as those of the tree, where all other joints stand still."""
        v = finite_array(v, "v", self.nv, self.name)
        along = np.zeros((*v.shape[:-1], self.model.nv))
        along[..., list(self.plan.coordinates)] = v
        return along

    def with_payload(
        self, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0), inertia: InertiaTensor | None = None, link: str | None = None
    ) -> Self:
        """Return this robot with a body fixed to one of its links, as `Robot.with_payload`; by default, to its platform."""
        return super().with_payload(mass, com, inertia, getattr(self, "platform", None) if link is None else link)

    def locked(self, positions: Mapping[str, float]) -> lissom.ClosedRobot:
        """Return the robot with joints of one axis locked at positions [rad or m], given by name, as `Robot.locked`.

        Locked joints are no longer active. A posture that the robot was given is kept for all other joints. A ParallelRobot
        becomes a ClosedRobot, since the legs no longer allow its platform all the motions of the platform's own joints.
        """
        from .robot import ClosedRobot

        model = locked(self.model, positions)
        posture = _posture_of_others(self._choices["posture"], self.model, model)
        return ClosedRobot(model, backend=self._chosen_backend, posture=posture)

    def _closes(self, q: np.ndarray, limits: CoordinateLimits) -> np.ndarray:
        """Return for coordinates (N, nq) whether the loops close there (N,) with all joints of one axis within limits."""
        start = np.tile(self.home_tree_q(), (len(q), 1))  # type: ignore[attr-defined]
        home, newton = self._coordinates.of(start), self._newton()  # type: ignore[attr-defined]
        target, at, near = self._coordinates.facing(q, home), start.copy(), np.arange(len(q))
        for k in range(1, PIECES + 1):  # long steps first: they leave few that are out of reach
            solved = newton.solve(self._coordinates.between(home[near], target[near], k / PIECES), at[near])
            at[near] = solved.q
            near = near[solved.good]
        solved = newton.from_home(target[near], home[near], start[near])
        found, near = solved.q[solved.good], near[solved.good]
        single = np.array([joint.kind in SINGLE_DOF for joint in self.model.independent_joints for _ in range(joint.kind.nq)])
        inside = ((found >= limits.lower) & (found <= limits.upper))[:, single].all(axis=1)
        closed = self.constraints.error(found) <= max(1e-9 * self.constraints.length, self.constraints.tolerance)
        good = np.zeros(len(q), dtype=bool)
        good[near] = inside & closed
        return good


def _posture_of_others(posture: Any, before: Model, after: Model) -> Any:
    """Return a posture, {joint: coordinates} or all coordinates of the tree `before`, for the joints that `after` still has."""
    if posture is None:
        return None
    if not isinstance(posture, Mapping | tuple):
        q = np.asarray(posture, dtype=float)
        posture = {place.joint.name: q[place.q] for place in before.layout}
    left = {place.joint.name for place in after.layout}
    return {name: values for name, values in dict(posture).items() if name in left}
