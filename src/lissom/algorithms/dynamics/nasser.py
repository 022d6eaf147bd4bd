"""Nasser's forward dynamics: every link's equations in the frame before its joint, solved inbound and outbound.

qdd(q, qd, tau), cost O(n). Nasser, Recursive Newton-Euler formulation of manipulator dynamics (Lockheed 1990), whole paper:
rotational (2.1) and translational joints (2.2), trees (2.3), prescribed base motion (2.1.2), actuator inertia, external forces.

Frame i-1 is fixed to the body that carries link i, its origin at joint i, its z axis along it: here the pose of a body at zero
motion. Symbols of link i, in frame i-1, about its origin, force before moment:
    q          accelerations v-dot, w-dot of frame i-1, less gravity      Z     the drive's direction, (2.2.7)
    A, B       inertia of the link; wrench of velocity terms less external forces, (2.1.7.4), (2.1.7.6)
    A*, B*     the same with everything beyond the joint, (2.1.19.3), (2.1.19.5)
    U          reaction through the joint without its entry along Z, in whose place stands theta-ddot, (2.1.7.1)
    L, G       L U = A* q + B*, (2.1.19), and G = 1 / L                   J^a   actuator inertia
    P, R*      shift and turn from frame i to frame i-1, (2.1.13.3), (2.1.18)
    sigma      contribution of joint i to the acceleration of frame i, (2.1.13.1); sigma* its velocity terms, (2.1.13.2)

L is the identity but for its column along Z, which is -(A* Z + J^a Z). So G is written down, not computed:
    theta-ddot = Z' G F = -F_Z / H,   H = Z' A* Z + J^a          gamma G F = F + A* Z theta-ddot

Not as printed (each shown in tests/papers/test_nasser.py):
    (2.1.3), (2.2.4)   the signs of f^c_(i+1) and F^E are those of (2.1.7.6)
    (2.1.13.2)         the second entry is + w_(i-1) x z theta-dot
    (2.2.1)            y* is r*
    (2.2.7)            six entries, 0 0 1 0 0 0
    gamma              is used from (2.1.14) on and not defined. It is 1 - Z Z' (1 + J^a): the joint passes to the carrying link
                       what it passes to the carried one, and that is the control force less what the actuator's inertia takes.
r* and J appear only as m r* and J - m [r*]^2, the first and second moments about the frame's origin: a tree holds these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...compiler.labels import label, legend, section
from ...errors import ModelError
from ...joints.motion import JointMotion, along_z
from ...model.joint import SINGLE_DOF, JointKind
from ...spatial.inertia import SpatialInertia, Symmetric
from ...spatial.rotation import TurnInSpace
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.turning import Turning
from ...spatial.twist import axis_of
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Body, Tree
from ..force_elements import with_elements
from ..step import AT_REST, BaseState, drive_force, own_motion, spring_forces
from .shared import shared_bodies
from .singular import pivot

Six = tuple[Vector, Vector]


@dataclass
class Link:
    """A link and its joint, in the frame before the joint.

    Attributes:
        motion: of the joint.
        turning: angular velocity w_i and its rate as far as velocities cause it: U = [w-dot]x + [w]x [w]x makes beta / m of r*.
        slide: 2 w x z theta-dot of a translational joint.
        control: force of the drive, less friction; n^c or f^c along z.
    """

    body: Body
    motion: JointMotion
    turning: Turning
    slide: Vector
    control: Scalar

    @property
    def drive(self) -> int:
        """Index of the only non-zero entry of Z."""
        d = axis_of(self.body.directions[0])
        assert d is not None
        return d

    def inward(self, v: Vector) -> Vector:
        """Return a vector of the link's axes in the axes of the frame before its joint."""
        return self.motion.turn.to_parent(v)

    def outward(self, v: Vector) -> Vector:
        """Return a vector of the frame before the joint in the link's axes."""
        return self.motion.turn.to_child(v)


