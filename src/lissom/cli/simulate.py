"""`lissom simulate`: motion from an initial state and joint torques."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..closed import ClosedTrajectory
from ..errors import Interrupted, SimulationError, StateError
from ..simulate import METHODS, Status, Trajectory
from ..simulate.columns import part_names
from ..view.report.beyond import at_length
from .console import make_console, make_table
from .files import PICTURES, REPORTS, check_ending
from .outputs import Outputs, fresh
from .reports import limits_passed, motion_report
from .simulate_inputs import first_state, last_time, read_torques
from .text import one_line

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot

ENDINGS = (".csv", ".npz")
MOST = 8  # limits that a motion passes, of which the summary tells


def simulate_robot(
    robot: Robot | ClosedRobot,
    file: str,
    out: Path | None,
    state: Path | None,
    q0: str | None,
    qd0: str | None,
    torque: Path | None,
    hold: bool,
    plot: Path | None,
    report: Path | None,
    outputs: Outputs,
    **options: Any,
) -> None:
    """Simulate, write the motion, plot and report it if asked, and print a summary per joint.

    `options` are those of `Robot.simulate`. A motion that diverges or is interrupted is written up to there.
    """
    if hold and torque is None:
        raise StateError("--hold applies to the lines of --torque; give --torque, or leave --hold out")
    if options["duration"] is None and torque is None:
        raise StateError("--duration [s] is missing")
    if out is None:
        raise StateError("-o is missing: the file to write the motion to")
    options["method"] = options["method"] or METHODS[0]
    check_targets(outputs, out, plot, report, [file, *(path for path in (state, torque) if path is not None)])
    q, qd, more, assumed = first_state(robot, state, q0, qd0)
    torques = None if torque is None else read_torques(torque, part_names(robot)["tau"], hold)
    if options["duration"] is None and torques is not None:
        options["duration"] = last_time(torques, torque)
    trajectory = run_and_save(partial(robot.simulate, q, qd, torque=torques, **more, **options), out, out.stem, outputs)
    if plot is not None and len(trajectory):
        outputs.draw(plot, trajectory.plot, ".png")
    if report is not None and len(trajectory):
        outputs.draw(report, trajectory.report, ".html")
    if outputs.as_json:
        outputs.report = motion_report(trajectory, assumed)
    else:
        print_motion(trajectory, assumed)
    outputs.finish(ending(trajectory))


def run_and_save(simulate: Callable[..., Trajectory], out: Path | None, stem: str, outputs: Outputs) -> Trajectory:
    """Simulate, and save the motion up to its end; an interrupted one is written even without an output file."""
    try:
        trajectory = simulate(progress=True, throw=False)
    except Interrupted as stopped:
        trajectory = stopped.result
    if out is None and trajectory.status is Status.INTERRUPTED:
        out = fresh(Path(f"{stem}-interrupted.npz"))  # what was computed must not be lost
    outputs.save(out, trajectory.save, ".csv", f"{stem if out is None else out.stem}-kept.npz")
    return trajectory


def check_targets(
    outputs: Outputs, out: Path | None, plot: Path | None, report: Path | None, inputs: Sequence[str | Path]
) -> None:
    """Raise a FileError for files that cannot or should not be written, before simulating."""
    outputs.check([out, plot, report], inputs, pictures=plot is not None)
    for path, endings, option in ((out, ENDINGS, "-o"), (plot, PICTURES, "--plot"), (report, REPORTS, "--report")):
        if path is not None:
            check_ending(path, endings, option)


def ending(trajectory: Trajectory) -> BaseException | None:
    """Return the error of a run that was interrupted or failed, or None."""
    if trajectory.status is Status.INTERRUPTED:
        return KeyboardInterrupt()
    if trajectory.status is not Status.FINISHED:
        return SimulationError(trajectory.message, trajectory.status, trajectory.end.t if len(trajectory) else 0.0)
    return None


def print_motion(trajectory: Trajectory, assumed: Sequence[str] = ()) -> None:
    """Print assumptions, each joint's start, end, largest speed and torque, the energy, and limits that are passed."""
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
    units, closed = trajectory.units, isinstance(trajectory, ClosedTrajectory)
    for k, (name, unit) in enumerate(zip(trajectory.coordinate_names, units["q"], strict=True)):
        table.add_row(name, f"{trajectory.q[0, k]:.6g}", f"{trajectory.q[-1, k]:.6g}", unit)
    console.print(table)
    fastest, strongest = (np.nanmax(np.abs(x), axis=0) if x.size else x[0] for x in (trajectory.qd, trajectory.tau))
    speeds = [(name, f"{x:.4g}", unit) for name, x, unit in zip(trajectory.velocity_names, fastest, units["qd"], strict=True)]
    torques = [(name, f"{x:.4g}", unit) for name, x, unit in zip(trajectory.torque_names, strongest, units["tau"], strict=True)]
    if closed:  # active joints need not be coordinates, nor as many
        for what, rows in (("velocity", speeds), ("torque", torques)):
            table = make_table("", what, "largest", "unit", numbers=("largest",))
            for row in rows:
                table.add_row(*row)
            console.print(table)
    else:
        table = make_table("", *("velocity", "largest", "unit", "largest torque", "unit "), numbers=("largest", "largest torque"))
        for speed, (_, *torque) in zip(speeds, torques, strict=True):
            table.add_row(*speed, *torque)
        console.print(table)
    if trajectory.status is not Status.BLEW_UP:
        start, end = trajectory.energy[[0, -1]]
        console.print(f"energy {start:.6g} J at the start, {end:.6g} J at the end")
    if isinstance(trajectory, ClosedTrajectory):
        console.print(f"largest closure error {trajectory.closure_error.max():.1e} m")
    for line in at_length(limits_passed(trajectory), most=MOST):
        console.print(line)
