"""Tasks for motion problems: power of drives, and some components of one joint's wrench."""

from __future__ import annotations

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, mul
from ..loads import FULL, External, Situation, laid_out_task
from .inverse_dynamics import reported
from .rnea import rnea


def power(model: Model, external: External = ()) -> Task:
    """Power of every joint's drive, tau qd [W]."""

    def text(s: Situation) -> list[Scalar]:
        tau = rnea(s.tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base).tau
        return [mul(force, speed) for force, speed in zip(tau, s["qd"], strict=True)]

    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    return laid_out_task("power", model, inputs, Port("power", model.nv), text, external)


def joint_wrench(model: Model, joint: int, components: tuple[int, ...], axes: str, external: External = ()) -> Task:
    """Some components of the wrench through one joint, on its child."""

    def text(s: Situation) -> list[Scalar]:
        passes = rnea(s.tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base)
        six = [x for part in reported(s, passes, model, joint, axes) for x in part]
        return [six[k] for k in components]

    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    key = f"joint_wrench[{joint} {components} {axes}]"
    return laid_out_task(key, model, inputs, Port("wrench", len(components)), text, external, layouts=FULL)
