"""Loads over the strengths that are left, both ways of a joint, as a quantity of motion problems.

    y = a tau + b (r - w)        r = sqrt(tau^2 + w^2)        a, b = (1/p +- 1/n) / 2

Far from zero that is tau / p or tau / n. Symbols: tau moment [N m] | p, n strengths in the positive and the negative way [N m] |
w width of the rounded corner [N m].
"""

from __future__ import annotations

import numpy as np

from ..errors import StateError
from ..predict.problem.problem import MotionProblem
from ..predict.quantities.quantity import Quantity
from ..predict.quantities.state import State
from ..robots.human.robot import Human
from .cycle import rates_of
from .joints import JOINTS

WIDTH = 1.0  # [N m]


class Bent(Quantity):
    """line tau + bend (r - w) of some entries of a quantity tau; other entries are left out."""

    _joined_by = " of "

    def __init__(
        self, name: str, of: Quantity, entries: np.ndarray, line: np.ndarray, bend: np.ndarray, width: float = WIDTH
    ) -> None:
        self.name, self.unit, self.labels = name, "", tuple(of.labels[k] for k in entries)
        self.orders, self.depends = of.orders, of.depends[entries]
        self.path, self.channels = of.path, of.channels
        self.of, self.entries, self.line, self.bend, self.width = of, entries, line, bend, width

    def values(self, state: State) -> np.ndarray:
        """Return the entries."""
        tau = self.of.values(state)[:, self.entries]
        return np.asarray(self.line * tau + self.bend * (_root(tau, self.width) - self.width))

    def derivatives(self, state: State) -> np.ndarray:
        """Return those of tau, times the slopes."""
        tau = self.of.values(state)[:, self.entries]
        return np.asarray(self._slope(tau)[..., None] * self.of.derivatives(state)[:, :, self.entries])

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Return slopes times the curvature of tau, and what the rounded corners add."""
        tau, D = self.of.values(state), self.of.derivatives(state)[:, :, self.entries]
        every = np.zeros_like(tau)
        tau = tau[:, self.entries]
        every[:, self.entries] = weights * self._slope(tau)
        own = self.of.curvature(state, every)
        corner = weights * self.bend * self.width**2 / _root(tau, self.width) ** 3
        found = np.einsum("rkei,skej->krisj", corner[..., None] * D, D, optimize=True)
        return np.asarray(found if own is None else found + own)

    def _slope(self, tau: np.ndarray) -> np.ndarray:
        return np.asarray(self.line + self.bend * tau / _root(tau, self.width))


def load(problem: MotionProblem, person: Human, *, by_rates: bool = False) -> Quantity:
    """Return the moments of a person's joints over the strengths that are left, both ways: -1 to 1 can be held.

    Its squares are effort relative to the strength that is left; with `by_rates`, times the rate at which the joint tires over
    that of the elbow: motions of least squares then spare joints that are tired, or tire soon.

    Args:
        problem: of the person's motion; give its contacts before.
        person: whose `strengths` count, such as one with the `weakness` of a `Repeated`.
        by_rates: whether joints are weighted by their rates of fatigue.
    """
    can, tau = person.strengths, problem.quantities.get("torque")
    missing = [name for name in can if name not in tau.labels]
    if missing or not can:
        what = f"joint {missing[0]!r} of the person" if missing else "joints that muscles drive"
        raise StateError(f"the problem of {problem.robot.name!r} has no {what}; give that of this person's motion")
    positive, negative = (np.array([getattr(drive, way) for drive in can.values()]) for way in ("positive", "negative"))
    entries = np.array([tau.labels.index(name) for name in can])
    size = np.sqrt(rates_of(can).F[:, 0] / JOINTS["elbow"].F) if by_rates else 1.0
    line, bend = 0.5 * size * (1.0 / positive + 1.0 / negative), 0.5 * size * (1.0 / positive - 1.0 / negative)
    return Bent("tiring load" if by_rates else "load", tau, entries, line, bend)


def _root(tau: np.ndarray, width: float) -> np.ndarray:
    return np.asarray(np.sqrt(tau * tau + width * width))  # of complex numbers too
