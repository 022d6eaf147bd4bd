"""`lissom predict`: solve a problem, with progress, and report the motion."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ContactError, FileError, Interrupted
from ..nlp.status import Status
from .console import make_console, make_table
from .exit_codes import Reported
from .files import PICTURES, REPORTS, check_ending
from .outputs import Outputs, fresh
from .reports import prediction_report
from .text import complain, one_line
from .words import in_options

if TYPE_CHECKING:
    from rich.console import Console

    from ..predict import Prediction

ENDINGS = {"out": (".npz", ".csv"), "report": REPORTS, "plot": PICTURES, "animate": (".gif",)}
OPTIONS = {"out": "-o", "report": "--report", "plot": "--plot", "animate": "--animate"}


def predict_motion(
    file: str,
    robot: str | None,
    targets: dict[str, Path | None],
    start: Path | None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Solve a problem, print the result, and write the files asked for.

    Args:
        file: problem file, or a built-in name.
        robot: replaces the robot of the file.
        targets: files to write, by the names in ENDINGS.
        start: file of an earlier prediction to start from.
        settings: of the solver, replacing those of the file; None keeps the file's.
        outputs: writes the files.
    """
    from ..predict import Prediction, load
    from ..predict.search.solve import failure

    wanted = {kind: path for kind, path in targets.items() if path is not None}
    check_targets(outputs, wanted, file, *([] if start is None else [start]))
    problem = load(file, robot)
    options = {key: value for key, value in settings.items() if value is not None}
    if start is not None:
        options["start"] = Prediction.load(start, problem.robot)
    stopped = False
    try:
        prediction = problem.solve(progress=True, throw=False, **options)
    except ContactError as reach:
        if reach.contacts[-1] in problem.lines:
            raise FileError(str(reach), *problem.lines[reach.contacts[-1]]) from reach
        raise
    except Interrupted as stop:
        if not isinstance(stop.result, Prediction):
            raise
        prediction, stopped = stop.result, True
    stem = Path(file).stem
    if stopped and "out" not in wanted:
        wanted = {"out": fresh(Path(f"{stem}-interrupted.npz")), **wanted}  # what was found must not be lost
    write(outputs, prediction, wanted, stem)
    if outputs.as_json:
        outputs.report = prediction_report(prediction)
    else:
        show(prediction, make_console())
    error: BaseException | None = None
    if stopped:
        if outputs.written:
            saved = outputs.written[0]  # elsewhere, if the disk is full
            again = f"; continue with --start {saved}" if saved.suffix == ".npz" else ""
            complain(f"interrupted; the best motion so far is kept in {saved}{again}")
        error = Reported() if outputs.written else KeyboardInterrupt()
    elif not prediction.success:
        error = failure(prediction)
    outputs.finish(error)


def check_targets(outputs: Outputs, wanted: dict[str, Path], *inputs: str | Path) -> None:
    """Raise a FileError for files that cannot or should not be written, before solving."""
    for kind, path in wanted.items():
        check_ending(path, ENDINGS[kind], OPTIONS[kind])
    outputs.check(list(wanted.values()), inputs, pictures=bool(wanted.keys() - {"out"}))


def write(outputs: Outputs, prediction: Prediction, wanted: dict[str, Path], stem: str) -> None:
    """Write the files of a prediction: the motion first."""
    out = wanted.get("out")
    outputs.save(out, prediction.save, ".csv", f"{stem if out is None else out.stem}-kept.npz")
    drawn = {"report": _report(prediction), "plot": lambda path: prediction.plot(path=path), "animate": prediction.animate}
    for kind, draw in drawn.items():
        if kind in wanted:
            outputs.draw(wanted[kind], draw, ENDINGS[kind][0])


def _report(prediction: Prediction) -> Callable[[Path], Path]:
    """Return what writes a page: of a walk, where a step of a person was predicted."""
    from ..robots.human.robot import Human

    if isinstance(prediction.robot, Human):
        from ..gait.step import gait_of, is_step

        if is_step(prediction):
            return gait_of(prediction).report
    return prediction.report


def show(prediction: Prediction, console: Console) -> None:
    """Print the solver's status, the limits, and the rounds of refinement."""
    p = prediction
    console.print(f"{one_line(p.name)}: {p.status.value.replace('_', ' ')}")
    console.print(f"duration {p.duration:.6g} s, objective {p.objective:.8g}")
    if p.phases:
        console.print("phases: " + ", ".join(f"{one_line(x.name)} {x.start:.4g} to {x.end:.4g} s" for x in p.phases))
    console.print(f"{p.iterations} iterations in {p.seconds:.2f} s, after {p.setup_seconds:.2f} s of preparation")
    if p.success and (more := p.message.removeprefix(Status.SOLVED.meaning).strip()):
        console.print(one_line(in_options(more)))
    if p.limits:
        show_limits(p, console)
    if len(p.rounds) > 1:
        names = ("control points", "grid points", "objective", "violation / scale", "iterations", "seconds")
        table = make_table("\nRounds: twice the knots, or more grid points where limits are violated", *names, numbers=names)
        for r in p.rounds:
            figures = (f"{r.objective:.8g}", f"{r.violation:.1e}", str(r.iterations), f"{r.seconds:.2f}")
            table.add_row(str(r.control_points), str(r.instants), *figures)
        console.print(table)


def show_limits(prediction: Prediction, console: Console) -> None:
    """Print the limits as a table; equations that hold and many entries of one limit are each one line."""
    from ..view.report.folded import folded

    rows, equations = folded([limit.shown() for limit in prediction.limits], prediction.limit_tolerance)
    when = ("when",) if any(limit.when for limit in rows) else ()
    columns = ("limit", *when, "lower", "upper", "unit", "active", "violation", "at [s]")
    of = "its phases" if any(limit.during for limit in rows) else "the time"
    title = f"\nLimits, with the share of {of} within 1 % of a bound and the largest violation"
    table = make_table(title, *columns, numbers=("lower", "upper", *columns[-3:]))
    for limit in rows:
        worst = (f"{limit.violation:.2g}", f"{limit.at:.3f}") if limit.is_missed else ("none", "")
        bounds = [f"{x:g}" if math.isfinite(x) else "" for x in (limit.lower, limit.upper)]
        first = (limit.label, limit.when) if when else (limit.label,)
        table.add_row(*first, *bounds, "" if limit.unit == "1" else limit.unit, f"{limit.active:.0%}", *worst)
    if rows:
        console.print(table)
    if equations:
        console.print(equations)
