"""Motor wrenches: the total wrench of bearings, gear and coils on a rotor.

A rotor moves with the link that carries it and spins: Newton's and Euler's equations of that one body. Symbols, in the motor's
axes, z along the shaft:
    a       acceleration of the rotor's center of mass c, less gravity        m, I   its mass and inertia, round about z
    w, w'   angular velocity and acceleration of the link, with the spin s z: w' + s' z + w x s z
    f = m a,   moment about the frame's origin  I w' + w x I w + c x f
"""

from __future__ import annotations

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.joint import Coupling
from ...model.model import Model
from ...model.motor import Motor
from ...spatial.scalar import Scalar, mul
from ...spatial.turning import Turning
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE
from ..loads import External, Situation, laid_out_task
from .rnea import Passes, rnea


def motor_wrenches(model: Model, external: External = (), base_motion: bool = False) -> Task:
    """Force and moment on the rotor of every motor, along the axes of its frame, about its origin."""

    def text(s: Situation) -> list[Scalar]:
        passes = rnea(s.tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base)
        return [x for motor in model.motors for part in _wrench(s, passes, model, motor) for x in part]

    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    return laid_out_task("motor_wrenches", model, inputs, Port("wrenches", 6 * len(model.motors)), text, external, base_motion)


def _wrench(s: Situation, passes: Passes, model: Model, motor: Motor) -> Twist:
    if motor.inertia is None or motor.link is None:
        return ZERO, ZERO
    body, pose = s.tree.places[motor.link]
    pose = pose @ motor.origin
    if body == BASE:
        turning, dV = Turning(s.base.w, s.base.dw), s.base.a - s.base.turn.to_child(Vector.of(s.tree.gravity))
    else:
        turning, dV = passes.turning[body], passes.dV[body]
    to_motor, c = Matrix.of(pose.R.T), Vector.of(motor.inertia.com)
    a = to_motor @ (dV + turning.U @ (Vector.of(pose.translation) + Matrix.of(pose.rotation) @ c))
    leader = Coupling(motor.name) if motor.elastic else model.resolve_coupling(model.joint(motor.joint))
    iv = model.layout.of(leader.joint).iv
    spin, spin_rate = (Vector(0.0, 0.0, mul(motor.ratio * leader.ratio, x[iv])) for x in (s["qd"], s["qdd"]))
    w = to_motor @ turning.w
    dw = to_motor @ turning.dw + spin_rate + w.cross(spin)
    w = w + spin
    across, along = motor.inertia.tensor[0][0], motor.spin_inertia
    momentum = Vector(mul(across, w.x), mul(across, w.y), mul(along, w.z))
    f = a * motor.inertia.mass
    return f, Vector(mul(across, dw.x), mul(across, dw.y), mul(along, dw.z)) + w.cross(momentum) + c.cross(f)
