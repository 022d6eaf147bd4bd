"""Constraints: the equations of all loops at configurations of the tree, in NumPy, for analysis.

Machine code gives the relative pose and motion of the frames of each cut joint; residuals and their exact derivatives, also far
from closure, are computed here. Angles are scaled by the robot's length, so that all rows are comparable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..algorithms.closed import kinematics as tasks
from ..algorithms.closed.closure import all_rows, slides
from ..algorithms.closed.cut_joint import NORMAL, frames_of
from ..compiler.backend import Backend
from ..compiler.run import Function
from ..errors import ModelError
from ..model.joint import Limits
from ..model.loop import LoopKind
from ..model.model import Model
from ..model.names import coordinate_names

CLOSED = 1e-12  # largest residual of a closed loop, in lengths of the robot
RANK = 1e-7
ROUNDED = 3.0
LARGEST = 0.03  # largest closure tolerance, in lengths of the robot


class Constraints:
    """The loops of a model.

    Attributes:
        rows: (loop, row) of every equation.
        length: characteristic length of the robot [m].
        tolerance: within which loops have to close [m; angles times the length].
        rank: singular values below this share of the largest count as zero.
        row_units, column_units: by which rows and velocities are divided to compare them.
    """

    def __init__(self, model: Model, backend: Backend | str) -> None:
        self.model = model
        self.rows = all_rows(model)
        self.length = natural_length(model)
        if (model.closure_tolerance or 0.0) > LARGEST * self.length:
            raise ModelError(
                f"closure_tolerance {model.closure_tolerance:g} m is too large: {model.name!r} has a length of "
                f"{self.length:.3g} m, and at most {LARGEST * self.length:.2g} m is allowed"
            )
        self.tolerance = max(CLOSED * self.length, model.closure_tolerance or 0.0)
        # rounded lengths make equations that should be redundant differ by about as much as they leave loops open
        self.rank = max(RANK, ROUNDED * (model.closure_tolerance or 0.0) / self.length)
        self.row_units = np.array([self.length if row < 3 else 1.0 for _, row in self.rows])
        self.column_units = np.array([self.length if slide else 1.0 for slide in slides(model)])
        n, tree = len(model.loops), model.without_loops()

        def describe(argument: str, entry: int) -> str:
            return f"coordinate {coordinate_names(tree)[entry]!r} of the tree"

        def make(task: Any, shape: tuple[int, ...]) -> Callable[..., np.ndarray]:
            return Function(model, task, shape, backend, describe).call

        self._poses = make(tasks.relative_poses(model), (n, 12))
        self._jacobians = make(tasks.relative_jacobians(model), (n, 6, model.nv))

    def poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for each loop axes R (..., n, 3, 3) and origin p (..., n, 3) of the second frame, seen from the first."""
        found = self._poses(q)
        return found[..., :9].reshape(*found.shape[:-1], 3, 3), found[..., 9:]

    def residual(self, q: np.ndarray) -> np.ndarray:
        """Return the residual of every row (..., n_rows) [m or rad]."""
        R, p = self.poses(q)
        columns = []
        for loop, row in self.rows:
            kind, Rk = self.model.loops[loop].kind, R[..., loop, :, :]
            if row < 3:
                columns.append(p[..., loop, row])
            elif row == NORMAL:
                columns.append(-Rk[..., 2, 2])
            elif kind is LoopKind.REVOLUTE:
                columns.append(-Rk[..., 1, 2] if row == 3 else Rk[..., 0, 2])
            else:
                i, j = (row - 3 + 2) % 3, (row - 3 + 1) % 3
                columns.append(0.5 * (Rk[..., i, j] - Rk[..., j, i]))
        return np.stack(columns, axis=-1)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives of all residuals by the velocities of the tree (..., n_rows, nv)."""
        R, _ = self.poses(q)
        J = self._jacobians(q)
        found = []
        for loop, row in self.rows:
            V, w = J[..., loop, :, :], J[..., loop, 3:, :]
            kind, Rk = self.model.loops[loop].kind, R[..., loop, :, :]
            if row < 3:
                found.append(V[..., row, :])
                continue
            b = Rk[..., :, 2]
            if row == NORMAL:
                share = np.stack([-b[..., 1], b[..., 0], np.zeros_like(b[..., 0])], axis=-1)
            elif kind is LoopKind.REVOLUTE:
                zero = np.zeros_like(b[..., 0])
                parts = [b[..., 2], zero, -b[..., 0]] if row == 3 else [zero, b[..., 2], -b[..., 1]]
                share = np.stack(parts, axis=-1)
            else:
                trace = np.trace(Rk, axis1=-2, axis2=-1)[..., None]
                share = 0.5 * (trace * np.eye(3)[row - 3] - Rk[..., row - 3, :])
            found.append(np.einsum("...i,...ij->...j", share, w))
        return np.stack(found, axis=-2)

    def scaled(self, q: np.ndarray) -> np.ndarray:
        """Return the derivatives without units."""
        return self.jacobian(q) / self.row_units[:, None] * self.column_units

    def error(self, q: np.ndarray) -> np.ndarray:
        """Return the largest residual (...,) [m; angles times the length of the robot]."""
        with np.errstate(over="ignore", invalid="ignore"):  # far out of reach
            return np.abs(self.residual(q) / self.row_units).max(axis=-1) * self.length

    def flipped(self, q: np.ndarray) -> list[str]:
        """Return the loops whose axes are reversed: their equations hold, but the joint is assembled the wrong way."""
        R, _ = self.poses(q)
        wrong = []
        for k, loop in enumerate(self.model.loops):
            facing = R[k, 2, 2] if loop.kind is LoopKind.REVOLUTE else np.trace(R[k])
            if loop.kind in (LoopKind.REVOLUTE, LoopKind.PRISMATIC, LoopKind.RIGID) and facing < 0:
                wrong.append(loop.name)
        return wrong

    def by_loop(self, q: np.ndarray) -> dict[str, tuple[float, float]]:
        """Return the gap of each loop: a length [m] and an angle [rad]."""
        residual = self.residual(q)
        found = {}
        for k, loop in enumerate(self.model.loops):
            own = [(row, x) for (index, row), x in zip(self.rows, residual, strict=True) if index == k]
            lengths, angles = [x for row, x in own if row < 3], [x for row, x in own if row >= 3]
            found[loop.name] = (float(np.linalg.norm(lengths)), float(np.linalg.norm(angles)))
        return found

    def row_name(self, index: int) -> str:
        """Return the motion that a row forbids, in words: direction on the first link, and loop."""
        k, row = self.rows[index]
        loop = self.model.loops[k]
        if row == NORMAL:
            return f"loop {loop.name!r}: turning about the normal of its two axes"
        direction = frames_of(loop)[0].R[:, row % 3]
        text = ", ".join(f"{x + 0.0:.4g}" for x in np.where(np.abs(direction) < 1e-12, 0.0, direction))
        what = "sliding along" if row < 3 else "turning about"
        return f"loop {loop.name!r}: {what} ({text}) of link {loop.first!r}"


def natural_length(model: Model) -> float:
    """Return a characteristic length of the robot [m]."""
    arms = [float(np.linalg.norm(pose.p)) for joint in model.joints for pose in (joint.origin, joint.tail)]
    arms += [loop.reach for loop in model.loops]
    for joint in model.joints:
        ends = (x for x in (joint.limits.lower, joint.limits.upper) if np.isfinite(x))
        arms += [way for x in ends if np.isfinite(way := joint.kind.traits.travel(joint, Limits(x, x)))]
    return max(arms, default=0.0) or 1.0
