"""Three-compartment controller model of fatigue: motor units are active, fatigued or resting (Xia and Frey Law 2008).

    M_A' = C - F M_A        M_F' = F M_A - R* M_F        M_R' = R* M_F - C          M_A + M_F + M_R = 1
M_A is the force over the maximum of the rested muscle. The controller C recruits resting units until M_A is the target load T,
as fast as L times what is missing, and at most L times what rests; beyond the target it lets them go:
    C = L min(T - M_A, M_R) where M_A < T,  otherwise L (T - M_A)
R* is R, or r R while the target is below M_A: recovery at rest is r times faster (Looft, Herkert and Frey-Law 2018).
While units rest, M_A follows T, and M_F grows to (F T / R) (1 - exp(-R t)): the load is held until M_F = 1 - T (`endurance`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..errors import StateError
from ..spatial.scalar import Scalar, less, select

STEP = 0.05  # [s] of the Runge-Kutta steps: half of 1 / L


class Course(NamedTuple):
    """Shares of active, fatigued and resting motor units at times, (times, ...)."""

    active: np.ndarray
    fatigued: np.ndarray
    resting: np.ndarray

    @property
    def capacity(self) -> np.ndarray:
        """Largest force that is left, over that of the rested muscle: 1 - M_F."""
        return 1.0 - self.fatigued


@dataclass(frozen=True)
class Compartments:
    """Parameters of a joint or a muscle.

    Attributes:
        F, R: rates of fatigue and of recovery [1/s].
        r: factor of recovery at rest.
        L: rate at which the controller recruits and lets go [1/s].
    """

    F: float
    R: float
    r: float = 1.0
    L: float = 10.0

    def __post_init__(self) -> None:
        for name in ("F", "R", "r", "L"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
                raise StateError(f"{name} of a fatigue model is {value!r}, expected a positive number")

    def rates(self, active: Scalar, fatigued: Scalar, target: Scalar) -> tuple[Scalar, Scalar]:
        """Return the rates of the active and of the fatigued share [1/s], over any scalar; the rest is resting.

        Args:
            active, fatigued: shares of the motor units.
            target: force that is asked for, over that of the rested muscle.
        """
        missing, resting = target - active, 1.0 - active - fatigued
        below = less(active, target)
        control = self.L * select(below * less(resting, missing), resting, missing)
        recovery = self.R * select(less(target, active), self.r, 1.0) * fatigued
        return control - self.F * active, self.F * active - recovery

    def course(self, times: Any, targets: Any, fatigued: Any = 0.0) -> Course:
        """Return what loads make of a muscle that begins without load.

        Args:
            times: increasing [s].
            targets: loads (times, ...) over the maximum of the rested muscle, 0 to 1, each from its time on until the next; the
                further axes are muscles, joints or people.
            fatigued: share that is fatigued at the beginning.
        """
        t, load = np.asarray(times, dtype=float), np.asarray(targets, dtype=float)
        if t.ndim != 1 or len(t) < 2 or not (np.diff(t) > 0).all():
            raise StateError("times must be two numbers at least, each larger than the one before")
        if load.shape[:1] != t.shape:
            raise StateError(f"targets have shape {load.shape}, expected one row for each of the {len(t)} times")
        if not ((load >= 0) & (load <= 1)).all():
            raise StateError(f"targets go from {np.min(load):g} to {np.max(load):g}, expected shares from 0 to 1")
        state = np.stack([np.zeros(load.shape[1:]), np.broadcast_to(np.asarray(fatigued, dtype=float), load.shape[1:])])
        found = [state]
        for k in range(len(t) - 1):
            span = t[k + 1] - t[k]
            n = math.ceil(span * self.L / (10.0 * STEP) - 1e-9)
            for _ in range(n):
                state = self._step(state, load[k], span / n)
            found.append(state)
        active, tired = np.moveaxis(np.array(found), 1, 0)
        return Course(active, tired, 1.0 - active - tired)

    def _step(self, x: np.ndarray, target: np.ndarray, h: float) -> np.ndarray:
        def rates(x: np.ndarray) -> np.ndarray:
            return np.stack(self.rates(x[0], x[1], target))

        a = rates(x)
        b = rates(x + 0.5 * h * a)
        c = rates(x + 0.5 * h * b)
        return x + h / 6.0 * (a + 2.0 * b + 2.0 * c + rates(x + h * c))

    def endurance(self, intensity: Any) -> np.ndarray:
        """Return how long a constant load is held by a rested muscle [s]: until no unit rests; infinity where recovery keeps
        pace.

        Args:
            intensity: load over the maximum, above 0 and up to 1.
        """
        x = _intensities(intensity)
        share = (1.0 - x) * self.R / (self.F * x)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(share < 1.0, -np.log1p(-share) / self.R, np.inf)


def _intensities(intensity: Any) -> np.ndarray:
    x = np.asarray(intensity, dtype=float)
    if not ((x > 0) & (x <= 1)).all():
        raise StateError(f"intensity is {intensity!r}, expected shares of the maximum above 0 and up to 1")
    return x
