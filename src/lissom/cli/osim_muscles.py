"""The reports of `lissom osim muscles`, `so` and `jr`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..read.number import parse_number
from .console import make_console, make_table
from .files import PICTURES, check_ending
from .osim import read_span, read_the_loads
from .outputs import Outputs
from .text import complain, one_line, say

if TYPE_CHECKING:
    from ..muscles import Trial
    from ..osim import Actuator, OsimModel, Table

Steps = tuple[float | None, str | None]  # cutoff and span of time
Targets = tuple[Path | None, Path | None]  # beginning of the names of files, and picture


def show_muscles(path: Path, motion: Path, activations: str | None, steps: Steps, targets: Targets, outputs: Outputs) -> None:
    """Analyze muscles along a motion, print ranges, and write a file for each quantity."""
    from ..muscles import muscle_analysis
    from ..osim import read, read_table

    level = None if activations is None else parse_number(activations)
    table_file = None if activations is None or level is not None else Path(activations)
    model = read(path)
    labels = ["Length", "LengtheningSpeed", *(f"MomentArm_{joint.name}" for joint in model.robot.model.independent_joints)]
    _check(targets, outputs, "MuscleAnalysis", labels, [path, motion, table_file])
    trial = _trial(model, motion, (None, None), steps)
    given = level if table_file is None else read_table(table_file)
    tables = muscle_analysis(trial, given)
    _save(targets[0], outputs, "MuscleAnalysis", tables)
    if targets[1] is not None:
        _draw(targets[1], outputs, tables["TendonForce" if "TendonForce" in tables else "Length"], "N" if given else "m", trial)
    rows: list[dict[str, Any]] = []
    arms = {name: tables[f"MomentArm_{name}"].values for name in trial.names}
    for k, name in enumerate(trial.muscles.names):
        length, speed = (tables[what].values[:, k] for what in ("Length", "LengtheningSpeed"))
        row = {"name": name, "shortest_m": length.min(), "longest_m": length.max(), "fastest_m_per_s": np.abs(speed).max()}
        row |= {"largest_arms": {joint: values[np.abs(values[:, k]).argmax(), k] for joint, values in arms.items()}}
        if given is not None:
            row |= {"largest_force_N": tables["TendonForce"].values[:, k].max()}
        rows.append(row)
    outputs.report = {"model": model.parts.name, "frames": len(trial), "muscles": rows}
    if not outputs.as_json:
        forces = ["force [N]"] if given is not None else []
        numeric = ("shortest [m]", "longest [m]", "speed [m/s]", *forces)
        shown = make_table(f"Muscles of {one_line(model.parts.name)}", "muscle", *numeric, "moment arms [mm]", numbers=numeric)
        for row in rows:
            numbers = [f"{row[key]:.4g}" for key in ("shortest_m", "longest_m", "fastest_m_per_s")]
            numbers += [f"{row['largest_force_N']:.4g}"] if forces else []
            acts = {joint: arm for joint, arm in row["largest_arms"].items() if abs(arm) > 1e-6}
            shown.add_row(row["name"], *numbers, ", ".join(f"{joint} {1e3 * arm:.1f}" for joint, arm in acts.items()))
        make_console().print(shown)
        say(f"{len(trial)} frames; moment arms are the largest of the motion")
    outputs.finish()


def show_activations(
    path: Path,
    motion: Path,
    inputs: tuple[Path | None, Path | None, Path | None],
    options: tuple[float | None, float],
    steps: Steps,
    targets: Targets,
    outputs: Outputs,
) -> None:
    """Optimize activations, print their sizes and where a frame is too strong, and write them."""
    from ..muscles import optimize
    from ..osim import read

    _check(targets, outputs, "StaticOptimization", ("activation", "force"), [path, motion, *inputs])
    model = read(path)
    trial = _trial(model, motion, inputs[:2], steps)
    found = optimize(trial, _actuators(inputs[2], model), *options)
    tables = {"activation": found.activations, "force": found.forces}
    _save(targets[0], outputs, "StaticOptimization", tables)
    if targets[1] is not None:
        _draw(targets[1], outputs, found.activations, "1", trial)
    weak = ~found.shared.found
    rows = _sizes(found.activations, found.forces, trial.muscles.names)
    missing = [
        {"coordinate": name, "unit": _unit(model, name), "largest": np.abs(x).max(), "time_s": trial.times[np.abs(x).argmax()]}
        for name, x in found.missing.items()
    ]
    outputs.report = {"model": model.parts.name, "frames": len(trial), "solved": int((~weak).sum()), "muscles": rows["muscles"]}
    outputs.report |= {"actuators": rows["actuators"], "missing": missing, "objective": float(found.shared.objective.mean())}
    if not outputs.as_json:
        numeric = ("mean", "largest", "at [s]", "force [N, N m]")
        shown = make_table(f"Activations of {one_line(model.parts.name)}", "muscle, actuator", *numeric, numbers=numeric)
        for row in (*rows["muscles"], *rows["actuators"]):
            shown.add_row(row["name"], *(f"{row[key]:.4g}" for key in ("mean", "largest", "time_s", "largest_force")))
        make_console().print(shown)
        say(f"{len(trial)} frames, {int((~weak).sum())} solved; mean sum of powers {found.shared.objective.mean():.4g}")
    if missing:
        complain(_too_strong(missing, trial.times[weak], bool(found.actuators)))
    outputs.finish()


def show_reactions(
    path: Path,
    motion: Path,
    inputs: tuple[Path | None, Path | None, Path | None, Path],
    chosen: tuple[Sequence[str] | None, str, str],
    steps: Steps,
    targets: Targets,
    outputs: Outputs,
) -> None:
    """Compute what joints carry, print the largest, and write them."""
    from ..muscles import joint_reactions
    from ..osim import read, read_table
    from ..view.plot import plot_wrenches

    _check(targets, outputs, "JointReaction", ("ReactionLoads",), [path, motion, *inputs])
    model = read(path)
    trial = _trial(model, motion, inputs[:2], steps)
    joints, on, seen = chosen
    found = joint_reactions(trial, read_table(inputs[3]), _actuators(inputs[2], model), joints, on, seen)
    _save(targets[0], outputs, "JointReaction", {"ReactionLoads": found.table})
    if targets[1] is not None:
        title = f"{model.parts.name}: forces on the {on}, in {seen}"
        wrenches = found.values[:, :, :6]
        outputs.draw(targets[1], lambda p: plot_wrenches(trial.times, wrenches, found.joints, p, title), ".png")
    weight = sum(body.mass for body in model.parts.bodies) * float(np.linalg.norm(model.parts.gravity))
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(found.joints):
        force, moment = (np.linalg.norm(found.values[:, k, part], axis=1) for part in (slice(0, 3), slice(3, 6)))
        at = int(force.argmax())
        rows.append({"name": name, "largest_force_N": force[at], "time_s": trial.times[at], "largest_moment_Nm": moment.max()})
        rows[-1]["largest_force_in_weights"] = force[at] / weight if weight > 0 else None
    unmade = {name: float(np.abs(found.unmade[:, k]).max()) for k, name in enumerate(trial.names)}
    outputs.report = {"model": model.parts.name, "frames": len(trial), "on": on, "in": seen, "joints": rows, "unmade": unmade}
    if not outputs.as_json:
        numeric = ("force [N]", "weights", "at [s]", "moment [N m]")
        shown = make_table(f"Joints of {one_line(model.parts.name)}", f"joint, on its {on}", *numeric, numbers=numeric)
        for row in rows:
            share = row["largest_force_in_weights"]
            numbers = (f"{row['largest_force_N']:.4g}", "" if share is None else f"{share:.2f}", f"{row['time_s']:.4g}")
            shown.add_row(row["name"], *numbers, f"{row['largest_moment_Nm']:.4g}")
        make_console().print(shown)
        worst = max(unmade, key=lambda name: unmade[name])
        most = f"{unmade[worst]:.3g} {_unit(model, worst)} ({worst})"
        say(f"{len(trial)} frames; the forces miss the motion's torques by up to {most}")
    outputs.finish()


def _too_strong(missing: Iterable[Mapping[str, Any]], times: np.ndarray, helped: bool) -> str:
    """Return what is said where muscles and actuators are too weak."""
    parts = [f"{row['coordinate']} lacks up to {row['largest']:.4g} {row['unit']} at {row['time_s']:.4g} s" for row in missing]
    remedy = (
        "stronger --actuators or --reserve" if helped else "residuals at the root and reserves: --actuators XML, or --reserve N"
    )
    span = f"{len(times)} frames between {times[0]:.4g} and {times[-1]:.4g} s are too strong for the muscles"
    return f"{span}: {'; '.join(parts)}; give {remedy}"


def _sizes(activations: Table, forces: Table, muscles: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return mean and largest activation or control, its time, and the largest force of each muscle and actuator."""
    found: dict[str, list[dict[str, Any]]] = {"muscles": [], "actuators": []}
    for k, name in enumerate(activations.names):
        size = np.abs(activations.values[:, k])
        at = int(size.argmax())
        row = {"name": name, "mean": size.mean(), "largest": size[at], "time_s": activations.times[at]}
        found["muscles" if name in muscles else "actuators"].append({**row, "largest_force": np.abs(forces.values[:, k]).max()})
    return found


