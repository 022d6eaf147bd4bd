"""The tasks of closed robots: Khalil 2010, section 4, each a program of its own.

Inputs are the configuration q of the tree, which closes the loops, and the user's velocities, accelerations and forces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...compiler.program import Port
from ...compiler.task import Task
from ...joints.flow import coordinate_rates
from ...model.model import Model
from ...spatial.scalar import Scalar
from ...spatial.series import Series, terms_of
from ..dynamics.integrate import each_joint
from ..dynamics.rnea import rnea
from ..loads import FULL, REGROUPED, External, Layout, Situation, laid_out_task
from .closure import Closed, Plan

Text = Callable[[Situation, Closed], Sequence[Scalar]]


def closed_task(
    key: str,
    model: Model,
    plan: Plan,
    inputs: dict[str, int],
    output: Port,
    text: Text,
    external: External = (),
    layouts: Sequence[Layout] = REGROUPED,
    either_side: bool = True,
) -> Task:
    """Return a task of a closed mechanism; with `either_side` equations are also tried on the second link of each cut joint.

    Not for loops that close within a tolerance only: their gaps are others there.
    """

    def by(plan: Plan) -> Task:
        def run(s: Situation) -> Sequence[Scalar]:
            return text(s, Closed(s.tree, s["q"], model, plan))

        name = f"closed {key}[{plan!r}]"
        return laid_out_task(name, model, {"q": model.nq, **inputs}, output, run, external, layouts=layouts)

    tasks = [by(plan), by(replace(plan, swapped=True))] if either_side and not plan.gaps else [by(plan)]
    return replace(tasks[0], texts=[run for task in tasks for run in task.texts])


def inverse_dynamics(
    model: Model, plan: Plan, external: External = (), weights: tuple[float, ...] | None = None, rates: str = "qd qdd"
) -> Task:
    """Forces of the active joints: tau = G' tau_tree (55), (57)."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        given = {name: s.values.get(name, [0.0] * n) for name in ("qd", "qdd")}
        qd, qdd = motion(c, given["qd"], given["qdd"])
        return c.driving(c.gather(rnea(s.tree, s["q"], qd, qdd, s.wrenches, s.base).tau), weights)

    key = f"inverse_dynamics[{rates}]" + ("" if weights is None else f"[weights {weights!r}]")
    return closed_task(key, model, plan, dict.fromkeys(rates.split(), n), Port("tau", len(plan.active)), text, external)


def bias_torques(model: Model, plan: Plan, external: External = ()) -> Task:
    """H_c(q, qd): torques of the active joints without accelerations."""
    return inverse_dynamics(model, plan, external, rates="qd")


def gravity_torques(model: Model, plan: Plan, external: External = ()) -> Task:
    """Torques of the active joints that hold the mechanism still."""
    return inverse_dynamics(model, plan, external, rates="")


def torque_rates(model: Model, plan: Plan, external: External = (), weights: tuple[float, ...] | None = None) -> Task:
    """Rates of the forces of the active joints along a motion: the same text on series in time (`spatial/series.py`)."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        velocities = c.velocities(s["qd"])
        rates = each_joint(model, coordinate_rates, s["q"], velocities)
        moving = s.at(q=[Series(pair) for pair in zip(s["q"], rates, strict=True)])
        later = Closed(s.tree, moving["q"], model, plan)
        qd, qdd = ([Series(pair) for pair in zip(s[a], s[b], strict=True)] for a, b in (("qd", "qdd"), ("qdd", "qddd")))
        forces = rnea(s.tree, moving["q"], *motion(later, qd, qdd), moving.wrenches, s.base).tau
        return [terms_of(x, 2)[1] for x in later.driving(later.gather(forces), weights)]

    key = "torque_rates" + ("" if weights is None else f"[weights {weights!r}]")
    inputs = dict.fromkeys(("qd", "qdd", "qddd"), n)
    return closed_task(key, model, plan, inputs, Port("tau_rate", len(plan.active)), text, external)


def motion(c: Closed, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Return velocities and accelerations of the tree, given the user's."""
    tree_qd = c.velocities(qd)
    return tree_qd, c.accelerations(qdd, c.gamma(tree_qd))


def tree_motion(model: Model, plan: Plan) -> Task:
    """Velocities and accelerations of the tree, given the user's."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return [x for part in motion(c, s["qd"], s["qdd"]) for x in part]

    return closed_task("tree_motion", model, plan, {"qd": n, "qdd": n}, Port("motion", 2 * model.nv), text, layouts=FULL)


def velocity_matrix(model: Model, plan: Plan) -> Task:
    """G with qd_tree = G qd (56), row by row."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        columns = [c.velocities([float(i == k) for i in range(n)]) for k in range(n)]
        return [column[r] for r in range(model.nv) for column in columns]

    return closed_task("velocity_matrix", model, plan, {}, Port("G", model.nv * n), text, layouts=FULL)
