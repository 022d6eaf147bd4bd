"""The inverse of a mass matrix, kept as factors, and its products with tables.

With M = L' D L (`factor.py`) and N = 1 - L^-1, which has entries only where one joint carries another, as L has,
    M^-1 = (1 - N) D^-1 (1 - N)'
A column of forces that is zero on whole branches needs, for an acceleration there, only the joints that lead to both: N has them
at once, where a substitution with L goes through all joints of the branch. Where L has fewer entries, a row is substituted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...spatial.scalar import Scalar, is_zero, mul, sub
from .factor import Factor

Row = list[Scalar]  # of a table, or of some columns of it
Entries = Mapping[int, Scalar]

TOGETHER = 8  # columns side by side: an entry of N or L is then read once for all of them


class InverseFactor:
    """M^-1, from the factor of M."""

    def __init__(self, factor: Factor) -> None:
        self.L, self.weight = factor.L, factor.weight
        self.N: list[dict[int, Scalar]] = []
        for entries in self.L:
            row = dict(entries)
            for k in reversed(range(len(self.N))):
                for i, entry in self.L[k].items() if k in row else ():
                    row[i] = sub(row.get(i, 0.0), mul(row[k], entry))
            self.N.append({i: row[i] for i in sorted(row)})
        self._beyond = _transposed(self.L), _transposed(self.N)

    def minus_times(self, table: Sequence[Row]) -> list[Row]:
        """Return - M^-1 times a table."""
        found: list[Row] = [[] for _ in table]
        for first in range(0, len(table[0]) if table else 0, TOGETHER):
            inner = self._inward([row[first : first + TOGETHER] for row in table])
            for row, part in zip(found, self._outward([[sub(0.0, x) for x in row] for row in inner]), strict=True):
                row += part
        return found

    def matrix(self) -> list[Row]:
        """Return M^-1 itself, each entry beside the diagonal computed once."""
        n = len(self.L)
        found: list[Row] = [[0.0] * n for _ in range(n)]
        for j in range(n):
            inner = [[sub(0.0, mul(self.N[j].get(i, 0.0), self.weight[i]))] for i in range(j)] + [[self.weight[j]]]
            for k, (x,) in enumerate(self._outward(inner)):
                found[k][j] = found[j][k] = x
        return found

    def _inward(self, x: Sequence[Row]) -> list[Row]:
        """Return D^-1 (1 - N)' x, row by row from the tips to the base."""
        through_L, through_N = self._beyond
        z: list[Row] = [[] for _ in x]  # (1 - N)' x
        for i in reversed(range(len(x))):
            z[i] = _less(x[i], through_N[i], x, through_L[i], z)
        return [[mul(y, weight) for y in row] for row, weight in zip(z, self.weight, strict=True)]

    def _outward(self, inner: Sequence[Row]) -> list[Row]:
        """Return (1 - N) x, row by row from the base to the tips."""
        y: list[Row] = []
        for k, row in enumerate(inner):
            y.append(_less(row, self.N[k], inner, self.L[k], y))
        return y


def _less(row: Row, N: Entries, x: Sequence[Row], L: Entries, y: Sequence[Row]) -> Row:
    """Return a row less N x or, if these are fewer products, less L y."""
    entries, of = (N, x) if _products(N, x) < _products(L, y) else (L, y)
    for i, entry in entries.items():
        row = [sub(a, mul(entry, b)) for a, b in zip(row, of[i], strict=True)]
    return row


def _products(entries: Entries, x: Sequence[Row]) -> int:
    return sum(not is_zero(b) for i in entries for b in x[i])


def _transposed(rows: Sequence[Entries]) -> list[dict[int, Scalar]]:
    columns: list[dict[int, Scalar]] = [{} for _ in rows]
    for k, row in reversed([*enumerate(rows)]):
        for i, entry in row.items():
            columns[i][k] = entry
    return columns