def _trial(model: OsimModel, motion: Path, loads: tuple[Path | None, Path | None], steps: Steps) -> Trial:
    from ..muscles import Trial
    from ..osim import read_table

    return Trial(model, read_table(motion), read_the_loads(model, *loads), steps[0], read_span(steps[1]))


def _actuators(path: Path | None, model: OsimModel) -> tuple[Actuator, ...]:
    from ..osim import read_actuators

    return () if path is None else read_actuators(path, model)


def _unit(model: OsimModel, coordinate: str) -> str:
    return "N m" if model.kinds[coordinate] == "rotational" else "N"


def _file(out: Path, analysis: str, label: str) -> Path:
    return out.with_name(f"{out.name}_{analysis}_{label}.sto")


def _check(targets: Targets, outputs: Outputs, analysis: str, labels: Iterable[str], inputs: Iterable[Path | None]) -> None:
    out, plot = targets
    if out is not None and (not out.name or out.suffix in (".sto", ".mot")):
        raise FileError(f"-o {out}: expected the beginning of file names, as results/walk for walk_{analysis}_...sto", out)
    if plot is not None:
        check_ending(plot, PICTURES, "--plot")
    files = [] if out is None else [_file(out, analysis, label) for label in labels]
    outputs.check([*files, plot], [path for path in inputs if path is not None], pictures=plot is not None)


def _save(out: Path | None, outputs: Outputs, analysis: str, tables: Mapping[str, Table]) -> None:
    from ..osim import write_table

    if out is None:
        return
    for label, table in tables.items():
        file = _file(out, analysis, label)
        outputs.save(file, partial(write_table, table), ".sto", f"{file.stem}-kept.sto")


def _draw(path: Path, outputs: Outputs, table: Table, unit: str, trial: Trial) -> None:
    from ..view.plot import plot_torques

    title = f"{trial.model.parts.name}: {table.title}"
    units = [unit] * len(table.names)
    outputs.draw(path, lambda p: plot_torques(table.times, table.values, table.names, units, None, p, title), ".png")
