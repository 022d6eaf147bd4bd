"""Products: sums of products of numbers, over many problems at once.

Numbers are rows of an array (numbers, N), one column a problem; the address ONE stands for the number 1.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from ...locks import lazy_property
from .tape import Terms

ONE = 2**32 - 1  # an address
FEW = 40  # different second numbers up to which there is one sparse matrix for each
ROOM = 1 << 22  # numbers of terms at once


class Products:
    """Rows of sums of products.

    Args:
        count: number of rows.
        terms: with addresses in the array; those of the number 1 are ONE.

    Attributes:
        starts: (count + 1,), where the terms of each row begin.
    """

    def __init__(self, count: int, terms: Terms) -> None:
        order = np.argsort(terms.rows, kind="stable")
        rows, self.factors, one, other = (x[order] for x in terms)
        swap = np.unique(one).size < np.unique(other).size
        self.first, self.second = (other, one) if swap else (one, other)
        self.count, self.rows = count, rows
        self.starts = np.searchsorted(rows, np.arange(count + 1))

    def __call__(self, numbers: np.ndarray, out: np.ndarray) -> None:
        """Compute rows (count, N) of an array of numbers."""
        if len(self._matrices) <= FEW:
            out[...] = 0.0
            for second, constant, matrix in self._matrices:
                own = matrix @ numbers[: matrix.shape[1]] + constant[:, None]
                out += own if second == ONE else own * numbers[second]
            return
        step = max(1, ROOM // max(1, numbers.shape[1]))
        filled = np.flatnonzero(np.diff(self.starts))
        out[...] = 0.0
        begin = 0
        while begin < len(filled):
            end = max(begin + 1, int(np.searchsorted(self.starts[filled], self.starts[filled[begin]] + step)))
            some = filled[begin:end]
            own = slice(self.starts[some[0]], self.starts[some[-1] + 1])
            values = self._taken(numbers, self.first[own]) * self._taken(numbers, self.second[own])
            values *= self.factors[own, None]
            out[some] = np.add.reduceat(values, self.starts[some] - own.start, axis=0)
            begin = end

    @staticmethod
    def _taken(numbers: np.ndarray, addresses: np.ndarray) -> np.ndarray:
        one = addresses == ONE
        found = numbers[np.where(one, 0, addresses)]
        found[one] = 1.0
        return found

    @lazy_property
    def _matrices(self) -> list[tuple[int, np.ndarray, csr_array]]:
        """Sums whose second number is the same, as sparse matrices, with what does not depend on the first."""
        seconds = np.unique(self.second)
        found = []
        for second in seconds if len(seconds) <= FEW else [*seconds[: FEW + 1]]:
            own = self.second == second
            plain = own & (self.first == ONE)
            constant = np.bincount(self.rows[plain], self.factors[plain], self.count)
            some = own & ~plain
            width = int(self.first[some].max()) + 1 if some.any() else 0
            matrix = csr_array((self.factors[some], (self.rows[some], self.first[some])), shape=(self.count, width))
            found.append((int(second), constant, matrix))
        return found
