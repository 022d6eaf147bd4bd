"""Blocks: the parts of the equations of motion of links and motors, by their names in Hua 2024, eq. (30).

    M qdd + S theta'' + C qd + C1 theta' + G = tau_q,         S' qdd + B theta'' + C2 qd + elastic = tau_m
With n velocities of joints before those of motors, M, S and B are blocks of the mass matrix. C, C1 and C2 are blocks of the
Coriolis matrix with motors at rest: Christoffel symbols are symmetric, so terms in qd theta' stand half in C of all
coordinates and half in its counterpart; C1 has both, and C2, whose rows do not depend on theta', is unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ..dynamics.coriolis import coriolis
from ..dynamics.crba import mass_matrix
from ..dynamics.rnea import rnea
from ..loads import REGROUPED, Situation, laid_out_task
from .links import link_nv
from .motors import Drive, elastic_drives, without_drives


def block_shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the blocks by name, in the order of the task's output."""
    n, e = link_nv(model), len(model.elastic_motors)
    square = {"M": (n, n), "S": (n, e), "B": (e, e), "C": (n, n), "C1": (n, e), "C2": (e, n)}
    return {**square, "G": (n,), "elastic": (e,)}


def elastic_blocks(model: Model) -> Task:
    """All blocks, each row by row, one after the other."""
    n, nv = link_nv(model), model.nv

    def text(s: Situation) -> list[Scalar]:
        q, qd, tree = s["q"], s["qd"], without_drives(s.tree, model)
        M = mass_matrix(tree, q)
        C = coriolis(tree, q, [*qd[:n], *[0.0] * (nv - n)])
        blocks = [row[:n] for row in M[:n]] + [row[n:] for row in M[:n]] + [row[n:] for row in M[n:]]
        blocks += [row[:n] for row in C[:n]] + [[mul(2.0, x) for x in row[n:]] for row in C[:n]] + [row[:n] for row in C[n:]]
        still = [0.0] * nv
        blocks += [rnea(tree, q, still, still).tau[:n], [spring_force(d, q, qd) for d in elastic_drives(s.tree, model)]]
        return [x for row in blocks for x in row]

    size = sum(map(math.prod, block_shapes(model).values()))
    return laid_out_task("elastic_blocks", model, {"q": model.nq, "qd": nv}, Port("blocks", size), text, layouts=REGROUPED)


def spring_force(d: Drive, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Scalar:
    """Return the torque of a drive's spring on its joint."""
    stretch = sub(sub(q[d.motor_q], mul(d.share, q[d.joint_q])), d.rest)
    rate = sub(qd[d.motor], mul(d.share, qd[d.joint]))
    return add(mul(d.stiffness, stretch), mul(d.damping, rate))
