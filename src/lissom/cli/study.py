"""`lissom study`: run the cases that a folder has not, and tell what it has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import Interrupted
from .console import make_console, make_table
from .exit_codes import Reported
from .files import REPORTS, check_ending
from .outputs import Outputs
from .text import complain, one_line, say

if TYPE_CHECKING:
    from ..study import Results

SHOWN = 5  # most frequent reasons of failures


def run_study(
    file: Path, folder: Path, options: dict[str, Any], allow_python: bool, report: Path | None, outputs: Outputs
) -> None:
    """Run a study, print what it found, and write a page if asked.

    Args:
        file: the study.
        folder: where its rows are kept.
        options: of `Study.run`.
        allow_python: whether the file may name a function.
        report: page to write, or None.
        outputs: writes it, and the JSON report.
    """
    from ..study import Results, load

    if report is not None:
        check_ending(report, REPORTS, "--report")
        outputs.check([report], [file], pictures=True)
    study = load(file, allow_python)
    stopped = False
    try:
        found = study.run(folder, progress=not outputs.as_json, **options)
    except Interrupted as stop:
        if not isinstance(stop.result, Results):
            raise
        found, stopped = stop.result, True
    if outputs.as_json:
        outputs.report = study_report(found)
    else:
        show(found)
        say(f"table in {folder / 'table.parquet'}")
    if report is not None and not stopped:
        outputs.draw(report, found.report, ".html")
    if stopped:
        complain("interrupted; nothing is lost: the same command continues")
    outputs.finish(Reported() if stopped else None)


def study_report(found: Results) -> dict[str, Any]:
    """Return what a study found, for programs."""
    failures = [row for row in found if not row.success]
    report: dict[str, Any] = {"study": found.study.name, "folder": found.folder, "cases": len(found.cases), "done": len(found)}
    report |= {"failed": len(failures), "parameters": found.study.parameters, "status": found.counts}
    report["responses"] = [{"name": name, **spread(found, name)} for name in found.responses]
    report["reasons"] = [{"reason": why, "cases": count} for why, count in reasons(found)]
    return report


def spread(found: Results, name: str) -> dict[str, float | None]:
    """Return smallest value, mean and largest value of a response, and its standard deviation; None where there is none."""
    values = found.column(name).astype(float)
    values = values[np.isfinite(values)]
    if not len(values):
        return dict.fromkeys(("smallest", "mean", "largest", "deviation"))
    parts = {"smallest": values.min(), "mean": values.mean(), "largest": values.max(), "deviation": values.std()}
    return {key: float(value) for key, value in parts.items()}


def reasons(found: Results) -> list[tuple[str, int]]:
    """Return why cases failed, and how many, the most frequent first."""
    from collections import Counter

    return Counter(row.reason.splitlines()[0] if row.reason else row.status for row in found if not row.success).most_common()


def show(found: Results) -> None:
    """Print how many cases are done, the responses, and why cases failed."""
    console = make_console()
    failed = sum(not row.success for row in found)
    left = len(found.cases) - len(found)
    console.print(
        f"{one_line(found.study.name)}: {len(found)} of {len(found.cases)} cases done"
        + (f", {failed} of them failed" if failed else "")
        + (f", {left} left" if left else "")
    )
    columns = ("response", "smallest", "mean", "largest")
    table = make_table("\nResponses", *columns, numbers=columns[1:])
    for name in found.responses:
        own = spread(found, name)
        table.add_row(name, *("" if own[key] is None else f"{own[key]:.4g}" for key in columns[1:]))
    if found.responses:
        console.print(table)
    said = reasons(found)
    for why, count in said[:SHOWN]:
        console.print(f"{count} failed: {one_line(why)}")
    if len(said) > SHOWN:
        console.print(f"and {len(said) - SHOWN} other reasons, in the table")
