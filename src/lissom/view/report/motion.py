"""Report of a simulated motion: end, energy, largest torque and events first; curves with the model's limits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..curves.panel import MOTOR, Bound, Group, Line, Panel
from ..page import check_ending, table
from .beyond import at_length, in_short, passed
from .scenes import first_motion, scenes
from .verdict import Verdict, largest
from .write import write_report

if TYPE_CHECKING:
    from ...simulate import Trajectory

MOST = 8  # motions of a batch that are drawn: one color each
LISTED = 6  # most events in words


def report_trajectory(trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
    """Write the page of a motion; see `Trajectory.report`."""
    path = check_ending(path)
    groups = [*_coordinates(trajectory), _energy(trajectory)]
    happened = [(event.t, event.name) for event in trajectory.events]
    title = f"{trajectory.robot.name}: simulated motion"
    drawn = scenes(first_motion(trajectory), trajectory.robot.name)
    return write_report(title, of_trajectory(trajectory), drawn, groups, details(trajectory), path, events=happened)


def of_trajectory(trajectory: Trajectory) -> Verdict:
    """Return the verdict of a run: how it ended, and the limits of the model that it passes; energy, largest torque, events."""
    status, end = trajectory.status.value, float(trajectory.t[-1])
    good = status in ("finished", "event")
    how = "" if status == "finished" else ", ended by an event" if status == "event" else f", {status.replace('_', ' ')}"
    first = f"{end:.4g} s{' simulated' if trajectory.method else ''}{how}"
    more = [] if good else [trajectory.message or trajectory.status.advice]
    if trajectory.q.ndim > 2:
        many = int(np.prod(trajectory.q.shape[1:-1]))
        return Verdict(good, f"{many} motions of {first}", (*more, f"the first {min(many, MOST)} are drawn"))
    beyond = passed(trajectory)
    if good and beyond is not None:  # a run that failed says why instead
        first += f"; {in_short(beyond) if beyond else 'within all limits of the model'}"
    more += _energies(trajectory)
    if trajectory.tau.size and np.abs(trajectory.tau).max() > 0:
        said = largest(trajectory.tau, trajectory.t, trajectory.torque_names, trajectory.units["tau"])
        more.append(f"largest torque: {'; '.join(said)}")
    more += at_length(beyond or (), LISTED)
    if trajectory.events:
        some = [f"{event.name} at {event.t:.4g} s" for event in trajectory.events[:LISTED]]
        left = len(trajectory.events) - LISTED
        more.append(f"events: {', '.join(some)}{f' and {left} more' if left > 0 else ''}")
    if trajectory.unfired:
        more.append(f"events that did not happen: {', '.join(trajectory.unfired)}")
    closure = getattr(trajectory, "closure_error", None)
    if closure is not None:
        more.append(f"loops are closed to {float(np.max(closure)):.1e} m")
    return Verdict(good, first, tuple(more), careful=bool(beyond))


def _energies(trajectory: Trajectory) -> list[str]:
    if trajectory.status.value == "blew_up":  # energies of the last samples say nothing
        return []
    energy, t = trajectory.energy, trajectory.t
    known = trajectory.method != ""  # of others, such as those from a CSV file, nobody knows what acted on them
    if known and not (trajectory.tau.any() or trajectory.robot.has_friction or trajectory.external):
        range_ = float(np.ptp(energy))
        share = range_ / max(float(np.max(trajectory.kinetic_energy)), 1e-300)
        return [f"energy varies by {range_:.2g} J, {share:.1e} of the largest kinetic energy, without torques or friction"]
    said = f"energy from {energy[0]:.5g} J to {energy[-1]:.5g} J"
    if trajectory.tau.shape == trajectory.qd.shape:
        power = np.sum(trajectory.tau * trajectory.qd, axis=-1)
        said += f"; joint torques did {float(np.diff(t) @ (power[1:] + power[:-1]) / 2):.5g} J of work"
    return [said]


def _coordinates(trajectory: Trajectory) -> list[Group]:
    """Return positions, velocities, torques and accelerations, motors beside their joints."""
    robot, limits = trajectory.robot, trajectory.robot.limits
    effort = np.array(robot._effort_limits)
    speed = trajectory.velocity_names
    forces = "Torques" if set(robot.torque_units) <= {"N m"} else "Torques and forces"
    groups = [
        _group("Positions", trajectory, "q", trajectory.coordinate_names, (limits.lower, limits.upper)),
        _group("Velocities", trajectory, "qd", speed, (-limits.velocity, limits.velocity)),
        _group(forces, trajectory, "tau", trajectory.torque_names, (-effort, effort), bool(trajectory.tau.any())),
        _group("Accelerations", trajectory, "qdd", speed, None, shown=False),
    ]
    if trajectory.motor_names:
        groups.insert(3, _group("Spring deflections", trajectory, "deflections", trajectory.motor_names, None))
    return groups


def _group(
    title: str,
    trajectory: Trajectory,
    what: str,
    names: Sequence[str],
    limits: tuple[np.ndarray, np.ndarray] | None,
    shown: bool = True,
) -> Group:
    values = getattr(trajectory, what)
    values = values.reshape(len(values), -1, values.shape[-1])[:, :MOST]
    units, many = trajectory.units[what], values.shape[1]
    joint_of = _motors(trajectory, what) if many == 1 else {}
    panels = []
    for k, name in enumerate(names):
        if k in joint_of:
            continue  # drawn with its joint
        own = [k, *(motor for motor, joint in joint_of.items() if joint == k)]
        if many == 1:
            lines = [Line(names[e], values[:, 0, e], 0 if e == k else MOTOR) for e in own]
        else:
            lines = [Line(f"motion {m}", values[:, m, k], m) for m in range(many)]
        bounds = [] if limits is None else [Bound(limits[0][e], limits[1][e], motor=e != k) for e in own]
        panels.append(Panel(name, units[k], trajectory.t, lines, bounds))
    return Group(title, panels, shown)


def _motors(trajectory: Trajectory, what: str) -> dict[int, int]:
    """Return for each motor behind a spring, by its place in q or in qd, the place of its joint."""
    drives = trajectory.robot._elastic_drives if trajectory.motor_names else ()
    if what == "q":
        return {drive.motor_q: drive.joint_q for drive in drives}
    return {drive.motor: drive.joint for drive in drives} if what == "qd" else {}


def _energy(trajectory: Trajectory) -> Group:
    if trajectory.q.ndim > 2 or trajectory.status.value == "blew_up":
        return Group("Energy", [])
    parts = {"kinetic": trajectory.kinetic_energy, "potential": trajectory.potential_energy}
    if trajectory.robot.model.has_springs:
        parts["springs"] = trajectory.spring_energy
    total = trajectory.energy
    lines = [Line(name, y, 1 + k) for k, (name, y) in enumerate(parts.items())]
    change = Panel("change of total energy", "J", trajectory.t, [Line("change", total - total[0])])
    return Group("Energy", [Panel("energy", "J", trajectory.t, [Line("total", total), *lines]), change])


def details(trajectory: Trajectory) -> list[tuple[str, str]]:
    """Return tables of a motion: first, last, lowest and highest of every coordinate, and how it was integrated."""
    rows = []
    if trajectory.q.ndim == 2:
        every = (
            ("position", trajectory.q, trajectory.coordinate_names, "q"),
            ("velocity", trajectory.qd, trajectory.velocity_names, "qd"),
            ("torque", trajectory.tau, trajectory.torque_names, "tau"),
        )
        for what, values, names, key in every:
            for name, unit, y in zip(names, trajectory.units[key], values.T, strict=True):
                rows.append((what, name, *(f"{x:.5g}" for x in (y[0], y[-1], y.min(), y.max())), unit))
    head = ("", "joint", "first", "last", "lowest", "highest", "unit")
    run = [("status", f"{trajectory.status.value.replace('_', ' ')}: {trajectory.message or trajectory.status.advice}")]
    run += [("samples", f"{len(trajectory)} from {trajectory.t[0]:g} to {trajectory.t[-1]:g} s")]
    run += (
        [("method", f"{trajectory.method}{f': {trajectory.choice}' if trajectory.choice else ''}")] if trajectory.method else []
    )
    found = [("Values", table(head, rows, numbers=(2, 3, 4, 5)))] if rows else []
    return [*found, ("Run", table(("", ""), run)), *_events(trajectory)]


def _events(trajectory: Trajectory) -> list[tuple[str, str]]:
    if not trajectory.events:
        return []
    return [("Events", table(("event", "at [s]"), [(event.name, f"{event.t:.8g}") for event in trajectory.events], numbers=(1,)))]
