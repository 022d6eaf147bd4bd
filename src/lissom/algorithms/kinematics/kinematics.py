"""Kinematics: where links are, and how they move. Poses, spatial velocities and accelerations, cost O(n).

Khalil 2010, (18)-(21), body coordinates; Featherstone 2008, section 2.11, for the two meanings of an acceleration.
Symbols of a body, in its axes, at the origin O of its frame:
    v, w      velocity of O, angular velocity                    R, p   axes (columns) and origin in the world's frame
    a, dw     acceleration of O, angular acceleration            P      O_j in the axes of the body before, `Step`
A motion (linear, angular) is reported along `axes`, those of the "world" or of the "link", and at a point fixed in the link:
    "link"    the origin of its frame
    "given"   an input of three numbers, in the link's frame
    "origin"  the one that is at the world's origin at this instant
The classical acceleration of a point is the rate of its velocity. The spatial one is the rate of the velocity at a fixed
point in space, and transforms as velocities do; they differ by w x v:   classical = spatial + (w x v, 0).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar
from ...spatial.turning import Turning
from ...spatial.twist import UPRIGHT, Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE, Tree
from ..loads import Situation, chain, laid_out_task
from ..step import Step, own_motion

AXES = ("world", "link")
VELOCITY = "velocity of the origin"
ORIGIN = "origin"


@dataclass(frozen=True)
class Frame:
    """Axes (columns of R) and origin p of a body or link, in the frame of an observer."""

    R: Matrix
    p: Vector


@dataclass(frozen=True)
class Motion:
    """Motion of a body at its origin, in its axes; `steps` lead from the base to it."""

    v: Vector
    turning: Turning
    a: Vector
    steps: tuple[Step, ...]


def frames_in_world(tree: Tree, q: Sequence[Scalar], bodies: Iterable[int]) -> dict[int, Frame]:
    """Return the frames of `bodies`, given from the base outward, and of the base."""
    still = [0.0] * tree.nv
    legend(R="axes of the body in the world", p="origin of the body in the world")
    frames = {BASE: Frame(UPRIGHT, ZERO)}
    for j in bodies:
        body = tree.bodies[j]
        section("outward: axes and origin of the body in the world", j, body.name)
        step, before = Step(body, own_motion(body, q, still, still)), frames[body.parent]
        # a row of R is an axis of the world, seen from the body
        frames[j] = Frame(Matrix(step.to_child(row) for row in before.R.rows), before.p + before.R @ step.P)
        label("R", j, frames[j].R)
        label("p", j, frames[j].p)
    return frames


def link_frame(tree: Tree, frames: dict[int, Frame], link: str) -> Frame:
    """Return the frame of a link, which is fixed in the frame of its body."""
    body, pose = tree.places[link]
    to_link = Matrix.of(pose.R.T)
    at = frames[body]
    return Frame(Matrix(to_link @ row for row in at.R.rows), at.p + at.R @ Vector.of(pose.translation))


def velocities(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[list[Step], list[Twist]]:
    """Return the steps between bodies, and each body's v, w."""
    still = [0.0] * tree.nv
    steps: list[Step] = []
    V: list[Twist] = []
    legend(v=VELOCITY, w="angular velocity")
    for j, body in enumerate(tree.bodies):
        section("outward: velocity of the body", j, body.name)
        motion = own_motion(body, q, qd, still)
        steps.append(Step(body, motion))
        v, w = steps[-1].acceleration_to_child(*((ZERO, ZERO) if body.parent == BASE else V[body.parent]))
        V.append((v + motion.v, w + motion.w))
        label("v", j, V[-1][0])
        label("w", j, V[-1][1])
    return steps, V


def body_motion(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], body: int) -> Motion:
    """Return the motion of one body; the base is at rest."""
    moving = Motion(ZERO, Turning(ZERO, ZERO), ZERO, ())
    legend(v=VELOCITY, w="angular velocity", dw="angular acceleration", a="acceleration of the origin")
    for j in chain(tree, body):
        section("outward: motion of the body", j, tree.bodies[j].name, "Khalil 2010 (18)-(21)")
        before, turning = moving, moving.turning
        motion = own_motion(tree.bodies[j], q, qd, qdd)
        step = Step(tree.bodies[j], motion)
        v, w_i = step.acceleration_to_child(before.v, turning.w)
        dw = step.to_child(turning.dw) + motion.dw + w_i.cross(motion.w)  # (20)
        a = step.to_child(before.a + turning.U @ step.P) + motion.a + (w_i * 2.0 + motion.w).cross(motion.v)  # (21)
        moving = Motion(v + motion.v, Turning(w_i + motion.w, dw), a, (*before.steps, step))
        for symbol, value in (("v", moving.v), ("w", moving.turning.w), ("dw", dw), ("a", a)):
            label(symbol, j, value)
    section("the link, along the chosen axes")
    return moving


