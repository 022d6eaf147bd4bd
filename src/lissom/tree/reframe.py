"""Reframe: rotate and shift the frames of bodies about their joint axes so that the steps between them have many zeros.

The frame of a revolute body may be rotated about its axis (the joint's angle then has a `zero`), and its origin shifted along
it. As in Khalil and Kleinfinger's frames (Khalil 2010, section 2.1) x is along the common normal with a child's axis, so that a
general rotation becomes Rx(alpha) Rz(theta). The origin is where the axis is closest to the parent's, so that a step is (d, 0, r)
in the parent's axes. Near-parallel axes have their common normal far away, which would lose digits: there only one coordinate of
the origin becomes zero.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..model.joint import SINGLE_DOF, TURNING
from ..model.pose import Pose, frame_with_z, rotation_about, tidy
from .tree import BASE, Body, Tree

NEAR_PARALLEL = 0.1  # sine of the angle between two axes below which their common normal is not used
EPS = 1e-14


def reframe(tree: Tree) -> Tree:
    """Return the same mechanism with cheaper frames; joint torques are unchanged, `joint_pose` and `places` follow."""
    bodies = list(tree.bodies)
    moves: dict[int, Pose] = {}  # the new frame of a body in its old one
    for j, body in enumerate(bodies):
        if body.parent in moves:
            body = dataclasses.replace(body, pose=moves[body.parent].inverse() @ body.pose)
        if body.spins:
            # a needle has only its axis
            body = dataclasses.replace(body, pose=Pose(frame_with_z(body.pose.R[:, 2])))
        elif body.kind in TURNING:
            slide = _slide(body.pose, body.parent != BASE and bodies[body.parent].kind in SINGLE_DOF)
            step, rest = _split(body.pose.R)
            angle = _best_angle(body, rest, [bodies[k] for k in tree.children(j) if not bodies[k].spins], slide)
            moves[j] = Pose(_turn(angle), (0.0, 0.0, slide))
            body = _moved(body, moves[j], step, rest + angle)
        bodies[j] = body
    places = {link: (k, moves[k].inverse() @ pose if k in moves else pose) for link, (k, pose) in tree.places.items()}
    return dataclasses.replace(tree, bodies=tuple(bodies), places=places)


def _turn(angle: float) -> np.ndarray:
    return rotation_about((0, 0, 1), angle)


def _slide(pose: Pose, parent_has_axis: bool) -> float:
    """Return the shift of the origin of a frame at `pose` along its own z."""
    z, p = pose.R[:, 2], pose.p
    sine2 = z[0] ** 2 + z[1] ** 2
    if parent_has_axis and sine2 > NEAR_PARALLEL**2:
        slide = -(p[0] * z[0] + p[1] * z[1]) / sine2  # foot of the common normal with the parent's z
    else:
        k = int(np.argmax(np.abs(z)))
        slide = -p[k] / z[k]
    return 0.0 if abs(slide) < EPS else float(slide)


def _split(R: np.ndarray) -> tuple[np.ndarray, float]:
    """Split R = step . Rz(rest), the step being cheap: quarter turns, or Rx(alpha) after at most one more turn about z."""
    z = R[:, 2]
    k = int(np.argmax(np.abs(z)))
    if max(abs(z[k - 1]), abs(z[k - 2])) < EPS:  # not 1 - |z_k|, which is quadratic in the angle
        x = np.eye(3)[(k + 1) % 3]
        z = np.sign(z[k]) * np.eye(3)[k]
    else:
        x = np.cross((0.0, 0.0, 1.0), z)
        x /= np.linalg.norm(x)
    step = tidy(np.column_stack([x, np.cross(z, x), z]))
    turn = step.T @ R
    return step, _exact_angle(math.atan2(turn[1, 0], turn[0, 0]))


def _exact_angle(angle: float) -> float:
    """Round an angle to quarter turns where it is one."""
    quarters = angle / (math.pi / 2)
    return round(quarters) * (math.pi / 2) if abs(quarters - round(quarters)) < EPS else angle


def _moved(body: Body, move: Pose, step: np.ndarray, zero: float) -> Body:
    """Return `body` in the frame `move`, stepping from its parent by the rotation `step`."""
    R, c = move.R, move.p
    cross = np.outer(c, body.ms) + np.outer(body.ms, c)
    steiner = body.mass * (c @ c * np.eye(3) - np.outer(c, c)) - (2 * (c @ body.ms) * np.eye(3) - cross)
    translation = body.pose.p + body.pose.R @ c
    translation[np.abs(translation) < EPS] = 0.0
    return dataclasses.replace(
        body,
        pose=Pose(step, tuple(translation)),
        zero=_exact_angle(zero),
        ms=R.T @ (body.ms - body.mass * c),
        J=R.T @ (body.J + steiner) @ R,
        joint_pose=move.inverse() @ body.joint_pose,
    )


def _best_angle(body: Body, rest: float, children: list[Body], slide: float) -> float:
    """Return the rotation of a body's frame about z that leaves the fewest products."""
    candidates = [-rest, 0.0]
    for child in children:
        z, p = child.pose.R[:, 2], child.pose.p
        if math.hypot(z[0], z[1]) > EPS:
            candidates.append(_exact_angle(math.atan2(z[1], z[0]) + math.pi / 2))  # x normal to both axes
        if math.hypot(p[0], p[1]) > EPS:
            candidates.append(_exact_angle(math.atan2(p[1], p[0])))  # x toward the child
    if not children:
        candidates.append(_exact_angle(math.atan2(body.ms[1], body.ms[0])))
        candidates.append(_exact_angle(0.5 * math.atan2(2 * body.J[0, 1], body.J[0, 0] - body.J[1, 1])))
    return min(candidates, key=lambda angle: _cost(body, rest, children, angle, slide))


def _cost(body: Body, rest: float, children: list[Body], angle: float, slide: float) -> float:
    """Estimate the operations left by a rotation of the frame: rotations count five times, two of them backward."""
    turn = _turn(angle)
    zero = (rest + angle) / (math.pi / 2)
    total = 0.0 if abs(zero - round(zero)) < EPS else 1.0
    for child in children:
        R, p = turn.T @ child.pose.R, turn.T @ (child.pose.p - np.array([0.0, 0.0, slide]))
        if child.kind in TURNING:
            pose = Pose(tidy(R), tuple(p))
            p = p + R[:, 2] * _slide(pose, True)
            R, _ = _split(R)
        total += 5 * sum(EPS < abs(x) < 1 - EPS for x in R.flat) + 5 * sum(abs(x) > EPS for x in p)
    ms, J = turn.T @ body.ms, turn.T @ body.J @ turn
    total += 4 * sum(abs(x) > EPS for x in ms[:2])
    total += 2 * sum(abs(x) > EPS for x in (J[0, 1], J[0, 2], J[1, 2]))
    return total
