"""The work of `lissom simulate`: a state and joint forces in, a motion out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..closed import ClosedTrajectory
from ..errors import FileError, Interrupted, SimulationError, StateError
from ..simulate import METHODS, Status, Trajectory
from ..simulate.columns import part_names
from .console import make_console, make_table
from .files import PICTURES, is_stream
from .outputs import Outputs, fresh
from .simulate_inputs import first_state, last_time, read_forces
from .text import one_line

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
    check_targets(outputs, out, plot, [file, *(path for path in (state, torque) if path is not None)])
    q, qd, more, assumed = first_state(robot, state, q0, qd0)
    forces = None if torque is None else read_forces(torque, part_names(robot)["tau"], hold)
    if options["duration"] is None and forces is not None:
        options["duration"] = last_time(forces, torque)
    trajectory = run_and_save(partial(robot.simulate, q, qd, torque=forces, **more, **options), out, out.stem, outputs)
    if plot is not None and len(trajectory):
        outputs.draw(plot, trajectory.plot, ".png")
    print_motion(trajectory, assumed)
    outputs.finish(ending(trajectory))


def run_and_save(simulate: Callable[..., Trajectory], out: Path | None, stem: str, outputs: Outputs) -> Trajectory:
    """Simulate, and save the motion as far as it went; one that is interrupted is written even where no file is asked for."""
    try:
        trajectory = simulate(progress=True, throw=False)
    except Interrupted as stopped:
        trajectory = stopped.result
    if out is None and trajectory.status is Status.INTERRUPTED:
        out = fresh(Path(f"{stem}-interrupted.npz"))  # what was computed must not be lost
    outputs.save(out, trajectory.save, ".csv", f"{stem if out is None else out.stem}-kept.npz")
    return trajectory


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


def print_motion(trajectory: Trajectory, assumed: Sequence[str] = ()) -> None:
    """Print what was assumed, where every joint starts and ends, its largest speed and force, and what became of the energy."""
    console = make_console()
    last = trajectory.end.t if len(trajectory) else 0.0
    console.print(f"{one_line(trajectory.robot.name)}: {last:g} s, {len(trajectory)} samples, {trajectory.status.value}\n")
    for line in assumed:
        console.print(f"assumed: {line}")
    if assumed:
        console.print()
    if trajectory.choice:
        console.print(f"method {trajectory.method}: {trajectory.choice}\n")
    if not len(trajectory):
        return
    table = make_table("", "coordinate", "start", "end", "unit", numbers=("start", "end"))
    units, closed = trajectory.units, bool(trajectory.robot.model.loops)
    for k, (name, unit) in enumerate(zip(trajectory.coordinate_names, units["q"], strict=True)):
        table.add_row(name, f"{trajectory.q[0, k]:.6g}", f"{trajectory.q[-1, k]:.6g}", unit)
    console.print(table)
    fastest, strongest = (np.nanmax(np.abs(x), axis=0) if x.size else x[0] for x in (trajectory.qd, trajectory.tau))
    speeds = [(name, f"{x:.4g}", unit) for name, x, unit in zip(trajectory.velocity_names, fastest, units["qd"], strict=True)]
    forces = [(name, f"{x:.4g}", unit) for name, x, unit in zip(trajectory.torque_names, strongest, units["tau"], strict=True)]
    if closed:  # drives need not be coordinates, nor as many
        for what, rows in (("velocity", speeds), ("force", forces)):
            table = make_table("", what, "largest", "unit", numbers=("largest",))
            for row in rows:
                table.add_row(*row)
            console.print(table)
    else:
        table = make_table("", *("velocity", "largest", "unit", "largest force", "unit "), numbers=("largest", "largest force"))
        for speed, (_, *force) in zip(speeds, forces, strict=True):
            table.add_row(*speed, *force)
        console.print(table)
    if trajectory.status is not Status.BLEW_UP:
        start, end = trajectory.energy[[0, -1]]
        console.print(f"energy {start:.6g} J at the start, {end:.6g} J at the end")
    if isinstance(trajectory, ClosedTrajectory):
        console.print(f"loops stay closed within {trajectory.closure_error.max():.1e} m")
