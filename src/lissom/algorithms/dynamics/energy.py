"""Energy: kinetic energy of a robot, and potential energy in gravity and in springs, cost O(n).

    T = 1/2 sum (M v.v + 2 v.(w x MS) + w.J w) + 1/2 sum Ia qd_j^2       Ia: inertia of rotors, as in the mass matrix
    U = -g . sum M c                              zero where the center of mass is level with the base's origin
    E = 1/2 sum K (q_j - rest)^2                  zero where all springs are at rest; and the energy of force elements
Symbols of body j, in its axes, at its origin: v, w velocity and angular velocity; M, MS, J mass, first moments and inertia.
What is fixed to the base never moves and is not counted, as in Pinocchio.
"""

from __future__ import annotations

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ...spatial.vector import Vector
from ..force_elements import element_energy
from ..kinematics.kinematics import velocities
from ..loads import REGROUPED, Situation, laid_out_task
from .momentum import first_moments


def kinetic_energy(model: Model) -> Task:
    """T(q, qd)."""
    # matter moved to the parent by regrouping moves as before, so its energy is the same
    return laid_out_task(
        "kinetic_energy", model, {"q": model.nq, "qd": model.nv}, Port("T", 1), lambda s: [_kinetic(s)], layouts=REGROUPED
    )


def potential_energy(model: Model) -> Task:
    """U(q)."""
    return laid_out_task("potential_energy", model, {"q": model.nq}, Port("U", 1), lambda s: [_potential(s)])


def spring_energy(model: Model) -> Task:
    """E(q)."""
    return laid_out_task("spring_energy", model, {"q": model.nq}, Port("E", 1), lambda s: [_stored(s)])


def _kinetic(s: Situation) -> Scalar:
    _, V = velocities(s.tree, s["q"], s["qd"])
    twice: Scalar = 0.0
    legend(h="linear momentum of the body", L="angular momentum of the body about its origin")
    for j, (body, (v, w)) in enumerate(zip(s.tree.bodies, V, strict=True)):
        section("kinetic energy of the body", j, body.name)
        # T is half the product of velocity and momentum
        linear, angular = body.inertia.times(v, w)
        label("h", j, linear)
        label("L", j, angular)
        twice = add(twice, add(v.dot(linear), w.dot(angular)))
        if body.rotor:
            qd = mul(body.ratio, s["qd"][body.iv])
            twice = add(twice, mul(body.rotor, mul(qd, qd)))
    return mul(0.5, twice)


def _potential(s: Situation) -> Scalar:
    return mul(-1.0, Vector.of(s.tree.gravity).dot(first_moments(s.tree, s["q"])[1]))


def _stored(s: Situation) -> Scalar:
    twice: Scalar = 0.0
    for spring in s.tree.springs:
        stretch = spring.stretch(s["q"])
        twice = add(twice, mul(spring.stiffness, mul(stretch, stretch)))
    return add(mul(0.5, twice), element_energy(s.tree, s["q"]))
