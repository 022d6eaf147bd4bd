"""Geometry: derivatives of joint torques by the positions of frames; inertias stay fixed in the link frames, which move along.

Displace a frame, and all that it carries, by a small twist x = (t, r), constant in the body that it is fixed to, like a joint
with six directions that is at rest. In the displaced frames the carrier's motion differs by (linear, angular)
    dV = V x x,    dA = A x x,    so every body k beyond has  dV_k = dV,  dA_k = dA' + dV x V_k,  dA' = dA - dV x V
(all at one point; Featherstone's spatial velocity V and acceleration A of the carrier). Its wrench then changes by
    df_k = I_k dA' + [ I_k (dV x V_k) + dV x* I_k V_k + V_k x* I_k dV ] = I_k dA' + 2 B_k dV
with the matrix B of the Coriolis matrix (`coriolis.py`), which depends on angular velocities only. Sums over everything beyond
are composites. Multiplied out, with the carrier's velocity v, classical acceleration a less gravity, w, U at the point of
reference:
    dV = (., w x r),    dA' = (U t + a x r + 2 v x (w x r), U r)
A joint l beyond the frame feels S_l'(I dA' + 2 B dV) of its own composite. A joint l inward feels the composite of what is
displaced, and also the displacement of the wrench (f, m) that was there: S_l'(I dA' + 2 B dV + x x* f).

Both are products of x with n = I S, m = 2 B'S (its moment):  by t: U'n_f,  by r: n_f x a + U'n_m + (2 n_f x v + m) x w.
Cost O(n d). A frame is displaced before its joint's motion (`Joint.origin`: the axis moves too) or after it (`Joint.tail`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.pose import Pose
from ...spatial.inertia import SpatialInertia
from ...spatial.scalar import Scalar
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Tree
from ..dynamics.coriolis import Change, changes
from ..dynamics.crba import composites
from ..dynamics.rnea import Passes, rnea
from ..loads import Situation
from ..step import Step, share_of
from .body_motion import Reached, reach


@dataclass
class Gradients:
    """Derivatives by displacements of one kind: entry (row, body) is the pair by t and r, along the axes of the carrier."""

    by: dict[tuple[int, int], Twist] = field(default_factory=dict)

    def put(self, row: int, body: int, value: Twist) -> None:
        """Add to an entry; coupled joints share a row."""
        old = self.by.get((row, body), (ZERO, ZERO))
        self.by[row, body] = (old[0] + value[0], old[1] + value[1])

    def along(self, row: int, body: int, frame: Pose) -> list[Scalar]:
        """Return the six derivatives along the axes of a frame, given by its pose in the carrier."""
        by_t, by_r = self.by.get((row, body), (ZERO, ZERO))
        to_frame = Matrix.of(frame.R.T)
        return [*(to_frame @ by_t), *(to_frame @ (by_r + by_t.cross(Vector.of(frame.translation))))]


@dataclass(frozen=True)
class Displaced:
    """Everything beyond a frame, frozen, and the wrench that it needs, at the origin of the carrier's frame."""

    J: SpatialInertia
    B: Change
    f: Vector
    m: Vector

    def to_parent(self, step: Step) -> Displaced:
        """Return the same in the parent's frame."""
        return Displaced(step.inertia_to_parent(self.J), self.B.to_parent(step), *step.wrench_to_parent(self.f, self.m))

    def felt_inwards(self, carrier: Reached, linear: Vector, angular: Vector) -> Twist:
        """Return the derivatives of the force along a direction that carries the carrier."""
        n, (_, moment) = self.J.times(linear, angular), self.B.transposed_times(linear, angular)
        by_t, by_r = felt(carrier, *n, moment)
        return by_t + self.f.cross(angular), by_r + self.f.cross(linear) + self.m.cross(angular)


def felt(carrier: Reached, n_f: Vector, n_m: Vector, half_m: Vector) -> Twist:
    """Return the derivatives by t and r of the force that feels I and B through n and m; half of m is given."""
    Ut = carrier.turning.U.T
    turned = (n_f.cross(carrier.v) + half_m) * 2.0
    return Ut @ n_f, n_f.cross(carrier.a) + Ut @ n_m + turned.cross(carrier.turning.w)


def gradients(s: Situation) -> tuple[Gradients, Gradients]:
    """Return the derivatives of tau by displacements before the motion of every joint, and after it.

    The first are along the axes and at the origin of the parent body's frame, the second of the body's own.
    """
    tree, origins, tails = s.tree, Gradients(), Gradients()
    # forward pass: motion and Jacobian of every body; backward: composites and wrenches
    passes = rnea(tree, s["q"], s["qd"], s["qdd"], base=s.base)
    steps, at = passes.steps, reach(tree, s["q"], passes, s.base)
    beyond = _beyond(tree, passes, at)
    for l, body in enumerate(tree.bodies):
        # joints inward feel what is displaced
        before = beyond[l].to_parent(steps[l]) if body.parent != BASE else None
        for row, column in at[l].columns.items():
            tails.put(row, l, beyond[l].felt_inwards(at[l], *column))
        if before is not None:
            for row, column in at[body.parent].columns.items():
                origins.put(row, l, before.felt_inwards(at[body.parent], *column))
        # this joint feels its own composite, displaced by a frame on the way to the base
        for k, S in enumerate(body.directions):
            linear, angular = (part * share_of(body, s["q"]) for part in S)
            n, (_, m) = beyond[l].J.times(linear, angular), beyond[l].B.transposed_times(linear, angular)
            j = l
            while j != BASE:
                if j != l:
                    tails.put(body.iv + k, j, felt(at[j], *n, m))
                n, m = steps[j].wrench_to_parent(*n), steps[j].to_parent(m)
                origins.put(body.iv + k, j, felt(at[tree.bodies[j].parent], *n, m))
                j = tree.bodies[j].parent
    return origins, tails


def _beyond(tree: Tree, passes: Passes, at: dict[int, Reached]) -> list[Displaced]:
    J = composites(tree, passes.steps)
    B = changes(tree, passes.steps, [(at[j].v, at[j].turning.w) for j in range(len(tree.bodies))])
    return [Displaced(*parts) for parts in zip(J, B, passes.f, passes.m, strict=True)]
