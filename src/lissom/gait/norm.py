"""Norms: measured curves over the gait cycle, and how near a predicted one is."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..arrays import ArrayLike
from ..errors import FileError, StateError

PERCENT = "cycle_percent"
Norm = str | os.PathLike[str] | Mapping[str, ArrayLike]  # a file, or columns by name


class Score(NamedTuple):
    """How near a curve is to a norm.

    Attributes:
        r: correlation.
        rms: root of the mean square of the difference, in the unit of the curve.
        within: share of the cycle within one standard deviation of the mean; nan where the norm has none.
    """

    r: float
    rms: float
    within: float


def read_norm(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Return the columns of a table of comma-separated values by name: "cycle_percent", "<curve>_mean" and "<curve>_sd"."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file))
        table = np.array([[float(x) for x in row] for row in rows[1:] if row], dtype=float)
    except (OSError, ValueError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read the norm {os.fspath(path)!r}: {error}") from error
    if not rows or table.ndim != 2 or table.shape[1] != len(rows[0]) or PERCENT not in rows[0]:
        raise FileError(f"the norm {os.fspath(path)!r} needs a row of names, {PERCENT!r} among them, and rows of numbers below")
    return dict(zip(rows[0], table.T, strict=True))


def compare(cycle: Mapping[str, np.ndarray], norm: Norm) -> dict[str, Score]:
    """Return the score of every curve of a cycle that a norm has, given as columns by name or as a file."""
    known = norm if isinstance(norm, Mapping) else read_norm(norm)
    if PERCENT not in known:
        raise StateError(f"the norm has no {PERCENT!r}; it needs this column, and '<curve>_mean' of one curve or more")
    at, found = np.asarray(known[PERCENT], dtype=float), {}
    for name, curve in cycle.items():
        mean = known.get(f"{name}_mean", known.get(name))
        if name == PERCENT or mean is None:
            continue
        own = np.interp(at, cycle[PERCENT], curve)
        mean = np.asarray(mean, dtype=float)
        off = own - mean
        sd = known.get(f"{name}_sd")
        within = float("nan") if sd is None else float(np.mean(np.abs(off) <= np.asarray(sd, dtype=float)))
        found[name] = Score(float(np.corrcoef(own, mean)[0, 1]), float(np.sqrt(np.mean(off**2))), within)
    if not found:
        raise StateError(f"the norm has none of the curves {', '.join(cycle)}, as '<curve>_mean'")
    return found