def nasser(
    tree: Tree,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    external: Mapping[int, Six] | None = None,
    base: BaseState = AT_REST,
) -> list[Scalar]:
    """Return the hinge accelerations (nv) [rad/s^2 or m/s^2].

    Args:
        tree: of revolute and prismatic joints, none coupled.
        q, qd: coordinates and velocities (nv).
        tau: control forces (nv) [N m or N]; friction and springs are subtracted.
        external: for a body's index, force and moment on it, in its axes, about its origin.
        base: prescribed motion of the base.
    """
    legend(w="angular velocity", A="inertia of what the joint carries, as joints yield: blocks A, B, C")
    legend(B="wrench of velocity terms on that, less external ones", qdd="acceleration of a velocity's entry")
    n, acting = len(tree.bodies), with_elements(tree, q, qd, external)
    links: list[Link] = []
    A: list[SpatialInertia] = []
    B: list[Six] = []
    springs = spring_forces(tree, q, qd)

    # velocities, base to tips, and each link's own equation S U = A q + B
    for j, body in enumerate(tree.bodies):
        section("outward: velocities, and the link's own equation", j, body.name, "Nasser 1990 (2.1.7.4)-(2.2.4)")
        w = base.w if body.parent == BASE else links[body.parent].outward(links[body.parent].turning.w)
        # of a rotor with a coordinate of its own: force, inertia and acceleration are those of its own rotation
        control = sub(mul(1.0 / body.ratio, sub(tau[body.iv], springs[body.iv])), drive_force(body, qd[body.iv], 0.0))
        link = _link(body, own_motion(body, q, qd, [0.0] * tree.nv), Matrix.of(body.pose.R.T) @ w, control)
        links.append(link)
        A.append(_inertia(link))  # (2.1.7.4)
        B.append(_bias(link, A[j], acting.get(j, (ZERO, ZERO))))  # (2.1.7.6), (2.2.4)
        label("w", j, link.turning.w)
        label("B", j, B[j])

    # inbound pass, tips to base: eliminate each hinge acceleration, hand the reaction to the link that carries the joint
    column: list[list[Scalar]] = [[] for _ in range(n)]
    weight: list[Scalar] = [0.0] * n
    for j in reversed(range(n)):
        link, d = links[j], links[j].drive
        section(
            "inward: inertia of what the joint carries, its acceleration left out",
            j,
            link.body.name,
            "Nasser 1990 (2.1.11)-(2.3.4)",
        )
        label("A", j, A[j])
        label("B", j, B[j])
        f, m = A[j].times(*link.body.directions[0])
        column[j] = [*f, *m]
        H = mul(link.body.ratio**2, add(column[j][d], link.body.rotor))
        weight[j] = link.body.ratio**2 / pivot(tree, link.body.iv, H)  # L, G: (2.1.19.1), (2.1.11)
        if link.body.parent == BASE:
            continue
        i = link.body.parent
        A_left = A[j].without(d, (f, m), weight[j], whole=link.body.rotor == 0.0)  # gamma G A*
        f, m = _reaction(link, column[j], weight[j], B[j])  # gamma G B* and the control force
        P, turn = _arm(links[i], link), TurnInSpace(Matrix.of(link.body.pose.R))
        A_left = A_left.to_parent(turn).to_parent(links[i].motion.turn)  # (2.1.14)
        f, m = links[i].inward(turn.to_parent(f)), links[i].inward(turn.to_parent(m))  # (2.1.19.7)
        # P (B + A P' sigma*) is P B + A* sigma*: the acceleration of frame i is known here, sigma* is not
        inertial = A_left.times(*_carried(links[i], P))
        f, m = f + inertial[0], m + inertial[1]
        A[i] = A[i] + A_left.shifted(P)  # (2.1.19.3), (2.1.19.4), (2.3.3)
        B[i] = (B[i][0] + f, B[i][1] + m + P.cross(f))  # (2.1.19.5), (2.1.19.6), (2.3.4)

    # outbound pass, base to tips: hinge accelerations, then the accelerations of the next frames
    qdd: list[Scalar] = [0.0] * tree.nv
    moved: list[Six] = []
    at_base = Turning(base.w, base.dw), base.a - base.turn.to_child(Vector.of(tree.gravity))
    for j, link in enumerate(links):
        body, d = link.body, link.drive
        section("outward again: acceleration of the joint", j, body.name, "Nasser 1990 (2.1.13)-(2.1.20)")
        if body.parent == BASE:
            dv, dw = at_base[1] + at_base[0].U @ Vector.of(body.pose.translation), base.dw
        else:
            carrier = links[body.parent]
            P = _arm(carrier, link)
            dv, dw = moved[body.parent]
            linear, angular = _carried(carrier, P)
            dv, dw = carrier.outward(dv + dw.cross(P) + linear), carrier.outward(dw + angular)  # (2.1.13)
        Rt = Matrix.of(body.pose.R.T)
        dv, dw = Rt @ dv, Rt @ dw
        F = _entry(B[j], d)
        for a, x in zip(column[j], (*dv, *dw), strict=True):
            F = add(F, mul(a, x))  # (2.1.19.2), the one row that counts
        turned = sub(0.0, mul(weight[j], F))  # (2.1.20)
        qdd[body.iv] = mul(1.0 / body.ratio, turned)
        label("qdd", body.iv, qdd[body.iv])
        sigma = along_z(turned)
        moved.append((dv + sigma, dw) if body.kind is JointKind.PRISMATIC else (dv, dw + sigma))  # (2.1.13.1), (2.2.5)
    return qdd


