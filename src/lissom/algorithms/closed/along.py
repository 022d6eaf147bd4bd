"""Along: how the configuration of the tree moves with the coordinates of a closed robot, for derivatives of any order."""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar
from ..derivatives.tangent import rates_along
from ..loads import FULL, Situation
from .closure import Closed, Plan
from .tasks import closed_task


def configuration_rates(model: Model, plan: Plan) -> Task:
    """E(q) G(q) dq: rates of the numbers of the tree's q that go with rates of the coordinates, which are velocities too."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return rates_along(model, s["q"], c.velocities(s["rates"]))

    inputs = {"rates": len(plan.coordinates)}
    return closed_task("configuration_rates", model, plan, inputs, Port("tree_rates", model.nq), text, layouts=FULL)
