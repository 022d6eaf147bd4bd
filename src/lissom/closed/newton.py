"""Newton: configurations of the tree for coordinates of the user, for a whole batch at once.

A step is one pass of machine code over the batch (`algorithms/closed_kinematics.newton_step`); steps are repeated until the last
one was so small that the next would change nothing. Where the first step would be long, the path to it is cut into pieces, so
that the branch of the start is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..algorithms.closed.assembled import FAR
from .coordinates import Coordinates

SMALL = 3e-8  # a step of this size, in lengths and radians, doubles its digits: the next would be below rounding

MOST = 12  # steps of one solve; five are enough where it converges
PIECES = (1, 4, 16, 64)
PER_UNIT, MOST_PIECES = 8, 1 << 14  # of a way of many turns: pieces for each radian or length, and how many at most


@dataclass(frozen=True, eq=False)
class Solved:
    """Configurations (N, nq), whether each closes the loops (N,), and how many steps the slowest took."""

    q: np.ndarray
    good: np.ndarray
    iterations: int


class Newton:
    """Newton's method for a closed robot.

    Args:
        step: of (target, q): returns the configuration after it and the step (N, nq + nv).
        nq: number of coordinates of the tree.
        units: natural sizes of its velocities.
        coordinates: what the targets are.
    """

    def __init__(
        self, step: Callable[[np.ndarray, np.ndarray], np.ndarray], nq: int, units: np.ndarray, coordinates: Coordinates
    ) -> None:
        self.step, self.nq, self.units, self.coordinates = step, nq, units, coordinates

    def solve(self, target: np.ndarray, start: np.ndarray) -> Solved:
        """Repeat steps from `start` (N, nq) toward coordinates `target` (N, n); far ones are not good."""
        q, iterations = start, 0
        target = self.coordinates.facing(target, self.coordinates.of(start))
        good = np.zeros(len(q), dtype=bool)
        wild = np.zeros(len(q), dtype=bool)
        for iterations in range(1, MOST + 1):
            found = self.step(target, q)
            size = np.abs(found[:, self.nq :] / self.units).max(axis=1)
            if iterations == 1:
                wild = ~(size < FAR)
            q, good = np.ascontiguousarray(found[:, : self.nq]), size < SMALL
            settled = good | wild | ~np.isfinite(size)
            if settled.all():
                break
        return Solved(q, good & ~wild, iterations)

    def from_home(self, target: np.ndarray, home: np.ndarray, start: np.ndarray) -> Solved:
        """Solve from `start` (N, nq), which closes the loops at coordinates `home` (N, n); long ways go in pieces."""
        q, good = start.copy(), np.zeros(len(start), dtype=bool)
        most = 0
        target = self.coordinates.facing(target, home)
        for pieces in (*PIECES, *self._more_pieces(self.coordinates.way(home, target))):
            left = np.flatnonzero(~good)
            at, alive = start[left], np.ones(len(left), dtype=bool)
            for k in range(1, pieces + 1):
                solved = self.solve(self.coordinates.between(home[left], target[left], k / pieces), at)
                at, alive = np.where((alive & solved.good)[:, None], solved.q, at), alive & solved.good
                most = max(most, solved.iterations)
                if not alive.any():
                    break
            q[left[alive]], good[left[alive]] = at[alive], True
            if good.all():
                break
        return Solved(q, good, most)

    def _more_pieces(self, way: float) -> tuple[int, ...]:
        """Return the number of pieces of the longest path, where the usual numbers are too few (many turns of a crank)."""
        wanted = PER_UNIT * way
        return (int(np.ceil(wanted)),) if PIECES[-1] < wanted <= MOST_PIECES else ()
