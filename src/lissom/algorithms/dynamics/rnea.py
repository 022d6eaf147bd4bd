"""RNEA: inverse dynamics by the recursive Newton-Euler algorithm.

tau = NE(q, qd, qdd, f_ext), cost O(n). Khalil 2010, eqs (13)-(31), body coordinates, trees; the thesis' moving-coordinate form
(Barman 2020, steps 1-10) and Guarino Lo Bianco 2009 (3)-(19) are the same passes with other frames.
Rotors of motors are bodies of the tree (`tree/lump.py`): with them it is Algorithm 1 of Hua 2024, eqs (2)-(29).
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

from ...compiler.labels import label, legend, section
from ...model.joint import SINGLE_DOF
from ...spatial.scalar import Scalar, add, mul
from ...spatial.turning import Turning
from ...spatial.twist import along
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Tree
from ..force_elements import with_elements
from ..step import AT_REST, BaseState, Step, drive_force, own_motion, share_of, spring_forces

PLACE = "origin of the body from that of the body before"


@dataclass(frozen=True)
class Before:
    """Angular velocity and acceleration of the body before, acceleration of its point at the next origin, in the axes there."""

    w: Vector
    dw: Vector
    dV: Vector


@dataclass
class Passes:
    """Results of the two passes, for each body: its step from the parent, its motion, and the wrench through its joint.

    `before` is the motion of the body before, at the body's origin and in its axes.
    """

    steps: list[Step] = field(default_factory=list)
    before: list[Before] = field(default_factory=list)
    turning: list[Turning] = field(default_factory=list)
    dV: list[Vector] = field(default_factory=list)
    f: list[Vector] = field(default_factory=list)
    m: list[Vector] = field(default_factory=list)
    tau: list[Scalar] = field(default_factory=list)


def rnea(
    tree: Tree,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    external: Mapping[int, tuple[Vector, Vector]] | None = None,
    base: BaseState = AT_REST,
) -> Passes:
    """Return joint torques and joint wrenches of a motion.

    Args:
        tree: bodies in frames of the recursion.
        q, qd, qdd: coordinates (nq), velocities (nv), accelerations (nv), each entry a scalar of any kind.
        external: for a body's index, force [N] and moment [N m] on it, in its axes, about the origin of its frame.
        base: prescribed motion of the base.

    Returns:
        Passes: `tau` (nv) [N m or N]; `f`, `m` of each joint, in the axes and about the origin of its body's frame.
    """
    out = Passes()
    legend(P=PLACE, w="angular velocity", dw="angular acceleration", dV="acceleration of the origin less gravity")
    legend(U="matrix [dw]x + [w]x [w]x", F="force that the motion needs", M="moment that the motion needs")
    legend(f="force through the joint", m="moment through the joint", tau="torque of a velocity")
    acting = with_elements(tree, q, qd, external)
    dV, turning = out.dV, out.turning
    at_base = Turning(base.w, base.dw), base.a - base.turn.to_child(Vector.of(tree.gravity))

    # forward pass, base to tips: velocities, accelerations, and the wrench that each body needs
    for body in tree.bodies:
        i, j = body.parent, len(dV)
        section("outward: motion of the body, and the wrench that it needs", j, body.name, "Khalil 2010 (18)-(23)")
        before, dV_i = at_base if i == BASE else (turning[i], dV[i])
        motion = own_motion(body, q, qd, qdd)
        step = Step(body, motion)
        label("P", j, step.P)
        out.steps.append(step)
        w_i = step.to_child(before.w)  # (18)
        w = w_i + motion.w  # (19)
        dw_i = step.to_child(before.dw)
        dw = dw_i + motion.dw + w_i.cross(motion.w)  # (20)
        relative = motion.a + (w_i * 2.0 + motion.w).cross(motion.v)
        out.before.append(Before(w_i, dw_i, step.to_child(dV_i + before.U @ step.P)))
        dV.append(out.before[-1].dV + relative)  # (21)
        turning.append(Turning(w, dw))
        label("w", j, w)
        label("dw", j, dw)
        label("dV", j, dV[-1])
        label("U", j, turning[-1].U)
        MS = body.first_moments
        F = dV[-1] * body.mass + turning[-1].U @ MS  # (22)
        M = turning[-1].euler_moment(body.second_moments) + MS.cross(dV[-1])  # (23)
        label("F", j, F)
        label("M", j, M)
        f_e, m_e = acting.get(j, (ZERO, ZERO))
        out.f.append(F - f_e)  # (26)
        out.m.append(M - m_e)  # (27)

    # backward pass, tips to base: hand the wrench to the parent, project it on the joint
    out.tau = spring_forces(tree, q, qd)
    for j in reversed(range(len(tree.bodies))):
        body, step = tree.bodies[j], out.steps[j]
        i = body.parent
        section("inward: the wrench through the joint, and its torque", j, body.name, "Khalil 2010 (26)-(31)")
        label("f", j, out.f[j])
        label("m", j, out.m[j])
        if i != BASE:
            f_i = step.to_parent(out.f[j])  # (28)
            out.f[i] = out.f[i] + f_i  # (29)
            out.m[i] = out.m[i] + step.to_parent(out.m[j]) + step.P.cross(f_i)  # (30)
        for k, S in enumerate(body.directions):  # (31)
            force = along(S, (out.f[j], out.m[j]))
            if body.kind in SINGLE_DOF:
                force = add(force, drive_force(body, qd[body.iv], qdd[body.iv]))
            out.tau[body.iv + k] = add(out.tau[body.iv + k], mul(share_of(body, q), force))
    for k, torque in enumerate(out.tau):
        label("tau", k, torque)
    return out
