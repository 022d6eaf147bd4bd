"""A sparse nonlinear program, given as Python callables over NumPy arrays.

    minimize f(x)   subject to   lower <= x <= upper   and   constraint_lower <= g(x) <= constraint_upper

Symbols: n variables x | m constraints g | J = dg/dx (m, n) | H = factor d2f/dx2 + sum_i multipliers_i d2g_i/dx2 (n, n), symmetric
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import ArrayLike
from ..errors import NlpError

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Nlp:
    """A nonlinear program: sizes, bounds, callables and the sparsity structures of its derivatives.

    Every callable gets x as a read-only array of size n that is never written again. While a solver stays at one x, it passes
    the same object, so that `x is self.last` shows whether work can be shared; or give `evaluate`, which is called once for each
    new x before the others. A result may be the same array each time: it is copied at once. A result that is not finite
    means that x lies outside the domain; solvers then try a shorter step.

    Args:
        n: number of variables.
        objective: x -> f, a float.
        gradient: x -> df/dx of size n.
        lower, upper: bounds of the variables: n numbers, or one for all; infinite where there is none. Equal bounds fix a
            variable.
        m: number of constraints.
        constraints: x -> g of size m; needed if m > 0.
        constraint_lower, constraint_upper: bounds of the constraints: m numbers, or one for all. Equal bounds make an equation.
        jacobian_structure: (rows, columns) of the entries of J, counted from 0. Entries at the same place are added.
        jacobian: x -> values of J in the order of its structure.
        hessian_structure: (rows, columns) of the entries of H in the lower triangle, row >= column. Entries at one place
            are added.
        hessian: (x, factor, multipliers) -> values of H in the order of its structure; None lets the solver approximate H from
            gradients (limited memory).
        evaluate: x -> anything; called once for each new x, before the other callables.

    Raises:
        NlpError: sizes that disagree, contradictory bounds, entries outside their matrix; the message names the place.
    """

    n: int
    objective: Callable[[Array], float]
    gradient: Callable[[Array], ArrayLike]
    lower: Any = -np.inf
    upper: Any = np.inf
    m: int = 0
    constraints: Callable[[Array], ArrayLike] | None = None
    constraint_lower: Any = 0.0
    constraint_upper: Any = 0.0
    jacobian_structure: tuple[Any, Any] = ((), ())
    jacobian: Callable[[Array], ArrayLike] | None = None
    hessian_structure: tuple[Any, Any] = ((), ())
    hessian: Callable[[Array, float, Array], ArrayLike] | None = None
    evaluate: Callable[[Array], object] | None = None

    def __post_init__(self) -> None:
        n, m = _count("n", self.n, 1), _count("m", self.m, 0)
        needed = ["objective", "gradient"] + (["constraints", "jacobian"] if m else [])
        for name in needed + ["hessian", "evaluate"]:
            function = getattr(self, name)
            if not callable(function) and (function is not None or name in needed):
                with_m = f", as m = {m}" if name in ("constraints", "jacobian") else ""
                raise NlpError(f"{name} is {function!r}; expected a function of x{with_m}")
        lower, upper = _bounds("variable", n, self.lower, self.upper, "lower", "upper")
        g_lower, g_upper = _bounds(
            "constraint", m, self.constraint_lower, self.constraint_upper, "constraint_lower", "constraint_upper"
        )
        jacobian = _structure("jacobian_structure", self.jacobian_structure, m, n)
        hessian = _structure("hessian_structure", self.hessian_structure, n, n)
        if self.hessian is None and hessian[0].size:
            raise NlpError("hessian_structure is given without hessian; give both, or neither for a limited-memory approximation")
        above = np.flatnonzero(hessian[0] < hessian[1])
        if above.size:
            row, column = hessian[0][above[0]], hessian[1][above[0]]
            raise NlpError(
                f"entry {above[0]} of hessian_structure, ({row}, {column}), is above the diagonal; only the lower triangle is "
                f"given, so write ({column}, {row}), and each entry of the symmetric matrix once"
            )
        clean = {"n": n, "m": m, "lower": lower, "upper": upper, "constraint_lower": g_lower, "constraint_upper": g_upper}
        for name, value in {**clean, "jacobian_structure": jacobian, "hessian_structure": hessian}.items():
            object.__setattr__(self, name, value)

    def violation(self, x: Array, g: Array) -> float:
        """Return the largest violation of the bounds of x and of the constraints g; 0 inside, nan if any is not a number."""
        return missed(((self.lower, x, self.upper), (self.constraint_lower, g, self.constraint_upper)))

    def start(self, x0: ArrayLike) -> Array:
        """Return x0 as a new array, or raise an NlpError that explains what is wrong with it."""
        return vector("x0", x0, self.n, "n")


def missed(triples: Iterable[tuple[Array, Array, Array]]) -> float:
    """Return the largest violation of (lower, value, upper) in any entry; 0 if none, nan if a value is not a number."""
    worst = 0.0
    # .reduce instead of .max(): this runs at each iteration, and half the time of .max() is overhead
    for low, value, high in triples:
        below, above = np.maximum.reduce(low - value, initial=0.0), np.maximum.reduce(value - high, initial=0.0)
        if below != below or above != above:
            return float("nan")
        worst = max(worst, float(below), float(above))
    return worst


def vector(name: str, value: Any, size: int, meaning: str) -> Array:
    """Return a copy of `value` as `size` finite numbers."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise NlpError(f"{name} is not an array of numbers: {error}") from None
    if array.shape != (size,):
        raise NlpError(f"{name} has shape {array.shape}, expected ({size},): {meaning} = {size}")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise NlpError(f"{name}[{bad[0]}] is {array[bad[0]]}; expected finite numbers")
    return array


