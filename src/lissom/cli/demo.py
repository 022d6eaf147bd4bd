"""`lissom demo`: torques and loads of a given motion, and optimal motions.

The given one is the Stanford arm's of Guarino Lo Bianco 2009, table III. The paper plans it with quintic splines that rest at
both ends up to the jerk; one polynomial of degree 7 does that without an interior knot, so that is used here. The others are
problems that come with lissom: the fastest motions of Barman's RR arm and of the Panda.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ConvergenceError
from ..model.names import torque_units, velocity_names
from .console import make_console, make_table
from .outputs import Outputs
from .reports import prediction_report
from .text import say

if TYPE_CHECKING:
    from ..predict import Prediction

SAMPLES = 401
GIVEN = ("stanford.csv", "stanford.png", "stanford_wrenches.png")
PREDICTED = ("rr", "panda")
# s(x) = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7: from 0 to 1 with zero first, second and third derivatives at both ends
REST_TO_REST = np.polynomial.Polynomial([0, 0, 0, 0, 35, -84, 70, -20])


def rest_to_rest(
    start: np.ndarray, goal: np.ndarray, duration: float, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, qd and qdd, arrays (N, n), of a point-to-point motion at the times `t` [s], (N,).

    Velocity, acceleration and jerk are zero at 0 and at `duration` [s].
    """
    start, span = np.asarray(start, float), np.asarray(goal, float) - np.asarray(start, float)
    x = np.asarray(t, float)[:, None] / duration
    first, second = REST_TO_REST.deriv(1), REST_TO_REST.deriv(2)
    return start + span * REST_TO_REST(x), span * first(x) / duration, span * second(x) / duration**2


def run_demo(out: Path, outputs: Outputs) -> None:
    """Print the loads of a given motion and the durations of predicted ones; write them all to `out`."""
    names = [*GIVEN, *(f"{name}.{ending}" for name in PREDICTED for ending in ("html", "gif"))]
    outputs.check([out / name for name in names], pictures=True)
    given_motion(out, outputs)
    if not outputs.as_json:
        say("")
    predicted_motions(out, outputs)


def predicted_motions(out: Path, outputs: Outputs) -> None:
    """Print the durations of the fastest motions; write a report and an animation of each."""
    from ..predict import load

    found: list[Prediction] = []
    for name in PREDICTED:
        problem = load(name)
        found.append(problem.solve(progress=True, throw=False))
    if outputs.as_json:
        outputs.report["predictions"] = [prediction_report(p) for p in found]
    else:
        print_predictions(found)
    for name, prediction in zip(PREDICTED, found, strict=True):
        outputs.save(None, prediction.save, ".npz", f"{name}-kept.npz")
        report, film = out / f"{name}.html", out / f"{name}.gif"
        outputs.draw(report, prediction.report, ".html")
        outputs.draw(film, prediction.animate, ".gif")
        if {report, film} <= set(outputs.written) and not outputs.as_json:
            say(f"wrote {film}, and the report {report}: open it in a browser")
    if not outputs.as_json:
        outputs.written = []  # all said
    failed = next((p for p in found if not p.success), None)
    outputs.finish(None if failed is None else ConvergenceError(f"{failed.name}: no motion found: {failed.message}", failed))


def print_predictions(found: Sequence[Prediction]) -> None:
    """Print a table of predicted motions."""
    columns = ("problem", "joints", "duration [s]", "objective", "control points", "violation / limit", "iterations", "time [s]")
    table = make_table("Predicted motions", *columns, numbers=columns[1:])
    for p in found:
        figures = (f"{p.duration:.6f}", f"{p.objective:.6f}", str(len(p.path.points)), f"{p.violation:.1e}", str(p.iterations))
        table.add_row(f"{p.name}, {p.status.value}", str(p.robot.nv), *figures, f"{p.seconds:.2f}")
    make_console().print(table)


def given_motion(out: Path, outputs: Outputs) -> None:
    """Print the largest torques and joint loads of the Stanford arm's motion; write them all to `out`."""
    from ..robots import stanford
    from ..robots.stanford import DURATION, GOAL, START
    from .torque import plot_loads, save_torques

    robot = stanford()
    t = np.linspace(0.0, DURATION, SAMPLES)
    q, qd, qdd = rest_to_rest(np.array(START), np.array(GOAL), DURATION, t)
    tau = robot.inverse_dynamics(q, qd, qdd)
    wrenches = robot.joint_wrenches(q, qd, qdd)
    names, rows = velocity_names(robot.model), []
    title = f"Stanford arm, motion of table III, {DURATION:g} s from rest to rest"
    columns = ("joint", "largest |tau|", "unit", "largest force [N]", "largest moment [N m]")
    table = make_table(title, *columns, numbers=columns[1:2] + columns[3:])
    for i, (name, unit) in enumerate(zip(names, torque_units(robot.model), strict=True)):
        force, moment = (np.linalg.norm(wrenches[:, i, part], axis=1).max() for part in (slice(0, 3), slice(3, 6)))
        largest = float(np.abs(tau[:, i]).max())
        table.add_row(name, f"{largest:.4g}", unit, f"{force:.4g}", f"{moment:.4g}")
        row = {"name": name, "unit": unit, "largest": largest, "largest_force_N": force, "largest_moment_Nm": moment}
        rows.append(row)
    if outputs.as_json:
        outputs.report["given"] = {"robot": robot.name, "duration_s": DURATION, "torques": rows}
    else:
        make_console().print(table)
    save_torques(outputs, out / GIVEN[0], t, names, tau, robot.moving_joint_names, wrenches)
    plot_loads(robot, t, tau, wrenches, out / GIVEN[1], outputs)
    if not outputs.as_json:
        say("wrote " + ", ".join(map(str, outputs.written)))
