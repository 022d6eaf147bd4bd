"""How each kind of joint moves: the one switch over joint kinds that the recursions use.

Frames follow Khalil: the z axis of a body's frame is the axis of the joint that carries it. A body's frame stands in its
parent's at a constant pose (R, p) followed by the motion of the joint:
    revolute    Rz(q)                     planar      Tx(x) Ty(y) Rz(angle)
    prismatic   Tz(q)                     spherical   a quaternion x y z w
                                          floating    T(x y z) and a quaternion
Velocities of the last three are the child's own, in its own axes, as in Pinocchio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.joint import JointKind
from .rotation import NO_TURN, Turn, TurnInSpace, TurnZ
from .scalar import Scalar
from .vector import ZERO, Vector

# directions in which a joint lets its child move, in the child's axes: linear x y z, then angular x y z
DIRECTIONS: dict[JointKind, tuple[int, ...]] = {
    JointKind.REVOLUTE: (5,),
    JointKind.CONTINUOUS: (5,),
    JointKind.PRISMATIC: (2,),
    JointKind.SPHERICAL: (3, 4, 5),
    JointKind.PLANAR: (0, 1, 5),
    JointKind.FLOATING: (0, 1, 2, 3, 4, 5),
}


@dataclass(frozen=True)
class JointMotion:
    """The motion of a child relative to its parent.

    Attributes:
        turn: rotation of the child from its zero position.
        shift: displacement of its origin, in the axes of the zero position [m].
        v, w: velocity relative to the parent, in the child's axes [m/s, rad/s].
        a, dw: their rates, as seen in the child [m/s^2, rad/s^2].
    """

    turn: Turn
    shift: Vector = ZERO
    v: Vector = ZERO
    w: Vector = ZERO
    a: Vector = ZERO
    dw: Vector = ZERO


def along_z(x: Scalar) -> Vector:
    """Return (0, 0, x)."""
    return Vector(0.0, 0.0, x)


def joint_motion(
    kind: JointKind, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], zero: float = 0.0
) -> JointMotion:
    """Return the motion of a joint of `kind` at its own coordinates, velocities and accelerations.

    `zero` [rad] is the angle of a revolute joint at q = 0, where a pass has turned the body's frame.
    """
    if kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS):
        return JointMotion(TurnZ.by(q[0], zero), w=along_z(qd[0]), dw=along_z(qdd[0]))
    if kind is JointKind.PRISMATIC:
        return JointMotion(NO_TURN, shift=along_z(q[0]), v=along_z(qd[0]), a=along_z(qdd[0]))
    if kind is JointKind.SPHERICAL:
        return JointMotion(TurnInSpace.by(q), w=Vector(*qd), dw=Vector(*qdd))
    if kind is JointKind.PLANAR:
        return JointMotion(
            TurnZ.by(q[2]),
            shift=Vector(q[0], q[1], 0.0),
            v=Vector(qd[0], qd[1], 0.0),
            w=along_z(qd[2]),
            a=Vector(qdd[0], qdd[1], 0.0),
            dw=along_z(qdd[2]),
        )
    if kind is JointKind.FLOATING:
        return JointMotion(
            TurnInSpace.by(q[3:]),
            shift=Vector(*q[:3]),
            v=Vector(*qd[:3]),
            w=Vector(*qd[3:]),
            a=Vector(*qdd[:3]),
            dw=Vector(*qdd[3:]),
        )
    raise AssertionError(f"joint kind {kind} has no motion")


def joint_force(kind: JointKind, f: Vector, m: Vector) -> tuple[Scalar, ...]:
    """Project the wrench that a joint transmits on the joint's own velocities: its generalized forces."""
    six = (*f, *m)
    return tuple(six[d] for d in DIRECTIONS[kind])
