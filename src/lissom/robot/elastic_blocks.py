"""The parts of the equations of motion of links and motors, by name, and their derivatives."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..algorithms.elastic import blocks as tasks
from ..arrays import Positions, Velocities
from ..model.show import by_shape
from .tables import Tables


@dataclass(frozen=True, eq=False)
class ElasticBlocks:
    """The parts of eq. (30) of Hua 2024, without friction, n the velocities of joints and e those of elastic drives:

        M qdd + S theta'' + C qd + C1 theta' + G = tau_q,      tau_q: K (theta - q - rest) at elastic joints, motors elsewhere
        S' qdd + B theta'' + C2 qd + elastic = tau_m

    Attributes:
        M, S, B: inertia of links, coupling, inertia of motors (..., n, n), (..., n, e), (..., e, e).
        C, C1, C2: Coriolis matrices (..., n, n), (..., n, e), (..., e, n) of the velocities of joints; M' - 2 C is skew.
        G: gravity, and springs of joints parallel to the drives, without their damping (..., n) [N m or N].
        elastic: torques of the drives' springs, damping too (..., e) [N m or N].
    """

    M: np.ndarray
    S: np.ndarray
    B: np.ndarray
    C: np.ndarray
    C1: np.ndarray
    C2: np.ndarray
    G: np.ndarray
    elastic: np.ndarray
    __repr__ = by_shape


class ElasticBlocksDerivatives(NamedTuple):
    """Derivatives of all blocks by q and by qd, each with one more axis (nv) at the end."""

    dq: ElasticBlocks
    dqd: ElasticBlocks


class Blocks(Tables):
    """The equations of motion of links and motors in parts."""

    def elastic_blocks(self, q: Positions, qd: Velocities) -> ElasticBlocks:
        """Return the parts of the equations of motion of links and motors, at a state q (..., nq), qd (..., nv).

        The velocities of joints without elastic drives and of their motors are among those of the links.
        """
        return self._named(self._call("elastic_blocks", (q, qd)))

    def elastic_blocks_derivatives(self, q: Positions, qd: Velocities) -> ElasticBlocksDerivatives:
        """Return the derivatives of every block by q and qd, exactly: `d.dq.M` (..., n, n, nv), `d.dqd.C1` (..., n, e, nv).

        Those by q are by velocities. For one direction, or the gradient of a weighted sum, `jvp` and `vjp` of
        "elastic_blocks" are cheaper; there all blocks are concatenated in one array, row by row.
        """
        d = self._tables("elastic_blocks_derivatives", (q, qd), None)
        return ElasticBlocksDerivatives(self._named(d.dq, 1), self._named(d.dqd, 1))

    def _named(self, found: np.ndarray, after: int = 0) -> ElasticBlocks:
        """Return concatenated blocks, with so many axes `after` them, by name."""
        shapes, axis = tasks.block_shapes(self.model), found.ndim - after - 1
        ends = list(itertools.accumulate(math.prod(shape) for shape in shapes.values()))
        lead, last = found.shape[:axis], found.shape[axis + 1 :]
        parts: dict[str, np.ndarray] = {}
        for (name, shape), start, end in zip(shapes.items(), (0, *ends), ends, strict=False):
            part = found[..., start:end, :] if after else found[..., start:end]
            parts[name] = part.reshape(*lead, *shape, *last)
        return ElasticBlocks(**parts)
