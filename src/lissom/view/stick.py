"""Stick figures: a robot as lines between its joints and links, and the plane that shows most of its motion.

Up in a picture is against gravity; z without gravity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..model import Model
    from ..protocol import DrivenRobot

FLAT = 1e-6  # deviation from a plane, relative to the size of a motion, up to which it is planar
ALONG = 1 - 1e-9  # cosine from which a direction counts as an axis of the world
UP = np.array([0.0, 0.0, 1.0])
LONGEST, WIDEST = 32, 64  # characters of a name in a picture, and across the width of a panel


@dataclass(frozen=True, eq=False)
class Sticks:
    """Lines of a robot in K poses.

    Attributes:
        lines: points in the world (K, number of lines, 4, 3) [m]: parent's frame, joint, joint after its motion, child's frame;
            those of cut joints come last, from the first link to the second.
        tips: end of each branch (K, tips, 3): the center of mass of its last link, or that link's origin if it is further out.
        ends: origin of each last link (K, tips, 3).
    """

    lines: np.ndarray
    tips: np.ndarray
    ends: np.ndarray

    @property
    def points(self) -> np.ndarray:
        """All points (number, 3)."""
        return np.concatenate([self.lines.reshape(-1, 3), self.tips.reshape(-1, 3), self.ends.reshape(-1, 3)])


def sticks(robot: DrivenRobot, q: np.ndarray) -> Sticks:
    """Return the stick figure of a robot at coordinates q (K, nq), one pose per row."""
    model = robot.model
    place = {link.name: k for k, link in enumerate(model.links)}
    poses = robot.poses_along(q)
    at, turn = poses[..., :3, 3], poses[..., :3, :3]
    lines = np.empty((len(q), len(model.joints) + len(model.loops), 4, 3))
    for k, joint in enumerate(model.joints):
        parent, child = place[joint.parent], place[joint.child]
        # the child's frame is at the tail of the moved joint: go back by the tail
        back = -np.array(joint.tail.rotation).T @ np.array(joint.tail.translation)
        lines[:, k, 0] = at[:, parent]
        lines[:, k, 1] = at[:, parent] + turn[:, parent] @ np.array(joint.origin.translation)
        lines[:, k, 2] = at[:, child] + turn[:, child] @ back
        lines[:, k, 3] = at[:, child]
    for k, loop in enumerate(model.loops, len(model.joints)):
        first, second = place[loop.first], place[loop.second]
        lines[:, k, 0] = at[:, first]
        lines[:, k, 1] = at[:, first] + turn[:, first] @ loop.first_pose.p
        lines[:, k, 2] = at[:, second] + turn[:, second] @ loop.second_pose.p
        lines[:, k, 3] = at[:, second]
    parents = {joint.parent for joint in model.joints} | {link for loop in model.loops for link in (loop.first, loop.second)}
    last = [place[link.name] for link in model.links if link.name not in parents]
    inertias = [model.links[k].inertia for k in last]
    coms = [np.zeros(3) if inertia is None else np.array(inertia.com) for inertia in inertias]
    ends = at[:, last]
    tips = np.array(ends)
    for k, (link, com) in enumerate(zip(last, coms, strict=True)):
        tips[:, k] = at[:, link] + turn[:, link] @ com
    came = {place[joint.child]: k for k, joint in enumerate(model.joints)}
    for k, link in enumerate(last):
        # a frame at the tip has its center of mass behind it, toward the joint
        if link in came:
            joint_at = lines[:1, came[link], 2]
            if np.linalg.norm(tips[0, k] - joint_at) < np.linalg.norm(ends[0, k] - joint_at):
                tips[:, k] = ends[:, k]
    return Sticks(lines, tips, ends)


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane in which a motion is drawn, or the whole space.

    Attributes:
        axes: two directions in the world (2, 3), right and up in the picture; three for space, the last one up.
        labels: labels of the axes.
        flat: whether all points lie in a parallel plane.
    """

    axes: np.ndarray
    labels: tuple[str, ...]
    flat: bool

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return points (..., 3) as (..., 2) [m], in space as (..., 3)."""
        return points @ self.axes.T


def up_of(model: Model) -> np.ndarray:
    """Return the direction against gravity (3,), z without gravity."""
    g = np.array(model.gravity)
    size = float(np.linalg.norm(g))
    return np.array([0.0, 0.0, 1.0]) if size == 0.0 else -g / size


def space(up: np.ndarray) -> Plane:
    """Return space with its third axis up, the first along x if possible."""
    right = _square(np.eye(3)[0], up) if abs(up[0]) < 0.99 else _square(np.eye(3)[1], up)
    axes = np.stack([right, np.cross(up, right), up])
    return Plane(axes, tuple(_direction(axis) for axis in axes), False)


def best_plane(points: np.ndarray, up: np.ndarray = UP) -> Plane:
    """Return the plane in which points (N, 3) spread most, along the world's axes if possible, with `up` upward."""
    middle = points - points.mean(axis=0)
    _, spread, directions = np.linalg.svd(middle.T @ middle)  # largest first
    widths = np.sqrt(spread)
    flat = bool(widths[2] <= FLAT * max(widths[0], 1e-300))
    normal = directions[2]
    if widths[1] <= FLAT * max(widths[0], 1e-300):  # all on a line: any plane through it; the line decides
        normal = _across(directions[0])
    k = int(np.argmax(np.abs(normal)))
    if abs(normal[k]) > ALONG:
        normal = np.eye(3)[k]
    if np.linalg.norm(up - normal * (normal @ up)) < 1e-3:  # seen from above: the last axis that lies in the plane
        up = next(axis for axis in np.eye(3)[::-1] if abs(normal @ axis) < 0.9)
    up = _square(up, normal)
    right = np.cross(up, normal)
    right = right if right[int(np.argmax(np.abs(right)))] > 0 else -right
    return Plane(np.stack([right, up]), (_direction(right), _direction(up)), flat)


def shown(name: str, longest: int = LONGEST) -> str:
    """Return a name that is safe in a picture: printable, on one line, and not too long."""
    clean = "".join(c if c.isprintable() else "?" for c in name)
    return clean if len(clean) <= longest else clean[: longest - 3] + "..."


def _square(vector: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return the unit vector of the part of a vector normal to a direction."""
    square = vector - direction * (vector @ direction)
    return np.asarray(square / np.linalg.norm(square))


def _across(direction: np.ndarray) -> np.ndarray:
    """Return the world axis that is closest to normal to a direction, made normal to it."""
    return _square(np.eye(3)[int(np.argmin(np.abs(direction)))], direction)


def _direction(vector: np.ndarray) -> str:
    k = int(np.argmax(np.abs(vector)))
    if abs(vector[k]) > ALONG:
        return f"{'-' if vector[k] < 0 else ''}{'xyz'[k]} [m]"
    return f"along ({', '.join(f'{x:.2f}' for x in vector.round(2) + 0.0)}) [m]"
