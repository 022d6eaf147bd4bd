"""The report of `lissom bench`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bench import BATCH, LARGE, Pinocchio, States, best_times, compile_seconds, random_states
from ..compiler.threads import get_threads, set_threads
from ..errors import ModelError, ModelWarning
from ..loading.builtin import PREFIX
from .console import make_table
from .open import open_robot

if TYPE_CHECKING:
    from rich.console import Console

    from ..robot import Robot


def report(file: str, console: Console) -> None:
    """Print the times of a robot's inverse dynamics; beside Pinocchio for a URDF, where it is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        # as Pinocchio reads a URDF: mimic joints independent, no friction
        robot = open_robot(file, mimic=False) if not file.startswith(PREFIX) else open_robot(file)
    if robot.model.loops:
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

    table = make_table(f"inverse dynamics of {robot.name}: {robot.operation_count('inverse_dynamics')}",
                       "work", "lissom", "Pinocchio", "ratio", numbers=("lissom", "Pinocchio", "ratio"))  # fmt: skip

    def row(work: str, scale: float, unit: str, own: Callable[[], Any], other: Callable[[], Any] | None) -> None:
        times = best_times([own] if other is None else [own, other])
        shown = [f"{t / scale:.3g} {unit}" for t in times]
        table.add_row(work, shown[0], *([shown[1], f"{times[1] / times[0]:.1f}x"] if other else ["-", "-"]))

    try:
        set_threads(1)
        row("one call, out=", 1e-6, "us", lambda: f(q, qd, qdd, out=out_one), one)
        row("one call", 1e-6, "us", lambda: f(q, qd, qdd), one)
        row(f"per sample of {BATCH}, one thread", 1e-9 * BATCH, "ns",
            lambda: f(small.q, small.qd, small.qdd, out=out), batch)  # fmt: skip
        row(
            f"per sample of {LARGE}, one thread", 1e-9 * LARGE, "ns", lambda: f(large.q, large.qd, large.qdd, out=out_large), None
        )
        if threads > 1:
            set_threads(threads)
            what = f"per sample of {LARGE}, {threads} threads"
            row(what, 1e-9 * LARGE, "ns", lambda: f(large.q, large.qd, large.qdd, out=out_large), None)
    finally:
        set_threads(threads)
    console.print(table)
    if robot.backend.machine_code:
        opening = "import lissom\n" + f"robot = lissom.load({file!r})"
        cold, warm = compile_seconds(opening)
        console.print(f"\ncompiling: {cold:.2f} s, from the cache {warm * 1e3:.0f} ms")
    else:
        console.print("\nno compiler is available: these are the times of NumPy")
    if peer is not None:
        few = States(small.q[:64], small.qd[:64], small.qdd[:64])
        expected = peer.forces(few)
        error = np.abs(robot.inverse_dynamics(few.q, few.qd, few.qdd) - expected).max() / np.abs(expected).max()
        console.print(f"largest difference to Pinocchio: {error:.1e} of the largest torque")
    elif file.lower().endswith(".urdf"):
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
