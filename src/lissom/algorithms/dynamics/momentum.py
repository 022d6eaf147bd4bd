"""Momentum: center of mass, total momentum, and the matrices that take qd to them, cost O(n).

    M c = sum M_j c_j                        c-dot = J_c qd
    h = (linear, angular) = A qd             A_G about the center of mass: the centroidal momentum matrix
A column of A is the momentum of everything beyond a joint, frozen, for a unit velocity of that joint: a column of its composite
inertia (`crba`), carried to the reference point (Orin and Goswami 2008; Wensing and Orin 2016). The linear rows of A are M J_c.
Symbols: M mass, MS first moments about a body's origin, c center of mass; the world's axes.
What is fixed to the base is not counted, nor do rotors have momentum of their own: both as in Pinocchio.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Tree, lump
from ..kinematics.kinematics import frames_in_world, velocities
from ..loads import REGROUPED, Situation, laid_out_task
from ..step import Step, own_motion, share_of
from .crba import composites

MOMENTUM_POINTS = ("com", "origin")


def total_mass(model: Model) -> float:
    """Return the mass of all moving bodies [kg]."""
    return float(sum(body.mass for body in lump(model).bodies))


def first_moments(tree: Tree, q: Sequence[Scalar]) -> tuple[float, Vector]:
    """Return mass [kg] and first moments about the world's origin [kg m] of all bodies."""
    still = [0.0] * tree.nv
    mass = [float(body.mass) for body in tree.bodies]
    MS = [body.first_moments for body in tree.bodies]
    total, moments = 0.0, ZERO
    legend(MS="mass times center of all that the joint carries, from the body's origin")
    # tips to base: sums beyond a joint are added to the body before it
    for j in reversed(range(len(mass))):
        body = tree.bodies[j]
        section("inward: first moments of all that the joint carries", j, body.name)
        label("MS", j, MS[j])
        step = Step(body, own_motion(body, q, still, still))
        handed = step.to_parent(MS[j]) + step.P * mass[j]
        if body.parent == BASE:
            total, moments = total + mass[j], moments + handed
        else:
            mass[body.parent] += mass[j]
            MS[body.parent] = MS[body.parent] + handed
    return total, moments


def center(tree: Tree, q: Sequence[Scalar]) -> Vector:
    """Return the center of mass in the world [m]; the origin where there is no mass, for which Robot raises an error."""
    mass, moments = first_moments(tree, q)
    return moments * _inverse(mass)


def momentum_matrix(tree: Tree, q: Sequence[Scalar], reference: Vector) -> list[list[Scalar]]:
    """Return A (6, nv): total momentum about `reference` is A qd."""
    still = [0.0] * tree.nv
    J = composites(tree, [Step(body, own_motion(body, q, still, still)) for body in tree.bodies])
    frames = frames_in_world(tree, q, range(len(tree.bodies)))
    A: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(6)]
    legend(A="momentum of all that the joint carries, for its unit velocity")
    for j, body in enumerate(tree.bodies):
        section("column of the momentum matrix", j, body.name, "Orin and Goswami 2008")
        share = share_of(body, q)
        for k, S in enumerate(body.directions):
            f, m = J[j].times(*S)
            linear = frames[j].R @ f
            angular = frames[j].R @ m + (frames[j].p - reference).cross(linear)
            label("A", body.iv + k, (linear, angular))
            for row, part in zip(A, (*linear, *angular), strict=True):
                row[body.iv + k] = add(row[body.iv + k], mul(share, part))
    return A


def total_momentum(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Vector, Vector]:
    """Return linear [N s] and angular momentum [N m s] about the world's origin."""
    steps, V = velocities(tree, q, qd)
    h = [body.inertia.times(*twist) for body, twist in zip(tree.bodies, V, strict=True)]
    linear = angular = ZERO
    legend(h="momentum of all that the joint carries, linear and angular")
    # tips to base: momenta are carried as wrenches are
    for j in reversed(range(len(h))):
        section("inward: momentum of all that the joint carries", j, tree.bodies[j].name)
        label("h", j, h[j])
        f, m = steps[j].wrench_to_parent(*h[j])
        i = tree.bodies[j].parent
        if i == BASE:
            linear, angular = linear + f, angular + m
        else:
            h[i] = (h[i][0] + f, h[i][1] + m)
    return linear, angular


def center_of_mass(model: Model) -> Task:
    """c(q)."""
    return laid_out_task("center_of_mass", model, {"q": model.nq}, Port("c", 3), lambda s: list(center(s.tree, s["q"])))


def center_of_mass_velocity(model: Model) -> Task:
    """Velocity of the center of mass (3) [m/s]."""
    share = _inverse(total_mass(model))

    def text(s: Situation) -> list[Scalar]:
        return list(total_momentum(s.tree, s["q"], s["qd"])[0] * share)

    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task("center_of_mass_velocity", model, inputs, Port("v", 3), text)


def center_of_mass_jacobian(model: Model) -> Task:
    """J_c(q) (3, nv), row by row."""
    share = _inverse(total_mass(model))

    def text(s: Situation) -> list[Scalar]:
        # the linear momentum does not depend on the reference point, nor on regrouping
        return [mul(share, x) for row in momentum_matrix(s.tree, s["q"], ZERO)[:3] for x in row]

    output = Port("J", 3 * model.nv)
    return laid_out_task("center_of_mass_jacobian", model, {"q": model.nq}, output, text, layouts=REGROUPED)


def momentum(model: Model, point: str = "com") -> Task:
    """h(q, qd) (6), its angular part about the center of mass or the world's origin."""

    def text(s: Situation) -> list[Scalar]:
        linear, angular = total_momentum(s.tree, s["q"], s["qd"])
        if point == "com":
            angular = angular - center(s.tree, s["q"]).cross(linear)
        return [*linear, *angular]

    return laid_out_task(f"momentum[{point}]", model, {"q": model.nq, "qd": model.nv}, Port("h", 6), text)


def centroidal_momentum_matrix(model: Model) -> Task:
    """A_G(q) (6, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in momentum_matrix(s.tree, s["q"], center(s.tree, s["q"])) for x in row]

    return laid_out_task("centroidal_momentum_matrix", model, {"q": model.nq}, Port("A", 6 * model.nv), text)


def _inverse(mass: float) -> float:
    return 1.0 / mass if mass > 0 else 0.0
