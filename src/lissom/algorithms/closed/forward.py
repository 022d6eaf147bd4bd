"""Forward dynamics of closed robots, and their mass matrix: Khalil 2010, eq. (58).

Along the independent velocities x:    M_x x-dot = A_a' tau - G_x' (tau_tree at x-dot = 0),    A_a: rows of G_x of active joints
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ..dynamics.rnea import rnea
from ..loads import REGROUPED, External, Situation
from .closure import Closed, Plan
from .mass import reduced_mass, solve_mass
from .tasks import closed_task


def accelerations(
    s: Situation, c: Closed, tree_qd: Sequence[Scalar], driven: dict[int, Scalar], pull: Sequence[Scalar] | None = None
) -> tuple[dict[int, Scalar], list[Scalar]]:
    """Return x-dot and gamma, given the velocities of the tree and the driving forces along x."""
    gamma = c.gamma(tree_qd, pull)
    needed = c.gather(rnea(s.tree, s["q"], tree_qd, gamma, s.wrenches, s.base).tau)
    right = {x: sub(driven[x], needed[x]) for x in c.plan.independent}
    return solve_mass(reduced_mass(s, c), c.plan.independent, right), gamma


def coordinate_accelerations(c: Closed, x: dict[int, Scalar], gamma: Sequence[Scalar]) -> list[Scalar]:
    """Return the accelerations of the user's coordinates, given x-dot and gamma."""
    found = []
    for joint in c.plan.coordinates:
        total = gamma[joint]
        for k, value in c.G[joint].items():
            total = add(total, mul(value, x[k]))
        found.append(total)
    return found


def forward_dynamics(model: Model, plan: Plan, external: External = ()) -> Task:
    """Accelerations of the user's coordinates under forces of the active joints."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return coordinate_accelerations(c, *accelerations(s, c, c.velocities(s["qd"]), c.driven(s["tau"])))

    return closed_task("forward_dynamics", model, plan, {"qd": n, "tau": len(plan.active)}, Port("qdd", n), text, external)


def mass_matrix(model: Model, plan: Plan) -> Task:
    """A_c with tau = A_c qdd + H_c (58), row by row: A^-T M_x A^-1 with the user's coordinates."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        M, order = reduced_mass(s, c), plan.independent
        whole = {a: {b: M[a].get(b, 0.0) if order.index(b) <= order.index(a) else M[b].get(a, 0.0) for b in order} for a in order}
        columns = []
        for k in range(n):
            x = c.A.solve([float(i == k) for i in range(n)])
            forces = {}
            for a in order:
                total: Scalar = 0.0
                for b in order:
                    total = add(total, mul(whole[a][b], x[b]))
                forces[a] = total
            columns.append(c.A.transposed(forces))
        return [columns[max(i, j)][min(i, j)] for i in range(n) for j in range(n)]

    return closed_task("mass_matrix", model, plan, {}, Port("M", n * n), text)


def tree_dynamics(model: Model, plan: Plan, external: External = (), stabilized: bool = False) -> Task:
    """Accelerations of the tree and forces of the kept rows, under forces along all velocities of the tree.

    Velocities that violate the closure are corrected first, those of x being kept. With `stabilized` there is one more input, a
    rate a [1/s]: violations by positions decay as with a critically damped spring, -2 a phi-dot - a^2 phi (Baumgarte
    1972).
    """

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        qd = c.spread({x: s["qd"][x] for x in plan.independent})
        pull = None
        if stabilized:
            rate = s["rate"][0]
            square = mul(rate, rate)
            pull = [sub(0.0, mul(square, x)) for x in c.residuals]
            for k, row in enumerate(c.K):  # velocities as given, not as corrected
                speed: Scalar = 0.0
                for column, value in row.items():
                    speed = add(speed, mul(value, s["qd"][column]))
                pull[k] = sub(pull[k], mul(2.0, mul(rate, speed)))
        x, gamma = accelerations(s, c, qd, c.gather(s["tau"]), pull)
        qdd = c.spread(x, gamma)
        needed = rnea(s.tree, s["q"], qd, qdd, s.wrenches, s.base).tau
        # forces belong to equations on the first links, as they are named
        return [*qdd, *c.multipliers([sub(a, b) for a, b in zip(needed, s["tau"], strict=True)])]

    inputs = {"qd": model.nv, "tau": model.nv} | ({"rate": 1} if stabilized else {})
    key = "tree_dynamics" + ("[stabilized]" if stabilized else "")
    return closed_task(
        key, model, plan, inputs, Port("qdd", model.nv + len(plan.rows)), text, external, REGROUPED, either_side=False
    )
