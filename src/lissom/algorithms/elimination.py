"""Elimination: linear equations inside a traced program, without pivoting by numbers.

A program has no branches: it cannot choose a pivot by its size. While it is being traced, it can use the zeros of a
matrix. Rows and columns are permuted so that the matrix is block triangular with blocks as small as they can be (a matching
of rows with columns, then strongly connected parts; Duff and Reid 1978), and each block on the diagonal is solved in a way that
fails only where the block itself is singular:
    up to three equations    by the inverse, adjugate over determinant
    more                     by orthogonal columns (modified Gram-Schmidt, without square roots; Bjorck 1967)
So only singular poses are lost, whatever the reference pose was. A block counts as singular where its determinant is less than
SINGULAR times its natural size, with lengths measured by the mechanism's own; the result then is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..errors import ModelError
from ..spatial.scalar import Scalar, add, guard, is_zero, mul, sub

SINGULAR = 1e-6  # below, rounding errors of the closure would leave no digit of forces and accelerations
Row = Mapping[int, Scalar]


class Elimination:
    """A square matrix, or one with more rows than columns in the sense of least squares, ready to solve with.

    Args:
        rows: sparse rows, entries by column.
        columns: numbers of the columns.
        row_units, column_units: natural sizes of the quantities in rows and columns, such as a length.
    """

    def __init__(
        self, rows: Sequence[Row], columns: Sequence[int], row_units: Sequence[float], column_units: Mapping[int, float]
    ) -> None:
        self.rows = [{c: x for c, x in row.items() if c in column_units and not is_zero(x)} for row in rows]
        self.columns = list(columns)
        self.blocks: list[tuple[list[int], list[int], _Inverse | _Orthogonal]] = []
        for block_rows, block_columns in _triangular(self.rows, self.columns):
            table = [[self.rows[r].get(c, 0.0) for c in block_columns] for r in block_rows]
            units = [row_units[r] for r in block_rows], [column_units[c] for c in block_columns]
            kind = _Inverse if len(block_rows) == len(block_columns) <= 3 else _Orthogonal
            self.blocks.append((block_rows, block_columns, kind(table, *units)))

    def solve(self, right: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return y with K y = right, by column."""
        y: dict[int, Scalar] = {}
        for rows, columns, block in self.blocks:
            rest = []
            for r in rows:
                value = right[r]
                for c, x in self.rows[r].items():
                    if c in y:
                        value = sub(value, mul(x, y[c]))
                rest.append(value)
            y.update(zip(columns, block.solve(rest), strict=True))
        return y

    def transposed(self, right: Mapping[int, Scalar]) -> list[Scalar]:
        """Return z with K' z = right, by row; of all solutions the smallest where there are more rows than columns."""
        rest = dict(right)
        z: list[Scalar] = [0.0] * len(self.rows)
        for rows, columns, block in reversed(self.blocks):
            for r, value in zip(rows, block.transposed([rest.get(c, 0.0) for c in columns]), strict=True):
                z[r] = value
                for c, x in self.rows[r].items():
                    if c not in columns:
                        rest[c] = sub(rest.get(c, 0.0), mul(x, value))
        return z

    @property
    def square(self) -> Scalar:
        """The square of the determinant."""
        total: Scalar = 1.0
        for _, _, block in self.blocks:
            total = mul(total, block.square)
        return total

    @property
    def sizes(self) -> list[int]:
        """Number of equations of each block."""
        return [len(rows) for rows, _, _ in self.blocks]


class _Inverse:
    """A matrix of up to three rows, by its adjugate."""

    def __init__(self, table: list[list[Scalar]], row_units: Sequence[float], column_units: Sequence[float]) -> None:
        n = len(table)
        adjugate: list[list[Scalar]] = [[1.0]]
        if n == 2:
            (a, b), (c, d) = table
            adjugate = [[d, sub(0.0, b)], [sub(0.0, c), a]]
        elif n == 3:
            adjugate = [[_cofactor(table, j, i) for j in range(3)] for i in range(3)]
        det: Scalar = 0.0
        for k in range(n):
            det = add(det, mul(table[0][k], adjugate[k][0]))
        self.square = mul(det, det)
        size = math.prod(row_units) / math.prod(column_units)
        if type(det) is float and abs(det) > SINGULAR * size:
            weight: Scalar = 1.0 / det
        else:
            # the sign of the determinant does not matter; its square must not vanish
            weight = mul(det, 1.0 / guard(mul(det, det), (SINGULAR * size) ** 2)) if not is_zero(det) else math.nan
        self.inverse = [[mul(x, weight) for x in row] for row in adjugate]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        return [_dot(row, right) for row in self.inverse]

    def transposed(self, right: Sequence[Scalar]) -> list[Scalar]:
        return [_dot(row, right) for row in zip(*self.inverse, strict=True)]


