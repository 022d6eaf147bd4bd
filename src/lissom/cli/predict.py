"""The work of `lissom predict`: a problem in, a motion out, told while it is sought and afterwards."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import FileError
from .console import make_console, make_table
from .exit_codes import INTERRUPTED, prediction_code
from .files import refuse_overwriting, refuse_same, refuse_unwritable
from .progress_line import Watch

if TYPE_CHECKING:
    from rich.console import Console

    from ..predict import Prediction

ENDINGS = {"out": (".npz", ".csv"), "report": (".html", ".htm"), "plot": (".png", ".svg", ".pdf"), "animate": (".gif",)}
OPTIONS = {"out": "-o", "report": "--report", "plot": "--plot", "animate": "--animate"}


def list_problems() -> None:
    """Print the built-in problems."""
    from ..predict import builtin_problems
    from ..predict.read import about

    table = make_table("Built-in problems", "name", "what it is about")
    for name, file in builtin_problems().items():
        title, more = about(file)
        table.add_row(name, f"{title}: {more}" if more else title)
    make_console().print(table)


def predict_motion(
    file: str, robot: str | None, targets: dict[str, Path | None], start: Path | None, settings: dict[str, Any]
) -> None:
    """Solve a problem, print what was found, and write what is asked for.

    Args:
        file: the problem's file, or a built-in name.
        robot: in the place of the file's own.
        targets: files to write, by the names in ENDINGS.
        start: file of an earlier prediction to go on from.
        settings: of the solver, in the place of the file's own; None where the file's hold.
    """
    from ..predict import Prediction, load

    wanted = {kind: path for kind, path in targets.items() if path is not None}
    check_targets(wanted, file, *([] if start is None else [start]))
    problem = load(file, robot)
    options = {key: value for key, value in settings.items() if value is not None}
    if start is not None:
        options["start"] = Prediction.load(start, problem.robot)
    console = make_console()
    with Watch(problem.name) as watch:
        prediction = problem.solve(progress=watch, **options)
    show(prediction, console)
    if watch.asked and "out" not in wanted:
        wanted["out"] = Path(f"{Path(file).stem}-interrupted.npz")  # what was found must not be lost
    written = [str(write(prediction, kind, path)) for kind, path in wanted.items()]
    if written:
        print("wrote " + ", ".join(written))
    if watch.asked:
        saved = wanted["out"]
        again = f"; go on with --start {saved}" if saved.suffix == ".npz" else ""
        typer.echo(f"lissom: interrupted; the best motion so far is kept in {saved}{again}", err=True)
        raise typer.Exit(INTERRUPTED)
    if not prediction.success:
        typer.echo(f"lissom: no motion found: {prediction.message}", err=True)
        raise typer.Exit(prediction_code(prediction.status))


def check_targets(wanted: dict[str, Path], *inputs: str | Path) -> None:
    """Refuse files that cannot be written, before the time of a solution is spent."""
    refuse_same(*wanted.values())
    for kind, path in wanted.items():
        refuse_overwriting(path, *inputs)
        if path.suffix.lower() not in ENDINGS[kind]:
            raise FileError(f"{OPTIONS[kind]} writes {', '.join(ENDINGS[kind])}, not {path.suffix!r}", path)
        refuse_unwritable(path)


def write(prediction: Prediction, kind: str, path: Path) -> Path:
    """Write one file of a prediction."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "out":
        prediction.save(path)
    elif kind == "report":
        prediction.report(path)
    elif kind == "plot":
        prediction.plot(path=path)
    else:
        prediction.animate(path)
    return path


def show(prediction: Prediction, console: Console) -> None:
    """Print how the solver ended, what became of the limits, and the rounds of refinement."""
    p = prediction
    console.print(f"{p.name}: {p.status.value.replace('_', ' ')}")
    console.print(f"duration {p.duration:.6g} s, objective {p.objective:.8g}")
    console.print(f"{p.iterations} iterations in {p.seconds:.2f} s, after {p.setup_seconds:.2f} s of preparation")
    if p.limits:
        columns = ("limit", "lower", "upper", "unit", "active", "violation", "at [s]")
        table = make_table("\nLimits, checked ten times between the instants", *columns, numbers=(*columns[1:3], *columns[4:]))
        for limit in p.limits:
            worst = (f"{limit.violation:.2g}", f"{limit.at:.3f}") if limit.violation > 0 else ("none", "")
            bounds = [f"{x:g}" if math.isfinite(x) else "" for x in (limit.lower, limit.upper)]
            table.add_row(limit.label, *bounds, limit.unit, f"{limit.active:.0%}", *worst)
        console.print(table)
    if len(p.rounds) > 1:
        names = ("control points", "objective", "worst violation / scale", "iterations", "seconds")
        table = make_table("\nRounds, each with twice the knots", *names, numbers=names)
        for r in p.rounds:
            figures = (f"{r.objective:.8g}", f"{r.violation:.1e}", str(r.iterations), f"{r.seconds:.2f}")
            table.add_row(str(r.control_points), *figures)
        console.print(table)
