"""The mass matrix of a closed robot, along its independent velocities, and solutions with it.

M_x = G_x' M G_x with the mass matrix M of the tree (58). It is positive definite wherever the closure is not singular, whether
the drives can hold the mechanism there or not, and needs no pivoting.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...spatial.scalar import Scalar, add, guard, is_zero, mul
from ..dynamics import crba
from ..dynamics.factor import Factor
from ..loads import Situation
from .closure import Closed


def reduced_mass(s: Situation, c: Closed) -> dict[int, dict[int, Scalar]]:
    """Return G_x' M G_x, the lower triangle by rows."""
    M = crba.mass_matrix(s.tree, s["q"])
    order = c.plan.independent
    found: dict[int, dict[int, Scalar]] = {x: {} for x in order}
    nv = s.tree.nv
    MG: list[dict[int, Scalar]] = [{} for _ in range(nv)]
    for i in range(nv):
        for j in range(nv):
            if is_zero(M[i][j]):
                continue
            for x, value in c.G[j].items():
                MG[i][x] = add(MG[i].get(x, 0.0), mul(M[i][j], value))
    for i in range(nv):
        for a, row in enumerate(order):
            if row not in c.G[i]:
                continue
            for column in order[: a + 1]:
                if column in MG[i]:
                    found[row][column] = add(found[row].get(column, 0.0), mul(c.G[i][row], MG[i][column]))
    return found


def solve_mass(M: dict[int, dict[int, Scalar]], order: Sequence[int], right: dict[int, Scalar]) -> dict[int, Scalar]:
    """Solve with a symmetric positive matrix, of which the lower triangle is given."""
    back = order[::-1]  # so that its factor, which begins with the last row, begins with the first of `order`
    table = [[M[b].get(a, 0.0) for b in back[: i + 1]] for i, a in enumerate(back)]
    y = Factor(table, lambda k, x: guard(x, 0.0)).solve([right[x] for x in back])
    return dict(zip(back, y, strict=True))