def _count(name: str, value: Any, least: int) -> int:
    try:
        number = int(value.__index__())
    except AttributeError:
        raise NlpError(f"{name} is {value!r}; expected a whole number") from None
    if number < least:
        raise NlpError(f"{name} is {number}; expected at least {least}")
    return number


def _bounds(what: str, size: int, lower: Any, upper: Any, low: str, high: str) -> tuple[Array, Array]:
    arrays = []
    for name, value in ((low, lower), (high, upper)):
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError) as error:
            raise NlpError(f"{name} is not an array of numbers: {error}") from None
        if array.shape not in ((), (size,)):
            raise NlpError(f"{name} has shape {array.shape}, expected ({size},), one number per {what}, or a single number")
        array = np.array(np.broadcast_to(array, (size,)))
        if np.isnan(array).any():
            raise NlpError(f"{name}[{np.flatnonzero(np.isnan(array))[0]}] is nan; write -inf or inf where there is no bound")
        array.setflags(write=False)
        arrays.append(array)
    wrong = np.flatnonzero((arrays[0] > arrays[1]) | (arrays[0] == np.inf) | (arrays[1] == -np.inf))
    if wrong.size:
        i = wrong[0]
        more = f" (and {wrong.size - 1} more)" if wrong.size > 1 else ""
        raise NlpError(
            f"the bounds of {what} {i}{more} contradict each other: {low}[{i}] = {arrays[0][i]}, {high}[{i}] = {arrays[1][i]}"
        )
    return arrays[0], arrays[1]


def _structure(name: str, structure: Any, height: int, width: int) -> tuple[Array, Array]:
    try:
        rows, columns = (np.asarray(part) for part in structure)
    except (TypeError, ValueError):
        raise NlpError(f"{name} must be a pair (rows, columns) of whole numbers") from None
    if rows.ndim != 1 or rows.shape != columns.shape:
        raise NlpError(
            f"rows and columns of {name} have shapes {rows.shape} and {columns.shape}; expected one row and one column per entry"
        )
    places = []
    for part, values, size in (("row", rows, height), ("column", columns, width)):
        if values.size and values.dtype.kind not in "iu":
            raise NlpError(f"the {part}s of {name} are of type {values.dtype}; expected whole numbers, counted from 0")
        outside = np.flatnonzero((values < 0) | (values >= size))
        if outside.size:
            raise NlpError(f"entry {outside[0]} of {name} is in {part} {values[outside[0]]}; there are {size}, counted from 0")
        places.append(values.astype(np.int32))
        places[-1].setflags(write=False)
    return places[0], places[1]
