"""Partitioned dynamics: hybrid dynamics by the mass matrix (Khalil 2010, eq. (71)).

For mechanisms in which several joints share one velocity: coupled joints, and rotors of rigid drives. For joints of several
parts it may be the cheaper one. With the velocities in two groups, u of known force and k of known acceleration,
    M_uu qdd_u = tau_u - tau(q, qd, qdd_k alone)_u         then tau_k from the whole motion
Cost O(n d^2), d the depth of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...spatial.scalar import Scalar, sub
from ..loads import Situation
from . import crba
from .factor import mass_factor
from .hybrid import Found
from .rnea import rnea


def partitioned(s: Situation, given: Sequence[Scalar], torque_known: Sequence[bool]) -> Found:
    """Return the accelerations and forces that are not given; see `hybrid.hybrid`."""
    tree = s.tree
    qdd: list[Scalar] = [0.0 if known else x for x, known in zip(given, torque_known, strict=True)]
    free = [k for k, known in enumerate(torque_known) if known]
    if free:
        needed = rnea(tree, s["q"], s["qd"], qdd, s.wrenches, s.base).tau
        M = crba.mass_matrix(tree, s["q"])
        factor = mass_factor(tree, [[M[i][j] for j in free] for i in free], free)
        for k, x in zip(free, factor.solve([sub(given[k], needed[k]) for k in free]), strict=True):
            qdd[k] = x
    passes = rnea(tree, s["q"], s["qd"], qdd, s.wrenches, s.base)
    tau = [x if known else force for x, force, known in zip(given, passes.tau, torque_known, strict=True)]
    return Found(qdd, tau, passes.f, passes.m, passes.steps)
