"""Report of many motion problems: how many were solved, the shortest and the longest motion in 3-D, what became of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..page import check_ending, table
from ..summary import printable
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...predict.result.outcomes import Outcome, Outcomes

SAID = 5  # most failures in words


def report_outcomes(found: Outcomes, path: str | os.PathLike[str]) -> Path:
    """Write the page of many problems; see `Outcomes.report`."""
    path = check_ending(path)
    solved = sorted((one for one in found if one.success), key=lambda one: one.duration)
    ends = dict.fromkeys(solved[:1] + solved[-1:])
    motions = [scene for one in ends for scene in scenes(one.prediction, f"{_named(one)}: {one.duration:.4g} s", ghosts=2)]
    counts = [(status.value.replace("_", " "), str(count)) for status, count in found.counts.items()]
    details = [("Status", table(("status", "problems"), counts, (1,))), ("Problems", _all(found))]
    return write_report(f"{len(found)} motion problems", of_outcomes(found), motions, [], details, path)


def of_outcomes(found: Outcomes) -> Verdict:
    """Return how many problems were solved in what time, and what those without success say."""
    good, bad = found.success, found.failures
    first = f"{good.sum()} of {len(found)} problems solved in {found.seconds:.3g} s by {found.workers} process"
    first += "" if found.workers == 1 else "es"
    more = []
    if good.any():
        low, high = found.durations[good].min(), found.durations[good].max()
        more.append(f"motions of {low:.4g} s" if low == high else f"motions from {low:.4g} s to {high:.4g} s")
    more += [f"{_named(one)}: {one.status.value.replace('_', ' ')}. {one.message}" for one in bad[:SAID]]
    if len(bad) > SAID:
        more.append(f"{len(bad) - SAID} more without success are in the table")
    return Verdict(not bad, first, tuple(more))


def _named(one: Outcome) -> str:
    name = "" if one.problem is None else f", {one.problem.name}"
    return printable(f"problem {one.number}{name}")


def _all(found: Outcomes) -> str:
    rows, marks = [], []
    for one in found:
        name = "" if one.problem is None else printable(one.problem.name)
        numbers = ("", "", "", "")
        if one.path is not None:
            numbers = (f"{one.duration:.6g}", f"{one.objective:.8g}", str(one.iterations), f"{one.seconds:.3g}")
        message = "" if one.success else printable(one.message)
        rows.append((str(one.number), name, one.status.value.replace("_", " "), *numbers, message))
        marks.append("" if one.success else "broken")
    head = ("", "problem", "status", "duration [s]", "objective", "iterations", "time [s]", "message")
    return table(head, rows, (0, 3, 4, 5, 6), marks) if rows else "<p>None.</p>"
