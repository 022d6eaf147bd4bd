"""Base parameters: the combinations of inertial parameters that joint torques depend on, and that a motion can identify.

Computed numerically (Gautier 1991): regressors at random states are stacked, and their columns taken in turn, from the base of
the robot outward. A column that depends on earlier ones is dropped, and its parameter is grouped with theirs; every other column
is one base parameter. This also finds groupings beyond the rules of `tree/regroup.py` (an axis along gravity, parallel axes).
The order decides which parameter represents a combination, but not the number of combinations.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..algorithms.derivatives.regressor import DRIVE, INERTIAL, SPRING, entries, inverse_dynamics_regressor
from ..model.model import Model
from ..model.show import table_html
from ..one_thread import one_thread
from ..tree import lump
from .inertial import inertial_parameter_names, inertial_parameters

NOTHING = 1e-12  # share of the largest column below which a column is zero
CLEAN = 1e-10  # share of a dropped column below which another column does not contribute


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Combinations of the parameters pi that joint torques depend on: tau = Y[..., columns] @ (matrix @ pi).

    Attributes:
        robot: its name.
        names: of all entries of pi.
        columns: the remaining columns of the regressor, one per base parameter.
        matrix: maps pi to the base parameters (n_base, len(pi)); the columns `columns` of it are the identity.
        values: base parameters of the model itself.
        without_effect: names of parameters that no joint torque depends on.
        margin: smallest independent share of a kept column, and largest of a dropped one; if the rank is certain, they differ by
            many powers of ten.
    """

    robot: str
    names: tuple[str, ...]
    columns: np.ndarray
    matrix: np.ndarray
    values: np.ndarray
    without_effect: tuple[str, ...]
    margin: tuple[float, float]

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<BaseParameters of {self.robot!r}: {len(self)} from {len(self.names)} parameters>"

    def _repr_html_(self) -> str:
        each = zip(self.values, self.expressions, strict=True)
        rows = [(str(k), f"{value:.5g}", expression) for k, (value, expression) in enumerate(each, 1)]
        return table_html(repr(self), ("", "value", "base parameter"), rows)

    @property
    def expressions(self) -> tuple[str, ...]:
        """Every base parameter as a sum: "forearm.Ixx - forearm.Iyy + 0.1865 hand.mass"."""
        return tuple(self._expression(k) for k in range(len(self)))

    def _expression(self, k: int) -> str:
        own = self.columns[k]
        text = self.names[own]
        for i in np.flatnonzero(self.matrix[k]):
            if i != own:
                c = self.matrix[k, i]
                size = "" if abs(abs(c) - 1.0) < 1e-9 else f"{abs(c):.4g} "
                text += f" {'-' if c < 0 else '+'} {size}{self.names[i]}"
        return text

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        grouped = len(self.names) - len(self) - len(self.without_effect)
        yield (
            f"{self.robot}: {len(self)} base parameters from {len(self.names)} parameters "
            f"({grouped} grouped with others, {len(self.without_effect)} without effect)"
        )
        for k, (value, expression) in enumerate(zip(self.values, self.expressions, strict=True), 1):
            yield from textwrap.wrap(expression, 120, initial_indent=f"{k:4d} {value:12.5g}  ", subsequent_indent=" " * 21)
        if self.without_effect:
            yield from textwrap.wrap("without effect: " + " ".join(self.without_effect), 120, subsequent_indent=" " * 6)


def base_parameters(model: Model, drives: bool, tolerance: float, seed: int) -> BaseParameters:
    """Return the base parameters of a model; see `Robot.base_parameters`."""
    names, pi = inertial_parameter_names(model, drives), inertial_parameters(model, drives)
    return from_stack(model, names, pi, _stacked(model, drives, seed), tolerance)


