"""The work of `lissom simulate`: a state and joint forces in, a motion out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, Interrupted, SimulationError, StateError, suggest
from ..model.names import coordinate_names, coordinate_units, force_units, velocity_names, velocity_units
from ..read.table import Table, read_table
from ..simulate import METHODS, Held, Interpolated, Status, Trajectory
from ..simulate.start import motors_along, motors_at_rest
from .console import make_console, make_table
from .files import PICTURES, is_stream
from .outputs import Outputs
from .text import one_line
from .trajectory import TIME

if TYPE_CHECKING:
    from ..robot import Robot

ENDINGS = (".csv", ".npz")


def simulate_robot(
    robot: Robot,
    file: str,
    out: Path | None,
    state: Path | None,
    q0: str | None,
    qd0: str | None,
    torque: Path | None,
    hold: bool,
    plot: Path | None,
    outputs: Outputs,
    **options: Any,
) -> None:
    """Simulate, write the motion, plot it if asked, and print how every joint moved.

    `options` are those of `Robot.simulate`. A motion that blows up or is interrupted is written as far as it went.
    """
    if hold and torque is None:
        raise StateError("--hold says how the lines of a file of forces are meant; give --torque, or leave --hold out")
    if options["duration"] is None and torque is None:
        raise StateError("give --duration: how long [s]")
    if out is None:
        raise StateError("give -o: where to write the motion")
    options["method"] = options["method"] or METHODS[0]
    if robot.model.loops:
        from .closed import refuse_forces, simulate_closed

        refuse_forces(state=state, torque=torque)
        given = ((q0, "--q0", robot.nq), (qd0, "--qd0", robot.nv))
        start = [None if x is None else _numbers(x, name, size) for x, name, size in given]
        simulate_closed(robot, file, out, start[0], start[1], plot, outputs, options)  # type: ignore[arg-type]
        return
    check_targets(outputs, out, plot, [file, *(path for path in (state, torque) if path is not None)])
    q, qd, assumed = _start(robot, state, q0, qd0)
    forces = None if torque is None else read_forces(torque, velocity_names(robot.model), hold)
    if options["duration"] is None and forces is not None:
        options["duration"] = last_time(forces, torque)
    try:
        trajectory = robot.simulate(q, qd, torque=forces, progress=True, throw=False, **options)
    except Interrupted as stopped:
        trajectory = stopped.result
    outputs.save(out, trajectory.save, ".csv", f"{out.stem}-kept.npz")
    if plot is not None and len(trajectory):
        outputs.draw(plot, trajectory.plot, ".png")
    print_motion(trajectory, assumed)
    outputs.finish(ending(trajectory))


def check_targets(outputs: Outputs, out: Path | None, plot: Path | None, inputs: Sequence[str | Path]) -> None:
    """Refuse files that cannot or should not be written, before the time of a simulation is spent."""
    outputs.check([out, plot], inputs, pictures=plot is not None)
    if out is not None and out.suffix.lower() not in ENDINGS and not is_stream(out):
        raise FileError(f"cannot write a trajectory into a file ending in {out.suffix!r}; use .csv or .npz", out)
    if plot is not None and plot.suffix.lower() not in PICTURES and not is_stream(plot):
        raise FileError(f"cannot draw into a file ending in {plot.suffix!r}; use {', '.join(PICTURES)}", plot)


def ending(trajectory: Trajectory) -> BaseException | None:
    """Return what a command ends with after a run that was interrupted or could not go on, or None."""
    if trajectory.status is Status.INTERRUPTED:
        return KeyboardInterrupt()
    if trajectory.status is not Status.FINISHED:
        return SimulationError(trajectory.message, trajectory.status, trajectory.end.t if len(trajectory) else 0.0)
    return None


def read_forces(path: Path, names: tuple[str, ...], hold: bool) -> Held | Interpolated:
    """Read forces of joints from a CSV file with columns t and tau_<joint>, or tau0 tau1 ..; held or interpolated."""
    table = read_table(path)
    time = next((table.header.index(name) for name in TIME if name in table.header), None)
    if time is None:
        raise FileError("needs a column t with the time in seconds", path, 1)
    numbers = table.numbers([time, *_columns(table, "tau", names)])
    steps = np.diff(numbers[:, 0])
    if not (steps > 0).all():
        k = int(np.argmin(steps > 0)) + 1
        line = [line for line, _ in table._rows()][k]  # blank ones are not states
        raise FileError(f"time must increase from line to line, and does not at {numbers[k, 0]:g} s", path, line)
    return (Held if hold else Interpolated)(numbers[:, 0], numbers[:, 1:])


def last_time(forces: Held | Interpolated, path: Path | None) -> float:
    """Return when the last line of a file of forces is, which is how long to simulate where nothing else is said."""
    if forces.times[-1] <= 0.0:
        raise FileError(f"its last line is at t = {forces.times[-1]:g} s; give --duration, how long to simulate", path)
    return float(forces.times[-1])


def print_motion(trajectory: Trajectory, assumed: Sequence[str] = ()) -> None:
    """Print what was assumed, where every joint starts and ends, its largest speed and force, and what became of the energy."""
    model = trajectory.robot.model
    console = make_console()
    last = trajectory.end.t if len(trajectory) else 0.0
    console.print(f"{one_line(model.name)}: {last:g} s, {len(trajectory)} samples, {trajectory.status.value}\n")
    for line in assumed:
        console.print(f"assumed: {line}")
    if assumed:
        console.print()
    if trajectory.choice:
        console.print(f"method {trajectory.method}: {trajectory.choice}\n")
    if not len(trajectory):
        return
    table = make_table("", "coordinate", "start", "end", "unit", numbers=("start", "end"))
    for k, (name, unit) in enumerate(zip(coordinate_names(model), coordinate_units(model), strict=True)):
        table.add_row(name, f"{trajectory.q[0, k]:.6g}", f"{trajectory.q[-1, k]:.6g}", unit)
    console.print(table)
    table = make_table("", *("velocity", "largest", "unit", "largest force", "unit "), numbers=("largest", "largest force"))
    fastest, strongest = (np.nanmax(np.abs(x), axis=0) if x.size else x[0] for x in (trajectory.qd, trajectory.tau))
    rows = zip(velocity_names(model), fastest, velocity_units(model), strongest, force_units(model), strict=True)
    for name, speed, unit, force, force_unit in rows:
        table.add_row(name, f"{speed:.4g}", unit, f"{force:.4g}", force_unit)
    console.print(table)
    if trajectory.status is not Status.BLEW_UP:
        start, end = trajectory.energy[[0, -1]]
        console.print(f"energy {start:.6g} J at the start, {end:.6g} J at the end")


def _start(robot: Robot, state: Path | None, q0: str | None, qd0: str | None) -> tuple[Any, Any, list[str]]:
    """Return the first state, and what was assumed for motors behind springs where only their joints are told."""
    if state is not None and (q0 is not None or qd0 is not None):
        raise StateError("the first state is given twice: use --state, or --q0 and --qd0")
    e = robot.n_elastic
    if state is not None:
        q, qd = _read_state(state, robot)
    else:
        q = robot.neutral()[: robot.nq - e] if q0 is None else _numbers(q0, "--q0", robot.nq, e)
        qd = np.zeros(robot.nv - e) if qd0 is None else _numbers(qd0, "--qd0", robot.nv, e)
    assumed: list[str] = []
    if len(q) < robot.nq:
        q, assumed = motors_at_rest(robot, q)
    if len(qd) < robot.nv:
        qd, more = motors_along(robot, qd)
        assumed += more
    return q, qd, assumed


def _read_state(path: Path, robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Read the first line of a CSV file with columns q_<name> and, unless all velocities are zero, qd_<name>.

    Motors behind springs, the last of the names, may be left out together.
    """
    table = read_table(path)
    coordinates, speeds = _told(table, "q", coordinate_names(robot.model), robot), velocity_names(robot.model)
    columns = _columns(table, "q", coordinates)
    given = any(re.match(r"qd(_|\d+$)", column) for column in table.header)
    moving = _columns(table, "qd", _told(table, "qd", speeds, robot)) if given else []
    line = table.numbers([*columns, *moving])[0]
    return line[: len(columns)], line[len(columns) :] if given else np.zeros(robot.nv - robot.n_elastic)


