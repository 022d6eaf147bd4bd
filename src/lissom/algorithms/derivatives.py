"""The tasks of sensitivities: of inverse dynamics, of the wrenches inside joints, and of forward dynamics."""

from __future__ import annotations

from ..compiler.program import Port
from ..model.model import Model
from ..spatial.scalar import Scalar
from .loads import REGROUPED, External, Situation, laid_out_task
from .sensitivities import inverse_dynamics_tables
from .task import Task


def inverse_dynamics_derivatives(model: Model, external: External = (), base_motion: bool = False) -> Task:
    """Tables of d tau / d q, d qd, d qdd, three tables (nv, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for table in inverse_dynamics_tables(s) for row in table for x in row]

    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    output = Port("derivatives", 3 * model.nv**2)
    return laid_out_task("inverse_dynamics_derivatives", model, inputs, output, text, external, base_motion, REGROUPED)
