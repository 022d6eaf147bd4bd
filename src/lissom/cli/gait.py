"""`lissom predict gait` and `lissom predict run`: predict a walk or a run, report it, and compare it with measured norms."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError, suggest
from .console import make_console, make_table
from .files import REPORTS, check_ending
from .outputs import Outputs
from .text import one_line, say

if TYPE_CHECKING:
    import numpy as np

    from ..gait import Gait

NAMES = ("gait", "run")
NOT_WORN = ("slope", "stairs", "phases")  # what differs without another person
ENDINGS = {"out": (".npz", ".csv"), "cycle": (".csv",), "report": REPORTS}


def predict_gait(
    name: str,
    targets: dict[str, Path | None],
    norm: Path | None,
    person: dict[str, Any],
    changes: Sequence[str],
    outputs: Outputs,
) -> None:
    """Solve a walk, print its numbers, and write the files asked for.

    Args:
        name: "gait", or "run".
        targets: files to write: "out", the step's motion; "cycle", curves over the gait cycle; "report", a page.
        norm: file of measured curves.
        person: arguments of `lissom.gait.predict` or `run`; None for what is not given.
        changes: what differs, each as "name=value".
        outputs: writes the files.
    """
    from ..gait import predict, run
    from ..gait.norm import read_norm
    from ..predict.search.solve import failure

    wanted = {kind: path for kind, path in targets.items() if path is not None}
    for kind, path in wanted.items():
        if kind not in ENDINGS:
            raise FileError(f"--{kind} does not go with {name}; expected -o, --cycle or --report")
        check_ending(path, ENDINGS[kind], "-o" if kind == "out" else f"--{kind}")
    outputs.check(list(wanted.values()), [] if norm is None else [norm], pictures="report" in wanted)
    measured = {} if norm is None else read_norm(norm)
    given = {name: value for name, value in person.items() if value is not None}
    different = changes_of(name, changes)
    walk = (predict if name == "gait" else run)(**given, **different, progress=True, throw=False)
    if "out" in wanted:
        outputs.save(wanted["out"], walk.prediction.save, ".csv", f"{wanted['out'].stem}-kept.npz")
    if "cycle" in wanted:
        cycle = walk.cycle()
        outputs.save(wanted["cycle"], lambda path: _write(cycle, path), ".csv", f"{wanted['cycle'].stem}-kept.csv")
    if "report" in wanted:
        outputs.draw(wanted["report"], lambda path: walk.report(path, measured or None), ".html")
    robot = robot_name(given)
    worn = [key for key in different if key not in NOT_WORN]
    if outputs.as_json:
        outputs.report = gait_report(walk, measured) | {"robot": None if worn else robot}
    else:
        _show(walk, measured)
        if wanted.get("out") in outputs.written and worn:
            say(f"to see two steps, write a page with --report: lissom view has no name for a person with {' and '.join(worn)}")
        elif wanted.get("out") in outputs.written:
            say(f"to see two steps: lissom view '{robot}' {shlex.quote(str(wanted['out']))}")
    outputs.finish(None if walk.prediction.success else failure(walk.prediction))


def changes_of(name: str, words: Sequence[str]) -> dict[str, Any]:
    """Return arguments of `lissom.gait.predict` from "name=value", the value as in YAML."""
    from yaml import YAMLError, safe_load

    if words and name != "gait":
        raise FileError("--with goes with gait only")
    found: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise FileError(f"--with {word!r}: expected NAME=VALUE, such as slope=0.1 or 'weakness={{left_ankle: 0.5}}'")
        if key not in names_of_changes():
            raise FileError(f"--with {word!r}: no change {key!r} of a walk; {suggest(key, names_of_changes())}")
        try:
            found[key] = safe_load(value)
        except YAMLError:
            raise FileError(f"--with {word!r}: expected a number, [a list] or {{name: value}} after =") from None
        of = found[key]
        if isinstance(of, dict) and None in of.values():  # {left_ankle:0.5} is one name in YAML
            raise FileError(f"--with {word!r}: a name has no value; leave a space after colons: {{left_ankle: 0.5}}")
    return found


def names_of_changes() -> tuple[str, ...]:
    """Return the names of what may differ in a walk."""
    from ..robots.human.robot import CHANGES

    return *NOT_WORN, *CHANGES


def robot_name(person: dict[str, Any]) -> str:
    """Return the name of the robot that a person is, as `lissom view` takes it."""
    body = [f"{name}={person[name]}" for name in ("stature", "mass", "sex") if name in person]
    return f"robots:human({', '.join(['active=walking', *body])})"


def _write(cycle: dict[str, np.ndarray], path: Path) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(cycle)
        rows.writerows(zip(*([f"{x:.10g}" for x in column] for column in cycle.values()), strict=True))


def gait_report(walk: Gait, norm: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the walk's numbers, and the scores of its curves beside a norm."""
    found = walk.prediction
    report: dict[str, Any] = {"speed_m_per_s": walk.speed, "step_length_m": walk.step_length, "cadence_per_min": walk.cadence}
    report |= {"double_support_share": walk.double_support, "stance_share": walk.stance, "flight_share": walk.flight}
    report |= {"cost_of_transport": walk.cost_of_transport}
    report |= {"status": found.status, "success": found.success, "message": found.message}
    report |= {"objective": found.objective, "iterations": found.iterations, "solve_s": found.seconds}
    report["phases"] = [{"name": phase.name, "start_s": phase.start, "end_s": phase.end} for phase in walk.phases]
    scores = walk.compare(norm) if norm else {}
    report["scores"] = [{"name": name, "r": s.r, "rms": s.rms, "within_one_sd": s.within} for name, s in scores.items()]
    return report


def _show(walk: Gait, norm: dict[str, np.ndarray]) -> None:
    console, found = make_console(), walk.prediction
    console.print(f"{one_line(found.name)}: {found.status.value.replace('_', ' ')}")
    console.print(f"steps of {walk.step_length:.3g} m, {walk.cadence:.0f} steps per minute")
    feet, share = ("no foot is", walk.flight) if walk.flight else ("both feet are", 2.0 * walk.double_support)
    console.print(f"{feet} on the ground for {100 * share:.0f} % of the cycle")
    console.print(f"cost of transport {walk.cost_of_transport:.3g}: work of joints over weight times distance")
    console.print(f"largest limit violation, relative: {found.violation:.1e}")
    console.print(f"{found.iterations} iterations in {found.seconds:.2f} s, after {found.setup_seconds:.2f} s of preparation")
    if not norm:
        return
    columns = ("curve", "r", "rms", "within one SD")
    table = make_table("\nBeside the norm", *columns, numbers=columns[1:])
    for name, score in walk.compare(norm).items():
        table.add_row(name.replace("_", " "), f"{score.r:.3f}", f"{score.rms:.3g}", f"{score.within:.0%}")
    console.print(table)
