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
from ..loads import EXTERNAL_SIZE, FULL, REGROUPED, External, Layout, Situation, laid_out_task
from .closure import Closed, Plan

Text = Callable[[Situation, Closed], Sequence[Scalar]]
Weights = tuple[float, ...] | None  # of redundant drives
RATES = "external_rates"  # input


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
    return replace(tasks[0], texts=[run for task in tasks for run in task.texts], title=key)


def inverse_dynamics(model: Model, plan: Plan, external: External = (), weights: Weights = None) -> Task:
    """Forces of the active joints: tau = G' tau_tree (55), (57)."""
    return _driving_torques("inverse_dynamics", ("qd", "qdd"), model, plan, external, weights)


def bias_torques(model: Model, plan: Plan, external: External = (), weights: Weights = None) -> Task:
    """H_c(q, qd): torques of the active joints without accelerations."""
    return _driving_torques("bias_torques", ("qd",), model, plan, external, weights)


def gravity_torques(model: Model, plan: Plan, external: External = (), weights: Weights = None) -> Task:
    """Torques of the active joints that hold the mechanism still."""
    return _driving_torques("gravity_torques", (), model, plan, external, weights)


def _driving_torques(name: str, rates: tuple[str, ...], model: Model, plan: Plan, external: External, weights: Weights) -> Task:
    key, inputs = f"{name}{_weighed(weights)}", dict.fromkeys(rates, len(plan.coordinates))
    output = Port("tau", len(plan.active))
    return closed_task(key, model, plan, inputs, output, lambda s, c: driving_forces(s, c, weights), external)


def torque_rates(model: Model, plan: Plan, external: External = (), weights: Weights = None, changing: bool = False) -> Task:
    """Rates of the forces of the active joints along a motion: the same text on series in time (`spatial/series.py`).

    `changing`: external wrenches come with rates.
    """

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return [terms_of(x, 2)[1] for x in driving_forces(*along_motion(s, c, model), weights)]

    inputs, key = with_rates(dict.fromkeys(("qd", "qdd", "qddd"), len(plan.coordinates)), external, changing)
    output = Port("tau_rate", len(plan.active))
    return closed_task(f"torque_rates{_weighed(weights)}{key}", model, plan, inputs, output, text, external)


def torques_and_rates(model: Model, plan: Plan, external: External = (), weights: Weights = None) -> Task:
    """Forces of the active joints, then their rates along a motion."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        both = [terms_of(x, 2) for x in driving_forces(*along_motion(s, c, model), weights)]
        return [x for part in zip(*both, strict=True) for x in part]

    inputs = dict.fromkeys(("qd", "qdd", "qddd"), len(plan.coordinates))
    output = Port("tau_and_rate", 2 * len(plan.active))
    return closed_task(f"torques_and_rates{_weighed(weights)}", model, plan, inputs, output, text, external)


def driving_forces(s: Situation, c: Closed, weights: Weights) -> list[Scalar]:
    """Return the forces of the active joints; velocities and accelerations that are not inputs are zero."""
    qd, qdd = (s.values.get(name, [0.0] * len(c.plan.coordinates)) for name in ("qd", "qdd"))
    return c.driving(c.gather(rnea(s.tree, s["q"], *motion(c, qd, qdd), s.wrenches, s.base).tau), weights)


def with_rates(inputs: dict[str, int], external: External, changing: bool) -> tuple[dict[str, int], str]:
    """Return the inputs of a task and an end of its key: with rates of external wrenches, where these are `changing`."""
    return ({**inputs, RATES: EXTERNAL_SIZE * len(external)}, "[changing]") if changing else (inputs, "")


def along_motion(s: Situation, c: Closed, model: Model) -> tuple[Situation, Closed]:
    """Return the situation with q, qd, qdd, and wrenches that change, as series in time: with their rates, qd, qdd and qddd."""
    rates = each_joint(model, coordinate_rates, s["q"], c.velocities(s["qd"]))
    terms = {"q": (s["q"], rates), "qd": (s["qd"], s["qdd"]), "qdd": (s["qdd"], s["qddd"])}
    if RATES in s.values:
        terms["external"] = s["external"], s[RATES]
    later = s.at(**{name: [Series(pair) for pair in zip(*both, strict=True)] for name, both in terms.items()})
    return later, Closed(s.tree, later["q"], model, c.plan)


def _weighed(weights: Weights) -> str:
    return "" if weights is None else f"[weights {weights!r}]"


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
