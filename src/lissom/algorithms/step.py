"""Steps of the recursions: from a body to the next, the motion of the base, and the torques of drives and springs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..joints.motion import JointMotion
from ..spatial.inertia import SpatialInertia
from ..spatial.rotation import NO_TURN, Turn, TurnInSpace
from ..spatial.scalar import Scalar, add, mul, sign
from ..spatial.vector import ZERO, Matrix, Vector
from ..tree import Body, Tree


@dataclass(frozen=True)
class BaseState:
    """Prescribed motion of the base, in its own axes: orientation in the world, angular motion, acceleration of its origin."""

    turn: Turn = NO_TURN
    w: Vector = ZERO
    dw: Vector = ZERO
    a: Vector = ZERO


AT_REST = BaseState()


class Step:
    """From the frame of body i = a(j) to the frame of body j: a constant rotation, then the joint's."""

    __slots__ = ("P", "R", "Rt", "motion")

    def __init__(self, body: Body, motion: JointMotion) -> None:
        self.R, self.motion = Matrix.of(body.pose.rotation), motion
        self.Rt = self.R.T
        self.P = Vector.of(body.pose.translation) + self.R @ motion.shift  # O_j in the axes of body i

    def to_child(self, v: Vector) -> Vector:
        """Return jR_i v."""
        return self.motion.turn.to_child(self.Rt @ v)

    def to_parent(self, v: Vector) -> Vector:
        """Return iR_j v."""
        return self.R @ self.motion.turn.to_parent(v)

    def acceleration_to_child(self, linear: Vector, angular: Vector) -> tuple[Vector, Vector]:
        """Return jT_i V: the acceleration of the child's origin due to the parent's (17)."""
        return self.to_child(linear + angular.cross(self.P)), self.to_child(angular)

    def wrench_to_parent(self, f: Vector, m: Vector) -> tuple[Vector, Vector]:
        """Return jT_i' f: a wrench at the child's origin, in the parent's frame."""
        f = self.to_parent(f)
        return f, self.to_parent(m) + self.P.cross(f)

    def inertia_to_parent(self, J: SpatialInertia) -> SpatialInertia:
        """Return jT_i' J jT_i."""
        return J.to_parent(self.motion.turn).to_parent(TurnInSpace(self.R)).shifted(self.P)


def own_motion(body: Body, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> JointMotion:
    """Return the motion of a body's joint; a coupled joint follows its leader.

    A rotor looks the same at every angle, so its frame need not turn with it: the recursions hold in any axes in which the
    inertia is constant.
    """
    nq, nv = body.kind.nq, body.kind.nv
    own_q, own_qd, own_qdd = q[body.iq : body.iq + nq], qd[body.iv : body.iv + nv], qdd[body.iv : body.iv + nv]
    if body.ratio != 1.0 or body.offset != 0.0:
        own_q = [add(mul(body.ratio, own_q[0]), body.offset)]
        own_qd, own_qdd = [mul(body.ratio, own_qd[0])], [mul(body.ratio, own_qdd[0])]
    if body.law is not None:
        # x = f(q):  x' = f' q',  x'' = f' q'' + f'' q'^2
        x, slope, bend = body.law.derivatives(own_q[0], 2)
        own_q, rate = [x], own_qd[0]
        own_qd, own_qdd = [mul(slope, rate)], [add(mul(slope, own_qdd[0]), mul(bend, mul(rate, rate)))]
    motion = body.kind.traits.motion(own_q, own_qd, own_qdd, body.zero)
    return replace(motion, turn=NO_TURN) if body.spins else motion


def higher_motion(
    body: Body, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], qddd: Sequence[Scalar]
) -> JointMotion:
    """Return the motion of a body's joint one derivative higher: v, w and a, dw are the rates of those of `own_motion`."""
    if body.law is None:  # joint motions are linear in velocities
        return own_motion(body, q, qdd, qddd)
    # with d1, d2, d3 the derivatives of q: f' d3 + 3 f'' d1 d2 + f3 d1^3
    x, slope, bend, third = body.law.derivatives(add(mul(body.ratio, q[body.iq]), body.offset), 3)
    d1, d2, d3 = (mul(body.ratio, y[body.iv]) for y in (qd, qdd, qddd))
    second = add(mul(slope, d2), mul(bend, mul(d1, d1)))
    jerk = add(mul(slope, d3), mul(d1, add(mul(3.0, mul(bend, d2)), mul(third, mul(d1, d1)))))
    return body.kind.traits.motion([x], [second], [jerk], body.zero)


def share_of(body: Body, q: Sequence[Scalar]) -> Scalar:
    """Return the ratio of a body's own velocity to that in qd, and of tau to its torque; constant in linear couplings."""
    return body.ratio if body.law is None else shares_of(body, q)[0]


def shares_of(body: Body, q: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Return `share_of` and its first two derivatives by q."""
    if body.law is None:
        return body.ratio, 0.0, 0.0
    _, slope, bend, third = body.law.derivatives(add(mul(body.ratio, q[body.iq]), body.offset), 3)
    r = body.ratio
    return mul(r, slope), mul(r * r, bend), mul(r * r * r, third)


def drive_force(body: Body, qd: Scalar, qdd: Scalar) -> Scalar:
    """Return the torque that the drive of a single-axis joint needs: reflected inertia and friction, the last terms of (31)."""
    own_qd, own_qdd = mul(body.ratio, qd), mul(body.ratio, qdd)
    friction = mul(body.viscous, own_qd)
    if body.coulomb:
        friction = add(friction, mul(body.coulomb, sign(own_qd)))
    return add(mul(body.rotor, own_qdd), friction)


def spring_forces(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """Return the torques of drives against springs (nv), damping of springs included.

    Khalil's (69) is the force of the spring on the joint, where there is no drive; the torque of a drive has the other sign. An
    elastic drive stands between two coordinates: motor and joint get opposite forces, Hua's (28) and (29).
    """
    return _on_velocities(tree, [spring.force(spring.stretch(q), spring.rate(qd)) for spring in tree.springs])


def spring_torque_rates(tree: Tree, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of `spring_forces` (nv)."""
    return _on_velocities(tree, [spring.force(spring.rate(qd), spring.rate(qdd)) for spring in tree.springs])


def _on_velocities(tree: Tree, forces: Sequence[Scalar]) -> list[Scalar]:
    """Return the sums of the forces of springs along each velocity (nv)."""
    found: list[Scalar] = [0.0] * tree.nv
    for spring, force in zip(tree.springs, forces, strict=True):
        for _, iv, share in spring.shares:
            found[iv] = add(found[iv], mul(share, force))
    return found
