"""Hybrid dynamics: an articulated-body recursion in which each velocity has either its acceleration or its force known.

Cost O(n). Khalil 2010: all forces known is the direct model (34)-(44), all accelerations known the inverse one (14)-(31), a base
with known (zero) wrench on joints with known accelerations section 7.2, (89)-(100), and with known torques section 7.3,
(101)-(112), elastic joints with known (zero) forces section 6.3, (72)-(82). The choice is made while tracing, so none of them
costs more than its own recursion would.

Symbols of body j, in its axes, about its origin:
    V-dot   acceleration, less gravity               gamma   its part without accelerations, (34)
    J       inertia of the articulated body          beta    its external wrench less velocity terms, (35)
    U, H    column of J along a free direction, and its component along that, (36)
Free directions of one joint are eliminated one after the other; the solution goes through them in the opposite order. A joint
of several parts that move with one velocity, such as a screw, is eliminated once, at its first part (`shared.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...compiler.labels import label, legend, section
from ...model.joint import SINGLE_DOF
from ...spatial.inertia import SpatialInertia
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.turning import Turning
from ...spatial.twist import Twist, along, axis_of, plus
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Body, Tree
from ..force_elements import with_elements
from ..step import AT_REST, BaseState, Step, drive_force, own_motion, spring_forces
from .shared import shared_bodies
from .singular import pivot


@dataclass
class Yielding:
    """An eliminated direction: column of the inertia, 1 / H, and the force along it that does not depend on the base's motion.

    `ratio` is the velocity along it over that in qd.
    """

    index: int
    ratio: float
    S: Twist
    U: Twist
    weight: Scalar
    force: Scalar


@dataclass
class Found:
    """Accelerations and forces of all velocities (nv), and force and moment through each joint, on its body.

    `steps` lead from body to body, for those who want the wrenches in other axes.
    """

    qdd: list[Scalar]
    tau: list[Scalar]
    f: list[Vector]
    m: list[Vector]
    steps: list[Step]


def hybrid(
    tree: Tree,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    given: Sequence[Scalar],
    torque_known: Sequence[bool],
    external: Mapping[int, tuple[Vector, Vector]] | None = None,
    base: BaseState = AT_REST,
) -> Found:
    """Return the accelerations and forces that are not given.

    Args:
        tree: without coupled joints and rotors of rigid drives (their accelerations are not independent).
        q, qd: coordinates (nq) and velocities (nv).
        given: for each velocity its force where `torque_known`, otherwise its acceleration (nv).
        torque_known: for each velocity (nv).
        external: for a body's index, force and moment on it, in its axes, about its origin.
        base: prescribed motion of the base.
    """
    legend(P="origin of the body from that of the body before", w="angular velocity", gamma="what velocities add to dV")
    legend(dV="acceleration of the origin less gravity", qdd="acceleration of a velocity's entry")
    legend(J="inertia of what the joint carries, as joints yield: blocks A, B, C", beta="wrench on that, less velocity terms")
    legend(U="column of J along the joint", Hinv="1 over the entry of U along the joint")
    n, acting = len(tree.bodies), with_elements(tree, q, qd, external)
    qdd: list[Scalar] = [0.0 if known else x for x, known in zip(given, torque_known, strict=True)]
    tau: list[Scalar] = [x if known else 0.0 for x, known in zip(given, torque_known, strict=True)]
    steps: list[Step] = []
    turning: list[Turning] = []
    gamma: list[tuple[Vector, Vector]] = []
    J: list[SpatialInertia] = []
    beta: list[tuple[Vector, Vector]] = []
    parts, rotors = shared_bodies(tree)

    # forward pass, base to tips: velocities, and their contributions to accelerations and wrenches
    for j, body in enumerate(tree.bodies):
        section("outward: velocities, and what they add to accelerations and wrenches", j, body.name, "Khalil 2010 (18)-(35)")
        before = Turning(base.w, ZERO) if body.parent == BASE else turning[body.parent]
        motion = own_motion(body, q, qd, qdd)
        step = Step(body, motion)
        w_i = step.to_child(before.w)
        turning.append(Turning(w_i + motion.w, ZERO))
        # known accelerations of the joint count as given by the velocities (89)
        linear = step.to_child(before.U @ step.P) + motion.a + (w_i * 2.0 + motion.w).cross(motion.v)  # (34)
        gamma.append((linear, w_i.cross(motion.w) + motion.dw))
        f_e, m_e = acting.get(j, (ZERO, ZERO))
        beta.append((f_e - turning[j].U @ body.first_moments, m_e - turning[j].euler_moment(body.second_moments)))  # (35)
        J.append(body.inertia)
        steps.append(step)
        label("P", j, step.P)
        label("w", j, turning[j].w)
        label("gamma", j, gamma[j])
        if j in parts:
            parts[j].outward(j, q, step, gamma[j], beta[j])

    # backward pass, tips to base: eliminate every joint with a known force
    springs = spring_forces(tree, q, qd)
    yielding: list[list[Yielding]] = [[] for _ in range(n)]
    for j in reversed(range(n)):
        body, step = tree.bodies[j], steps[j]
        section("inward: inertia of what the joint carries, and the direction that yields", j, body.name, "Khalil 2010 (36)-(40)")
        J_left, beta_left = J[j], beta[j]
        label("J", j, J[j])
        label("beta", j, beta[j])
        for k, S in enumerate(body.directions):
            if not torque_known[body.iv + k] or j in rotors:
                continue
            # friction (44) and springs are subtracted; without a drive (69) is left, as in (74)
            free = sub(tau[body.iv + k], springs[body.iv + k])
            if j in parts:
                joint = parts[j]
                joint.inward(j, J_left, beta_left, steps)
                if j != joint.first:
                    continue
                H = pivot(tree, body.iv, add(joint.inertia, joint.rotor))
                force = add(sub(free, joint.drive(qd, 0.0)), joint.force)
                y = Yielding(body.iv, 1.0, joint.S[j], joint.U[j], 1.0 / H, force)
            else:
                U = J_left.times(*S)
                # of a rotor with a coordinate of its own: U, force and acceleration are those of its own rotation
                H = pivot(tree, body.iv + k, mul(body.ratio**2, add(along(S, U), body.rotor)))  # (36)
                force = add(sub(mul(1.0 / body.ratio, free), _friction(body, qd)), along(S, beta_left))
                y = Yielding(body.iv + k, body.ratio, S, U, body.ratio**2 / H, force)
            yielding[j].append(y)
            label("U", j, y.U)
            label("Hinv", j, y.weight)
            pull = mul(y.weight, y.force)
            beta_left = (beta_left[0] - y.U[0] * pull, beta_left[1] - y.U[1] * pull)
            J_left = J_left.without(axis_of(S), y.U, y.weight, whole=body.rotor == 0.0 and j not in parts)  # (37)
        if body.parent != BASE:
            f, m = J_left.times(*gamma[j])
            f, m = step.wrench_to_parent(f - beta_left[0], m - beta_left[1])  # (38)
            i = body.parent
            beta[i] = (beta[i][0] - f, beta[i][1] - m)  # (39)
            J[i] = J[i] + step.inertia_to_parent(J_left)  # (40)

    # second forward pass, base to tips: accelerations, then the forces that were not known
    found = Found(qdd, tau, [], [], steps)
    dV: list[tuple[Vector, Vector]] = []
    for j, body in enumerate(tree.bodies):
        section("outward again: accelerations, and forces that were not known", j, body.name, "Khalil 2010 (41)-(43)")
        before_dV = (base.a - base.turn.to_child(Vector.of(tree.gravity)), base.dw) if body.parent == BASE else dV[body.parent]
        linear, angular = steps[j].acceleration_to_child(*before_dV)
        a = linear + gamma[j][0], angular + gamma[j][1]
        for y in reversed(yielding[j]):
            moved = sub(y.force, along(y.U, a))
            turned = mul(y.weight, moved)  # (41)
            qdd[y.index] = mul(1.0 / y.ratio, turned)
            label("qdd", y.index, qdd[y.index])
            a = plus(a, (y.S[0] * turned, y.S[1] * turned))  # (43)
        if j in parts and torque_known[body.iv]:
            a = parts[j].moved(j, a, qdd[body.iv])
        dV.append(a)
        label("dV", j, a)
        f, m = J[j].times(*a)
        if j in parts and torque_known[body.iv] and j != parts[j].last:  # J and beta are those of parts that move as one body
            f, m = parts[j].passed_on(j, J[j], a, qdd[body.iv])
        found.f.append(f - beta[j][0])  # (42)
        found.m.append(m - beta[j][1])
        for k, S in enumerate(body.directions):
            if torque_known[body.iv + k] or j in rotors:
                continue
            if j in parts:
                force = along(parts[j].own[j], (found.f[j], found.m[j]))
                rest = add(parts[j].drive(qd, qdd[body.iv]), springs[body.iv]) if j == parts[j].first else 0.0
                tau[body.iv] = add(tau[body.iv], add(force, rest))
                continue
            force = along(S, (found.f[j], found.m[j]))
            drive = drive_force(body, qd[body.iv], qdd[body.iv]) if body.kind in SINGLE_DOF else 0.0
            tau[body.iv + k] = add(mul(body.ratio, add(force, drive)), springs[body.iv + k])  # (100)
    return found


def _friction(body: Body, qd: Sequence[Scalar]) -> Scalar:
    return drive_force(body, qd[body.iv], 0.0) if body.kind in SINGLE_DOF else 0.0
