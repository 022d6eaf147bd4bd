"""Factor: M = L' D L of a symmetric matrix without pivoting, and what is solved with it.

From the last row to the first, which fills no entry between branches: L of a mass matrix has entries only where M has
(Featherstone 2008, 6.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...spatial.scalar import Scalar, is_zero, mul, sub
from ...tree import Tree
from .singular import pivot


class Factor:
    """L, unit triangular, and 1 / D of a symmetric matrix of which only the lower triangle is read.

    `checked(k, x)` returns a pivot x, of row k, or NaN or an error where it is too small.
    """

    def __init__(self, M: Sequence[Sequence[Scalar]], checked: Callable[[int, Scalar], Scalar]) -> None:
        n = len(M)
        rest = [list(row) for row in M]
        self.L: list[dict[int, Scalar]] = [{} for _ in range(n)]  # non-zero entries, row by row
        self.weight: list[Scalar] = [0.0] * n
        for k in reversed(range(n)):
            self.weight[k] = 1.0 / checked(k, rest[k][k])
            inner = [i for i in range(k) if not is_zero(rest[k][i])]
            self.L[k] = {i: mul(rest[k][i], self.weight[k]) for i in inner}
            for i in inner:
                for j in inner:
                    if j <= i:
                        rest[i][j] = sub(rest[i][j], mul(self.L[k][i], rest[k][j]))

    def solve(self, x: Sequence[Scalar], rows: int | None = None) -> list[Scalar]:
        """Return y with M y = x; only its first `rows` entries, if given."""
        y = list(x)
        for k in reversed(range(len(y))):
            if not is_zero(y[k]):
                for i, entry in self.L[k].items():
                    y[i] = sub(y[i], mul(entry, y[k]))
        for k in range(len(y) if rows is None else rows):
            y[k] = mul(y[k], self.weight[k])
            for i, entry in self.L[k].items():
                y[k] = sub(y[k], mul(entry, y[i]))
        return y


def mass_factor(tree: Tree, M: Sequence[Sequence[Scalar]], places: Sequence[int] | None = None) -> Factor:
    """Return the factor of a mass matrix; `places` says which velocities its rows are, where it is not the matrix of them all."""
    return Factor(M, lambda k, x: pivot(tree, k if places is None else places[k], x))
