"""Phases of a prediction as arrays of its file: names, where they begin and end, and the clocks of free durations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.motion import Motion

if TYPE_CHECKING:
    from .prediction import Prediction

# kind and shape, as in ARRAYS of `files.py`
PHASE_ARRAYS = {
    "phases": ("U", "P"),
    "phase_ends": ("f", "Q"),
    "clock_ends": ("f", "C"),
    "limit_residuals": ("f", "l"),
    "limit_phases": ("U", "l"),  # their names, one in each line
    "limit_contacts": ("U", "l"),
}
SUM = 1e-12  # share of the duration by which the sum of those of clocks may differ from it


def phase_arrays(prediction: Prediction) -> dict[str, Any]:
    """Return the phases of a prediction by the names of PHASE_ARRAYS."""
    names, ends = prediction.description.phases
    return {
        "phases": np.array(names, dtype=str),
        "phase_ends": np.array(ends, dtype=float),
        "clock_ends": np.array(prediction.ends, dtype=float),
        "limit_residuals": np.array([limit.residual for limit in prediction.limits], dtype=float),
        "limit_phases": np.array(["\n".join(limit.during) for limit in prediction.limits], dtype=str),
        "limit_contacts": np.array([limit.contact for limit in prediction.limits], dtype=str),
    }


def read_phases(found: Mapping[str, np.ndarray]) -> tuple[tuple[tuple[str, ...], tuple[float, ...]], tuple[float, ...]]:
    """Return names and ends of phases, as in `Description`, and the ends of clocks; ValueError where they do not fit."""
    names, ends, clocks = (found[name] for name in ("phases", "phase_ends", "clock_ends"))
    if len(ends) != len(names) + 1 or not (len(names) == 0 or _increasing(ends)):
        raise ValueError("the ends of phases do not fit their number")
    if not _increasing(clocks) or len(clocks) not in (2, len(names) + 1):
        raise ValueError("the ends of clocks do not fit the phases")
    return (tuple(map(str, names)), tuple(ends.tolist())), tuple(clocks.tolist())


def expect_solution_of(motion: Motion, x: np.ndarray) -> None:
    """Raise ValueError where the unknowns of a solution are not those of a motion."""
    points, clocks = motion.points, len(motion.ends) - 1
    fits = len(x) >= len(points) + clocks and np.array_equal(x[: len(points)], points)
    durations = x[len(points) : len(points) + clocks]
    if not fits or not np.allclose(durations, motion.durations, rtol=0.0, atol=SUM * motion.duration):
        raise ValueError("the solution is not that of the path")


def _increasing(ends: np.ndarray) -> bool:
    return len(ends) > 1 and ends[0] == 0.0 and ends[-1] == 1.0 and bool((np.diff(ends) > 0).all())
