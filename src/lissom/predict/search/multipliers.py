"""Warm starts: multipliers of a solution for a program near to it.

From a solution alone, an interior-point method first moves away from the limits and may not come back soon; with the multipliers
it knows which of them hold. Panda reaches whose ends are 0.01, 0.05 and 0.2 rad apart take 3, 4 and 9 iterations from the
multipliers of their neighbor, 11, 13 and 25 from its path alone, and 8 from a straight line.

Between rounds of one problem, limits that hold mostly stay, but not all: started 1e-3 away from them, rounds with more instants
take 6 to 20 iterations, where they take 11 to 76 without multipliers and as many with limits that are all held (1e-9).
"""

from __future__ import annotations

import numpy as np

from ...nlp.solution import Solution
from ..result.prediction import FOUND
from ..transcription.transcription import Transcription
from .checked_solution import Found

Multipliers = tuple[np.ndarray, np.ndarray, np.ndarray]  # of constraints, lower and upper bounds, in units of the objective


def carried(before: Found | Solution | None, now: Transcription) -> Multipliers | None:
    """Return the multipliers of a solution for another program; None where it has other unknowns or constraints.

    Limits at added instants have no multipliers yet.
    """
    if before is None:
        return None
    solution = before.solution if isinstance(before, Found) else before
    if solution.status not in FOUND or len(solution.x) != len(now.lower):
        return None
    y = solution.multipliers
    if isinstance(before, Found):
        old = before.transcription
        first, same = _added_at(old), _added_at(now)
        if first != same or old.rows - old.equations_at != now.rows - now.equations_at:
            return None
        y = np.concatenate([y[:first], np.zeros(now.equations_at - same), y[old.equations_at :]])
    return (y, solution.lower_multipliers, solution.upper_multipliers) if len(y) == now.rows else None


def kept(multipliers: Multipliers, rows: np.ndarray, size: float) -> Multipliers:
    """Return multipliers without those of some rows, for an objective divided by its size."""
    y, lower, upper = multipliers
    return np.delete(y, rows) / size, lower / size, upper / size


def _added_at(program: Transcription) -> int:
    """Return the first row of limits at added instants; they come after all others, before the equations."""
    rows = [row for group in program.groups for row, limit in group.limits if limit.of is not None]
    return min(rows, default=program.equations_at)
