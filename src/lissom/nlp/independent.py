"""Equations of a program that follow from others: they are left out, since solvers stall on them.

Equations that say the same twice, or nothing at all, have dependent rows in J at every x; a rigid body that rests on more points
than it needs has some, and a motion whose ends are fixed. They are found at one x by a QR factorization with pivots of the rows
of equations, over the variables that are not fixed, each row divided by its length. Whether what is left out holds, too, is for
the caller to check at the solution.
"""

from __future__ import annotations

import numpy as np

from .problem import Array, Nlp

NONE = 1e-9  # length of what is left of a row of length one, below which it follows from the others
WORK = 2e10  # products of the largest factorization: a few seconds


def independent_rows(nlp: Nlp, x: Array) -> Array:
    """Return which constraints (m,) to keep: all but equations that follow from others at x; all, where J is not finite there."""
    kept = np.ones(nlp.m, dtype=bool)
    if not nlp.m or nlp.jacobian is None:
        return kept
    equal = np.flatnonzero(np.asarray(nlp.constraint_lower) == np.asarray(nlp.constraint_upper))
    free = np.flatnonzero(np.asarray(nlp.lower) < np.asarray(nlp.upper))
    if not len(equal) or not len(free) or 2.0 * len(equal) ** 2 * len(free) > WORK:
        return kept
    if nlp.evaluate is not None:
        nlp.evaluate(x)
    rows, columns = (np.asarray(part) for part in nlp.jacobian_structure)
    values = np.asarray(nlp.jacobian(x), dtype=float)
    row_of, column_of = np.full(nlp.m, -1), np.full(nlp.n, -1)
    row_of[equal], column_of[free] = np.arange(len(equal)), np.arange(len(free))
    some = (row_of[rows] >= 0) & (column_of[columns] >= 0)
    J = np.zeros((len(equal), len(free)))
    np.add.at(J, (row_of[rows[some]], column_of[columns[some]]), values[some])
    if not np.isfinite(J).all():
        return kept
    length = np.linalg.norm(J, axis=1)
    there = length > NONE * max(float(length.max()), 1e-300)
    kept[equal[~there]] = False
    some_rows = equal[there]
    if len(some_rows):
        from scipy.linalg import qr

        R, pivots = qr((J[there] / length[there, None]).T, mode="r", pivoting=True)
        left = np.zeros(len(pivots))
        count = min(R.shape)
        left[:count] = np.abs(np.diag(R)[:count])
        kept[some_rows[pivots[left < NONE]]] = False
    return kept
