"""Tasks of torque rates: rates of joint torques and joint wrenches, and the jerk of links."""

from __future__ import annotations

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar
from ...spatial.turning import Turning
from ...spatial.turning_rate import TurningRate
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import lump
from ..dynamics.inverse_dynamics import about_point, in_axes
from ..kinematics.kinematics import ORIGIN, arm_of, key_of, origin_of, state_of
from ..loads import EXTERNAL_SIZE, FULL, REGROUPED, External, Situation, chain, laid_out_task, stated
from ..step import Step
from .torque_rates import BaseJerk, Load, Moving, RatePasses, next_moving, torque_rates

JERK_SIZE = 6  # jerk, angular jerk


def joint_torque_rates(
    model: Model, external: External = (), base_motion: bool = False, changing: bool = False, regrouped: bool = True
) -> Task:
    """tau'(q, qd, qdd, qddd). `changing`: external wrenches come with rates. A moving base comes with its jerk."""
    # base parameters suffice: tau is the same for every motion, hence so is its rate
    layouts, key = (REGROUPED, "torque_rates") if regrouped else (FULL, "torque_rates[full inertia]")
    output = Port("tau_rate", model.nv)
    inputs, key = _inputs(model, external, base_motion, changing, key)
    return laid_out_task(key, model, inputs, output, lambda s: _passes(s).dtau, external, base_motion, layouts)


def torques_and_rates(
    model: Model, external: External = (), base_motion: bool = False, changing: bool = False, regrouped: bool = True
) -> Task:
    """Return the task of tau and tau', one after the other."""

    def text(s: Situation) -> list[Scalar]:
        passes = _passes(s)
        return [*passes.tau, *passes.dtau]

    layouts, key = (REGROUPED, "torques_and_rates") if regrouped else (FULL, "torques_and_rates[full inertia]")
    inputs, key = _inputs(model, external, base_motion, changing, key)
    return laid_out_task(key, model, inputs, Port("tau_and_rate", 2 * model.nv), text, external, base_motion, layouts)


def joint_wrench_rates(
    model: Model, external: External = (), base_motion: bool = False, changing: bool = False, axes: str = "joint"
) -> Task:
    """Rates of the components of the wrench through every joint, on its child, in the chosen axes."""

    def text(s: Situation) -> list[Scalar]:
        passes = _passes(s)
        return [x for j in s.tree.jointed for part in _reported(s, passes, model, j, axes) for x in part]

    output = Port("wrench_rates", 6 * len(lump(model).jointed))
    inputs, key = _inputs(model, external, base_motion, changing, f"joint_wrench_rates[{axes}]")
    # inertias as given: regrouping would move parts of them across joints
    return laid_out_task(key, model, inputs, output, text, external, base_motion, FULL)


def joint_wrench_rate(
    model: Model, joint: int, components: tuple[int, ...], axes: str, external: External = (), changing: bool = False
) -> Task:
    """Rates of some components of the wrench through one joint, on its child."""

    def text(s: Situation) -> list[Scalar]:
        six = [x for part in _reported(s, _passes(s), model, joint, axes) for x in part]
        return [six[k] for k in components]

    inputs, key = _inputs(model, external, False, changing, f"joint_wrench_rate[{joint} {components} {axes}]")
    return laid_out_task(key, model, inputs, Port("wrench_rate", len(components)), text, external, layouts=FULL)


def link_jerk(model: Model, link: str, axes: str = "world", point: str = "link") -> Task:
    """Linear and angular jerk (6)."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in _link_jerk(s, link, axes, point == ORIGIN) for x in part]

    key = key_of("link_jerk", link, axes, point)
    return laid_out_task(key, model, state_of(model, "qd qdd qddd", point), Port("jerk", 6), text)


def _inputs(model: Model, external: External, base_motion: bool, changing: bool, key: str) -> tuple[dict[str, int], str]:
    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "qddd": model.nv}
    if base_motion:
        inputs["base_jerk"] = JERK_SIZE
    if changing:
        inputs["external_rates"] = EXTERNAL_SIZE * len(external)
        key += "[changing]"
    return inputs, key


def _passes(s: Situation) -> RatePasses:
    x = s.values.get("base_jerk")
    jerk = None if x is None else BaseJerk(Vector(*x[:3]), Vector(*x[3:]))
    return torque_rates(s.tree, s["q"], s["qd"], s["qdd"], s["qddd"], _loads(s), s.base, jerk)


def _loads(s: Situation) -> dict[int, list[Load]]:
    """Return the external wrenches on each body; those on the base move nothing."""
    loads: dict[int, list[Load]] = {}
    still = [0.0] * (EXTERNAL_SIZE * len(s.external))
    wrenches = stated(s.tree, s.external, s.values.get("external", ()))
    rates = stated(s.tree, s.external, s.values.get("external_rates", still))
    for (body, axes, force, moment, (origin, offset)), change in zip(wrenches, rates, strict=True):
        _, _, force_rate, moment_rate, (_, arm_rate) = change
        load = Load(force, moment, origin + offset, force_rate, moment_rate, arm_rate, in_world=axes == "world")
        loads.setdefault(body, []).append(load)
    return loads


def _reported(s: Situation, passes: RatePasses, model: Model, j: int, axes: str) -> tuple[Vector, Vector]:
    """Return the rate of what `inverse_dynamics.reported` returns."""
    f, m = about_point(s, model, j, axes, passes.f[j], passes.m[j])
    df, dm = about_point(s, model, j, axes, passes.df[j], passes.dm[j])
    if axes in ("parent", "world"):
        # the requested axes do not turn with the body: the rate due to the turning of the body's axes is added
        w = _turn_of_joint(s, passes, j) if axes == "parent" else passes.moving[j].turn.w
        df, dm = df + w.cross(f), dm + w.cross(m)
    return in_axes(s, passes.steps, model, j, axes, df, dm)


def _turn_of_joint(s: Situation, passes: RatePasses, j: int) -> Vector:
    """Return the angular velocity of body j relative to the link before its joint, in the axes of j."""
    w = ZERO
    for k in reversed(s.tree.parts(j)):
        w = passes.steps[k].to_child(w) + passes.steps[k].motion.w
    return w


def _link_jerk(s: Situation, link: str, axes: str, at_origin: bool) -> tuple[Vector, Vector]:
    """Return linear and angular jerk of a point of a link, the rates of `link_acceleration` in the world."""
    body, pose = s.tree.places[link]
    still = Turning(ZERO, ZERO)
    here = Moving(still, TurningRate(still, ZERO), ZERO, ZERO)
    steps: list[Step] = []
    for j in chain(s.tree, body):
        step, here = next_moving(s.tree, j, here, s["q"], s["qd"], s["qdd"], s["qddd"])
        steps.append(step)
    arm = origin_of(steps) * -1.0 if at_origin else arm_of(s, link)
    w, dw = here.turn.w, here.turn.dw
    linear = here.ddV + here.turn_rate.U @ arm + w.cross(here.dV + here.turn.U @ arm)
    angular = here.turn_rate.ddw + w.cross(dw)
    if axes == "link":
        to_link = Matrix.of(pose.R.T)
        return to_link @ linear, to_link @ angular
    for step in reversed(steps):
        linear, angular = step.to_parent(linear), step.to_parent(angular)
    return linear, angular