def from_stack(model: Model, names: tuple[str, ...], pi: np.ndarray, R: np.ndarray, tolerance: float) -> BaseParameters:
    """Return the base parameters of regressors that are stacked, or brought to a triangle R (any, len(names)).

    Args:
        model: of the parameters.
        names, pi: of the columns: those of `inertial_parameters`, and further ones after them.
        R: columns of zeros are parameters without effect.
        tolerance: share of a column that must be independent of the others.
    """
    norms = np.linalg.norm(R, axis=0)
    alive = norms > NOTHING * norms.max(initial=0.0)
    order = [k for k in _outwards(model, len(names)) if alive[k]]
    kept, coefficients, margin = independent(R / np.where(alive, norms, 1.0), order, tolerance)
    matrix = np.zeros((len(kept), len(names)))
    dropped = sorted(set(order) - set(kept))
    matrix[np.arange(len(kept)), kept] = 1.0
    # coefficients refer to columns of unit length
    coefficients[np.abs(coefficients) < CLEAN] = 0.0
    matrix[:, dropped] = coefficients * norms[dropped] / norms[kept][:, None]
    without = tuple(name for name, counts in zip(names, alive, strict=True) if not counts)
    return BaseParameters(model.name, names, np.array(kept, dtype=int), matrix, matrix @ pi, without, margin)


def _outwards(model: Model, total: int) -> list[int]:
    """Return the order of the columns: links from the base to the tips, then drives.

    Within a link, inertias come first and the mass last: so masses are grouped with other parameters, with lengths as
    coefficients, not the other way round, with inverse squares of lengths.
    """
    place = {link.name: k for k, link in enumerate(model.links)}
    links = [place[model.base], *(place[joint.child] for joint in model.joints)]
    n = len(INERTIAL)
    return [n * k + i for k in links for i in (*range(4, n), 1, 2, 3, 0)] + list(range(n * len(links), total))


def _stacked(model: Model, drives: bool, seed: int) -> np.ndarray:
    """Return a triangular matrix with the dependencies between the columns at random states."""
    task, rng = inverse_dynamics_regressor(model, drives=drives), np.random.default_rng(seed)
    width = len(inertial_parameter_names(model, drives))
    R = np.zeros((0, width))
    if not model.nv:
        return R
    # a torque must separate the parameters that its own joint carries; those further out are separated by other torques
    sharing = np.bincount([body.iv for body in lump(model).bodies])
    samples = 60 + 3 * (len(INERTIAL) + len(DRIVE) + (len(SPRING) if model.has_springs else 0)) * int(sharing.max())
    size = max(1, -(-2 * width // model.nv))
    rows, columns = np.array(entries(model, drives), dtype=int).reshape(-1, 2).T
    packed = task.evaluate(random_states(model, rng, samples))[0]
    for start in range(0, samples, size):  # in parts, so that the memory is that of a few square matrices
        part = packed[start : start + size]
        Y = np.zeros((len(part), model.nv, width))
        Y[:, rows, columns] = part
        with one_thread(width):
            R = np.asarray(np.linalg.qr(np.concatenate([R, Y.reshape(-1, width)]), mode="r"))
    return R


def random_states(model: Model, rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Return q, qd and qdd of n states at which all parameters have an effect."""
    q = rng.uniform(-np.pi, np.pi, (n, model.nq))
    for _, where in model.layout.quaternions:
        turn = rng.normal(size=(n, 4))
        q[:, where] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    # rates whose products are about as large as gravity
    return [q, 2.0 * rng.normal(size=(n, model.nv)), 5.0 * rng.normal(size=(n, model.nv))]


def independent(R: np.ndarray, order: Sequence[int], tolerance: float) -> tuple[list[int], np.ndarray, tuple[float, float]]:
    """Return the columns independent of those before, the coefficients of the others, and the margin."""
    Q = np.zeros((len(R), min(R.shape)))
    kept: list[int] = []
    least, most = 1.0, 0.0
    for k in order:
        x, own = R[:, k].copy(), Q[:, : len(kept)]
        for _ in range(2):  # the second time removes the rounding errors of the first
            x -= own @ (own.T @ x)
        size = float(np.linalg.norm(x))
        if size > tolerance:
            Q[:, len(kept)] = x / size
            kept.append(k)
            least = min(least, size)
        else:
            most = max(most, size)
    dropped = sorted(set(order) - set(kept))
    Q = Q[:, : len(kept)]
    return kept, np.linalg.solve(Q.T @ R[:, kept], Q.T @ R[:, dropped]), (least, most)
