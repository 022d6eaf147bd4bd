"""Jacobian: contributions of velocities to the motion of a link, and the part of its acceleration that does not depend on qdd.

V = J(q) qd for the velocity V of a link, along axes and at a point of `kinematics`; A = J qdd + J-dot qd for its rate. A column
is the unit motion of one joint direction, carried to the reference point (Whitney 1972; Featherstone 2008, section 2.11): with
the joint's axis z, its origin p_j and the reference point r, all along the chosen axes
    rotation  (z x (r - p_j), z)         translation  (z, 0)
Joints that are not between the base and the link have zero columns. Cost O(d), d the depth of the link.

J-dot qd needs no J-dot: it is the acceleration at qdd = 0. It is the rate of J qd, component by component. Along the world's
axes it is the classical acceleration of a point of the link (its velocity differentiated), but the spatial one at the world's
origin (the rate of the velocity at a fixed point in space). Components along the link's axes differ by w x v, since the axes
turn: the spatial acceleration of a point, and one more w x v less at the world's origin.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Tree
from ..loads import Situation, chain, laid_out_task
from ..step import Step, own_motion, share_of
from .kinematics import (
    ORIGIN,
    Frame,
    frames_in_world,
    key_of,
    link_acceleration_text,
    link_frame,
    link_velocity_text,
    state_of,
)


def jacobian_text(s: Situation, link: str, axes: str, at_origin: bool = False) -> list[list[Scalar]]:
    """Return J (6, nv) of a point of a link along axes."""
    tree, path = s.tree, chain(s.tree, s.tree.places[link][0])
    point = Vector(*s.values["point"]) if "point" in s.values else ZERO
    if axes == "link":
        seen = frames_in_link(tree, s["q"], link)
        reference = seen[BASE].p if at_origin else point
    else:
        seen = frames_in_world(tree, s["q"], path)
        own = link_frame(tree, seen, link)
        reference = ZERO if at_origin else own.p + own.R @ point
    J: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(6)]
    legend(J="motion of the link for a unit velocity of the joint, linear and angular")
    section("columns of the Jacobian")
    for j in path:
        body, share = tree.bodies[j], share_of(tree.bodies[j], s["q"])
        for k, S in enumerate(body.directions):
            column = motion_at(seen[j], S, reference)
            label("J", body.iv + k, column)
            for row, part in zip(J, (x for v in column for x in v), strict=True):
                # coupled joints add to the column of their leader
                row[body.iv + k] = add(row[body.iv + k], mul(share, part))
    return J


def frames_in_link(tree: Tree, q: Sequence[Scalar], link: str) -> dict[int, Frame]:
    """Return the frames of the bodies that carry a link, in its frame: its own body first, then inward to the base."""
    still = [0.0] * tree.nv
    body, pose = tree.places[link]
    inverse = pose.inverse()
    R, p = Matrix.of(inverse.rotation), Vector.of(inverse.translation)
    frames: dict[int, Frame] = {}
    legend(R="axes of the body in the frame of the link", p="origin of the body in the frame of the link")
    for j in reversed(chain(tree, body)):
        section("inward: axes and origin of the body in the frame of the link", j, tree.bodies[j].name)
        frames[j] = Frame(R, p)
        label("R", j, R)
        label("p", j, p)
        step = Step(tree.bodies[j], own_motion(tree.bodies[j], q, still, still))
        # a row of R is an axis of the link, seen from the body
        R = Matrix(step.to_parent(row) for row in R.rows)
        p = p - R @ step.P
    frames[BASE] = Frame(R, p)
    return frames


def motion_at(frame: Frame, S: Twist, reference: Vector) -> Twist:
    """Return the motion at `reference` of a body that moves with S, given in its own frame."""
    linear, angular = frame.R @ S[0], frame.R @ S[1]
    return linear + angular.cross(reference - frame.p), angular


def jacobian(model: Model, link: str, axes: str = "world", point: str = "link") -> Task:
    """J(q) of a link (6, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in jacobian_text(s, link, axes, point == ORIGIN) for x in row]

    return laid_out_task(key_of("jacobian", link, axes, point), model, state_of(model, "", point), Port("J", 6 * model.nv), text)


def jacobian_rate_product(model: Model, link: str, axes: str = "world", point: str = "link") -> Task:
    """J-dot(q, qd) qd of a link (6)."""

    def text(s: Situation) -> list[Scalar]:
        return rate_product_text(s, link, axes, point)

    key = key_of("jacobian_rate_product", link, axes, point)
    return laid_out_task(key, model, state_of(model, "qd", point), Port("rate", 6), text)


def rate_product_text(s: Situation, link: str, axes: str, point: str) -> list[Scalar]:
    """Return the rate of J qd (6), component by component; without accelerations it is J-dot qd."""
    at_origin = point == ORIGIN
    linear, angular = link_acceleration_text(s, link, axes, axes == "world" and not at_origin, at_origin)
    if at_origin and axes == "link":
        v, w = link_velocity_text(s, link, axes, at_origin)
        linear = linear - w.cross(v)
    return [*linear, *angular]
