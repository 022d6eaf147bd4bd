"""Cut joint: relative pose and motion of its two frames.

The frame on the first link is A, the one on the second link B, both turned so that z is the joint's axis there. All motions
are relative to the last body that carries both links: motions of the loop as a whole do not enter. In the axes of A:
    p, R      origin and axes of B                        (Khalil 2010, eq. (3): they say whether the loop is closed)
    V = J qd  velocity of B's origin, and angular velocity, relative to A                                       (eq. (4))
A closed joint leaves some of the six components of V free; the others are rows of the constraint. One row is not a component:
"normal", of a universal joint, is along a x b, the axis of the first link and that of the second.

Residuals are made so that their rates are the components of V where the loop is closed: p itself, -b_y and b_x of the axis b of B
where it has to be z, half of the skew part of R, and -a.b for the normal. Where a residual has the size e, the rows differ from
its derivative by O(e), so that Newton's method still doubles its digits in each step. Loops that close within a tolerance only
(`exact`) have rows that are the derivatives of residuals wherever they are:
    p          velocity of B's origin, seen from A, at p itself
    -b_y, b_x  (b_z, 0, -b_x) . w and (0, b_z, -b_y) . w
    skew part  half of (trace R, less the transpose of R) times w
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...locks import lazy_property
from ...model.loop import Loop, LoopKind
from ...model.pose import Pose, frame_with_z
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.turning import Turning
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import Tree
from ..kinematics.jacobian import motion_at
from ..kinematics.kinematics import Frame
from ..loads import chain
from ..step import Step, own_motion, share_of

NORMAL = 6
ROWS: dict[LoopKind, tuple[int, ...]] = {
    LoopKind.REVOLUTE: (0, 1, 2, 3, 4),
    LoopKind.PRISMATIC: (0, 1, 3, 4, 5),
    LoopKind.SPHERICAL: (0, 1, 2),
    LoopKind.UNIVERSAL: (0, 1, 2, NORMAL),
    LoopKind.RIGID: (0, 1, 2, 3, 4, 5),
}


def frames_of(loop: Loop) -> tuple[Pose, Pose]:
    """Return the frames A and B of a loop in the frames of its links."""
    if loop.kind in (LoopKind.SPHERICAL, LoopKind.RIGID):
        return loop.first_pose, loop.second_pose
    turned = Pose(frame_with_z(loop.axis))
    other = Pose(frame_with_z(loop.second_axis)) if loop.kind is LoopKind.UNIVERSAL else turned
    return loop.first_pose @ turned, loop.second_pose @ other


@dataclass(frozen=True)
class Side:
    """One side of a loop: the bodies from the common one outward, and the cut frame in the last of them."""

    path: Sequence[int]
    pose: Pose


@dataclass(frozen=True)
class SideMotion:
    """Velocity and acceleration of the origin of a cut frame, and its turning, in its axes, relative to the common body."""

    v: Vector
    w: Vector
    a: Vector
    dw: Vector


class Meeting:
    """A cut joint of a tree at a configuration.

    With `swapped`, A and B change places: the same loop with other equations, of which one set may be cheaper. With `exact`, rows
    are right also where the loop is open.
    """

    def __init__(self, tree: Tree, q: Sequence[Scalar], loop: Loop, swapped: bool = False, exact: bool = False) -> None:
        self.tree, self.q, self.kind, self.exact = tree, q, loop.kind, exact
        A, B = frames_of(loop)
        ends = [(*tree.places[loop.first], A), (*tree.places[loop.second], B)]
        if swapped:
            ends.reverse()
        paths = [chain(tree, body) for body, _, _ in ends]
        common = 0
        while common < min(map(len, paths)) and paths[0][common] == paths[1][common]:
            common += 1
        self.first, self.second = (Side(path[common:], pose @ cut) for path, (_, pose, cut) in zip(paths, ends, strict=True))
        self.bodies = [body for body, _, _ in ends]
        self.steps = {j: self._step(j) for path in paths for j in path[common:]}
        self._seen = [self._frames(self.first), self._frames(self.second)]

    def _step(self, j: int) -> Step:
        still = [0.0] * self.tree.nv
        return Step(self.tree.bodies[j], own_motion(self.tree.bodies[j], self.q, still, still))

    def _frames(self, side: Side) -> tuple[dict[int, Frame], Frame]:
        """Return the frames of the bodies of a side, seen from its cut frame, and that of the common body."""
        inverse = side.pose.inverse()
        R, p = Matrix.of(inverse.rotation), Vector.of(inverse.translation)
        frames: dict[int, Frame] = {}
        for j in reversed(side.path):
            frames[j] = Frame(R, p)
            R = Matrix(self.steps[j].to_parent(row) for row in R.rows)
            p = p - R @ self.steps[j].P
        return frames, Frame(R, p)

    @lazy_property
    def R(self) -> Matrix:
        """Axes of B (columns) in the axes of A."""
        to_cut = Matrix.of(self.second.pose.R.T)
        rows = self._seen[0][1].R.rows  # axes of A, seen from the common body; then from body to body outward
        for j in self.second.path:
            rows = tuple(self.steps[j].to_child(row) for row in rows)
        return Matrix(to_cut @ row for row in rows)

    @lazy_property
    def p(self) -> Vector:
        """Origin of B in A."""
        return self._seen[0][1].p - self.R @ self._seen[1][1].p

    @lazy_property
    def apart(self) -> Vector:
        """Origin of B in A where the loop is closed: zero, or somewhere on the axis of a prismatic joint."""
        if self.exact:
            return self.p
        return Vector(0.0, 0.0, self.p.z) if self.kind is LoopKind.PRISMATIC else ZERO

    @lazy_property
    def normal(self) -> Vector:
        """The direction a x b of a universal joint."""
        b = Vector(*(row.z for row in self.R.rows))
        return Vector(0.0, 0.0, 1.0).cross(b)

    def residual(self, row: int) -> Scalar:
        """Return the residual of a row [m or rad]."""
        x, y, z = self.R.rows
        if row < 3:
            return list(self.p)[row]
        if row == NORMAL:
            return sub(0.0, z.z)
        if self.kind is LoopKind.REVOLUTE:
            return sub(0.0, y.z) if row == 3 else x.z
        return mul(0.5, (sub(z.y, y.z), sub(x.z, z.x), sub(y.x, x.y))[row - 3])

    def columns(self, at: Vector | None = None) -> dict[int, Twist]:
        """Return J by columns: what each velocity contributes to V.

        `at` is the origin of B, in A; without it that of a closed loop.
        """
        reference = self.apart if at is None else at
        found: dict[int, Twist] = {}
        for side, (frames, _) in zip((self.first, self.second), self._seen, strict=True):
            for j in side.path:
                body = self.tree.bodies[j]
                for k, S in enumerate(body.directions):
                    if side is self.first:
                        linear, angular = (part * -1.0 for part in motion_at(frames[j], S, reference))
                    else:
                        linear, angular = (self.R @ part for part in motion_at(frames[j], S, ZERO))
                    share = share_of(body, self.q)
                    linear, angular = linear * share, angular * share
                    # coupled joints add to the column of their leader
                    before = found.get(body.iv + k, (ZERO, ZERO))
                    found[body.iv + k] = (before[0] + linear, before[1] + angular)
        return found

    def component(self, V: Twist, row: int) -> Scalar:
        """Return one row of a relative motion."""
        return [*V[0]][row] if row < 3 else self.share(row).dot(V[1])

    def share(self, row: int) -> Vector:
        """Return the direction of a rotational row, in A."""
        if row == NORMAL:
            return self.normal
        if not self.exact:
            return Vector(*(float(k == row - 3) for k in range(3)))
        return self._share(row, self.R.rows)

    def _share(self, row: int, R: Sequence[Vector]) -> Vector:
        """Return a function linear in R: with R, the derivative of a residual by rotation; with the rate of R, its rate."""
        x, y, z = R
        if self.kind is LoopKind.REVOLUTE:
            return Vector(z.z, 0.0, sub(0.0, x.z)) if row == 3 else Vector(0.0, z.z, sub(0.0, y.z))
        trace = add(add(x.x, y.y), z.z)
        own = [sub(trace if k == row - 3 else 0.0, value) for k, value in enumerate(R[row - 3])]
        return Vector(*own) * 0.5

    def bias(self, qd: Sequence[Scalar], rows: Sequence[int]) -> list[Scalar]:
        """Return the rates of rows that velocities alone cause, where the loop is closed and its velocities keep it so."""
        A, B = self._motion(self.first, qd), self._motion(self.second, qd)
        v_b, w_b, a_b, dw_b = (self.R @ part for part in (B.v, B.w, B.a, B.dw))
        linear = a_b - A.a
        if self.kind is LoopKind.PRISMATIC or self.exact:
            # the origin of B slides along z of A, which turns
            r = self.apart
            v = v_b - A.v - A.w.cross(r)
            linear = linear - A.dw.cross(r) - A.w.cross(A.w.cross(r)) - (A.w * 2.0).cross(v)
        angular = dw_b - A.dw - A.w.cross(w_b)
        six = [*linear, *angular]
        if self.exact:
            relative = w_b - A.w
            columns = [relative.cross(Vector(*(list(axis)[k] for axis in self.R.rows))) for k in range(3)]
            turned = [Vector(*(list(column)[i] for column in columns)) for i in range(3)]  # rates of R as seen from A
            for row in (3, 4, 5):
                six[row] = add(self.share(row).dot(angular), self._share(row, turned).dot(relative))
        return [self._normal_bias(A.w, w_b, dw_b - A.dw) if row == NORMAL else six[row] for row in rows]

    def _normal_bias(self, w_a: Vector, w_b: Vector, dw: Vector) -> Scalar:
        """Return the rate of n . w with n = a x b, both axes moving with their links."""
        a, b = Vector(0.0, 0.0, 1.0), Vector(*(row.z for row in self.R.rows))
        turned = w_a.cross(a).cross(b) + a.cross(w_b.cross(b))
        return add(self.normal.dot(dw), turned.dot(w_b - w_a))

    def _motion(self, side: Side, qd: Sequence[Scalar]) -> SideMotion:
        still = [0.0] * self.tree.nv
        v, turning, a = ZERO, Turning(ZERO, ZERO), ZERO
        for j in side.path:
            motion, step = own_motion(self.tree.bodies[j], self.q, qd, still), self.steps[j]
            v_i, w_i = step.acceleration_to_child(v, turning.w)
            a = step.to_child(a + turning.U @ step.P) + motion.a + (w_i * 2.0 + motion.w).cross(motion.v)
            dw = step.to_child(turning.dw) + motion.dw + w_i.cross(motion.w)
            v, turning = v_i + motion.v, Turning(w_i + motion.w, dw)
        arm, to_cut = Vector.of(side.pose.translation), Matrix.of(side.pose.R.T)
        v, a = v + turning.w.cross(arm), a + turning.U @ arm
        return SideMotion(to_cut @ v, to_cut @ turning.w, to_cut @ a, to_cut @ turning.dw)

    def wrenches(self, values: dict[int, Scalar]) -> list[tuple[int, Vector, Vector]]:
        """Return the wrenches of constraint forces on the two bodies: force and moment in the body's axes, about its origin."""
        f, m = self.reaction(values)
        f_b, m_b = self.R.T @ f, self.R.T @ m
        sides = ((self.first, f * -1.0, (m + self.apart.cross(f)) * -1.0), (self.second, f_b, m_b))
        found = []
        for body, (side, force, moment) in zip(self.bodies, sides, strict=True):
            turn, arm = Matrix.of(side.pose.rotation), Vector.of(side.pose.translation)
            force, moment = turn @ force, turn @ moment
            found.append((body, force, moment + arm.cross(force)))
        return found

    def reaction(self, values: dict[int, Scalar]) -> Twist:
        """Return force and moment on the second link, at the origin of B, in the axes of A, given the forces of rows."""
        moment = ZERO
        for row, value in values.items():
            if row >= 3:
                moment = moment + self.share(row) * value
        return Vector(*(values.get(k, 0.0) for k in range(3))), moment
