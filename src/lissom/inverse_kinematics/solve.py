"""Solver: damped least squares with joint limits, for many targets at once.

Minimizes 1/2 e'e over the configurations, e being the error in position [m] and orientation [rad] (Levenberg 1944, Marquardt
1963; damping by Nielsen 1999). A step d solves (J'J + damping) d = J'e. J'e is the exact gradient also for large rotations: a
rotation vector e is its own image under the derivative of the logarithm. Joints at a limit that would be pushed through it are
left out, and those that the step takes to a limit stop there while the others are solved again. Steps are taken on the manifold
of configurations. A start that stalls is followed by random ones within the limits, the same in every run. Further conditions,
such as loops that have to close, are more entries of e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..errors import StateError
from ..manifold import integrate_configuration
from ..model.limits import coordinate_limits
from ..model.model import Model
from ..model.names import velocity_names
from ..model.random import random_configurations
from .reach import beyond_reach
from .result import IKResult, IKStatus
from .target import Target

FIRST_DAMPING = 1e-2
STALLED_STEP = 1e-11  # [rad or m]: with smaller steps the search has stalled
STALLED_GAIN = 1e-14  # share of the cost
STALLED_DAMPING = 1e12
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


@dataclass(eq=False)
class Search:
    """State of the searches for N targets after a start."""

    q: np.ndarray
    missing: np.ndarray
    iterations: np.ndarray
    stalled: np.ndarray

    def cost(self) -> np.ndarray:
        """Half the squared error (N,)."""
        return 0.5 * (self.missing**2).sum(axis=1)

    def within(self, tolerance: float) -> np.ndarray:
        """Return whether each target is reached (N,)."""
        parts = (self.missing[:, :3], self.missing[:, 3:6], self.missing[:, 6:])  # position, orientation, conditions
        return np.all([np.linalg.norm(part, axis=1) <= tolerance for part in parts], axis=0)


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
        left = np.flatnonzero(~best.within(tolerance))
        if not len(left):
            break
        again = bounds.clip(np.where(_kept(model), starts[left], start))
        other = descend(wanted.take(left), again, bounds, settings)
        best.iterations[left] += other.iterations
        better = other.cost() < best.cost()[left]
        for name in ("q", "missing", "stalled"):
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

    def missing(self, q: np.ndarray) -> np.ndarray:
        """Return the errors (N, 6 + m): position, orientation, conditions."""
        found = self.target.error(self.robot.link_pose(q, self.target.link))
        return found if self.conditions is None else np.concatenate([found, -self.conditions.residual(q)], axis=1)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives of the errors along velocities, with opposite sign, without unused rows."""
        found = self.robot.jacobian(q, self.target.link, point=self.target.point)[:, self.target.equations]
        return found if self.conditions is None else np.concatenate([found, self.conditions.jacobian(q)], axis=1)

    def counted(self, missing: np.ndarray) -> np.ndarray:
        """Return the entries of `missing` for the rows of `jacobian`."""
        if self.conditions is None:
            return missing[:, self.target.equations]
        return np.concatenate([missing[:, self.target.equations], missing[:, 6:]], axis=1)


def descend(wanted: Wanted, start: np.ndarray, bounds: Bounds, settings: Settings) -> Search:
    """Iterate from `start` (N, nq) until the targets are reached or no step improves the errors."""
    model, n = wanted.robot.model, len(start)
    now = Search(start.copy(), wanted.missing(start), np.zeros(n, dtype=int), np.zeros(n, dtype=bool))
    J = wanted.jacobian(now.q)
    damping, growth = np.full(n, FIRST_DAMPING), np.full(n, 2.0)
    for _ in range(settings.max_iterations):
        live = np.flatnonzero(~now.within(settings.tolerance) & ~now.stalled)
        if not len(live):
            break
        now.iterations[live] += 1
        slope = np.einsum("nij,ni->nj", J[live], wanted.counted(now.missing[live]))
        step = bounded_step(J[live], slope, damping[live], now.q[live], bounds)
        q = bounds.clip(integrate_configuration(model, now.q[live], step))
        missing = wanted.take(live).missing(q)
        # Nielsen's rule: compare the gain with that of the linear model
        old, new = now.cost()[live], 0.5 * (missing**2).sum(axis=1)
        promised = 0.5 * (step * (damping[live, None] * step + slope)).sum(axis=1)
        good = new < old
        quality = np.where(promised > 0, (old - new) / np.where(promised > 0, promised, 1.0), 0.0)
        damping[live] *= np.where(good, np.maximum(1 / 3, 1 - (2 * np.clip(quality, 0, 2) - 1) ** 3), growth[live])
        growth[live] = np.where(good, 2.0, 2 * growth[live])
        tiny = np.abs(step).max(axis=1, initial=0.0) < STALLED_STEP
        now.stalled[live] = tiny | (good & (old - new < STALLED_GAIN * old)) | (damping[live] > STALLED_DAMPING)
        moved = live[good]
        now.q[moved], now.missing[moved] = q[good], missing[good]
        if len(moved):
            J[moved] = wanted.take(moved).jacobian(now.q[moved])
    return now


def bounded_step(J: np.ndarray, slope: np.ndarray, damping: np.ndarray, q: np.ndarray, bounds: Bounds) -> np.ndarray:
    """Return the damped step (N, nv) that stays within the limits."""
    nv = J.shape[2]
    least, most = bounds.lower - q[:, bounds.at], bounds.upper - q[:, bounds.at]
    A = np.einsum("nij,nik->njk", J, J) + damping[:, None, None] * np.eye(nv)
    fixed = ((least >= 0) & (slope < 0)) | ((most <= 0) & (slope > 0))
    step = np.zeros_like(slope)
    for _ in range(nv + 1):
        # joints that stopped keep their part of the step; the others are solved again
        right = np.where(fixed, step, slope - np.einsum("njk,nk->nj", A, np.where(fixed, step, 0.0)))
        free = ~fixed
        system = np.where(free[:, :, None] & free[:, None, :], A, 0.0) + np.where(fixed, 1.0, 0.0)[:, :, None] * np.eye(nv)
        step = np.linalg.solve(system, right[..., None])[..., 0]
        beyond = free & ((step < least) | (step > most))
        step = np.clip(step, least, most)
        if not beyond.any():
            break
        fixed = fixed | beyond
    return step


def _kept(model: Model) -> np.ndarray:
    """Return which coordinates (nq) a random start keeps from the first: free positions in space, without a range."""
    kept = np.zeros(model.nq, dtype=bool)
    for place in model.layout:
        kept[place.iq : place.iq + place.kind.traits.places] = True
    return kept


def _result(
    wanted: Wanted,
    best: Search,
    bounds: Bounds,
    excess: np.ndarray,
    lead: tuple[int, ...],
    tolerance: float,
) -> IKResult:
    names = velocity_names(wanted.robot.model)
    reached = best.within(tolerance)
    slope = np.einsum("nij,ni->nj", wanted.jacobian(best.q), wanted.counted(best.missing))
    own = best.q[:, bounds.at]
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
            *(np.linalg.norm(best.missing[:, part], axis=1) for part in (slice(0, 3), slice(3, 6))),
            best.iterations,
            reached,
            beyond,
        )
    )
    q = best.q.reshape(*lead, wanted.robot.model.nq)
    return IKResult(q, distance, angle, iterations, hit, statuses.reshape(lead), limits.reshape(lead), outside)
