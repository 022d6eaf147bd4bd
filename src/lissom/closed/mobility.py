"""Mobility: how many degrees of freedom loops leave, which of their equations are redundant, and which joints can drive.

Counting joints is not enough: planar and other special robots move although the count says that they cannot. Ranks are computed
of the equations, at configurations that close the loops: the given one, and some around it, so that a special pose does not
decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ModelError
from ..manifold import integrate_configuration
from ..model.names import velocity_names
from ..one_thread import one_thread
from .assembly import advice_of_tolerance, levenberg
from .constraints import RANK, ROUNDED, Constraints

NEARLY = 0.02  # equations that weigh less, beside the others, may be redundant but for rounded numbers
STILL = 1e-7  # a velocity below this share of the fastest counts as zero


def freedom(count: int) -> str:
    """Return a number of degrees of freedom in words."""
    return f"{count} degree{'s' if count != 1 else ''} of freedom"


@dataclass(frozen=True)
class Mobility:
    """Mobility of a closed robot.

    Attributes:
        loops: number of loops, one for each cut joint.
        velocities: of the tree.
        equations: of all cut joints together.
        independent: number of independent equations.
        redundant: the others, in words; forces along them are statically undetermined.
        degrees_of_freedom: velocities less independent equations.
        singular: whether the configuration at hand has fewer independent equations than those around it.
        immobile: velocities of the tree that the loops hold still.
        residual: gap of the loops at home [m; angles times the length of the robot].
        tolerance: the closure tolerance of the model [m], or None.
    """

    loops: int
    velocities: int
    equations: int
    independent: int
    redundant: tuple[str, ...]
    degrees_of_freedom: int
    singular: bool
    immobile: tuple[str, ...]
    residual: float = 0.0
    tolerance: float | None = None

    def __str__(self) -> str:
        lines = [
            f"{self.loops} loop{'s' if self.loops != 1 else ''}, {self.velocities} velocities of the tree, "
            f"{self.equations} equations, {self.independent} of them independent: "
            f"{freedom(self.degrees_of_freedom)}"
        ]
        if self.redundant:
            lines += ["redundant:", *(f"  {name}" for name in self.redundant)]
        if self.immobile:
            lines.append(f"held still by the loops: {', '.join(self.immobile)}")
        if self.tolerance is not None:
            lines.append(
                f"closed within {self.residual:.2g} m by least squares, of a tolerance of {self.tolerance:g} m "
                "(angles count times the length of the mechanism)"
            )
        if self.singular:
            lines.append("this configuration is singular: around it more equations are independent")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Analysis:
    """Result of the rank analysis: rows to keep, and configurations with a basis of their free motions."""

    mobility: Mobility
    rows: tuple[int, ...]
    configurations: tuple[np.ndarray, ...]
    motions: tuple[np.ndarray, ...]  # (nv, dof), without units
    advice: str = ""  # what to do about equations that are nearly redundant


def null_space(K: np.ndarray, share: float = RANK) -> np.ndarray:
    """Return an orthonormal basis (columns) of the null space of K: singular values below a share of the largest are zero."""
    if not K.size:
        return np.eye(K.shape[1])
    with one_thread(max(K.shape)):
        _, s, Vt = np.linalg.svd(K)
    rank = int((s > share * max(float(s[0]), 1e-300)).sum())
    return Vt[rank:].T


def analyze(constraints: Constraints, q: np.ndarray) -> Analysis:
    """Return the mobility at a closed configuration q (nq,) and around it."""
    model = constraints.model
    places = [q, *_around(constraints, q)]
    tables = [constraints.scaled(x) for x in places]
    bases = [null_space(K, constraints.rank) for K in tables]
    dof = min(basis.shape[1] for basis in bases)
    generic = [k for k, basis in enumerate(bases) if basis.shape[1] == dof]
    rank = model.nv - dof
    rows = _independent_rows([tables[k] for k in generic], rank)
    names = velocity_names(model)
    speeds = np.max([np.abs(bases[k]).max(axis=1, initial=0.0) for k in generic], axis=0)
    mobility = Mobility(
        loops=len(model.loops),
        velocities=model.nv,
        equations=len(constraints.rows),
        independent=rank,
        redundant=tuple(constraints.row_name(k) for k in range(len(constraints.rows)) if k not in rows),
        degrees_of_freedom=dof,
        singular=bases[0].shape[1] > dof,
        immobile=tuple(name for name, speed in zip(names, speeds, strict=True) if speed < STILL),
        residual=float(constraints.error(q)),
        tolerance=model.closure_tolerance,
    )
    advice = "" if dof else _advice(constraints, tables[0])
    return Analysis(mobility, rows, tuple(places[k] for k in generic), tuple(bases[k] for k in generic), advice)


def _advice(constraints: Constraints, K: np.ndarray) -> str:
    """Return the closure tolerance with which an immobile robot could move, where an equation is almost redundant."""
    with one_thread(max(K.shape)):
        s = np.linalg.svd(K, compute_uv=False)
    weak = float(s[min(K.shape) - 1] / s[0])
    tolerance = 10.0 * weak * constraints.length / ROUNDED  # more than enough at home, so that it may move
    return f". One of its equations weighs {weak:.1g} of the others: {advice_of_tolerance(tolerance)}" if weak < NEARLY else ""


def _around(constraints: Constraints, q: np.ndarray, count: int = 4) -> list[np.ndarray]:
    """Return closed configurations near q, along motions that are free there."""
    model, rng, found = constraints.model, np.random.default_rng(1), []
    N = null_space(constraints.scaled(q), constraints.rank)
    # loops that do not close exactly would drift along the robot's motion to their best fit: drives are held
    held = [velocity_names(model).index(name) for name in model.active or ()] if model.closure_tolerance else []
    free = np.array([k for k in range(model.nv) if k not in held])
    for _ in range(count if N.shape[1] else 0):
        direction = N @ rng.normal(size=N.shape[1])
        push = 0.15 * direction / np.abs(direction).max() * constraints.column_units
        near = levenberg(constraints, integrate_configuration(model, q, push), free)
        if constraints.error(near) <= constraints.tolerance:
            found.append(near)
    return found


def _independent_rows(tables: list[np.ndarray], rank: int) -> tuple[int, ...]:
    """Return `rank` rows that are independent in all tables: the first that clearly are, then the first that are at all."""
    kept: list[int] = []
    for least in (1e-2, 1e-4, 1e-6, RANK):
        with one_thread(max(tables[0].shape)):
            bases = [np.linalg.qr(K[kept].T)[0] if kept else np.zeros((K.shape[1], 0)) for K in tables]
        for r in range(len(tables[0])):
            if r in kept or len(kept) == rank:
                continue
            left = [K[r] - Q @ (Q.T @ K[r]) for K, Q in zip(tables, bases, strict=True)]
            sizes = [np.linalg.norm(x) for x in left]
            if all(size > least * max(float(np.linalg.norm(K[r])), 1e-12) for size, K in zip(sizes, tables, strict=True)):
                kept.append(r)
                bases = [np.column_stack([Q, x / size]) for Q, x, size in zip(bases, left, sizes, strict=True)]
        if len(kept) == rank:
            return tuple(sorted(kept))
    raise ModelError(
        "the loops change their number of independent equations from pose to pose; give another posture to start from"
    )
