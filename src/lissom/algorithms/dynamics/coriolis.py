"""Coriolis: the matrix C(q, qd) with C qd = h - g (friction apart) for which M-dot - 2 C is skew-symmetric.

Many matrices give the same C qd; this one is made of Christoffel symbols, like Pinocchio's. Echeandia and Wensing 2021:
composites of a body-level matrix B beside those of the inertia, cost O(n d), d the depth of the tree:
    C = sum over bodies  J' (I J-dot + B J)         B = 1/2 [ (V x*) I - I (V x) + (I V) x-bar* ]
with B V = V x* I V, so that C qd is the force of the velocities, and B + B' = I-dot = (V x*) I - I (V x), hence the skewness.

For a rigid body with linear part first, B is mostly zeros. Multiplied out, with the linear momentum F = M v + w x MS:
    upper left   M [w] - M [w] = 0               lower left   1/2 (M [v] + [w x MS] - [F]) = 0
    upper right  -1/2 (M [v] + [w x MS] + [F]) = -[F]
    lower right  by [MS x v] = [MS][v] - [v][MS] and [J w] = trace(J) [w] - J [w] - [w] J
                 D = -[MS][v] - [w] K,   K = trace(J)/2 - J, the second moments
In the parent's frame, with R the axes and P the origin of the child in it:
    F' = R F,   D' = R D R' - [P][F']             the zeros stay, so a composite is F and D, twelve numbers

Symbols of a body, in its axes, at its origin: V = (v, w) velocity; S a direction of its joint; S-dot = V x S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.inertia import matrix_to_parent
from ...spatial.rotation import TurnInSpace
from ...spatial.scalar import Scalar, add, mul
from ...spatial.twist import UPRIGHT, Twist, along, carried, plus
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Body, Tree
from ..kinematics.kinematics import velocities
from ..loads import REGROUPED, Situation, laid_out_task
from ..step import Step, shares_of
from .crba import composites

AXES = UPRIGHT.rows


@dataclass(frozen=True)
class Change:
    """The matrix B: maps an angular velocity to force -[F] w and moment D w, and a linear velocity to nothing."""

    F: Vector
    D: Matrix

    @classmethod
    def of(cls, body: Body, v: Vector, w: Vector) -> Change:
        """Return B of a rigid body that moves with v, w."""
        MS = body.first_moments
        columns = [MS.cross(axis.cross(v)) - w.cross(k) for axis, k in zip(AXES, body.second_moments.rows, strict=True)]
        return cls(v * body.mass + w.cross(MS), Matrix(columns).T)

    def __add__(self, other: Change) -> Change:
        return Change(self.F + other.F, Matrix(a + b for a, b in zip(self.D.rows, other.D.rows, strict=True)))

    def to_parent(self, step: Step) -> Change:
        """Return B in the parent's frame."""
        F = step.to_parent(self.F)
        D = matrix_to_parent(matrix_to_parent(self.D, step.motion.turn), TurnInSpace(step.R))
        columns = (column - step.P.cross(F.cross(axis)) for axis, column in zip(AXES, D.T.rows, strict=True))
        return Change(F, Matrix(columns).T)

    def times(self, angular: Vector) -> Twist:
        """Return B (., w)."""
        return angular.cross(self.F), self.D @ angular

    def transposed_times(self, linear: Vector, angular: Vector) -> Twist:
        """Return B' (v, w)."""
        return ZERO, self.F.cross(linear) + self.D.T @ angular


def changes(tree: Tree, steps: Sequence[Step], V: Sequence[Twist]) -> list[Change]:
    """Return for each body B of itself and all beyond it, as `crba.composites` does the inertia."""
    B = [Change.of(body, *twist) for body, twist in zip(tree.bodies, V, strict=True)]
    legend(BF="change of the inertia J with motion, vector part", BD="change of the inertia J with motion, matrix part")
    for j in reversed(range(len(B))):
        i = tree.bodies[j].parent
        section("inward: how the inertia of all that changes", j, tree.bodies[j].name, "Echeandia and Wensing 2021")
        label("BF", j, B[j].F)
        label("BD", j, B[j].D)
        if i != BASE:
            B[i] = B[i] + B[j].to_parent(steps[j])
    return B


def coriolis(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return C (nv, nv)."""
    # forward pass, base to tips: velocities; backward: composites of inertia and of its change
    steps, V = velocities(tree, q, qd)
    J = composites(tree, steps)
    B = changes(tree, steps, V)

    moving = [directions_and_rates(body, twist, q, qd) for body, twist in zip(tree.bodies, V, strict=True)]
    # a coupling ratio that changes is part of the direction, and its rate part of the direction's rate
    ratios = [body.ratio if body.law is None else 1.0 for body in tree.bodies]
    C: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(tree.nv)]
    for j, body in enumerate(tree.bodies):
        section("entries of the matrix in the rows and columns of the joint", j, body.name, "Echeandia and Wensing 2021")
        for k, (S, dS) in enumerate(moving[j]):
            own = body.iv + k
            # wrenches due to motion along this direction, and those on it due to joints before it
            needed = plus(J[j].times(*dS), B[j].times(S[1]))
            of_rate = J[j].times(*S)
            of_motion = B[j].transposed_times(*S)
            for k_own, (S_own, _) in enumerate(moving[j]):
                _put(C, body.iv + k_own, own, mul(ratios[j] ** 2, along(S_own, needed)))
            inner = j
            while tree.bodies[inner].parent != BASE:
                needed, of_rate, of_motion = (steps[inner].wrench_to_parent(*x) for x in (needed, of_rate, of_motion))
                inner = tree.bodies[inner].parent
                before = tree.bodies[inner]
                ratio = ratios[inner] * ratios[j]
                for k_in, (S_in, dS_in) in enumerate(moving[inner]):
                    _put(C, before.iv + k_in, own, mul(ratio, along(S_in, needed)))
                    _put(C, own, before.iv + k_in, mul(ratio, add(along(dS_in, of_rate), along(S_in, of_motion))))
    return C


def directions_and_rates(body: Body, V: Twist, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[tuple[Twist, Twist]]:
    """Return the directions of a joint and their rates."""
    if body.law is None:
        return [(S, carried(V, S)) for S in body.directions]
    share, bend, _ = shares_of(body, q)
    found = []
    for S in body.directions:
        scaled = S[0] * share, S[1] * share
        rate = mul(bend, qd[body.iv])
        found.append((scaled, plus(carried(V, scaled), (S[0] * rate, S[1] * rate))))
    return found


def coriolis_matrix(model: Model) -> Task:
    """C(q, qd), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in coriolis(s.tree, s["q"], s["qd"]) for x in row]

    # C follows from M alone, which regrouping does not change
    inputs = {"q": model.nq, "qd": model.nv}
    return laid_out_task("coriolis_matrix", model, inputs, Port("C", model.nv**2), text, layouts=REGROUPED)


def _put(C: list[list[Scalar]], i: int, j: int, value: Scalar) -> None:
    """Add to an entry; several bodies share one where joints are coupled."""
    C[i][j] = add(C[i][j], value)
