"""The tasks of second derivatives of weights . tau, tau of inverse dynamics: along a direction, and the whole matrix.

tau is linear in qdd and quadratic in qd: the products of the matrix with directions of q and of qd contain everything.
"""

from __future__ import annotations

from ...compiler.derivative import forward
from ...compiler.program import Port
from ...compiler.symbol import Symbol
from ...compiler.task import Task
from ...model.model import Model
from ..dynamics.inverse_dynamics import inverse_dynamics
from ..loads import External
from . import directional
from .tangent import made_symmetric

STATE = ("q", "qd", "qdd")


def inverse_dynamics_hvp(
    model: Model, along: tuple[str, ...] = STATE, external: External = (), base_motion: bool = False
) -> Task:
    """Product of the matrix with a vector, whose parts that are not zero are named in `along`: by q, qd, qdd (3 nv)."""
    return directional.hvp(model, of=inverse_dynamics, along=along, by=STATE, external=external, base_motion=base_motion)


def inverse_dynamics_hessian(model: Model, external: External = (), base_motion: bool = False) -> Task:
    """One of nv columns of the matrix along a direction of q (3 nv), and the part by qd of that along the same one of qd (nv)."""
    n = model.nv

    def text(record: directional.Record) -> list[list[Symbol]]:
        v = record.values["direction"]
        gradient = record.gradient(STATE, record.values["weights"])
        rates = forward(record.graph, record.seeds([("q", 0, v), ("qd", 1, v)]), gradient)
        along_q = [t.get(0, record.zero) for t in rates]
        along_q[:n] = made_symmetric(model, along_q[:n], v, gradient[:n])
        return [[*along_q, *(t.get(1, record.zero) for t in rates[n : 2 * n])]]

    task = inverse_dynamics(model, external, base_motion)
    more = [Port("weights", n), Port("direction", n)]
    return directional.derived(model, task, "hessian by columns", more, [Port("columns", 4 * n)], text)
