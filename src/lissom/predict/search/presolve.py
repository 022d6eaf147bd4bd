"""Presolve: equations that fixed unknowns decide alone are checked and left out, before a solver sees them.

A robot at rest at a given start has a torque that no unknown changes: as an equation it holds or it does not, and in both cases a
solver only finds that there are more equations than unknowns. So are other limits that fixed unknowns keep at a bound, as those
of a force that begins at zero: a solver of interior points has no room there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import StateError
from ...nlp.independent import independent_rows
from ...nlp.problem import Array, Nlp
from ...nlp.solution import Solution
from ..transcription.transcription import Transcription

NEAR = 0.1  # of units, distance from the first motion at which equations are compared: there, nothing is zero by chance
ROUNDING = 1e-6  # share of its scale by which an equation that is left out may be missed


def settled_rows(program: Transcription, x: np.ndarray) -> np.ndarray:
    """Return the rows of equations that fixed unknowns decide, and of limits that these keep at a bound.

    Raises:
        StateError: an equation does not hold at x, evaluated last.
    """
    (low, high), every = program.bounds(), program.slopes.settled()
    if not len(every):
        return every
    y = program.constraints(x)
    rows = every[low[every] == high[every]]
    missed = np.abs(y - low)[rows]
    if not (missed <= ROUNDING).all():
        worst = int(np.argmax(np.where(np.isnan(missed), np.inf, missed)))
        label, size, unit, when = _named(program, int(rows[worst]))
        raise StateError(
            f"{label} is decided by what is given, such as the start and the end of the motion, and misses its equation by "
            f"{missed[worst] * size:.3g} {unit}{when}; change what is given, or leave the equation out there"
        )
    at_bound = np.minimum(np.abs(y - low), np.abs(y - high))[every] <= ROUNDING
    return every[(low == high)[every] | at_bound]


def dependent_rows(program: Transcription, x: np.ndarray, settled: np.ndarray) -> np.ndarray:
    """Return the settled rows, and those of equations that follow from others, found near x; x is evaluated again.

    Raises:
        StateError: there are more equations than unknowns.
    """
    nlp = program.nlp()
    near = np.clip(x + NEAR * np.random.default_rng(0).uniform(-1.0, 1.0, len(x)), program.lower, program.upper)
    kept = independent_rows(nlp, near)
    program.evaluate(x)
    found = np.union1d(settled, np.flatnonzero(~kept))
    low, high = program.bounds()
    equations = np.setdiff1d(np.flatnonzero(low == high), settled)
    unknowns = int((program.lower < program.upper).sum())
    if len(equations) > unknowns:
        left = np.intersect1d(equations, np.flatnonzero(kept))
        if len(left) == unknowns:
            label, *_ = _named(program, int(np.setdiff1d(equations, left)[0]))
            raise StateError(
                f"{len(equations)} equations for {unknowns} unknowns: nothing is left to choose, and {label} is one too many; "
                "free an end (None), add control points, contacts or channels that push, or drives, or leave equations out"
            )
    return found


def without(nlp: Nlp, rows: np.ndarray) -> Nlp:
    """Return a nonlinear program without some of its constraints."""
    if not len(rows):
        return nlp
    kept = np.setdiff1d(np.arange(nlp.m), rows)
    number = np.full(nlp.m, -1)
    number[kept] = np.arange(len(kept))
    own = number[nlp.jacobian_structure[0]] >= 0
    values, jacobian, hessian = nlp.constraints, nlp.jacobian, nlp.hessian
    assert values is not None and jacobian is not None and hessian is not None

    def spread(multipliers: Array) -> Array:
        every = np.zeros(nlp.m)
        every[kept] = multipliers
        return every

    return replace(
        nlp,
        m=len(kept),
        constraints=lambda x: np.asarray(values(x))[kept],
        constraint_lower=nlp.constraint_lower[kept],
        constraint_upper=nlp.constraint_upper[kept],
        jacobian_structure=(number[nlp.jacobian_structure[0][own]], nlp.jacobian_structure[1][own]),
        jacobian=lambda x: np.asarray(jacobian(x))[own],
        hessian=lambda x, factor, multipliers: hessian(x, factor, spread(multipliers)),
    )


def restored(solution: Solution, program: Transcription, rows: np.ndarray) -> Solution:
    """Return a solution with all constraints; those that were left out have no multipliers."""
    if not len(rows):
        return solution
    kept = np.setdiff1d(np.arange(program.rows), rows)
    every, multipliers = program.bounds()[0], np.zeros(program.rows)
    every[kept], multipliers[kept] = solution.constraints, solution.multipliers
    return replace(solution, constraints=every, multipliers=multipliers)


def _named(program: Transcription, row: int) -> tuple[str, float, str, str]:
    """Return label, scale, unit and place of a row."""
    for group in program.groups:
        for first, limit in group.limits:
            if first <= row < first + len(group.grid) * len(limit.entries):
                k, e = divmod(row - first, len(limit.entries))
                unit = limit.quantity.units()[int(limit.entries[e])]
                return limit.label(e), float(limit.scale[e]), unit, f" at the fraction {group.grid.s[k]:g}"
    return program.parts.equations[row - program.equations_at].label, 1.0, "", ""
