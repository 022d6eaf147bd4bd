"""`lissom work`: assess a job of lifting and carrying, print its limits and loads, and write its page."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ..fatigue import Repeated
from ..work import Assessment, assess, load_job
from .console import make_console, make_table
from .files import REPORTS, check_ending
from .outputs import Outputs
from .text import one_line, say


def assess_job(file: str, out: Path | None, outputs: Outputs) -> None:
    """Read a job, assess it and its designs, and print or write what was found."""
    if out is not None:
        check_ending(out, REPORTS, "-o")
    outputs.check([out], [file], pictures=out is not None)
    job = load_job(file)
    found = assess(job, progress=None if outputs.as_json else lambda line: say(f"predicting {line}"))
    if outputs.as_json:
        outputs.report = work_report(found)
    else:
        _show(found)
    if out is not None:
        outputs.draw(out, found.report, ".html")
    outputs.finish()


def work_report(found: Assessment) -> dict[str, Any]:
    """Return an assessment with its designs as a mapping; docs/usage/cli-json.md lists the keys."""
    report: dict[str, Any] = {"job": found.job.name, "hours": found.job.hours, "lifting_index": found.composite_index}
    report |= {"dose_N_h": found.dose, "dose_limit_N_h": found.dose_limit, "impulse_N_s": found.impulse}
    report["concerns"] = found.concerns
    report["tasks"] = [
        {
            "name": load.task.name,
            "mass_kg": load.task.mass,
            "repetitions": load.repetitions,
            "recommended_kg": {end: limit.weight for end, limit in load.limits.items()},
            "lifting_index": load.index,
            "compression_N": load.compression,
            "shear_N": load.shear,
            "hardest_joint": load.hardest[0],
            "share_of_strength": load.hardest[1],
            "strong_enough": load.strong_enough,
            **({} if load.tired is None else _tired(load.tired)),
        }
        for load in found.loads
    ]
    report["designs"] = [work_report(design) for design in found.designs]
    return report


def _tired(found: Repeated) -> dict[str, Any]:
    joint, left = found.most_tired
    more = {"done": found.done, "most_tired_joint": joint, "strength_left": left, "motions": len(found.motions)}
    return {**more, "ended_by": found.reason or None}


def _show(found: Assessment) -> None:
    console = make_console()
    columns: tuple[str, ...] = ("design", "task", "index", "compression N", "shear N", "strong enough %")
    columns += ("strength left %",) if found.job.fatigue else ()
    rows = make_table(one_line(found.job.name), *columns, numbers=columns[2:])
    for design, one in found.by_design.items():
        for load in one.loads:
            index = "" if load.index is None else "no lift" if math.isinf(load.index) else f"{load.index:.2f}"
            figures = (index, f"{load.compression:.0f}", f"{load.shear:.0f}", f"{100 * load.strong_enough:.0f}")
            left = "" if load.tired is None else f"{100 * load.tired.most_tired[1]:.0f}"
            rows.add_row(one_line(design), one_line(load.task.name), *figures, *((left,) if found.job.fatigue else ()))
    console.print(rows)
    for line in found.concerns or ["within the recommended limits"]:
        console.print(one_line(line))
