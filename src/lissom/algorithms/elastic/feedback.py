"""Feedback linearization of robots whose joints are all elastic: in new inputs, every joint is a chain of four integrators.

The state determines accelerations and jerks of the links (through the springs), and `motors.py` the torque that gives a path a
chosen fourth derivative. Choosing it by linear feedback,
    qdddd = qdddd_d + k3 (qddd_d - qddd) + k2 (qdd_d - qdd) + k1 (qd_d - qd) + k0 (q_d - q)
makes the error of every joint follow s^4 + k3 s^3 + k2 s^2 + k1 s + k0 = 0 (Spong 1987; De Luca and Book 2008).
"""

from __future__ import annotations

from ...compiler.program import Port
from ...compiler.task import Task
from ...errors import ModelError
from ...model.joint import SINGLE_DOF
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.series import Series, terms_of
from ..dynamics.crba import mass_matrix
from ..dynamics.factor import mass_factor
from ..dynamics.rnea import rnea
from ..loads import REGROUPED, External, Situation, laid_out_task
from .links import PATH, link_nv
from .mixed_control import REFERENCE, unpacked
from .motors import elastic_drives, motor_motion, path_series, refuse_entangled, refuse_several_axes, without_drives

GAINS = ("k0", "k1", "k2", "k3")


def elastic_feedback(model: Model, external: External = ()) -> Task:
    """Tau (nv), then qdd and qddd of the links, from the state, the reference up to its fourth derivative, and gains.

    The reference is one input (5 n), derivative after derivative, and so are the gains (4 n).
    """
    refuse_several_axes(model)
    refuse_entangled(model)
    _refuse_rigid(model)
    n = link_nv(model)

    def text(s: Situation) -> list[Scalar]:
        s = unpacked(s, reference=dict.fromkeys(REFERENCE, n), gains=dict.fromkeys(GAINS, n))
        path = [list(s["q"][:n]), list(s["qd"][:n])]
        for order in (0, 1):
            path.append([terms_of(x, order + 1)[order] for x in _accelerations(s, model, path, order)])
        chosen = list(s[REFERENCE[4]])
        for k, name in enumerate(GAINS):
            errors = zip(s[REFERENCE[k]], path[k], s[name], strict=True)
            chosen = [add(x, mul(gain, sub(a, b))) for x, (a, b, gain) in zip(chosen, errors, strict=True)]
        along = s.at(**dict(zip(PATH[:5], [*path, chosen], strict=True)))
        theta = motor_motion(along, model)
        q, qd, qdd = ([*path[k], *(terms[k] for terms in theta)] for k in range(3))
        tau = rnea(s.tree, q, qd, qdd, s.wrenches, s.base).tau
        return [*[0.0] * n, *tau[n:], *path[2], *path[3]]

    inputs = {"q": model.nq, "qd": model.nv, "reference": n * len(REFERENCE), "gains": n * len(GAINS)}
    output = Port("control", model.nv + 2 * n)
    return laid_out_task("elastic_feedback", model, inputs, output, text, external, layouts=REGROUPED)


def _accelerations(s: Situation, model: Model, path: list[list[Scalar]], order: int) -> list[Scalar]:
    """Return accelerations of the links as series, from those of `path` and the springs: M qdd = K (theta - q - rest) - h."""
    n, nv, tree = link_nv(model), s.tree.nv, without_drives(s.tree, model)
    moving = s.at(q=path_series(path, 0, order, nv), qd=path_series(path, 1, order, nv))
    h = rnea(tree, moving["q"], moving["qd"], [0.0] * nv, moving.wrenches, s.base).tau[:n]
    pull = [sub(0.0, x) for x in h]
    for d in elastic_drives(s.tree, model):
        theta = Series([s["q"][d.motor], s["qd"][d.motor]]) if order else s["q"][d.motor]
        pull[d.joint] = add(pull[d.joint], mul(d.stiffness, sub(sub(theta, moving["q"][d.joint]), d.rest)))
    M = mass_matrix(tree, moving["q"])
    return mass_factor(tree, [row[:n] for row in M[:n]], range(n)).solve(pull)


def _refuse_rigid(model: Model) -> None:
    driven = {motor.joint for motor in model.elastic_motors}
    for joint in model.joints:
        if joint.kind in SINGLE_DOF and joint.coupling is None and joint.name not in driven:
            raise ModelError(
                f"joint {joint.name!r} has no spring between motor and link: feedback linearization needs one at every joint; "
                "for rigid and elastic joints together use control.MixedControl"
            )
