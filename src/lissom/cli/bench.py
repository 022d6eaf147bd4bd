"""The report of `lissom bench`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from ..bench import BATCH, LARGE, Pinocchio, States, best_times, compile_seconds, random_states
from ..compiler.threads import get_threads, set_threads
from ..errors import ModelError, ModelWarning
from ..loading.builtin import PREFIX
from ..robot import Robot
from .console import make_console, make_table
from .json_output import print_json
from .reports import Report
from .robot_options import RobotOptions
from .text import one_line


def time_robot(file: str, as_json: bool = False) -> None:
    """Print the times of a robot's inverse dynamics; beside Pinocchio for a URDF, where it is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        # as Pinocchio reads a URDF: mimic joints independent, no friction
        robot = RobotOptions(mimic=file.startswith(PREFIX)).open(file)
    if not isinstance(robot, Robot):
        raise ModelError(f"robot {robot.name!r} has loops; `python -m benchmarks loops` times closed robots")
    if robot.nv == 0:
        raise ModelError(f"robot {robot.name!r} has no moving joints, so there are no torques to time; choose another robot")
    peer, reason = find_peer(file, robot)
    threads, large = get_threads(), random_states(robot, LARGE)
    small = States(large.q[:BATCH], large.qd[:BATCH], large.qdd[:BATCH])
    out, out_large, out_one = np.empty((BATCH, robot.nv)), np.empty((LARGE, robot.nv)), np.empty(robot.nv)
    q, qd, qdd = small.q[0].copy(), small.qd[0].copy(), small.qdd[0].copy()
    robot.inverse_dynamics(q, qd, qdd)
    f = robot.inverse_dynamics
    one, batch = (peer.one(small), peer.batch(small)) if peer else (None, None)

    rows: list[dict[str, Any]] = []

    def row(work: str, samples: int, own: Callable[[], Any], other: Callable[[], Any] | None = None) -> None:
        """Time one call, per sample."""
        times = [t / samples for t in best_times([own] if other is None else [own, other])]
        rows.append({"work": work, "lissom_s": times[0], "pinocchio_s": times[1] if other else None})

    def many() -> Any:
        return f(large.q, large.qd, large.qdd, out=out_large)

    try:
        set_threads(1)
        row("one call, out=", 1, lambda: f(q, qd, qdd, out=out_one), one)
        row("one call", 1, lambda: f(q, qd, qdd), one)
        row(f"per sample of {BATCH}, one thread", BATCH, lambda: f(small.q, small.qd, small.qdd, out=out), batch)
        row(f"per sample of {LARGE}, one thread", LARGE, many)
        if threads > 1:
            set_threads(threads)
            row(f"per sample of {LARGE}, {threads} threads", LARGE, many)
    finally:
        set_threads(threads)
    report: Report = {"robot": robot.name, "operations": asdict(robot.operation_count("inverse_dynamics")), "times": rows}
    cold, warm = compile_seconds(f"import lissom\nrobot = lissom.load({file!r})") if robot.backend.machine_code else (None, None)
    report |= {"compile_s": cold, "compile_from_cache_s": warm, "largest_relative_difference": None}
    if peer is not None:
        few = States(small.q[:64], small.qd[:64], small.qdd[:64])
        expected = peer.forces(few)
        error = np.abs(robot.inverse_dynamics(few.q, few.qd, few.qdd) - expected).max() / np.abs(expected).max()
        report["largest_relative_difference"] = error
    reason = reason if peer is None and file.lower().endswith(".urdf") else ""
    if as_json:
        print_json(report | {"no_comparison": reason or None})
    else:
        print_times(report, str(robot.operation_count("inverse_dynamics")), reason)


def print_times(report: Report, operations: str, reason: str) -> None:
    """Print the table of times, and why Pinocchio is not in it."""
    console = make_console()
    title = f"inverse dynamics of {one_line(report['robot'])}: {operations}"
    columns = ("work", "lissom", "Pinocchio", "ratio")
    table = make_table(title, *columns, numbers=columns[1:])
    for row in report["times"]:
        own, other = row["lissom_s"], row["pinocchio_s"]
        scale, unit = (1e-6, "us") if row["work"].startswith("one") else (1e-9, "ns")
        rest = ("-", "-") if other is None else (f"{other / scale:.3g} {unit}", f"{other / own:.1f}x")
        table.add_row(row["work"], f"{own / scale:.3g} {unit}", *rest)
    console.print(table)
    if report["compile_s"] is None:
        console.print("\nno compiler is available: these are the times of NumPy")
    else:
        console.print(f"\ncompiling: {report['compile_s']:.2f} s, from the cache {report['compile_from_cache_s'] * 1e3:.0f} ms")
    if (error := report["largest_relative_difference"]) is not None:
        console.print(f"largest difference to Pinocchio: {error:.1e} of the largest torque")
    if reason:
        console.print(f"nothing to compare with, because {reason}")


def find_peer(file: str, robot: Robot) -> tuple[Pinocchio | None, str]:
    """Return the same robot in Pinocchio, or None and the reason."""
    if not file.lower().endswith(".urdf"):
        return None, "Pinocchio reads only URDF files"
    if not Pinocchio.installed():
        return None, "Pinocchio is not installed (pip install pin)"
    try:
        peer = Pinocchio(file, "fixed", robot)
    except Exception as error:  # whatever a parser in C++ raises
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return None, f"Pinocchio refuses the file: {lines[0]}"
    difference = peer.difference()
    return (None, f"Pinocchio reads the file differently: {difference}") if difference else (peer, "")
