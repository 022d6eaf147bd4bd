"""Hybrid dynamics of a closed robot: torques of those active joints whose accelerations are given.

With x' = M_x^-1 (A' tau - h_x) (58) and the rows A_k of G_x that belong to these joints, their accelerations are
    qdd_k = gamma_k + A_k x' = gamma_k + A_k M_x^-1 (A_f' tau_f - h_x) + (A_k M_x^-1 A_k') tau_k
so that tau_k follows from a symmetric matrix of as many rows as joints. It is positive definite where these joints move
independently; elsewhere, as for a slider at its dead point, no torque can give them their accelerations, and the result is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, guard, is_zero, mul, sub
from ..dynamics.factor import Factor
from ..dynamics.rnea import rnea
from ..loads import External, Situation
from .closure import Closed, Plan
from .forward import accelerations, coordinate_accelerations
from .mass import reduced_mass, solve_mass
from .tasks import closed_task

DEPENDENT = 1e-9  # share of its own row that a pivot is at least, of joints that move independently
Known = Sequence[bool] | None  # of each active joint whether its torque is given; None: of all


def torques_of(s: Situation, c: Closed, qd: Sequence[Scalar], given: Sequence[Scalar], torque_known: Known) -> list[Scalar]:
    """Return the torques of all active joints from what is given of each, with velocities of the tree."""
    if torque_known is None or all(torque_known):
        return list(given)
    order, active = c.plan.independent, c.plan.active
    asked = [k for k, known in enumerate(torque_known) if not known]
    tau = [0.0 if k in asked else x for k, x in enumerate(given)]
    M, gamma = reduced_mass(s, c), c.gamma(qd)
    needed = c.gather(rnea(s.tree, s["q"], qd, gamma, s.wrenches, s.base).tau)
    driven = c.driven(tau)
    free = solve_mass(M, order, {x: sub(driven[x], needed[x]) for x in order})  # accelerations without the torques sought
    rows = [{x: c.G[active[k]].get(x, 0.0) for x in order} for k in asked]
    columns = [solve_mass(M, order, row) for row in rows]
    table = [[_product(row, columns[j]) for j in range(i + 1)] for i, row in enumerate(rows)]
    right = [sub(sub(given[k], gamma[active[k]]), _product(row, free)) for k, row in zip(asked, rows, strict=True)]

    def pivot(k: int, x: Scalar) -> Scalar:
        size = table[k][k]
        return mul(size, guard(mul(x, 1.0 / guard(size, 0.0)), DEPENDENT))

    for k, x in zip(asked, Factor(table, pivot).solve(right), strict=True):
        tau[k] = x
    return tau


def active_torques(model: Model, plan: Plan, external: External = (), torque_known: Known = None) -> Task:
    """Torques of the active joints, at a configuration and velocities of the tree."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        qd = c.spread({x: s["qd"][x] for x in plan.independent})
        return torques_of(s, c, qd, s["given"], torque_known)

    n = len(plan.active)
    key = f"active_torques[{torque_known!r}]"
    return closed_task(key, model, plan, {"qd": model.nv, "given": n}, Port("tau", n), text, external)


def hybrid_dynamics(model: Model, plan: Plan, external: External = (), torque_known: Known = None) -> Task:
    """Accelerations of the user's coordinates, then torques of the active joints, from what is given of each of these joints."""
    n, drives = len(plan.coordinates), len(plan.active)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        qd = c.velocities(s["qd"])
        tau = torques_of(s, c, qd, s["given"], torque_known)
        return [*coordinate_accelerations(c, *accelerations(s, c, qd, c.driven(tau))), *tau]

    inputs, output = {"qd": n, "given": drives}, Port("found", n + drives)
    return closed_task(f"hybrid_dynamics[{torque_known!r}]", model, plan, inputs, output, text, external)


def _product(a: dict[int, Scalar], b: dict[int, Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, value in a.items():
        if not is_zero(value):
            total = add(total, mul(value, b[x]))
    return total
