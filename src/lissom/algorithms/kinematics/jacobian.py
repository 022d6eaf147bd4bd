"""Jacobian: what each velocity of a robot contributes to the motion of a link, and the part of an acceleration that qdd does not.

V = J(q) qd for the velocity V of a link or point in a frame of `kinematics`; A = J qdd + J-dot qd for its rate. A column is the
unit motion of one joint direction, carried to the reference point (Whitney 1972; Featherstone 2008, section 2.11): with the
joint's axis z and origin p_j, seen from the observer of the frame, and the reference point r
    turning  (z x (r - p_j), z)         sliding  (z, 0)
Joints off the way from the base to the link have no part in it. Cost O(d), d the depth of the link.

J-dot qd needs no J-dot: it is the acceleration at qdd = 0. The rate of J qd is meant, component by component: for "world_aligned"
the classical acceleration (a point's velocity differentiated), for "link" and "world" the spatial one (the components along the
link's axes differentiated; the velocity at a place of space differentiated).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import Tree
from ..loads import Situation, chain, laid_out_task
from ..step import Step, own_motion
from .kinematics import Frame, frames_in_world, key_of, link_acceleration_text, link_frame, state_of


def jacobian_text(s: Situation, link: str, frame: str) -> list[list[Scalar]]:
    """Return J (6, nv) of a link's point in a frame."""
    tree, path = s.tree, chain(s.tree, s.tree.places[link][0])
    point = Vector(*s.values["point"]) if "point" in s.values else ZERO
    if frame == "link":
        seen, reference = frames_in_link(tree, s["q"], link), point
    else:
        seen = frames_in_world(tree, s["q"], path)
        own = link_frame(tree, seen, link)
        reference = ZERO if frame == "world" else own.p + own.R @ point
    J: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(6)]
    for j in path:
        body = tree.bodies[j]
        for k, S in enumerate(body.directions):
            for row, part in zip(J, (x for v in motion_at(seen[j], S, reference) for x in v), strict=True):
                # coupled joints add to the column of their leader
                row[body.iv + k] = add(row[body.iv + k], mul(body.ratio, part))
    return J


def frames_in_link(tree: Tree, q: Sequence[Scalar], link: str) -> dict[int, Frame]:
    """Return the frames of the bodies that carry a link, seen from it: its own body first, then inwards."""
    still = [0.0] * tree.nv
    body, pose = tree.places[link]
    inverse = pose.inverse()
    R, p = Matrix.of(inverse.rotation), Vector.of(inverse.translation)
    frames: dict[int, Frame] = {}
    for j in reversed(chain(tree, body)):
        frames[j] = Frame(R, p)
        step = Step(tree.bodies[j], own_motion(tree.bodies[j], q, still, still))
        # a row of R is an axis of the link, seen from the body
        R = Matrix(step.to_parent(row) for row in R.rows)
        p = p - R @ step.P
    return frames


def motion_at(frame: Frame, S: Twist, reference: Vector) -> Twist:
    """Return the motion at `reference` of a body that moves with S, given in its own frame."""
    linear, angular = frame.R @ S[0], frame.R @ S[1]
    return linear + angular.cross(reference - frame.p), angular


def jacobian(model: Model, link: str, frame: str, point: bool = False) -> Task:
    """J(q) of a link (6, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in jacobian_text(s, link, frame) for x in row]

    return laid_out_task(key_of("jacobian", link, frame, point), model, state_of(model, "", point), Port("J", 6 * model.nv), text)


def jacobian_rate_product(model: Model, link: str, frame: str, point: bool = False) -> Task:
    """J-dot(q, qd) qd of a link (6)."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in link_acceleration_text(s, link, frame, classical=frame == "world_aligned") for x in part]

    key = key_of("jacobian_rate_product", link, frame, point)
    return laid_out_task(key, model, state_of(model, "qd", point), Port("rate", 6), text)
