"""Regressor: the matrix Y(q, qd, qdd) with tau = Y pi, since joint forces are linear in masses, moments and drives.

pi has ten parameters for every link of the model, in the link's own frame and about its origin, in Pinocchio's order:
    mass  mx my mz (mass times centre of mass)  Ixx Ixy Iyy Ixz Iyz Izz
then for every single-axis joint its rotor inertia, viscous and Coulomb friction (Khalil 2010, eq. (31), last terms).

A unit of one parameter alone needs a wrench (f, m), which follows from the link's motion (Khalil 2010, (22)-(23)):
    mass  (a, 0)      mx  (U x, x cross a)      Ixx  (0, J dw + w cross J w) with J the unit; so for the others
A joint feels it as the work per unit of its velocity. Instead of carrying ten wrenches of every link inwards, the joints'
directions are carried outwards (`carried.py`), two vectors each. Cost O(n d), d the depth of the tree.

Symbols of a link, in its axes, at its origin: a acceleration less gravity; w, dw angular velocity and acceleration; U of Turning.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..compiler.program import Port
from ..model.joint import SINGLE_DOF
from ..model.model import Model
from ..spatial.scalar import Scalar, add, mul, sign, sub
from ..spatial.turning import Turning
from ..spatial.vector import ZERO, Matrix, Vector
from ..tree import BASE, Body
from .carried import Carried, carry
from .kinematics import UPRIGHT, Twist
from .loads import Situation, laid_out_task
from .task import Task

INERTIAL = ("mass", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
DRIVE = ("rotor_inertia", "viscous", "coulomb")


def unit_wrenches(a: Vector, turning: Turning) -> list[Twist]:
    """Return force and moment that a unit of each inertial parameter needs, in the link's axes, about its origin."""
    w, dw, (xx, yy, zz) = turning.w, turning.dw, turning.squares
    (_, b, c), (d, _, f), (g, h, _) = turning.U.rows
    xy, xz, yz = mul(w.x, w.y), mul(w.x, w.z), mul(w.y, w.z)
    first = [(column, axis.cross(a)) for column, axis in zip(turning.U.T.rows, UPRIGHT.rows, strict=True)]
    moments = (
        Vector(dw.x, xz, sub(0.0, xy)),
        Vector(sub(0.0, g), h, sub(xx, yy)),
        Vector(sub(0.0, yz), dw.y, xy),
        Vector(d, sub(zz, xx), sub(0.0, f)),
        Vector(sub(yy, zz), sub(0.0, b), c),
        Vector(yz, sub(0.0, xz), dw.z),
    )
    return [(a, ZERO), *first, *((ZERO, m) for m in moments)]


def regressor_text(s: Situation, links: Sequence[str], drives: bool) -> list[list[Scalar]]:
    """Return Y, row by row."""
    tree = s.tree
    driven = [body for body in tree.bodies if body.kind in SINGLE_DOF] if drives else []
    width = len(INERTIAL) * len(links) + len(DRIVE) * len(driven)
    Y: list[list[Scalar]] = [[0.0] * width for _ in range(tree.nv)]
    _, at = carry(tree, s["q"], s["qd"], s["qdd"], s.base)
    for k, link in enumerate(links):
        index, pose = tree.places[link]
        if index == BASE:
            continue  # what is fixed to the base never moves
        to_link, p = Matrix.of(pose.R.T), Vector.of(pose.translation)
        needed = _needed(at[index], to_link, p)
        for row, (linear, angular) in at[index].columns.items():
            v, w = to_link @ (linear + angular.cross(p)), to_link @ angular
            Y[row][10 * k : 10 * k + 10] = [add(v.dot(f), w.dot(m)) for f, m in needed]
    for k, body in enumerate(driven):
        start = 10 * len(links) + len(DRIVE) * k
        Y[body.iv][start : start + len(DRIVE)] = _drive(body, s["qd"][body.iv], s["qdd"][body.iv])
    return Y


def _needed(body: Carried, to_link: Matrix, p: Vector) -> list[Twist]:
    turning = Turning(to_link @ body.turning.w, to_link @ body.turning.dw)
    return unit_wrenches(to_link @ (body.a + body.turning.U @ p), turning)


def _drive(body: Body, qd: Scalar, qdd: Scalar) -> list[Scalar]:
    """Return what units of rotor inertia, viscous and Coulomb friction need; see `drive_force`."""
    ratio = body.ratio
    return [mul(ratio * ratio, qdd), mul(ratio * ratio, qd), mul(ratio, sign(mul(ratio, qd)))]


def inverse_dynamics_regressor(model: Model, base_motion: bool = False, drives: bool = True) -> Task:
    """Y(q, qd, qdd), row by row."""
    links = [link.name for link in model.links]
    driven = sum(joint.kind in SINGLE_DOF for joint in model.joints) if drives else 0
    width = len(INERTIAL) * len(links) + len(DRIVE) * driven
    return laid_out_task(
        "inverse_dynamics_regressor" + ("" if drives else "[no drives]"),
        model,
        {"q": model.nq, "qd": model.nv, "qdd": model.nv},
        Port("Y", model.nv * width),
        lambda s: [x for row in regressor_text(s, links, drives) for x in row],
        base_motion=base_motion,
    )
