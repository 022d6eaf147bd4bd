"""`lissom torque`: joint torques of a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files import npz_texts, write_whole
from ..robot import Robot
from .console import make_console, make_table
from .files import PICTURES, check_ending, is_stream, write_table
from .outputs import Outputs
from .reports import TOLERANCE, torque_report
from .text import one_line
from .trajectory import read_trajectory

if TYPE_CHECKING:
    from ..closed import ClosedRobot

ENDINGS = (".csv", ".npz")
PARTS = ("fx", "fy", "fz", "mx", "my", "mz")


def torque_of_trajectory(
    robot: Robot | ClosedRobot,
    file: str,
    trajectory: Path,
    out: Path,
    plot: Path | None,
    wrenches: bool,
    differentiate: bool,
    outputs: Outputs,
) -> None:
    """Read the motion, write the joint torques, plot them if asked, and print the largest of each."""
    second = wrench_plot(plot) if plot is not None and wrenches else None
    outputs.check([out, plot, second], [trajectory, file], pictures=plot is not None)
    check_ending(out, ENDINGS, "-o")
    if plot is not None:
        check_ending(plot, PICTURES, "--plot")
    motion = read_trajectory(trajectory, robot, differentiate)
    tree: dict[str, Any] = {}
    if not isinstance(robot, Robot):
        tree["tree_q"] = robot.follow(motion.q).tree_q if motion.tree_q is None else motion.tree_q
    tau = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd, **tree)  # refuses a tree that is not at q
    loads = robot.joint_wrenches(motion.q, motion.qd, motion.qdd, **tree) if wrenches else None
    save_torques(outputs, out, motion.time, robot.torque_names, tau, robot.wrench_names, loads)
    if plot is not None:
        plot_loads(robot, motion.time, tau, loads, plot, outputs)
    if outputs.as_json:
        outputs.report = torque_report(robot, motion.time, tau)
    else:
        print_largest(robot.name, robot.torque_names, robot.torque_units, tau, robot._effort_limits)
    outputs.finish()


def save_torques(
    outputs: Outputs,
    out: Path,
    time: np.ndarray | None,
    names: tuple[str, ...],
    tau: np.ndarray,
    joints: tuple[str, ...],
    wrenches: np.ndarray | None,
) -> None:
    """Write joint torques with `write_torques` as an output of a command."""

    def write(path: Path) -> None:
        write_torques(path, time, names, tau, joints, wrenches)

    outputs.save(out, write, ".csv", f"{out.stem}-kept.npz")


def write_torques(
    path: Path,
    time: np.ndarray | None,
    names: tuple[str, ...],
    tau: np.ndarray,
    joints: tuple[str, ...],
    wrenches: np.ndarray | None,
) -> None:
    """Write t, tau_<name> and, where given, fx_<joint> .. mz_<joint>.

    A .npz gets arrays t (N,), tau (N, n) with names (n,), and wrenches (N, joints, 6) with joints (joints,).
    """
    if path.suffix.lower() == ".npz":
        arrays: dict[str, Any] = {"tau": tau, "names": npz_texts(names, path)} | ({} if time is None else {"t": time})
        arrays |= {} if wrenches is None else {"wrenches": wrenches, "joints": npz_texts(joints, path)}
        write_whole(path, lambda file: np.savez_compressed(file, **arrays), folders=True)
        return
    header, columns = [f"tau_{name}" for name in names], [tau]
    if time is not None:
        header, columns = ["t", *header], [time[:, None], *columns]
    if wrenches is not None:
        header += [f"{part}_{joint}" for joint in joints for part in PARTS]
        columns.append(wrenches.reshape(len(wrenches), -1))
    write_table(path, header, np.hstack(columns))


def plot_loads(
    robot: Robot | ClosedRobot,
    time: np.ndarray | None,
    tau: np.ndarray,
    wrenches: np.ndarray | None,
    path: Path,
    outputs: Outputs,
) -> None:
    """Draw tau into `path`, and wrenches into a second file beside it."""
    from ..view import plot_torques, plot_wrenches

    t = np.arange(len(tau), dtype=float) if time is None else time
    names, units, limits = robot.torque_names, robot.torque_units, robot._effort_limits
    outputs.draw(path, lambda p: plot_torques(t, tau, names, units, limits, p, f"{robot.name}: joint torques"), ".png")
    if wrenches is not None:
        title, joints = f"{robot.name}: joint wrenches", robot.wrench_names
        outputs.draw(wrench_plot(path), lambda p: plot_wrenches(t, wrenches, joints, p, title), ".png")


def wrench_plot(path: Path) -> Path:
    """Return the file for the plot of the wrenches, if the torques are plotted into `path`."""
    if is_stream(path):
        return path
    return path.with_name(f"{path.stem}_wrenches{path.suffix}") if path.name else path


def print_largest(title: str, names: tuple[str, ...], units: tuple[str, ...], tau: np.ndarray, limits: tuple[float, ...]) -> None:
    """Print the largest magnitude of every joint torque, and its limit if it has one."""
    table = make_table(one_line(title), "joint", "largest", "unit", "limit", numbers=("largest", "limit"))
    for name, unit, value, limit in zip(names, units, np.abs(tau).max(axis=0), limits, strict=True):
        over = "" if np.isinf(limit) else f"{limit:.4g}" + ("  exceeded" if value > limit * (1.0 + TOLERANCE) else "")
        table.add_row(name, f"{value:.4g}", unit, over)
    make_console().print(table)
