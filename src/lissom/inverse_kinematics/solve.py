"""Solver: damped least squares with joint limits, for many targets at once.

Minimizes 1/2 e'e over the configurations, e being the error in position [m] and orientation [rad], within the limits of joints
(`least_squares.py`). J'e is the exact gradient also for large rotations: a rotation vector e is its own image under the
derivative of the logarithm. Steps are taken on the manifold of configurations. A start that stalls is followed by random ones
within the limits, the same in every run. Further conditions, such as loops that have to close, are more entries of e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .. import least_squares
from ..errors import StateError
from ..least_squares import Descent, LeastSquares
from ..manifold import integrate_configuration
from ..model.limits import coordinate_limits
from ..model.model import Model
from ..model.names import velocity_names
from ..model.random import random_configurations
from .reach import beyond_reach
from .result import IKResult, IKStatus
from .target import Target

PUSH = 1e-9  # gradient at a limit from which the limit is active


class Solvable(Protocol):
    """Interface of a robot for the solver."""

    @property
    def model(self) -> Model:
        """See Robot."""

    def link_pose(self, q: np.ndarray, link: str) -> np.ndarray:
        """See Robot."""

    def jacobian(self, q: np.ndarray, link: str, *, point: np.ndarray) -> np.ndarray:
        """See Robot."""


class Conditions(Protocol):
    """Equations that a configuration has to satisfy beside the target."""

    def residual(self, q: np.ndarray) -> np.ndarray:
        """Return the residual of each (N, m) [m or rad] at configurations (N, nq)."""

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives of the residual along velocities (N, m, nv)."""


@dataclass(frozen=True)
class Settings:
    """Settings of a search, checked.

    Attributes:
        limits: whether joints keep their limits.
        tolerance: largest error that counts as reached [m and rad].
        max_iterations: per start.
        restarts: number of random starts after a first one that fails.
        seed: of the random starts.
    """

    limits: bool = True
    tolerance: float = 1e-8
    max_iterations: int = 200
    restarts: int = 30
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("max_iterations", 1), ("restarts", 0), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < least:
                raise StateError(f"{name} must be a whole number, {least} or more, got {value!r}")
        if not isinstance(self.tolerance, (int, float)) or not 0 < self.tolerance < np.inf:
            raise StateError(f"tolerance must be positive [m and rad], got {self.tolerance!r}")


@dataclass(frozen=True, eq=False)
class Bounds:
    """Allowed positions per velocity (nv), infinite without limits; `at` is the index of the position in q."""

    lower: np.ndarray
    upper: np.ndarray
    at: np.ndarray

    @classmethod
    def of(cls, model: Model, limits: bool) -> Bounds:
        """Collect the limits of the joints; those of coupled joints become limits of their leaders."""
        at = np.zeros(model.nv, dtype=int)
        for place in model.layout:
            at[place.v] = place.iq
        if not limits:
            return cls(np.full(model.nv, -np.inf), np.full(model.nv, np.inf), at)
        found = coordinate_limits(model)
        return cls(found.lower[at], found.upper[at], at)

    def clip(self, q: np.ndarray) -> np.ndarray:
        """Return q (..., nq) with every single-axis joint inside its limits."""
        limited = np.isfinite(self.lower) | np.isfinite(self.upper)
        q = q.copy()
        q[..., self.at[limited]] = np.clip(q[..., self.at[limited]], self.lower[limited], self.upper[limited])
        return q


def solve(
    robot: Solvable,
    target: Target,
    q0: np.ndarray,
    lead: tuple[int, ...],
    settings: Settings,
    conditions: Conditions | None = None,
) -> IKResult:
    """Return the configurations closest to `target`, broadcast to `lead`, starting from q0 (*lead, nq)."""
    model, bounds, tolerance = robot.model, Bounds.of(robot.model, settings.limits), settings.tolerance
    wanted = Wanted(robot, target.spread(lead), conditions)
    n = len(wanted.target.point)
    starts = bounds.clip(q0.reshape(n, model.nq))
    best = descend(wanted, starts, bounds, settings)
    rng, ranges = np.random.default_rng(settings.seed), coordinate_limits(model) if settings.limits else None
    for _ in range(settings.restarts):
        # one draw for all targets, so that a target is solved the same alone and in a batch
        start = random_configurations(model, rng, ranges)
        left = np.flatnonzero(~wanted.within(best.r, tolerance))
        if not len(left):
            break
        again = bounds.clip(np.where(_kept(model), starts[left], start))
        other = descend(wanted.take(left), again, bounds, settings)
        best.iterations[left] += other.iterations
        better = other.cost() < best.cost()[left]
        for name in ("x", "r", "stalled"):
            getattr(best, name)[left[better]] = getattr(other, name)[better]
    return _result(wanted, best, bounds, beyond_reach(model, wanted.target, settings.limits), lead, tolerance)


