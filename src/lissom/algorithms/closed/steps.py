"""The tasks of simulation with loops: rates of a state, and fixed steps.

A state is a configuration q of the tree that closes the loops, and the independent velocities x: there are no others that could
drift. Positions drift by the error of a step; the caller corrects them with `dependent_step` of `kinematics.py`, which does not
move the independent ones. The input tau has accelerations in the place of torques that are not known (`hybrid.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...joints.flow import step_along, unit_coordinates
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ..derivatives.tangent import rates_along
from ..dynamics.integrate import each_joint, runge_kutta
from ..loads import External, Situation
from .closure import Closed, Plan
from .forward import accelerations
from .hybrid import Known, torques_of
from .tasks import closed_task


def _key(name: str, torque_known: Known) -> str:
    return name if torque_known is None else f"{name}[{torque_known!r}]"


def _rates(
    s: Situation, c: Closed, model: Model, x: Sequence[Scalar], given: Sequence[Scalar], torque_known: Known
) -> list[Scalar]:
    qd = c.spread(dict(zip(c.plan.independent, x, strict=True)))
    xd, _ = accelerations(s, c, qd, c.driven(torques_of(s, c, qd, given, torque_known)))
    return [*rates_along(model, s["q"], qd), *(xd[k] for k in c.plan.independent)]


def state_rates(model: Model, plan: Plan, external: External = (), torque_known: Known = None) -> Task:
    """Rates of the configuration of the tree, and of the independent velocities."""
    n = len(plan.independent)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return _rates(s, c, model, s.values["x"], s["tau"], torque_known)

    return closed_task(
        _key("state_rates", torque_known),
        model,
        plan,
        {"x": n, "tau": len(plan.active)},
        Port("rates", model.nq + n),
        text,
        external,
    )


def rk4_step(model: Model, plan: Plan, external: External = (), torque_known: Known = None) -> Task:
    """State after a step of the classical Runge-Kutta method, forces held."""
    n = len(plan.independent)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        x, tau = s.values["x"], s["tau"]

        def slope(state: Sequence[Scalar]) -> list[Scalar]:
            there = s.at(q=state[: model.nq])
            return _rates(there, Closed(s.tree, there["q"], model, c.plan), model, state[model.nq :], tau, torque_known)

        end = runge_kutta([*s["q"], *x], _rates(s, c, model, x, tau, torque_known), slope, s.values["dt"][0])
        return [*each_joint(model, unit_coordinates, end[: model.nq]), *end[model.nq :]]

    inputs = {"x": n, "tau": len(plan.active), "dt": 1}
    return closed_task(_key("rk4_step", torque_known), model, plan, inputs, Port("next", model.nq + n), text, external)


def semi_implicit_step(model: Model, plan: Plan, external: External = (), torque_known: Known = None) -> Task:
    """State after a step of semi-implicit Euler, forces held: the new velocities move q, by the exponential map."""
    n = len(plan.independent)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        x, h = s.values["x"], s["dt"][0]
        xd = _rates(s, c, model, x, s["tau"], torque_known)[model.nq :]
        end = [add(a, mul(h, b)) for a, b in zip(x, xd, strict=True)]
        way = [mul(h, v) for v in c.spread(dict(zip(c.plan.independent, end, strict=True)))]
        return [*each_joint(model, step_along, s["q"], way), *end]

    inputs = {"x": n, "tau": len(plan.active), "dt": 1}
    return closed_task(_key("semi_implicit_step", torque_known), model, plan, inputs, Port("next", model.nq + n), text, external)


STEPS = {"rk4": rk4_step, "semi_implicit": semi_implicit_step}


def tree_velocities(model: Model, plan: Plan) -> Task:
    """Velocities of the tree, given the independent ones."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return c.spread(dict(zip(plan.independent, s.values["x"], strict=True)))

    return closed_task("tree_velocities", model, plan, {"x": len(plan.independent)}, Port("qd", model.nv), text)
