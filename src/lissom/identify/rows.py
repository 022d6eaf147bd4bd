"""Rows: what a motion says of the parameters, one equation per generalized torque: y = Y pi.

trees          Y is `inverse_dynamics_regressor`, and y the torques, with those of measured wrenches on links added
floating base  as trees: the six rows of the base say that nothing holds it but measured wrenches
closed robots  Y = G' Y_tree with qd_tree = G qd (Khalil 2010, (55)-(57)), and y = G_a' tau with the rows G_a of the drives: what
               redundant drives do along the coordinates counts
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..one_thread import one_thread
from ..parameters import BaseParameters, from_stack, random_states
from ..robot import Robot
from ..wrench import Wrench
from .selection import Selection

SAMPLES = 2000  # regressors held at once
Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]
TOLERANCE = 1e-8  # share of a column that has to be independent of the others


class Rows:
    """The equations of a robot for the parameters of a selection."""

    def __init__(self, robot: Any, selection: Selection) -> None:
        self.robot, self.selection = robot, selection
        self.closed = bool(robot.model.loops)
        self.tree = Robot(selection.model, backend=robot._chosen_backend) if self.closed else robot
        self.names: tuple[str, ...] = robot.velocity_names
        self.units: tuple[str, ...] = tuple("N m" if unit == "rad/s" else "N" for unit in robot.velocity_units)

    def columns(self, which: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, *, slow: float = 0.0) -> np.ndarray:
        """Return some columns of Y (N, rows, len(which)) along a motion (N, ...).

        `slow` is the velocity over which Coulomb friction changes its sign, as tanh does; 0 for a jump, as it is measured.
        """
        parts = self._parts(q, qd, qdd)
        size = max(1, SAMPLES * 40 // max(40, self.tree.nv))
        found = np.empty((len(q), len(self.names), len(which)))
        last = self.selection.offsets
        inner, outer = np.flatnonzero(which < last), np.flatnonzero(which >= last)
        coulomb = [i for i, k in enumerate(which[inner]) if self.selection.names[k].endswith(".coulomb")] if slow else []
        for a in range(0, len(q), size):
            own = slice(a, a + size)
            Y = self.tree.inverse_dynamics_regressor(*(x[own] for x in parts[:3]))[..., which[inner]]
            if coulomb:
                Y[..., coulomb] *= np.tanh(np.abs(parts[1][own]) / slow)[:, :, None]
            found[own][..., inner] = Y if parts[3] is None else np.einsum("nij,nik->njk", parts[3][own], Y)
        if len(outer):
            found[..., outer] = self._drives(len(q), parts[3])[..., which[outer] - last]
        return found

    def right(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tau: np.ndarray, wrenches: Mapping[str, np.ndarray]
    ) -> np.ndarray:
        """Return y (N, rows), given the torques of the drives (N, n) and wrenches on links, along the world's axes."""
        parts = self._parts(q, qd, qdd)
        y = tau.copy() if parts[3] is None else np.einsum("nij,ni->nj", self._driving(parts[3]), tau)
        if wrenches:
            loads = {link: Wrench(x[:, :3], x[:, 3:], axes="world") for link, x in wrenches.items()}
            state = parts[:2]
            carried = self.tree.bias_torques(*state) - self.tree.bias_torques(*state, external=loads)
            y += carried if parts[3] is None else np.einsum("nij,ni->nj", parts[3], carried)
        return y

    def base_parameters(self, seed: int = 0) -> BaseParameters:
        """Return the combinations of free parameters that any motion can show."""
        free = np.flatnonzero(self.selection.free)
        R = np.zeros((0, len(free)))
        per_call = max(1, -(-2 * len(free) // max(1, len(self.names))))
        states = self._random(seed, free)
        for a in range(0, len(states[0]), per_call):
            Y = self.columns(free, *(x[a : a + per_call] for x in states))
            with one_thread(len(free)):
                R = np.asarray(np.linalg.qr(np.concatenate([R, Y.reshape(-1, len(free))]), mode="r"))
        whole = np.zeros((len(R), len(self.selection)))
        whole[:, free] = R
        names, prior = self.selection.names, np.where(self.selection.free, self.selection.prior, 0.0)
        return from_stack(self.selection.model, names, prior, whole, TOLERANCE)

    def _random(self, seed: int, free: np.ndarray) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        n = 60 + -(-3 * len(free) // max(1, len(self.names)))
        if not self.closed:
            return random_states(self.selection.model, rng, n)
        q = self.robot.random_configuration(rng, size=n)
        return [q, 2.0 * rng.normal(size=(n, self.robot.nv)), 5.0 * rng.normal(size=(n, self.robot.nv))]

    def _parts(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Parts:
        """Return the motion of the tree, and G of a closed robot."""
        if not self.closed:
            return q, qd, qdd, None
        motion = self.robot.tree_motion(q, qd, qdd)
        return motion[0], motion[1], motion[2], self.robot.velocity_matrix(tree_q=motion[0])

    def _driving(self, G: np.ndarray) -> np.ndarray:
        return G[:, list(self.robot.plan.active)]

    def _drives(self, n: int, G: np.ndarray | None) -> np.ndarray:
        """Return the columns of offsets (N, rows, drives): a torque that is measured and does nothing adds to y."""
        if G is None:
            return np.broadcast_to(np.eye(len(self.names)), (n, len(self.names), len(self.names)))
        return np.swapaxes(self._driving(G), 1, 2)
