"""Compares the derivatives of a program with finite differences and names the worst entry of each.

Columns are differentiated one by one over all rows, so that entries missing from a structure are found as well.
Error of an entry: |given - difference| / max(1, |given|, |difference|).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..arrays import ArrayLike
from ..errors import NlpError
from .problem import Array, Nlp, vector


class Worst(NamedTuple):
    """The entry that disagrees most: its error, its place, the program's value and that of finite differences."""

    error: float
    row: int
    column: int
    given: float
    difference: float
    in_structure: bool


@dataclass(frozen=True)
class DerivativeCheck:
    """The worst entry of each derivative; None where the program has none. `ok` if all errors are below the tolerance."""

    gradient: Worst
    jacobian: Worst | None
    hessian: Worst | None
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether every derivative agrees within the tolerance."""
        return all(worst is None or worst.error <= self.tolerance for worst in (self.gradient, self.jacobian, self.hessian))

    def __str__(self) -> str:
        lines = []
        for name in ("gradient", "jacobian", "hessian"):
            worst = getattr(self, name)
            if worst is None:
                lines.append(f"{name}: none")
                continue
            place = f"[{worst.column}]" if name == "gradient" else f"[{worst.row}, {worst.column}]"
            verdict = "agrees" if worst.error <= self.tolerance else "WRONG"
            missing = "" if worst.in_structure else f", not in {name}_structure"
            lines.append(
                f"{name}: {verdict}, error {worst.error:.1e} at {place}: given {worst.given:.9g}, "
                f"differences {worst.difference:.9g}{missing}"
            )
        return "\n".join(lines)


def check_derivatives(
    nlp: Nlp,
    x: ArrayLike,
    multipliers: ArrayLike | None = None,
    *,
    factor: float = 1.0,
    step: float = 6e-6,
    tolerance: float = 1e-6,
) -> DerivativeCheck:
    """Compare gradient, Jacobian and Hessian with finite differences at x.

    Args:
        nlp: the program.
        x: the point; differences stay inside the bounds, if these leave room for two steps. A point without
            symmetry finds more mistakes.
        multipliers: of the constraints in the Hessian; by default numbers between 0.5 and 1.5, all different.
        factor: of the objective in the Hessian.
        step: of the differences, times max(1, |x|).
        tolerance: errors below it count as agreement.

    Returns:
        The worst entry of each; `print` shows them.

    Raises:
        NlpError: x or multipliers of the wrong size, or functions that are not finite at x or one or two steps beside it.
    """
    from scipy.sparse import coo_matrix

    x = nlp.start(x)
    y = 0.5 + np.arange(1, nlp.m + 1) * 0.6180339887498949 % 1.0 if multipliers is None else None
    y = vector("multipliers", multipliers, nlp.m, "m") if y is None else y
    y.setflags(write=False)

    def at(name: str, point: Array, *arguments: Any) -> Array:
        point = point.copy()
        point.setflags(write=False)
        if nlp.evaluate is not None:
            nlp.evaluate(point)
        # a copy: the function may return the same array again at the next point
        result = np.array(getattr(nlp, name)(point, *arguments), dtype=float)
        shape = {"objective": (), "gradient": (nlp.n,), "constraints": (nlp.m,)}.get(name)
        shape = getattr(nlp, name + "_structure")[0].shape if shape is None else shape
        if result.shape != shape:
            raise NlpError(f"{name} returned shape {result.shape}, expected {shape}")
        if not np.isfinite(result).all():
            raise NlpError(f"{name} is not finite at x or next to it; check derivatives where all functions are finite")
        return result

    def jacobian(point: Array) -> Any:
        return coo_matrix((at("jacobian", point), nlp.jacobian_structure), shape=(nlp.m, nlp.n)).tocsc()

    def slope(point: Array) -> Array:
        g = factor * at("gradient", point)
        return g + jacobian(point).T @ y if nlp.m else g

    gradient = coo_matrix(at("gradient", x)[None, :]).tocsc()
    everywhere = np.zeros(nlp.n, int), np.arange(nlp.n)
    found = _worst(nlp, x, step, lambda p: at("objective", p)[None], gradient, everywhere)
    found_j = found_h = None
    if nlp.m:
        found_j = _worst(nlp, x, step, lambda p: at("constraints", p), jacobian(x), nlp.jacobian_structure)
    if nlp.hessian is not None:
        rows, columns = nlp.hessian_structure
        values = at("hessian", x, float(factor), y)
        off = rows != columns  # the upper triangle mirrors the lower one
        both = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        given = coo_matrix((np.concatenate([values, values[off]]), both), shape=(nlp.n, nlp.n)).tocsc()
        found_h = _worst(nlp, x, step, slope, given, both)
    return DerivativeCheck(found, found_j, found_h, tolerance)


def _worst(
    nlp: Nlp, x: Array, step: float, function: Callable[[Array], Array], given: Any, structure: tuple[Array, Array]
) -> Worst:
    rows, columns = structure
    worst = Worst(-1.0, 0, 0, 0.0, 0.0, True)
    for column in range(nlp.n):
        difference = _slope(function, x, column, step * max(1.0, abs(x[column])), nlp.lower[column], nlp.upper[column])
        ours = given[:, [column]].toarray()[:, 0]
        errors = np.abs(ours - difference) / np.maximum(1.0, np.maximum(np.abs(ours), np.abs(difference)))
        row = int(errors.argmax())
        if errors[row] > worst.error:
            inside = bool(((rows == row) & (columns == column)).any())
            worst = Worst(float(errors[row]), row, column, float(ours[row]), float(difference[row]), inside)
    return worst


def _slope(function: Callable[[Array], Array], x: Array, column: int, h: float, lower: float, upper: float) -> Array:
    """Return the derivative along one variable to order h^2: central, or to one side where a bound is near."""

    def at(steps: int) -> Array:
        point = x.copy()
        point[column] += steps * h
        return function(point)

    here = x[column]
    if here + h > upper and here - 2 * h >= lower:
        return (3 * at(0) - 4 * at(-1) + at(-2)) / (2 * h)
    if here - h < lower and here + 2 * h <= upper:
        return (4 * at(1) - 3 * at(0) - at(2)) / (2 * h)
    return (at(1) - at(-1)) / (2 * h)