def link_velocity_text(s: Situation, link: str, axes: str, at_origin: bool = False) -> Twist:
    """Return linear and angular velocity of a point of a link."""
    motion = body_motion(s.tree, s["q"], s["qd"], s["qdd"], s.tree.places[link][0])
    if at_origin and axes == "world":
        return _at_world_origin(motion.steps, motion.v, motion.turning.w)
    w, arm = motion.turning.w, _arm(s, link, motion.steps, at_origin)
    return _along_axes(s, link, axes, motion.steps, motion.v + w.cross(arm), w)


def link_acceleration_text(s: Situation, link: str, axes: str, classical: bool, at_origin: bool = False) -> Twist:
    """Return linear and angular acceleration of a point of a link."""
    motion = body_motion(s.tree, s["q"], s["qd"], s["qdd"], s.tree.places[link][0])
    v, w, dw = motion.v, motion.turning.w, motion.turning.dw
    if at_origin and axes == "world":
        linear, angular = _at_world_origin(motion.steps, motion.a - w.cross(v), dw)
        if classical:
            v, w = _at_world_origin(motion.steps, v, w)
            linear = linear + w.cross(v)
        return linear, angular
    arm = _arm(s, link, motion.steps, at_origin)
    linear = motion.a + motion.turning.U @ arm
    if not classical:
        linear = linear - w.cross(v + w.cross(arm))
    return _along_axes(s, link, axes, motion.steps, linear, dw)


def arm_of(s: Situation, link: str) -> Vector:
    """Return the chosen point of a link, from the origin of its body, in the body's axes."""
    pose = s.tree.places[link][1]
    origin = Vector.of(pose.translation)
    return origin + Matrix.of(pose.rotation) @ Vector(*s.values["point"]) if "point" in s.values else origin


def origin_of(steps: Iterable[Step]) -> Vector:
    """Return the origin of the body that steps lead to, from the world's, in the body's axes."""
    origin = ZERO
    for step in steps:
        origin = step.to_child(origin + step.P)
    return origin


def _arm(s: Situation, link: str, steps: Sequence[Step], at_origin: bool) -> Vector:
    return origin_of(steps) * -1.0 if at_origin else arm_of(s, link)


def _along_axes(s: Situation, link: str, axes: str, steps: Sequence[Step], linear: Vector, angular: Vector) -> Twist:
    if axes == "link":
        to_link = Matrix.of(s.tree.places[link][1].R.T)
        return to_link @ linear, to_link @ angular
    for step in reversed(steps):
        linear, angular = step.to_parent(linear), step.to_parent(angular)
    return linear, angular


def _at_world_origin(steps: Sequence[Step], linear: Vector, angular: Vector) -> Twist:
    for step in reversed(steps):
        angular = step.to_parent(angular)
        linear = step.to_parent(linear) + step.P.cross(angular)
    return linear, angular


def link_pose(model: Model, link: str) -> Task:
    """Pose of a link in the world (4, 4), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return _homogeneous(link_frame(s.tree, frames_in_world(s.tree, s["q"], chain(s.tree, s.tree.places[link][0])), link))

    return laid_out_task(f"link_pose[{link!r}]", model, {"q": model.nq}, Port("pose", 16), text)


def link_poses(model: Model) -> Task:
    """Poses of all links in the world (n_links, 4, 4)."""

    def text(s: Situation) -> list[Scalar]:
        frames = frames_in_world(s.tree, s["q"], range(len(s.tree.bodies)))
        return [x for link in model.links for x in _homogeneous(link_frame(s.tree, frames, link.name))]

    return laid_out_task("link_poses", model, {"q": model.nq}, Port("poses", 16 * len(model.links)), text)


def link_velocity(model: Model, link: str, axes: str = "world", point: str = "link") -> Task:
    """Linear and angular velocity (6)."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in link_velocity_text(s, link, axes, point == ORIGIN) for x in part]

    return laid_out_task(key_of("link_velocity", link, axes, point), model, state_of(model, "qd", point), Port("V", 6), text)


def link_acceleration(model: Model, link: str, axes: str = "world", point: str = "link", classical: bool = True) -> Task:
    """Linear and angular acceleration (6)."""

    def text(s: Situation) -> list[Scalar]:
        return [x for part in link_acceleration_text(s, link, axes, classical, point == ORIGIN) for x in part]

    name = "classical" if classical else "spatial"
    key = key_of(f"link_acceleration, {name}", link, axes, point)
    return laid_out_task(key, model, state_of(model, "qd qdd", point), Port("A", 6), text)


def key_of(name: str, link: str, axes: str, point: str) -> str:
    """Return the key of a task about a link, or a point of it, along axes."""
    return f"{name}[{link!r} along {axes} at {point}]"


def state_of(model: Model, velocities: str, point: str) -> dict[str, int]:
    """Return the inputs of a task by name and size: q, what `velocities` names, and the point where it is given."""
    return {"q": model.nq} | dict.fromkeys(velocities.split(), model.nv) | ({"point": 3} if point == "given" else {})


def _homogeneous(frame: Frame) -> list[Scalar]:
    rows = [(*row, origin) for row, origin in zip(frame.R.rows, frame.p, strict=True)]
    return [x for row in (*rows, (0.0, 0.0, 0.0, 1.0)) for x in row]