class _Orthogonal:
    """A matrix with at least as many rows as columns: K = V T with orthogonal columns of V and a unit upper triangle T.

    Rows are scaled by their units first, except in least squares, where residuals count as they are.
    """

    def __init__(self, table: list[list[Scalar]], row_units: Sequence[float], column_units: Sequence[float]) -> None:
        same = all(unit == row_units[0] for unit in row_units) or len(row_units) > len(column_units)
        self.scale = [1.0 if same else 1.0 / unit for unit in row_units]
        size = min(row_units) if same else 1.0
        columns = [[mul(s, row[c]) for row, s in zip(table, self.scale, strict=True)] for c in range(len(column_units))]
        self.V: list[list[Scalar]] = []
        self.weight: list[Scalar] = []
        self.T: list[dict[int, Scalar]] = []  # of each column, its components along earlier ones
        self.square: Scalar = 1.0
        for column, unit in zip(columns, column_units, strict=True):
            v, shares = column, {}
            for k, other in enumerate(self.V):
                share = mul(_dot(other, v), self.weight[k])
                if not is_zero(share):
                    shares[k] = share
                    v = [sub(x, mul(share, o)) for x, o in zip(v, other, strict=True)]
            square = _dot(v, v)
            self.square = mul(self.square, square)
            self.V.append(v)
            self.weight.append(1.0 / guard(square, (SINGULAR * size / unit) ** 2))
            self.T.append(shares)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        rest = [mul(s, x) for s, x in zip(self.scale, right, strict=True)]
        y: list[Scalar] = []
        for v, weight in zip(self.V, self.weight, strict=True):
            share = mul(_dot(v, rest), weight)
            rest = [sub(x, mul(share, o)) for x, o in zip(rest, v, strict=True)]
            y.append(share)
        for k in reversed(range(len(y))):
            for j, share in self.T[k].items():
                y[j] = sub(y[j], mul(share, y[k]))
        return y

    def transposed(self, right: Sequence[Scalar]) -> list[Scalar]:
        z = list(right)
        for k in range(len(z)):
            for j, share in self.T[k].items():
                z[k] = sub(z[k], mul(share, z[j]))
        z = [mul(x, weight) for x, weight in zip(z, self.weight, strict=True)]
        return [mul(s, _dot(row, z)) for s, row in zip(self.scale, zip(*self.V, strict=True), strict=True)]


def _cofactor(table: list[list[Scalar]], i: int, j: int) -> Scalar:
    (a, b), (c, d) = ((table[(i + k) % 3][(j + 1) % 3], table[(i + k) % 3][(j + 2) % 3]) for k in (1, 2))
    return sub(mul(a, d), mul(b, c))


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        if not (is_zero(x) or is_zero(y)):
            total = add(total, mul(x, y))
    return total


def _triangular(rows: Sequence[Row], columns: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Return blocks of rows and columns; a row has entries in the columns of its own block and of those before it alone."""
    if len(rows) > len(columns):  # least squares: one block
        return [(list(range(len(rows))), list(columns))]
    owner = _matching(rows, columns)
    order: list[tuple[list[int], list[int]]] = []
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    column_of = {r: c for c, r in owner.items()}

    def visit(r: int) -> None:  # Tarjan 1972: what a part needs comes before it
        index[r] = low[r] = len(index)
        stack.append(r)
        for c in rows[r]:
            other = owner[c]
            if other not in index:
                visit(other)
                low[r] = min(low[r], low[other])
            elif other in stack:
                low[r] = min(low[r], index[other])
        if low[r] == index[r]:
            part: list[int] = []
            while not part or part[-1] != r:
                part.append(stack.pop())
            part.sort()
            order.append((part, [column_of[k] for k in part]))

    for r in range(len(rows)):
        if r not in index:
            visit(r)
    return order


def _matching(rows: Sequence[Row], columns: Sequence[int]) -> dict[int, int]:
    """Match every row with its own column in which it has an entry; return the row of each column."""
    owner: dict[int, int] = {}

    def place(r: int, seen: set[int]) -> bool:
        for c in rows[r]:
            if c not in seen:
                seen.add(c)
                if c not in owner or place(owner[c], seen):
                    owner[c] = r
                    return True
        return False

    for r in range(len(rows)):
        if not place(r, set()):
            raise ModelError("the equations of the loops have no solution here: one of them is redundant")
    if len(owner) < len(columns):
        raise ModelError("the equations of the loops leave a velocity free")
    return owner
