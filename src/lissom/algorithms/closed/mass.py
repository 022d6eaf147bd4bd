"""The mass matrix of a closed robot, along its independent velocities, and solutions with it.

M_x = G_x' M G_x with the mass matrix M of the tree (58). It is positive definite wherever the closure is not singular, whether
the drives can hold the mechanism there or not, and needs no pivoting.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...spatial.scalar import Scalar, add, guard, mul, sub
from ..dynamics import crba
from ..elimination import is_zero
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
    """Solve with a symmetric positive matrix, of which the lower triangle is given, by L D L'."""
    L: dict[int, dict[int, Scalar]] = {}
    D: dict[int, Scalar] = {}  # its inverse
    for i, row in enumerate(order):
        L[row] = {}
        rest = dict(M[row])
        for k, column in enumerate(order[:i]):
            value = rest.get(column, 0.0)
            for inner in order[:k]:
                if inner in L[row] and inner in L[column]:
                    value = sub(value, mul(L[row][inner], L[column][inner]))
            if not is_zero(value):
                L[row][column] = value  # times D for now
        total = rest[row]
        for column in order[:i]:
            if column in L[row]:
                scaled = mul(L[row][column], D[column])
                total = sub(total, mul(scaled, L[row][column]))
                L[row][column] = scaled
        D[row] = 1.0 / guard(total, 0.0)
    y = dict(right)
    for i, row in enumerate(order):
        for column in order[:i]:
            if column in L[row]:
                y[row] = sub(y[row], mul(L[row][column], y[column]))
    for x in order:
        y[x] = mul(y[x], D[x])
    for i in reversed(range(len(order))):
        for column in order[:i]:
            if column in L[order[i]]:
                y[column] = sub(y[column], mul(L[order[i]][column], y[order[i]]))
    return y
