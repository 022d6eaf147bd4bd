"""RNEA: inverse dynamics by the recursive Newton-Euler algorithm.

tau = NE(q, qd, qdd, f_ext), cost O(n). Khalil 2010, eqs (13)-(31), body coordinates, trees; the thesis' moving-coordinate form
(Barman 2020, steps 1-10) and Guarino Lo Bianco 2009 (3)-(19) are the same passes with frames placed otherwise.
Gravity enters as an acceleration of the base, V-dot_0 = -g.

Symbols, all of body j, in the axes of body j, about the origin O_j of its frame:
    w, dw     angular velocity and acceleration             U      [dw]x + [w]x [w]x
    dV        acceleration of O_j, less gravity             F, M   wrench that the motion of the body needs
    f, m      wrench through joint j, on the body           M_j, MS, K   mass, first and second moments
Khalil counts external wrenches from the robot on the environment; here they act on the robot, so they enter with a minus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..model.joint import SINGLE_DOF
from ..spatial.joint_motion import JointMotion, joint_force, joint_motion
from ..spatial.rotation import NO_TURN, Turn
from ..spatial.scalar import Scalar, add, mul, sign
from ..spatial.turning import Turning
from ..spatial.vector import ZERO, Matrix, Vector
from ..tree import BASE, Body, Tree


@dataclass(frozen=True)
class BaseState:
    """Prescribed motion of the base, in its own axes: orientation in the world, angular motion, acceleration of its origin."""

    turn: Turn = NO_TURN
    w: Vector = ZERO
    dw: Vector = ZERO
    a: Vector = ZERO


AT_REST = BaseState()


@dataclass
class Passes:
    """What the two passes leave behind, for each body: its step from the parent, and the wrench through its joint."""

    steps: list[Step] = field(default_factory=list)
    f: list[Vector] = field(default_factory=list)
    m: list[Vector] = field(default_factory=list)
    tau: list[Scalar] = field(default_factory=list)


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


def own_motion(body: Body, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> JointMotion:
    """Return the motion of a body's joint; a coupled joint follows its leader."""
    nq, nv = body.kind.nq, body.kind.nv
    own_q, own_qd, own_qdd = q[body.iq : body.iq + nq], qd[body.iv : body.iv + nv], qdd[body.iv : body.iv + nv]
    if body.ratio != 1.0 or body.offset != 0.0:
        own_q = [add(mul(body.ratio, own_q[0]), body.offset)]
        own_qd, own_qdd = [mul(body.ratio, own_qd[0])], [mul(body.ratio, own_qdd[0])]
    return joint_motion(body.kind, own_q, own_qd, own_qdd, body.zero)


def rnea(
    tree: Tree,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    external: Mapping[int, tuple[Vector, Vector]] | None = None,
    base: BaseState = AT_REST,
) -> Passes:
    """Return joint forces and joint wrenches that go with a motion.

    Args:
        tree: bodies in frames of the recursion.
        q, qd, qdd: coordinates (nq), velocities (nv), accelerations (nv), each entry a scalar of any kind.
        external: for a body's index, force [N] and moment [N m] on it, in its axes, about the origin of its frame.
        base: prescribed motion of the base.

    Returns:
        Passes: `tau` (nv) [N m or N]; `f`, `m` of each joint, in the axes and about the origin of its body's frame.
    """
    out = Passes()
    dV: list[Vector] = []
    turning: list[Turning] = []
    at_base = Turning(base.w, base.dw), base.a - base.turn.to_child(Vector.of(tree.gravity))

    # forward pass, base to tips: velocities, accelerations, and the wrench that each body needs
    for body in tree.bodies:
        i = body.parent
        before, dV_i = at_base if i == BASE else (turning[i], dV[i])
        motion = own_motion(body, q, qd, qdd)
        step = Step(body, motion)
        out.steps.append(step)
        w_i = step.to_child(before.w)  # (18)
        w = w_i + motion.w  # (19)
        dw = step.to_child(before.dw) + motion.dw + w_i.cross(motion.w)  # (20)
        relative = motion.a + (w_i * 2.0 + motion.w).cross(motion.v)
        dV.append(step.to_child(dV_i + before.U @ step.P) + relative)  # (21)
        turning.append(Turning(w, dw))
        MS = body.first_moments
        F = dV[-1] * body.mass + turning[-1].U @ MS  # (22)
        M = turning[-1].euler_moment(body.second_moments) + MS.cross(dV[-1])  # (23)
        f_e, m_e = (external or {}).get(len(dV) - 1, (ZERO, ZERO))
        out.f.append(F - f_e)  # (26)
        out.m.append(M - m_e)  # (27)

    # backward pass, tips to base: hand the wrench to the parent, project it on the joint
    out.tau = [0.0] * tree.nv
    for j in reversed(range(len(tree.bodies))):
        body, step = tree.bodies[j], out.steps[j]
        i = body.parent
        if i != BASE:
            f_i = step.to_parent(out.f[j])  # (28)
            out.f[i] = out.f[i] + f_i  # (29)
            out.m[i] = out.m[i] + step.to_parent(out.m[j]) + step.P.cross(f_i)  # (30)
        for k, force in enumerate(joint_force(body.kind, out.f[j], out.m[j])):  # (31)
            if body.kind in SINGLE_DOF:
                force = add(force, drive_force(body, qd[body.iv], qdd[body.iv]))
            out.tau[body.iv + k] = add(out.tau[body.iv + k], mul(body.ratio, force))
    return out


def drive_force(body: Body, qd: Scalar, qdd: Scalar) -> Scalar:
    """Return what the drive of a single-axis joint needs: reflected inertia and friction, the last terms of (31)."""
    own_qd, own_qdd = mul(body.ratio, qd), mul(body.ratio, qdd)
    friction = mul(body.viscous, own_qd)
    if body.coulomb:
        friction = add(friction, mul(body.coulomb, sign(own_qd)))
    return add(mul(body.rotor, own_qdd), friction)
