"""`lissom identify`: parameters of a robot from recorded motions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..write import check_ending as check_model
from ..write import save
from .console import make_console, make_table
from .excite import words
from .files import REPORTS, check_ending, is_stream
from .outputs import Outputs
from .text import one_line

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..identify import Identification, Payload
    from ..robot import Robot

WIDE = 90  # letters of a sum that are printed


def identify_robot(
    robot: Robot | ClosedRobot,
    file: str,
    measured: Sequence[Path],
    validate: bool,
    targets: tuple[Path | None, Path | None],
    parameters: tuple[list[str] | None, list[str] | None, str | None],
    options: dict[str, Any],
    filters: dict[str, Any],
    reading: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Read measurements, print what they say, and write the robot and a page.

    Args:
        robot, file: as it was.
        measured: CSV files; the last one for validation alone, if `validate`.
        targets: files to write: robot and page.
        parameters: to estimate, to hold, and the link of a payload.
        options, filters, reading: of `identify`, `Filtering` and `read_csv`.
        outputs: writes the files.
    """
    from ..identify import Filtering, identify, identify_payload, read_csv
    from ..identify.measurement import pieces_of

    out, report = targets
    estimate, known, link = words(parameters[0]), words(parameters[1]), parameters[2]
    if out is not None and not is_stream(out):
        check_model(out)
    if report is not None:
        check_ending(report, REPORTS, "--report")
    if out is not None and not options["consistent"]:
        raise FileError("a model needs bodies that can exist; leave out --no-consistent, or -o", out)
    if link is not None and (known or not options["consistent"]):
        raise FileError(f"{'--known' if known else '--no-consistent'} does not go with --payload")
    outputs.check([out, report], [file, *measured])
    pieces = [read_csv(path, robot, **reading) for path in measured]
    last = pieces.pop() if validate else []
    data = pieces_of([piece for some in pieces for piece in some])
    carried: Payload | None = None
    if link is not None:
        of_payload = {name: options[name] for name in ("method", "spread")}
        carried = identify_payload(data, link, estimate=estimate, filtering=Filtering(**filters), **of_payload)
        found = carried.identification
    else:
        chosen: dict[str, Any] = {"estimate": estimate} if estimate else {}
        found = identify(data, known=known, filtering=Filtering(**filters), **chosen, **options)
    others = {piece.name: found.validate(piece) for piece in last}
    if outputs.as_json:
        outputs.report = _report(found, carried, others)
    else:
        show(found, carried, others)
    if out is not None:
        outcome = robot if carried is None else carried.robot
        model = found.model if carried is None else outcome.model
        outputs.save(out, lambda path: save(model, path), ".yaml", f"{out.stem}-kept.yaml")
    if report is not None:
        outputs.draw(report, found.report, ".html")
    outputs.finish()


def _report(found: Identification, carried: Payload | None, others: dict[str, np.ndarray]) -> dict[str, Any]:
    whole = found.to_dict() | {"parameters": found.parameters if carried is None else None, "payload": None}
    if carried is not None:
        body = carried.inertia
        whole["payload"] = {
            "link": carried.link,
            "mass_kg": body.mass,
            "com_m": body.com,
            "inertia_kg_m2": body.tensor,
            "standard_errors_from_zero": carried.weight,
        }
    whole["validation"] = {name: dict(zip(found.rows.names, map(float, left), strict=True)) for name, left in others.items()}
    return whole


def show(found: Identification, carried: Payload | None, others: dict[str, np.ndarray]) -> None:
    """Print base parameters with standard errors, and what is left of torques."""
    console = make_console()
    console.print(
        f"{one_line(found.robot.name)}: {len(found)} base parameters from {found.samples} samples, {found.method} least squares, "
        f"condition {found.estimate.condition:.3g}"
    )
    if carried is not None:
        x, y, z = carried.inertia.com
        sure = "" if carried.weight is None else f", {carried.weight:.3g} standard errors from none"
        console.print(f"on {one_line(carried.link)}: {carried.inertia.mass:.4g} kg at ({x:z.4f}, {y:z.4f}, {z:z.4f}) m{sure}")
    table = make_table(
        "", "", "value", "+-", "model", "base parameter", numbers=("", "value", "+-", "model"), whole=("base parameter",)
    )
    for k, (name, value, error, model) in enumerate(
        zip(found.names, found.values, found.standard_errors, found.base.values, strict=True)
    ):
        text = one_line(name if len(name) <= WIDE else f"{name[: WIDE - 4]} ...") + (" (weak)" if k in found.weak else "")
        table.add_row(str(k + 1), f"{value:.5g}", f"{error:.2g}", f"{model:.5g}", text)
    console.print(table)
    r = found.residuals
    columns = {"torque": r.torque, "before": r.before, "left": r.fit, "validated": r.validation, **others}
    if len(others) == 1:
        columns = {**{name: x for name, x in columns.items() if name not in others}, "other motion": next(iter(others.values()))}
    table = make_table("\nRoot mean square", "torque of", *columns, "unit", numbers=tuple(columns))
    for k, (name, unit) in enumerate(zip(found.rows.names, found.rows.units, strict=True)):
        table.add_row(name, *(f"{x[k]:.3g}" for x in columns.values()), unit)
    console.print(table)
    for one in found.doubts:
        console.print(f"doubtful: {one_line(one)}")
