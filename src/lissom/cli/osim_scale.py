"""The report of `lissom osim scale`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .console import make_console, make_table
from .files import check_ending
from .osim import TABLES, read_markers
from .outputs import Outputs
from .text import one_line, say


def show_scaling(
    path: Path, inputs: tuple[Path | None, Path | None, Path | None], out: Path | None, pose: Path | None, outputs: Outputs
) -> None:
    """Scale a model as a setup file says, print factors and how near its markers are, and write it.

    Args:
        path: the setup.
        inputs: files of the generic model, of more markers and of the static trial, instead of the setup's.
        out: where the model is written; `pose`: its static pose.
        outputs: of the command.
    """
    from ..muscles import path_ratios
    from ..osim import follow_scale_setup, read, read_scale_setup, write, write_table

    if out is not None:
        check_ending(out, (".osim",), "-o")
    if pose is not None:
        check_ending(pose, TABLES, "--pose")
    given = [what for what, file in zip(("model", "markers", "static"), inputs, strict=True) if file is not None]
    setup = read_scale_setup(path, given)
    named = [setup.model, setup.markers, setup.trial, setup.pose_trial, *inputs]
    outputs.check([out, pose], [path, *(file for file in named if file is not None)])
    model, extra, static = inputs
    trial = None if static is None else read_markers(static)
    made = follow_scale_setup(setup, None if model is None else read(model), extra, trial)
    before = {body.name: body.mass for body in made.generic.parts.bodies}
    bodies = [
        {"name": b.name, "factors": made.factors.get(b.name, (1.0, 1.0, 1.0)), "mass_kg": b.mass, "before_kg": before[b.name]}
        for b in made.model.parts.bodies
    ]
    placement = made.placement
    markers: list[dict[str, Any]] = []
    if placement is not None:
        fixed = {marker.name for marker in placement.model.parts.markers if marker.fixed}
        off = dict(zip(placement.fit.markers, placement.fit.distances[0].tolist(), strict=True))
        for name, moved in placement.moved.items():
            markers.append(
                {"name": name, "off_m": off.get(name), "moved_m": moved if setup.move else 0.0, "fixed": name in fixed}
            )
    outputs.report = {"model": made.model.parts.name, "bodies": bodies, "markers": markers}
    outputs.report |= {"gone": list(placement.gone) if placement is not None and setup.move else []}
    if out is not None:
        ratios = path_ratios(made.model)
        outputs.save(out, lambda file: write(made.model, file, ratios), ".osim", f"{out.stem}-kept.osim")
    if pose is not None and placement is not None:
        table = placement.fit.table
        outputs.save(pose, lambda file: write_table(table, file), ".sto", f"{pose.stem}-kept.sto")
    if not outputs.as_json:
        _tell(made.model.parts.name, bodies, markers)
        if outputs.report["gone"]:
            say(f"not in the trial, and left out: {one_line(', '.join(outputs.report['gone']))}")
    outputs.finish()


def _tell(name: str, bodies: list[dict[str, Any]], markers: list[dict[str, Any]]) -> None:
    numeric = ("x", "y", "z", "mass [kg]", "before [kg]")
    shown = make_table(f"Bodies of {one_line(name)}", "body", *numeric, numbers=numeric)
    for row in bodies:
        shown.add_row(row["name"], *(f"{f:.4g}" for f in row["factors"]), f"{row['mass_kg']:.4g}", f"{row['before_kg']:.4g}")
    make_console().print(shown)
    if markers:
        lengths = ("off [mm]", "moved [mm]")
        shown = make_table("Markers in the static pose", "marker", *lengths, "", numbers=lengths)
        for row in markers:
            off = "" if row["off_m"] is None else f"{1e3 * row['off_m']:.3g}"
            shown.add_row(row["name"], off, f"{1e3 * row['moved_m']:.3g}", "fixed" if row["fixed"] else "")
        make_console().print(shown)
        known = [row["off_m"] for row in markers if row["off_m"] is not None and np.isfinite(row["off_m"])]
        if known:
            say(f"root mean square of markers in the pose {1e3 * float(np.sqrt(np.mean(np.square(known)))):.3g} mm")
    say(f"{sum(row['mass_kg'] for row in bodies):.6g} kg")
