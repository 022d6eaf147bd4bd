"""What the commands do with mechanisms that have loops: their coordinates are those of active joints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from .console import make_console, make_table
from .costs import print_costs
from .outputs import Outputs
from .text import one_line

if TYPE_CHECKING:
    from ..closed import ClosedRobot


def print_loops(robot: ClosedRobot, everything: bool = False) -> None:
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
    print_costs(console, robot, everything)


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
    tree_q = robot.follow(motion.q).tree_q if motion.tree_q is None else motion.tree_q
    tau = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd, tree_q=tree_q)  # refuses a tree that is not at q
    loads = robot.joint_wrenches(None, motion.qd, motion.qdd, tree_q=tree_q) if wrenches else None
    save_forces(outputs, out, motion.time, robot.torque_names, tau, robot.wrench_names, loads)
    if plot is not None:
        from ..view import plot_torques, plot_wrenches

        t = np.arange(len(tau), dtype=float) if motion.time is None else motion.time
        names, units, limits = robot.torque_names, robot.torque_units, tuple(robot.limits.effort.tolist())
        outputs.draw(plot, lambda p: plot_torques(t, tau, names, units, limits, p, f"{robot.name}: forces of drives"), ".png")
        if loads is not None:
            title, joints = f"{robot.name}: joint wrenches", robot.wrench_names
            outputs.draw(wrench_plot(plot), lambda p: plot_wrenches(t, loads, joints, p, title), ".png")
    print_largest(robot.name, robot.torque_names, robot.torque_units, tau, tuple(robot.limits.effort.tolist()))
    outputs.finish()
