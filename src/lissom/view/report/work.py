"""Report of a job: one page for who looks after safety: limits and loads of tasks, the shift, designs side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..curves.panel import Bound, Group, Line, Panel
from ..page import check_ending, table, text
from .fatigue import fall_picture
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...work.assess import Assessment, TaskLoad

FACTORS = {
    "horizontal": "hands closer to the body",
    "vertical": "hands nearer to 0.75 m above the floor",
    "distance": "a shorter way up or down",
    "asymmetry": "no turning of the trunk",
    "frequency": "fewer lifts, or shorter spells of lifting",
    "coupling": "handles",
}
MAXIMUM = 6400.0  # [N], the maximum permissible limit of NIOSH's first guide (1981)


def report_work(found: Assessment, path: str | os.PathLike[str]) -> Path:
    """Write the page of an assessment; see `Assessment.report`."""
    path = check_ending(path)
    worst = max(found.loads, key=lambda load: load.compression)
    motion = worst.motion.prediction
    spine, t = worst.spine, worst.times
    groups = [
        Group(
            f"L5/S1: {worst.task.name}",
            [
                Panel("compression of the disc", "N", t, [Line("L5/S1", spine.disc)], [Bound(-math.inf, spine.limit)]),
                Panel("shear, ahead", "N", t, [Line("L5/S1", spine.shear)], [Bound(-found.shear_limit, found.shear_limit)]),
                Panel("extension moment", "N m", t, [Line("L5/S1", spine.extension)]),
            ],
        )
    ]
    tired = [load for load in found.loads if load.tired is not None]
    first = ["<h2>Designs</h2>" + _designs(found)] if found.designs else []
    first += ["<h2>Tasks</h2>" + _tasks(found), "<h2>The shift</h2>" + _shift(found) + _note(spine.limit)]
    first += ["<h2>Fatigue</h2>" + _fatigue(tired)] if tired else []
    details = [(f"Recommended weight limits: {load.task.name}", _limits(load)) for load in found.loads if load.limits]
    details += [(f"Strength: {load.task.name}", _strength(load)) for load in found.loads]
    return write_report(
        f"{found.job.name}: work",
        _verdict(found),
        scenes(motion, f"{worst.task.name}, the hardest task for the back"),
        groups,
        details,
        path,
        first=first,
    )


def _verdict(found: Assessment) -> Verdict:
    concerns, job = found.concerns, found.job
    who = f"{job.worker.sex}, {job.worker.stature:g} m, {job.worker.mass:g} kg"
    beyond = f"{len(concerns)} recommended limit{'s' if len(concerns) > 1 else ''} exceeded"
    said = f"{job.name}: {beyond if concerns else 'within recommended limits'}"
    return Verdict(not concerns, f"{said} ({who}, {job.hours:g} h)", tuple(concerns))


def _note(limit: float) -> str:
    return (
        "<p class='note'>The lifting index is of the revised NIOSH equation (publication 94-110): above 1 some workers, above 3 "
        "nearly all are at a higher risk of low back pain. It is for two-handed lifts, standing, without haste. Compression is "
        f"that of the disc L5/S1 in the predicted motion with one muscle behind it; NIOSH's action limit is {limit:g} N, its "
        f"maximum permissible limit {MAXIMUM:g} N (1981). Limits of shear are Gallagher and Marras' (2012), the dose of a shift "
        "is that of the Mainz-Dortmund model (1999): a screening, not a prognosis for one person.</p>"
    )


def _number(value: float | None, form: str = ".2g") -> str:
    return "" if value is None else "no lift allowed" if math.isinf(value) else format(value, form)


def _designs(found: Assessment) -> str:
    rows = []
    for name, one in found.by_design.items():
        strong = min(load.strong_enough for load in one.loads)
        figures = (_number(one.composite_index), f"{one.compression:.0f}", f"{max(load.shear for load in one.loads):.0f}")
        rows.append(
            (name, *figures, f"{100 * strong:.0f}", f"{one.impulse / 1e6:.2f}", f"{one.dose:.0f}", str(len(one.concerns)))
        )
    heads = (
        "design",
        "lifting index",
        "compression [N]",
        "shear [N]",
        "strong enough [%]",
        "impulse [MN s]",
        "dose [N h]",
        "concerns",
    )
    return table(heads, rows)


def _tasks(found: Assessment) -> str:
    rows = []
    for load in found.loads:
        limit, joint = load.limit(), load.hardest
        weight = "" if limit is None else f"{limit.weight:.3g}"
        asked = f"{joint[0].replace('_', ' ')}, {100 * joint[1]:.0f} % of strength"
        figures = (f"{load.task.mass:g}", weight, _number(load.index), f"{load.compression:.0f}", f"{load.shear:.0f}")
        rows.append((load.task.name, *figures, asked, f"{100 * load.strong_enough:.0f}"))
    heads = ("task", "load [kg]", "recommended [kg]", "lifting index", "compression [N]", "shear [N]", "hardest joint")
    return table((*heads, "strong enough [%]"), rows)


def _shift(found: Assessment) -> str:
    rows = [(load.task.name, f"{load.repetitions:.0f}", f"{load.impulse / 1e6:.3g}") for load in found.loads]
    rows.append(("together", f"{sum(load.repetitions for load in found.loads):.0f}", f"{found.impulse / 1e6:.3g}"))
    index = found.composite_index
    more = "" if index is None else f"<p>Composite lifting index of all lifts: {_number(index)}.</p>"
    dose = f"<p>Dose of the shift: {found.dose:.0f} N h; recommended at most {found.dose_limit:g} N h.</p>"
    return table(("task", "times in a shift", "impulse of compression [MN s]"), rows) + more + dose


def _fatigue(loads: Sequence[TaskLoad]) -> str:
    rows = []
    for load in loads:
        found = load.tired
        assert found is not None
        joint, left = found.most_tired
        most = f"{found.done} of {found.times}" if found.reason else str(found.done)
        rows.append((load.task.name, most, joint.replace("_", " "), f"{100 * left:.0f}", str(len(found.motions)), found.reason))
    heads = ("task", "times in a shift", "most tired", "strength left [%]", "motions", "")
    note = "<p class='note'>Each task alone, at its frequency, with the three-compartment model of fatigue.</p>"
    falls = (f"<h3>{text(load.task.name)}</h3>{fall_picture(load.tired)}" for load in loads if load.tired is not None)
    return table(heads, rows) + note + "".join(falls)


def _limits(load: TaskLoad) -> str:
    rows = []
    for end, limit in load.limits.items():
        factors = limit.multipliers._asdict()
        smallest = min(factors, key=lambda name: factors[name])
        values = (f"{value:.2f}" for value in factors.values())
        rows.append((end, f"{limit.load:g}", *values, f"{limit.weight:.3g}", FACTORS[smallest]))
    heads = ("end", "constant [kg]", *FACTORS, "limit [kg]", "what would help most")
    return table(heads, rows)


def _strength(load: TaskLoad) -> str:
    hardest, able = sorted(load.shares.items(), key=lambda item: -item[1])[:10], load.able
    rows = [(name.replace("_", " "), f"{100 * x:.0f}", f"{100 * able[name]:.0f}") for name, x in hardest]
    return table(("joint", "of mean strength [%]", "strong enough [%]"), rows)
