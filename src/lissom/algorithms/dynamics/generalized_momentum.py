"""Generalized momentum p = M(q) qd, its rate, and the observer of external torques that is built on it, cost O(n).

    p-dot = tau + tau_ext - b            b = g + friction - C' qd
since M qdd + C qd + g + friction = tau + tau_ext, and M-dot = C + C' for the matrix of `coriolis.py`. So, without accelerations,
    r = K (p - integral of (tau - b + r))            r-dot = K (tau_ext - r)
and r follows the external torques with the time constant 1/K (De Luca and Mattone 2003; De Luca et al. 2006, eqs (12)-(14);
Haddadin, De Luca and Albu-Schaeffer 2017, section IV-D).

C' qd needs no matrix: with the body matrices of `coriolis.py`, C = sum J' (I J-dot + B J), and B' V = 0 for the body's own
velocity V (from B V = V x* I V and B + B' = V x* I - I V x). So C' qd = sum J-dot' I V: a momentum projected on the rate of a
joint's direction, as p is that momentum projected on the direction itself:
    p_j = S . H_j + Ia qd_j         (C' qd)_j = (V_j x S) . H_j          H_j momentum of everything beyond the joint
Symbols of body j, in its axes, at its origin: V = (v, w) velocity; S a direction of its joint; H = (linear, angular) momentum.
"""

from __future__ import annotations

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.joint import SINGLE_DOF
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.twist import STILL, Twist, along, plus
from ...spatial.vector import Vector
from ...tree import BASE
from ..force_elements import with_elements
from ..kinematics.kinematics import velocities
from ..loads import REGROUPED, External, Situation, laid_out_task
from ..step import drive_force, share_of, spring_forces
from .coriolis import directions_and_rates


def momentum_and_bias(s: Situation) -> tuple[list[Scalar], list[Scalar]]:
    """Return p (nv) and b (nv)."""
    tree, q, qd = s.tree, s["q"], s["qd"]
    acting = with_elements(tree, q, qd, s.wrenches)

    # forward pass, base to tips: velocities, momenta, and the wrench that holds each body at rest
    steps, V = velocities(tree, q, qd)
    H = [body.inertia.times(*twist) for body, twist in zip(tree.bodies, V, strict=True)]
    legend(g="gravity, along the body's axes", H="momentum of all that the joint carries, linear and angular")
    legend(G="wrench that holds all that at rest", p="generalized momentum", b="bias: the rate of p is tau less this")
    gravity: list[Vector] = []
    held: list[Twist] = []
    for j, body in enumerate(tree.bodies):
        section("outward: the wrench that holds the body at rest", j, body.name)
        gravity.append(steps[j].to_child(Vector.of(tree.gravity) if body.parent == BASE else gravity[body.parent]))
        f_e, m_e = acting.get(j, STILL)
        label("g", j, gravity[j])
        held.append((gravity[j] * -body.mass - f_e, gravity[j].cross(body.first_moments) - m_e))

    # backward pass, tips to base: momenta are handed to the parent as wrenches are, both are projected on the joint
    p: list[Scalar] = [0.0] * tree.nv
    b = spring_forces(tree, q, qd)
    for j in reversed(range(len(H))):
        body = tree.bodies[j]
        section("inward: momentum and bias of the joint", j, body.name, "De Luca et al. 2006 (12)-(14)")
        label("H", j, H[j])
        label("G", j, held[j])
        ratio = body.ratio if body.law is None else 1.0  # a ratio that changes is part of the direction
        for k, (S, dS) in enumerate(directions_and_rates(body, V[j], q, qd)):
            at = body.iv + k
            p[at] = add(p[at], mul(ratio, along(S, H[j])))
            b[at] = add(b[at], mul(ratio, sub(along(S, held[j]), along(dS, H[j]))))
        if body.kind in SINGLE_DOF:
            p[body.iv] = add(p[body.iv], mul(body.ratio**2 * body.rotor, qd[body.iv]))
            b[body.iv] = add(b[body.iv], mul(share_of(body, q), drive_force(body, qd[body.iv], 0.0)))
        if body.parent != BASE:
            H[body.parent] = plus(H[body.parent], steps[j].wrench_to_parent(*H[j]))
            held[body.parent] = plus(held[body.parent], steps[j].wrench_to_parent(*held[j]))
    for k, (momentum, bias) in enumerate(zip(p, b, strict=True)):
        label("p", k, momentum)
        label("b", k, bias)
    return p, b


def generalized_momentum(model: Model) -> Task:
    """p(q, qd) = M(q) qd."""
    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task(
        "generalized_momentum", model, inputs, Port("p", model.nv), lambda s: momentum_and_bias(s)[0], layouts=REGROUPED
    )


def momentum_bias(model: Model, external: External = ()) -> Task:
    """b(q, qd): the rate of p is tau less this."""
    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task(
        "momentum_bias", model, inputs, Port("b", model.nv), lambda s: momentum_and_bias(s)[1], external, layouts=REGROUPED
    )


def momentum_observer(model: Model, external: External = ()) -> Task:
    """r, and the rate of the integral in it, given q, qd, tau, the integral and the gains."""

    def text(s: Situation) -> list[Scalar]:
        p, b = momentum_and_bias(s)
        section("observer: what the torques from outside are, and the rate of its integral", equations="De Luca et al. 2006")
        r = [mul(k, sub(a, z)) for k, a, z in zip(s["gain"], p, s["integral"], strict=True)]
        return [*r, *(add(sub(t, x), y) for t, x, y in zip(s["tau"], b, r, strict=True))]

    inputs = {"q": model.nq, **dict.fromkeys(("qd", "tau", "integral", "gain"), model.nv)}
    return laid_out_task("momentum_observer", model, inputs, Port("r_and_rate", 2 * model.nv), text, external, layouts=REGROUPED)
