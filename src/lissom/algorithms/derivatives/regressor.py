"""Regressor: the matrix Y(q, qd, qdd) with tau = Y pi, since joint torques are linear in masses, moments and drives.

pi has ten parameters for every link of the model, in the link's own frame and about its origin, in Pinocchio's order:
    mass  mx my mz (mass times center of mass)  Ixx Ixy Iyy Ixz Iyz Izz
then for every single-axis joint its rotor inertia, viscous and Coulomb friction (Khalil 2010, eq. (31), last terms), for every
rotor that spins its inertia about the axis, viscous and Coulomb friction, and for every spring the stiffness K, the preload
K rest, which is the force of the spring at q = 0, and the damping: K (q - rest) is linear in both. Of a link that carries motors
the ten are those of the unified body, all but the spin (Hua 2024, section II).

A unit of one parameter alone needs a wrench (f, m), which follows from the link's motion (Khalil 2010, (22)-(23)):
    mass  (a, 0)      mx  (U x, x cross a)      Ixx  (0, J dw + w cross J w) with J the unit; so for the others
A joint feels it as the work per unit of its velocity. Instead of carrying ten wrenches of every link inward, the joints'
directions are carried outward (`body_motion.py`), two vectors each. Cost O(n d), d the depth of the tree.

Symbols of a link, in its axes, at its origin: a acceleration less gravity; w, dw angular velocity and acceleration; U of Turning.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.labels import section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sign, sub
from ...spatial.turning import Turning
from ...spatial.twist import UPRIGHT, Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Body, Tree, lump
from ..dynamics.rnea import rnea
from ..force_elements import refuse_elements
from ..loads import Situation, laid_out_task
from .body_motion import Reached, movers, reach

INERTIAL = ("mass", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
DRIVE = ("rotor_inertia", "viscous", "coulomb")
SPRING = ("stiffness", "preload", "damping")


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


def regressor(s: Situation, links: Sequence[str], drives: bool) -> list[Scalar]:
    """Return the structurally non-zero entries of Y, in the order of `entries`."""
    found: list[Scalar] = []
    at = reach(s.tree, s["q"], rnea(s.tree, s["q"], s["qd"], s["qdd"], base=s.base), s.base)
    for link in links:
        index, pose = s.tree.places[link]
        if index == BASE:
            continue  # what is fixed to the base never moves
        section("what unit parameters of the link need, as work per velocity", index, link, "Khalil 2010 (22)-(23)")
        to_link, p = Matrix.of(pose.R.T), Vector.of(pose.translation)
        needed = _needed(at[index], to_link, p)
        for _, (linear, angular) in sorted(at[index].columns.items()):
            v, w = to_link @ (linear + angular.cross(p)), to_link @ angular
            found += [add(v.dot(f), w.dot(m)) for f, m in needed]
    if drives:
        section("drives and springs", equations="Khalil 2010 (31)")
        for j, body in _driven(s.tree):
            found += [*_spin(at[j], body, s["qdd"][body.iv]), *_friction(body, s["qd"][body.iv])]
        for spring in s.tree.springs:
            parts = spring.unloaded(s["q"]), -1.0, spring.rate(s["qd"])
            found += [mul(share, part) for _, _, share in spring.shares for part in parts]
    return found


def entries(model: Model, drives: bool = True) -> list[tuple[int, int]]:
    """Return (row, column) of the structurally non-zero entries of Y, link by link; robots with branches have many zeros."""
    tree = lump(model)
    moved = movers(tree)
    found: list[tuple[int, int]] = []
    for k, link in enumerate(model.links):
        index = tree.places[link.name][0]
        rows = () if index == BASE else sorted(moved[index])
        found += [(row, len(INERTIAL) * k + i) for row in rows for i in range(len(INERTIAL))]
    start = len(INERTIAL) * len(model.links)
    for j, body in _driven(tree) if drives else ():
        felt = sorted(moved[j]) if _is_free(body) else [body.iv]
        found += [*((row, start) for row in felt), (body.iv, start + 1), (body.iv, start + 2)]
        start += len(DRIVE)
    for spring in tree.springs if drives else ():
        found += [(iv, start + k) for _, iv, _ in spring.shares for k in range(len(SPRING))]
        start += len(SPRING)
    return found


def _driven(tree: Tree) -> list[tuple[int, Body]]:
    return [(j, tree.bodies[j]) for j in tree.driven]


def _is_free(body: Body) -> bool:
    """Return whether the spin of a rotor affects the links that carry it."""
    return body.spins and not body.reflected


def _needed(body: Reached, to_link: Matrix, p: Vector) -> list[Twist]:
    turning = Turning(to_link @ body.turning.w, to_link @ body.turning.dw)
    return unit_wrenches(to_link @ (body.a + body.turning.U @ p), turning)


def _friction(body: Body, qd: Scalar) -> list[Scalar]:
    """Return the torques for units of viscous and Coulomb friction; see `drive_force`."""
    return [mul(body.ratio**2, qd), mul(body.ratio, sign(mul(body.ratio, qd)))]


def _spin(here: Reached, body: Body, qdd: Scalar) -> list[Scalar]:
    """Return the torques for a unit of rotor inertia, along the velocities that it has an effect on."""
    if not _is_free(body):
        return [mul(body.ratio**2, qdd)]
    moment = unit_wrenches(ZERO, here.turning)[-1][1]
    return [angular.dot(moment) for _, (_, angular) in sorted(here.columns.items())]


def inverse_dynamics_regressor(model: Model, base_motion: bool = False, drives: bool = True) -> Task:
    """Y(q, qd, qdd): its entries, in the order of `entries`."""
    if drives:
        refuse_elements(model, "inverse_dynamics_regressor with drives=True (drives=False leaves out friction and springs)")
    links = [link.name for link in model.links]
    return laid_out_task(
        "inverse_dynamics_regressor" + ("" if drives else "[no drives]"),
        model,
        {"q": model.nq, "qd": model.nv, "qdd": model.nv},
        Port("Y", len(entries(model, drives))),
        lambda s: regressor(s, links, drives),
        base_motion=base_motion,
    )
