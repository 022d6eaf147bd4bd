"""The work of `lissom torque`: a motion in, joint forces out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..model.names import effort_limits, force_units, velocity_names
from .console import make_console, make_table
from .files import refuse_overwriting, refuse_same, write_table
from .trajectory import read_trajectory

if TYPE_CHECKING:
    from ..robot import Robot

PARTS = ("fx", "fy", "fz", "mx", "my", "mz")


def torque_of_trajectory(
    robot: Robot, file: str, trajectory: Path, out: Path, plot: Path | None, wrenches: bool, differentiate: bool
) -> None:
    """Read the motion, write the joint forces, plot them if asked, and print the largest of each."""
    second = wrench_plot(plot) if plot is not None and wrenches else None
    targets = [path for path in (out, plot, second) if path is not None]
    for target in targets:
        refuse_overwriting(target, trajectory, file)
    refuse_same(*targets)
    if plot is not None:
        from ..view.plot import check_format

        check_format(plot)
    model = robot.model
    if model.loops:
        from .closed import torque_of_closed

        torque_of_closed(robot, trajectory, out, plot, wrenches, differentiate, targets)  # type: ignore[arg-type]
        return
    motion = read_trajectory(trajectory, model, differentiate)
    tau = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd)
    loads = robot.joint_wrenches(motion.q, motion.qd, motion.qdd) if wrenches else None
    write_forces(out, motion.time, velocity_names(model), tau, robot.moving_joint_names, loads)
    print_largest(model.name, velocity_names(model), force_units(model), tau, effort_limits(model))
    written = [out]
    if plot is not None:
        written += plot_forces(robot, motion.time, tau, loads, plot)
    print("wrote " + ", ".join(map(str, written)))


def write_forces(
    path: Path,
    time: np.ndarray | None,
    names: tuple[str, ...],
    tau: np.ndarray,
    joints: tuple[str, ...],
    wrenches: np.ndarray | None,
) -> None:
    """Write t, tau_<name> and, where given, fx_<joint> .. mz_<joint>."""
    header, columns = [f"tau_{name}" for name in names], [tau]
    if time is not None:
        header, columns = ["t", *header], [time[:, None], *columns]
    if wrenches is not None:
        header += [f"{part}_{joint}" for joint in joints for part in PARTS]
        columns.append(wrenches.reshape(len(wrenches), -1))
    write_table(path, header, np.hstack(columns))


def plot_forces(robot: Robot, time: np.ndarray | None, tau: np.ndarray, wrenches: np.ndarray | None, path: Path) -> list[Path]:
    """Draw tau into `path`, and wrenches into a second file beside it; return what was written."""
    from ..view import plot_torques, plot_wrenches

    model = robot.model
    t = np.arange(len(tau), dtype=float) if time is None else time
    plot_torques(t, tau, velocity_names(model), force_units(model), effort_limits(model), path, f"{model.name}: joint forces")
    if wrenches is None:
        return [path]
    second = wrench_plot(path)
    plot_wrenches(t, wrenches, robot.moving_joint_names, second, f"{model.name}: joint wrenches")
    return [path, second]


def wrench_plot(path: Path) -> Path:
    """Return where the wrenches are drawn if the joint forces are drawn into `path`."""
    return path.with_name(f"{path.stem}_wrenches{path.suffix}") if path.name else path


def print_largest(title: str, names: tuple[str, ...], units: tuple[str, ...], tau: np.ndarray, limits: tuple[float, ...]) -> None:
    """Print the largest magnitude of every joint force, and its limit where there is one."""
    table = make_table(title, "joint", "largest", "unit", "limit", numbers=("largest", "limit"))
    for name, unit, value, limit in zip(names, units, np.abs(tau).max(axis=0), limits, strict=True):
        over = "" if np.isinf(limit) else f"{limit:.4g}" + ("  exceeded" if value > limit else "")
        table.add_row(name, f"{value:.4g}", unit, over)
    make_console().print(table)
