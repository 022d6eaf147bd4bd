"""The work of `lissom demo`: the Stanford arm's motion of Guarino Lo Bianco 2009, table III.

The paper plans it with quintic splines that rest at both ends up to the jerk; one polynomial of degree 7 does that without an
interior knot, so that is used here.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..model.names import force_units, velocity_names
from .console import make_console, make_table

SAMPLES = 401
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


def run_demo(out: Path) -> None:
    """Print the largest torques and joint loads of the motion; write them all to `out`."""
    from ..robots import stanford
    from ..robots.stanford import DURATION, GOAL, START
    from .torque import plot_forces, write_forces

    robot = stanford()
    t = np.linspace(0.0, DURATION, SAMPLES)
    q, qd, qdd = rest_to_rest(np.array(START), np.array(GOAL), DURATION, t)
    tau = robot.inverse_dynamics(q, qd, qdd)
    wrenches = robot.joint_wrenches(q, qd, qdd)
    names = velocity_names(robot.model)
    title = f"Stanford arm, motion of table III, {DURATION:g} s from rest to rest"
    columns = ("joint", "largest |tau|", "unit", "largest force [N]", "largest moment [N m]")
    table = make_table(title, *columns, numbers=columns[1:2] + columns[3:])
    for i, (name, unit) in enumerate(zip(names, force_units(robot.model), strict=True)):
        force, moment = (np.linalg.norm(wrenches[:, i, part], axis=1).max() for part in (slice(0, 3), slice(3, 6)))
        table.add_row(name, f"{np.abs(tau[:, i]).max():.4g}", unit, f"{force:.4g}", f"{moment:.4g}")
    make_console().print(table)
    forces = out / "stanford.csv"
    write_forces(forces, t, names, tau, robot.moving_joint_names, wrenches)
    written = [forces, *plot_forces(robot, t, tau, wrenches, out / "stanford.png")]
    print("wrote " + ", ".join(map(str, written)))
