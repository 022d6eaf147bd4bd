"""Cycle: a motion and the rest after it, many times: what it makes of the motor units of a person's joints.

The muscles of the two ways of a joint tire apart: the load of each is the moment in its way over its rested strength. While units
rest, a muscle gives what is asked, and its fatigued share after a cycle is linear in that before it:

    M_A' = L (T - M_A) - F M_A        M_F' = F M_A - R* M_F        ->        M_F(end) = keep M_F(start) + add

That holds as long as T <= 1 - M_F: the load is within the strength that is left. Symbols as in `compartments.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..robots.human.robot import Human
from ..robots.human.strength import Drive, kind_of
from .compartments import STEP
from .joints import JOINTS

# joints without published parameters take those of their neighbors: chosen. Earlier reviews group hips with the trunk
REGIONS = {
    "toe": "ankle",
    "ankle": "ankle",
    "knee": "knee",
    "hip": "trunk",
    "spine": "trunk",
    "neck": "trunk",
    "clavicle": "shoulder",
    "shoulder": "shoulder",
    "elbow": "elbow",
    "wrist": "hand",
}
FINE = 10  # samples of a load in a step
ROUNDS = 2  # of the cycle, until the active units repeat themselves


class Rates(NamedTuple):
    """Parameters of joints, columns (n, 1), as of `Compartments`."""

    F: np.ndarray
    R: np.ndarray
    r: np.ndarray
    L: np.ndarray


def region_of(joint: str) -> str:
    """Return whose parameters of fatigue a joint of a person takes: "knee" for "left_knee_flexion", "trunk" for hips."""
    return REGIONS[kind_of(joint).split("_")[0]]


def rates_of(joints: Iterable[str]) -> Rates:
    """Return the parameters of joints of a person."""
    found = [JOINTS[region_of(joint)] for joint in joints]
    return Rates(*(np.array([[getattr(one, name)] for one in found]) for name in Rates._fields))


@dataclass(frozen=True, eq=False)
class Cycle:
    """A motion and a rest; arrays (n, 2) have a row per joint, and columns for its negative and its positive way.

    Attributes:
        joints: names.
        peaks: largest loads.
        motion: keep and add of the motion.
        rest: keep and add of the rest after it.
    """

    joints: tuple[str, ...]
    peaks: np.ndarray
    motion: tuple[np.ndarray, np.ndarray]
    rest: tuple[np.ndarray, np.ndarray]

    def tired(self, fatigued: np.ndarray) -> np.ndarray:
        """Return the fatigued shares after the motion, from those before it."""
        keep, add = self.motion
        return np.asarray(keep * fatigued + add)

    def rested(self, fatigued: np.ndarray) -> np.ndarray:
        """Return the fatigued shares after the rest, from those before it."""
        keep, add = self.rest
        return np.asarray(keep * fatigued + add)

    def beyond(self, fatigued: np.ndarray) -> np.ndarray:
        """Return by how much loads are more than the strength that is left (n, 2)."""
        return np.asarray(self.peaks - (1.0 - fatigued))


def loads_of(tau: np.ndarray, columns: Iterable[str], strengths: Mapping[str, Drive]) -> np.ndarray:
    """Return loads (K, n, 2) of the negative and the positive ways of joints, of torques (K, nv) [N m] in columns."""
    names = list(columns)
    found = []
    for name, can in strengths.items():
        moment = tau[:, names.index(name)]
        found.append(np.stack([np.maximum(-moment, 0.0) / can.negative, np.maximum(moment, 0.0) / can.positive], axis=-1))
    return np.stack(found, axis=1)


def cycle_of(motion: Any, strengths: Mapping[str, Drive], rest: float = 0.0) -> Cycle:
    """Return the cycle of a `Task` or a `Gait`; of one step of a walk, with its mirror image: a stride.

    Args:
        motion: that was predicted.
        strengths: of the rested person.
        rest: after it [s].
    """
    person: Human = motion.person
    duration = motion.prediction.duration
    count = math.ceil(duration / STEP)
    tau = motion.prediction.torques(np.linspace(0.0, duration, count * FINE + 1))
    parts = [tau]
    if getattr(motion, "steps", 0) == 1:
        parts.append(person.mirror(tau))
    loads = [loads_of(part, person.velocity_names, strengths) for part in parts]
    steps = np.concatenate([_means(load) for load in loads])
    return made(tuple(strengths), steps, duration / count, np.max([load.max(axis=0) for load in loads], axis=0), rest)


def made(joints: tuple[str, ...], steps: np.ndarray, h: float, peaks: np.ndarray, rest: float) -> Cycle:
    """Return the cycle of loads (steps, n, 2), each for h [s], and a rest [s]; active units are those of a cycle among many."""
    rates = rates_of(joints)
    active = np.zeros(steps.shape[1:])
    for _ in range(ROUNDS):
        keep, add = np.ones_like(active), np.zeros_like(active)
        for load in steps:
            active, add, keep = _step(np.stack([active, add, keep]), load, h, rates)
        ended = active
        active = ended * np.exp(-(rates.L + rates.F) * rest)
    return Cycle(joints, peaks, (keep, add), _rest(ended, rest, rates))


def _rest(active: np.ndarray, rest: float, rates: Rates) -> tuple[np.ndarray, np.ndarray]:
    """Return keep and add of a rest, in closed form: units that are active let go, and some of them tire yet."""
    down, up = rates.L + rates.F, rates.r * rates.R
    keep = np.exp(-up * rest)
    tail = rates.F * active * (keep - np.exp(-down * rest)) / (down - up)
    return np.broadcast_to(keep, active.shape), np.asarray(tail)


def _step(x: np.ndarray, load: np.ndarray, h: float, rates: Rates) -> np.ndarray:
    """Return active units, add and keep after h [s] of a load, by a Runge-Kutta step."""

    def slope(x: np.ndarray) -> np.ndarray:
        active, add, keep = x
        recovery = rates.R * np.where(load < active, rates.r, 1.0)
        return np.stack([rates.L * (load - active) - rates.F * active, rates.F * active - recovery * add, -recovery * keep])

    a = slope(x)
    b = slope(x + 0.5 * h * a)
    c = slope(x + 0.5 * h * b)
    return np.asarray(x + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(x + h * c)))


def _means(loads: np.ndarray) -> np.ndarray:
    """Return means over every step of loads that are sampled FINE times in each."""
    middle = 0.5 * (loads[1:] + loads[:-1])
    return np.asarray(middle.reshape(-1, FINE, *loads.shape[1:]).mean(axis=1))
