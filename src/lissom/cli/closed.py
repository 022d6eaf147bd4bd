"""What the commands do with mechanisms that have loops: their coordinates are those of active joints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from ..errors import FileError, StateError
from .console import make_console, make_table
from .files import PICTURES, check_ending, is_stream, write_table
from .outputs import Outputs
from .text import one_line

if TYPE_CHECKING:
    from ..loops import ClosedRobot


def print_loops(robot: ClosedRobot) -> None:
    """Print loops, mobility and what the equations of a mechanism cost."""
    console = make_console()
    table = make_table("Loops", "loop", "kind", "first", "second")
    for loop in robot.model.loops:
        table.add_row(loop.name, loop.kind.value, loop.first, loop.second)
    console.print(table)
    console.print(Text(f"{robot.mobility()}\n"))
    if robot.model.active is None:
        console.print("no joint is said to be active; name them with --active, or `active:` in the file\n")
        return
    shown = ", ".join(f"{one_line(name)} {x:.6g}" for name, x in zip(robot.coordinate_names, robot.home(), strict=True))
    free = f"\nfree: {', '.join(map(one_line, robot.free_names))}" if robot.free_names else ""
    console.print(f"active: {', '.join(map(one_line, robot.model.active))}{free}\nat home: {shown}\n")
    costs = make_table("Operations of one evaluation", "algorithm", "mul", "add", "sin, cos", numbers=("mul", "add", "sin, cos"))
    for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix", "joint_wrenches"):
        count = robot.operation_count(name)
        costs.add_row(name, *(str(n) for n in (count.multiplications, count.additions, count.trigonometric)))
    console.print(costs)


def torque_of_closed(
    robot: ClosedRobot,
    trajectory: Path,
    out: Path,
    plot: Path | None,
    wrenches: bool,
    differentiate: bool,
    outputs: Outputs,
) -> None:
    """Read a motion of the coordinates, write the forces of the active joints, plot them if asked, and print the largest."""
    from .torque import print_largest, save_forces, wrench_plot
    from .trajectory import read_trajectory

    motion = read_trajectory(trajectory, robot.model, differentiate, robot)
    tree = robot.follow(motion.q).tree
    tau = robot.inverse_dynamics(None, motion.qd, motion.qdd, tree=tree)
    loads = robot.joint_wrenches(None, motion.qd, motion.qdd, tree=tree) if wrenches else None
    save_forces(outputs, out, motion.time, robot.active_names, tau, robot.wrench_names, loads)
    if plot is not None:
        from ..view import plot_torques, plot_wrenches

        t = np.arange(len(tau), dtype=float) if motion.time is None else motion.time
        names, units, limits = robot.active_names, robot.force_units, robot.effort_limits
        outputs.draw(plot, lambda p: plot_torques(t, tau, names, units, limits, p, f"{robot.name}: forces of drives"), ".png")
        if loads is not None:
            title, joints = f"{robot.name}: joint wrenches", robot.wrench_names
            outputs.draw(wrench_plot(plot), lambda p: plot_wrenches(t, loads, joints, p, title), ".png")
    print_largest(robot.name, robot.active_names, robot.force_units, tau, robot.effort_limits)
    outputs.finish()


def simulate_closed(
    robot: ClosedRobot,
    file: str,
    out: Path,
    q0: list[float] | None,
    qd0: list[float] | None,
    plot: Path | None,
    outputs: Outputs,
    options: dict[str, Any],
) -> None:
    """Simulate a mechanism without drives, write the motion of its coordinates, and print what became of it."""
    outputs.check([out, plot], [file], pictures=plot is not None)
    if out.suffix.lower() != ".csv" and not is_stream(out):
        raise FileError("the motion of a mechanism with loops is written as .csv", out)
    if plot is not None:
        check_ending(plot, PICTURES, "--plot")
    start = robot.home() if q0 is None else np.array(q0)
    motion = robot.simulate(start, np.zeros(robot.nv) if qd0 is None else np.array(qd0), **options)
    header = ["t", *(f"q_{n}" for n in robot.coordinate_names), *(f"qd_{n}" for n in robot.velocity_names)]
    header += [f"qdd_{n}" for n in robot.velocity_names] + [f"tau_{n}" for n in robot.active_names]
    numbers = np.hstack([motion.t[:, None], motion.q, motion.qd, motion.qdd, motion.tau])
    outputs.save(out, lambda path: write_table(path, header, numbers), ".csv", f"{out.stem}-kept.csv")
    if plot is not None:
        outputs.draw(plot, motion.plot, ".png")
    table = make_table(
        f"{one_line(robot.name)}: {motion.t[-1]:g} s", "coordinate", "start", "end", "largest speed", numbers=("start", "end")
    )
    speeds = dict(zip(robot.velocity_names, np.abs(motion.qd).max(axis=0), strict=True))
    for k, name in enumerate(robot.coordinate_names):
        speed = f"{speeds[name]:.4g}" if name in speeds else ""  # coordinates of several axes are not integrals of velocities
        table.add_row(name, f"{motion.q[0, k]:.6g}", f"{motion.q[-1, k]:.6g}", speed)
    console = make_console()
    console.print(table)
    console.print(f"energy {motion.energy[0]:.6g} J at the start, {motion.energy[-1]:.6g} J at the end; ", end="")
    console.print(f"loops stay closed within {motion.closure_error.max():.1e} m")
    outputs.finish()


def refuse_forces(**given: object) -> None:
    """Refuse what only trees take."""
    for option, value in given.items():
        if value is not None:
            raise StateError(
                f"--{option} is for trees; drive a mechanism with loops from Python: lissom.load(file).simulate(...)"
            )
