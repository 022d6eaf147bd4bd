"""The reports of `lissom osim`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..read.number import parse_number
from .console import make_console, make_table
from .files import check_ending
from .json_output import print_json
from .outputs import Outputs
from .text import one_line, say

if TYPE_CHECKING:
    from ..osim import Loads, Markers, OsimModel, Table

TABLES = (".sto", ".mot")


def show_model(path: Path, as_json: bool) -> None:
    """Print what a model has."""
    from ..osim import read

    model = read(path)
    parts = model.parts
    rows: list[dict[str, Any]] = []
    for name, coordinate in model.coordinates.items():
        leaders = model.sums.get(name) or ((model.couplings[name],) if name in model.couplings else ())
        follows = ", ".join(leader for leader, _ in leaders) or None
        rows.append(
            {
                "name": name,
                "joint": coordinate.joint,
                "kind": model.kinds[name],
                "default": coordinate.default,
                "range": coordinate.range,
                "clamped": coordinate.clamped,
                "locked": coordinate.locked,
                "follows": follows,
            }
        )
    mass = sum(body.mass for body in parts.bodies)
    report: dict[str, Any] = {"model": parts.name, "version": parts.version, "mass_kg": mass, "coordinates": rows}
    report |= {"bodies": [{"name": body.name, "mass_kg": body.mass} for body in parts.bodies]}
    report |= {"markers": [marker.name for marker in parts.markers], "muscles": [muscle.name for muscle in parts.muscles]}
    report |= {"actuators": [actuator.name for actuator in parts.actuators], "forces": [force.name for force in parts.forces]}
    if as_json:
        print_json(report)
        return
    title = f"Coordinates of {one_line(parts.name)}"
    table = make_table(title, "name", "joint", "kind", "default", "range", "", numbers=("default",))
    for row in rows:
        span = "" if row["range"] is None else f"{row['range'][0]:.6g} to {row['range'][1]:.6g}"
        words = [word for word in ("clamped", "locked") if row[word]] + ([f"follows {row['follows']}"] if row["follows"] else [])
        table.add_row(row["name"], row["joint"], row["kind"], f"{row['default']:.6g}", span, ", ".join(words))
    make_console().print(table)
    counts = {"bodies": len(parts.bodies), "markers": len(parts.markers), "muscles": len(parts.muscles)}
    say(f"{', '.join(f'{count} {what}' for what, count in counts.items())}; {mass:.6g} kg; format {parts.version}")


def show_torques(
    path: Path,
    motion: Path,
    loads: tuple[Path | None, Path | None],
    cutoff: float | None,
    time: str | None,
    out: Path | None,
    outputs: Outputs,
) -> None:
    """Compute torques, print their sizes, and write them."""
    from ..osim import inverse_dynamics, read_table

    _check(out, outputs, path, motion, *loads)
    model = _model(path)
    given = read_the_loads(model, *loads)
    found = inverse_dynamics(model, read_table(motion), given, cutoff, read_span(time))
    table, residuals = found.table, found.residuals
    rows: list[dict[str, Any]] = []
    for name, label in zip(model.coordinates, table.names, strict=True):
        column = table.column(label)
        unit = "N m" if model.kinds[name] == "rotational" else "N"
        k = int(np.abs(column).argmax())
        sizes = {"rms": float(np.sqrt((column**2).mean())), "largest": abs(column[k]), "time_s": table.times[k]}
        rows.append({"name": name, "unit": unit, **sizes, "residual": name in residuals})
    _write(table, out, outputs)
    outputs.report = {"model": model.parts.name, "frames": len(table), "torques": rows}
    if not outputs.as_json:
        numeric = ("rms", "largest", "at [s]")
        shown = make_table(f"Torques of {one_line(model.parts.name)}", "coordinate", "unit", *numeric, "", numbers=numeric)
        for row in rows:
            numbers = (f"{row['rms']:.4g}", f"{row['largest']:.4g}", f"{row['time_s']:.4g}")
            shown.add_row(row["name"], row["unit"], *numbers, "residual" if row["residual"] else "")
        make_console().print(shown)
    outputs.finish()


def show_fit(path: Path, markers: Path, tasks: Path | None, time: str | None, out: Path | None, outputs: Outputs) -> None:
    """Find coordinates from markers, print how near they come, and write them."""
    from ..osim import inverse_kinematics, read_tasks

    _check(out, outputs, path, markers, tasks)
    model = _model(path)
    fit = inverse_kinematics(model, read_markers(markers), None if tasks is None else read_tasks(tasks), read_span(time))
    _write(fit.table, out, outputs)
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(fit.markers):
        distance = fit.distances[:, k]
        seen = distance[np.isfinite(distance)]
        rms, largest = (float(np.sqrt((seen**2).mean())), float(seen.max())) if len(seen) else (np.nan, np.nan)
        rows.append({"name": name, "rms_m": rms, "largest_m": largest, "frames": len(seen)})
    rms = float(np.sqrt(np.nanmean(fit.distances**2)))
    outputs.report = {"model": model.parts.name, "frames": len(fit.times), "solved": int(fit.solved.sum())}
    outputs.report |= {"rms_m": rms, "markers": rows}
    if not outputs.as_json:
        numeric = ("rms [mm]", "largest [mm]", "frames")
        shown = make_table(f"Markers of {one_line(model.parts.name)}", "marker", *numeric, numbers=numeric)
        for row in rows:
            lengths = (f"{1e3 * row[key]:.3g}" for key in ("rms_m", "largest_m"))
            shown.add_row(row["name"], *lengths, str(row["frames"]))
        make_console().print(shown)
        say(f"{len(fit.times)} frames, {int(fit.solved.sum())} solved; root mean square of all {1e3 * rms:.3g} mm")
    outputs.finish()


def show_center(path: Path, motion: Path, cutoff: float | None, time: str | None, out: Path | None, outputs: Outputs) -> None:
    """Compute the center of mass, print its range, and write it."""
    from ..osim import read_table
    from ..osim.center_of_mass import center_of_mass

    _check(out, outputs, path, motion)
    model = _model(path)
    table = center_of_mass(model, read_table(motion), cutoff, read_span(time))
    _write(table, out, outputs)
    low, high = table.values.min(axis=0), table.values.max(axis=0)
    outputs.report = {"model": model.parts.name, "frames": len(table)}
    outputs.report |= {"lowest_m": low[:3], "highest_m": high[:3], "slowest_m_per_s": low[3:], "fastest_m_per_s": high[3:]}
    if not outputs.as_json:
        for k, x in enumerate("xyz"):
            say(f"{x}: from {low[k]:.4g} to {high[k]:.4g} m, at {low[k + 3]:.4g} to {high[k + 3]:.4g} m/s")
    outputs.finish()


def _model(path: Path) -> OsimModel:
    from ..osim import read

    return read(path)


def read_markers(path: Path) -> Markers:
    """Return the markers of a .trc or C3D file."""
    from ..osim import read_c3d, read_trc

    return read_c3d(path) if path.suffix.lower() == ".c3d" else read_trc(path)


def _check(out: Path | None, outputs: Outputs, *inputs: Path | None) -> None:
    if out is not None:
        check_ending(out, TABLES, "-o")
    outputs.check([out], [path for path in inputs if path is not None])


def _write(table: Table, out: Path | None, outputs: Outputs) -> None:
    from ..osim import write_table

    if out is not None:
        outputs.save(out, lambda path: write_table(table, path), ".sto", f"{out.stem}-kept.sto")


def read_the_loads(model: OsimModel, loads: Path | None, data: Path | None) -> Loads | None:
    """Return the loads of --loads with the data of --data, or None without both."""
    from ..osim import read_loads, read_table

    if data is not None and loads is None:
        raise FileError("--data needs --loads, the file that says what its columns are", data)
    if loads is None:
        return None
    names = {"ground": 0, **{body.name: 0 for body in model.parts.bodies}}
    return read_loads(loads, names, None if data is None else read_table(data))


def read_span(text: str | None) -> tuple[float, float] | None:
    """Return the first and the last time of --time."""
    if text is None:
        return None
    values = [parse_number(word, infinite=True) for word in text.split(",")]
    if len(values) != 2 or values[0] is None or values[1] is None:
        raise FileError(f"--time {text!r}: expected two numbers, the first and the last time, such as 0.5,2")
    return values[0], values[1]
