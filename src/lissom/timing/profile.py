"""s(t) with its rates, from speeds on a grid. One class for each form of the speeds."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from ..model.show import by_shape


class Progress(NamedTuple):
    """s and its first three derivatives by time, at any number of times."""

    s: np.ndarray
    sd: np.ndarray
    sdd: np.ndarray
    sddd: np.ndarray

    def __repr__(self) -> str:
        return by_shape(self)


class Profile(Protocol):
    """A motion along the path."""

    s: np.ndarray  # grid (N,)
    times: np.ndarray  # time at each point of it (N,) [s]

    def at(self, t: np.ndarray) -> Progress:
        """Return s and its rates at times within the motion."""

    def within(self, parts: int) -> tuple[np.ndarray, Progress]:
        """Return times and progress at `parts` + 1 points of every interval, ends included, (N - 1, parts + 1)."""


class ConstantAcceleration:
    """sddot is constant between points of the grid: x = sdot^2 is linear in s there."""

    def __init__(self, s: np.ndarray, x: np.ndarray) -> None:
        self.s, self.x = s, x
        self.speed = np.sqrt(x)
        steps = np.diff(s)
        self.u = np.diff(x) / (2.0 * steps)
        self.times = np.concatenate([[0.0], np.cumsum(2.0 * steps / (self.speed[1:] + self.speed[:-1]))])

    def at(self, t: np.ndarray) -> Progress:
        """Return s and its rates; at a point of the grid sddot is that of the interval which begins there."""
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.u) - 1)
        return self._at(k, t - self.times[k])

    def within(self, parts: int) -> tuple[np.ndarray, Progress]:
        """Return evenly spaced times in every interval."""
        k = np.arange(len(self.u))[:, None]
        after = np.diff(self.times)[:, None] * np.linspace(0.0, 1.0, parts + 1)
        return self.times[:-1, None] + after, self._at(k, after)

    def _at(self, k: np.ndarray, after: np.ndarray) -> Progress:
        u, v = self.u[k], self.speed[k]
        # rounding must neither leave the interval nor reverse the motion
        s = np.clip(self.s[k] + after * (v + 0.5 * u * after), self.s[k], self.s[k + 1])
        sd = np.maximum(v + u * after, 0.0)
        return Progress(s, sd, np.broadcast_to(u, s.shape).copy(), np.zeros_like(s))