@dataclass(frozen=True, eq=False)
class Wanted:
    """The N targets of a robot, and conditions."""

    robot: Solvable
    target: Target
    conditions: Conditions | None

    def take(self, rows: np.ndarray) -> Wanted:
        """Return some of the targets."""
        return Wanted(self.robot, self.target.take(rows), self.conditions)

    def residual(self, q: np.ndarray) -> np.ndarray:
        """Return the errors (N, m), with opposite sign: of position and orientation, where these are wanted, and conditions."""
        found = -self.target.error(self.robot.link_pose(q, self.target.link))[:, self.target.equations]
        return found if self.conditions is None else np.concatenate([found, self.conditions.residual(q)], axis=1)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives of the residuals along velocities (N, m, nv)."""
        found = self.robot.jacobian(q, self.target.link, point=self.target.point)[:, self.target.equations]
        return found if self.conditions is None else np.concatenate([found, self.conditions.jacobian(q)], axis=1)

    def sizes(self, r: np.ndarray) -> list[np.ndarray]:
        """Return the lengths (N,) of the errors of position, of orientation and of the conditions; zero where none is wanted."""
        rows = np.arange(6)[self.target.equations]
        kinds = np.concatenate([rows // 3, np.full(r.shape[1] - len(rows), 2)])
        return [np.linalg.norm(r[:, kinds == kind], axis=1) for kind in range(3)]

    def within(self, r: np.ndarray, tolerance: float) -> np.ndarray:
        """Return whether each target is reached (N,)."""
        return np.all([size <= tolerance for size in self.sizes(r)], axis=0)


def descend(wanted: Wanted, start: np.ndarray, bounds: Bounds, settings: Settings) -> Descent:
    """Iterate from `start` (N, nq) until the targets are reached or no step improves the errors."""
    model = wanted.robot.model
    problem = LeastSquares(
        residual=lambda q, rows: wanted.take(rows).residual(q),
        jacobian=lambda q, rows: wanted.take(rows).jacobian(q),
        move=lambda q, step: bounds.clip(integrate_configuration(model, q, step)),
        room=lambda q: (bounds.lower - q[:, bounds.at], bounds.upper - q[:, bounds.at]),
        done=lambda r: wanted.within(r, settings.tolerance),
    )
    return least_squares.descend(problem, start, settings.max_iterations)


def _kept(model: Model) -> np.ndarray:
    """Return which coordinates (nq) a random start keeps from the first: free positions in space, without a range."""
    kept = np.zeros(model.nq, dtype=bool)
    for place in model.layout:
        kept[place.iq : place.iq + place.kind.traits.places] = True
    return kept


def _result(
    wanted: Wanted,
    best: Descent,
    bounds: Bounds,
    excess: np.ndarray,
    lead: tuple[int, ...],
    tolerance: float,
) -> IKResult:
    names = velocity_names(wanted.robot.model)
    reached = wanted.within(best.r, tolerance)
    slope = -np.einsum("nij,ni->nj", wanted.jacobian(best.x), best.r)
    own = best.x[:, bounds.at]
    held = ((own <= bounds.lower) & (slope < -PUSH)) | ((own >= bounds.upper) & (slope > PUSH))
    beyond = np.where(reached | (excess <= tolerance), 0.0, excess)
    statuses, limits = np.empty(len(reached), dtype=object), np.empty(len(reached), dtype=object)
    for i in range(len(reached)):
        limits[i] = () if reached[i] else tuple(name for name, at in zip(names, held[i], strict=True) if at)
        statuses[i] = (
            IKStatus.REACHED
            if reached[i]
            else IKStatus.OUT_OF_ITERATIONS
            if not best.stalled[i] and not beyond[i]
            else IKStatus.HELD_BY_LIMITS
            if limits[i] and not beyond[i]
            else IKStatus.UNREACHABLE
        )
    distance, angle, iterations, hit, outside = (
        x.reshape(lead)[()]  # a number for a single target
        for x in (
            *wanted.sizes(best.r)[:2],
            best.iterations,
            reached,
            beyond,
        )
    )
    q = best.x.reshape(*lead, wanted.robot.model.nq)
    return IKResult(q, distance, angle, iterations, hit, statuses.reshape(lead), limits.reshape(lead), outside)
