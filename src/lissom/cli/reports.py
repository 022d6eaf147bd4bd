"""Reports about motions for --json, as mappings; docs/usage/cli-json.md lists their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..simulate import Status
from ..view.report.beyond import Beyond, passed

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..control import Scenario, Tracking
    from ..predict import Prediction
    from ..robot import Robot
    from ..simulate import Trajectory

TOLERANCE = 1e-3  # share of a limit by which a torque may exceed it: the tolerance of `lissom predict`

Report = dict[str, Any]


def torque_report(robot: Robot | ClosedRobot, time: np.ndarray | None, tau: np.ndarray) -> Report:
    """Return the largest torques (N, n) of a motion at times (N,) [s], or None, with the first sample of each."""
    rows = []
    for name, unit, values, limit in zip(
        robot.torque_names, robot.torque_units, np.abs(tau).T, robot._effort_limits, strict=True
    ):
        k = int(values.argmax())
        row = {"name": name, "unit": unit, "largest": values[k], "sample": k, "time_s": None if time is None else time[k]}
        rows.append(row | {"limit": limit, "exceeded": values[k] > limit * (1.0 + TOLERANCE)})
    return {"robot": robot.name, "samples": len(tau), "torques": rows}


def limits_passed(trajectory: Trajectory) -> list[Beyond]:
    """Return the limits of the model that a motion passes by more than the tolerance; none of one that blew up."""
    if trajectory.status is Status.BLEW_UP:
        return []
    return [x for x in passed(trajectory) or [] if x.relative > TOLERANCE]


def motion_report(trajectory: Trajectory, assumed: Sequence[str] = ()) -> Report:
    """Return status, ends, largest velocities and torques, energies and events of a motion."""
    report: Report = {"robot": trajectory.robot.name, "status": trajectory.status, "message": trajectory.message}
    report |= {"time_s": trajectory.t[-1] if len(trajectory) else 0.0, "samples": len(trajectory)}
    report |= {"method": trajectory.method, "choice": trajectory.choice, "assumed": assumed}
    report["events"] = [{"name": event.name, "time_s": event.t} for event in trajectory.events]
    if not len(trajectory):
        return report | {"coordinates": [], "velocities": [], "torques": [], "limits_passed": []}
    units, names = trajectory.units, trajectory.coordinate_names
    ends = zip(names, units["q"], trajectory.q[0], trajectory.q[-1], strict=True)
    report["coordinates"] = [{"name": name, "unit": unit, "start": a, "end": b} for name, unit, a, b in ends]
    for key, part, names in (("velocities", "qd", trajectory.velocity_names), ("torques", "tau", trajectory.torque_names)):
        largest = np.abs(getattr(trajectory, part)).max(axis=0)
        rows = zip(names, units[part], largest, strict=True)
        report[key] = [{"name": name, "unit": unit, "largest": x} for name, unit, x in rows]
    report |= {"energy_start_J": trajectory.energy[0], "energy_end_J": trajectory.energy[-1]}
    report["limits_passed"] = [
        {"limit": x.what, "name": x.name, "unit": x.unit, "value": x.value, "bound": x.bound, "share": x.share}
        for x in limits_passed(trajectory)
    ]
    closure = getattr(trajectory, "closure_error", None)
    return report if closure is None else report | {"largest_closure_error_m": closure.max()}


def scenario_report(scenario: Scenario, trajectory: Trajectory, tracking: Tracking | None) -> Report:
    """Return the motion under a controller, with its errors."""
    report = {"scenario": scenario.name, "controller": type(scenario.controller).__name__, "task": scenario.task}
    report |= motion_report(trajectory, scenario.assumed)
    if tracking is None:
        return report | {"tracking": [], "lyapunov": None}
    rows = []
    for k, name in enumerate(tracking.joints):
        error, springs = np.abs(tracking.errors[:, k]), [e for e, joint in enumerate(tracking.drives) if joint == k]
        row = {"name": name, "unit": tracking.units[k], "rms_error": tracking.rms[k], "largest_error": error.max()}
        row |= {"time_s": tracking.t[error.argmax()], "torque_unit": tracking.torque_units[k]}
        row |= {"largest_torque": np.abs(tracking.torques[:, k]).max(), "torque_limit": tracking.limits[k]}
        rows.append(row | {"largest_deflection": np.abs(tracking.deflections[:, springs]).max() if springs else None})
    V = tracking.lyapunov
    return report | {"tracking": rows, "lyapunov": None if V is None else {"start": V[0], "end": V[-1], "largest": V.max()}}


def prediction_report(p: Prediction) -> Report:
    """Return status, objective, limits and rounds of a prediction."""
    report = {"problem": p.name, "robot": p.robot.name, "status": p.status, "success": p.success, "message": p.message}
    report |= {"duration_s": p.duration, "objective": p.objective, "iterations": p.iterations}
    report |= {"solve_s": p.seconds, "setup_s": p.setup_seconds}
    report["phases"] = [{"name": phase.name, "start_s": phase.start, "end_s": phase.end} for phase in p.phases]
    report["goals"] = [{"name": goal.label, "weight": goal.weight, "value": goal.value} for goal in p.goals]
    report["limits"] = [
        {"name": x.label, "unit": x.unit, "lower": x.lower, "upper": x.upper, "active_share": x.active}
        | {"phases": x.during, "contact": x.contact or None}
        | {"violation": x.violation, "time_s": x.at if x.violation > 0 else None, "scale": x.scale, "multiplier": x.multiplier}
        for x in (limit.shown() for limit in p.limits)
    ]
    report["rounds"] = [
        {"control_points": r.control_points, "grid_points": r.instants, "objective": r.objective}
        | {"relative_violation": r.violation, "iterations": r.iterations, "solve_s": r.seconds}
        for r in p.rounds
    ]
    return report
