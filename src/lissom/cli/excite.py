"""`lissom excite`: a motion that shows a robot's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .console import make_console, make_table
from .files import check_ending
from .outputs import Outputs
from .simulate_inputs import numbers_of
from .text import one_line

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..identify import Excitation
    from ..robot import Robot


def excite_robot(
    robot: Robot | ClosedRobot,
    file: str,
    out: Path,
    options: dict[str, Any],
    parameters: tuple[list[str] | None, list[str] | None],
    start: str | None,
    avoid_self: bool,
    sampling: tuple[float, int],
    outputs: Outputs,
) -> None:
    """Find a motion, print what it shows and how near to the limits it comes, and write it."""
    from ..identify import excite

    check_ending(out, (".csv",), "-o")
    outputs.check([out], [file])
    estimate, known = map(words, parameters)
    if start is not None:
        options["start"] = numbers_of(start, "--start", len(robot.coordinate_names))
    if avoid_self:
        options["limit"] = lambda problem: problem.avoid_self()
    if estimate:
        options["estimate"] = estimate
    found = excite(robot, known=known, **options)
    if outputs.as_json:
        outputs.report = found.to_dict()
    else:
        show(found)
    outputs.save(out, lambda path: found.save(path, *sampling), ".csv", f"{out.stem}-kept.csv")
    outputs.finish()


def words(given: Sequence[str] | None) -> list[str]:
    """Return names that are given one by one, or separated by commas."""
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]


def show(found: Excitation) -> None:
    """Print the condition, and the largest numbers of each joint beside their limits."""
    console, robot = make_console(), found.robot
    console.print(
        f"{one_line(robot.name)}: {found.duration:g} s, {len(found.base)} base parameters, condition {found.condition:.3g}"
    )
    largest, limits = found.largest(), robot.limits
    table = make_table(
        "", "joint", "positions", "speed", "limit", "torque", "limit ", numbers=("speed", "limit", "torque", "limit ")
    )
    for k, name in enumerate(robot.coordinate_names):
        ends = f"{largest['lowest position'][k]:.4g} .. {largest['highest position'][k]:.4g}"
        bounds = [f"{x[k]:.4g}" if np.isfinite(x[k]) else "" for x in (limits.velocity, limits.effort)]
        table.add_row(name, ends, f"{largest['velocity'][k]:.4g}", bounds[0], f"{largest['torque'][k]:.4g}", bounds[1])
    console.print(table)