def refuse_other_joints(tree: Tree) -> None:
    """Raise ModelError if a joint is neither rotational nor translational, or moves several bodies with one velocity."""
    parts, _ = shared_bodies(tree)
    for j, body in enumerate(tree.bodies):
        if j in parts:
            raise ModelError(
                f"Nasser's method knows rotational and translational joints; joint {body.name!r} has parts that move with one "
                "velocity; use method='articulated_body'"
            )
        if body.kind not in SINGLE_DOF:
            raise ModelError(
                f"Nasser's method needs rotational and translational joints; joint {body.name!r} is {body.kind.value}; "
                "use method='articulated_body'"
            )


def _link(body: Body, motion: JointMotion, w: Vector, control: Scalar) -> Link:
    """Return a link on whose carrier's side of the joint the angular velocity is w."""
    if body.kind is JointKind.PRISMATIC:
        return Link(body, motion, Turning(w, ZERO), w.cross(motion.v) * 2.0, control)
    return Link(body, motion, Turning(w + motion.w, w.cross(motion.w)), ZERO, control)


def _inertia(link: Link) -> SpatialInertia:
    """Return A: the link's inertia about the origin of the frame before the joint."""
    A = link.body.inertia.to_parent(link.motion.turn)
    return A.shifted(link.motion.shift) if link.body.kind is JointKind.PRISMATIC else A


def _bias(link: Link, A: SpatialInertia, external: Six) -> Six:
    """Return B: velocity terms, less the forces that act on the link; control forces of carried links are added later."""
    mr = Vector(A.B.rows[1].z, A.B.rows[2].x, A.B.rows[0].y)  # first moments m r*, the off-diagonal block being -[m r*]x
    f = link.turning.U @ mr + link.slide * link.body.mass  # beta, (2.1.3.2), (2.2.1)
    m = link.turning.euler_moment(_second_moments(A.C)) + mr.cross(link.slide)  # beta* + r* x beta, (2.1.6.2), (2.2.2)
    F_e = link.inward(external[0])
    N_e = link.inward(external[1]) + link.motion.shift.cross(F_e)
    f, m = f - F_e, m - N_e
    drive = along_z(link.control)
    return (f - drive, m) if link.drive < 3 else (f, m - drive)


def _second_moments(C: Symmetric) -> Matrix:
    """Return trace(C) / 2 - C."""
    half = mul(0.5, add(add(C.xx, C.yy), C.zz))
    xy, xz, yz = sub(0.0, C.xy), sub(0.0, C.xz), sub(0.0, C.yz)
    return Symmetric(sub(half, C.xx), sub(half, C.yy), sub(half, C.zz), xy, xz, yz).matrix


def _reaction(link: Link, column: list[Scalar], weight: Scalar, B: Six) -> Six:
    """Return gamma G B* + Z control: the reaction through the joint where its frame has no acceleration."""
    d = link.drive
    hinge = sub(0.0, mul(weight, _entry(B, d)))
    six = [add(b, mul(c, hinge)) for b, c in zip((*B[0], *B[1]), column, strict=True)]
    six[d] = sub(link.control, mul(link.body.rotor, hinge))
    return Vector(*six[:3]), Vector(*six[3:])


def _arm(carrier: Link, link: Link) -> Vector:
    """Return P* of the carrier: from the frame before its joint to the frame before the carried link's joint."""
    return carrier.inward(Vector.of(link.body.pose.translation)) + carrier.motion.shift


def _carried(carrier: Link, P: Vector) -> Six:
    """Return P' sigma*: acceleration of the frame at P on the carrier due to velocities, (2.1.13.2), (2.2.6)."""
    return carrier.turning.U @ P + carrier.slide, carrier.turning.dw


def _entry(six: Six, d: int) -> Scalar:
    return (*six[0], *six[1])[d]