def _told(table: Table, prefix: str, names: tuple[str, ...], robot: Robot) -> tuple[str, ...]:
    """Return the names of which a table has to tell: of all motors behind springs, or of none."""
    joints = len(names) - robot.n_elastic
    told = any(table.find(prefix, k, name) is not None for k, name in enumerate(names) if k >= joints)
    return names if told else names[:joints]


def _columns(table: Table, prefix: str, names: tuple[str, ...]) -> list[int]:
    found: list[int] = []
    for k, name in enumerate(names):
        column = table.find(prefix, k, name)
        if column is None:
            raise FileError(f"column '{prefix}_{name}' missing; {suggest(f'{prefix}_{name}', table.header)}", table.path, 1)
        found.append(column)
    # a column of a joint that there is not would be left out without a word
    for k, label in enumerate(table.header):
        if k not in found and re.match(rf"{prefix}(_|\d+$)", label):
            known = [f"{prefix}_{name}" for name in names]
            raise FileError(f"column {label!r} is of no joint of this robot; {suggest(label, known)}", table.path, 1)
    return found


def _numbers(text: str, option: str, size: int, motors: int = 0) -> np.ndarray:
    """Return the numbers of an option, as many as `size`; those of `motors` behind springs, the last of them, may be left out."""
    wanted = f"{size}" + (f", or {size - motors} without the motors behind springs" if motors else "")
    try:
        values = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise StateError(f"{option} must be {wanted} numbers separated by commas, got {text!r}") from None
    if len(values) not in (size, size - motors):
        raise StateError(f"{option} has {len(values)} numbers, expected {wanted}")
    return np.array(values)
