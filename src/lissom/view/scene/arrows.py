"""Arrows: joint torques, external wrenches and joint reactions along a motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...model import Joint
from .scene import Color
from .stage import Stage

TORQUE: Color = (0.75, 0.15, 0.45, 1.0)
LOAD: Color = (0.85, 0.3, 0.1, 1.0)
REACTION: Color = (0.1, 0.45, 0.6, 1.0)
GROUND: Color = (0.2, 0.55, 0.25, 1.0)


class Force(NamedTuple):
    """A force along a motion.

    Attributes:
        name: shown on hover.
        at: (K, 3) where it acts, in the world [m].
        vector: (K, 3) along the world's axes [N].
    """

    name: str
    at: np.ndarray
    vector: np.ndarray


def draw_torques(stage: Stage, names: tuple[str, ...], tau: np.ndarray) -> None:
    """Draw what drives act with, along the axes of their joints: tau (K, n), its columns named as `robot.torque_names`.

    Joints without an axis of their own (planar, floating, custom) are left out.
    """
    column = {name: tau[:, k] for k, name in enumerate(names)}
    drives = {motor.name: motor.joint for motor in stage.model.motors}
    joints = {joint.name: joint for joint in stage.model.joints}
    for name, values in column.items():
        joint = joints.get(drives.get(name, name))
        if joint is not None and joint.kind.nv == 1 and joint.kind.traits.axes(joint):
            at, turn = joint_frames(stage, joint)
            unit = "N" if joint.unit == "m" else "N m"
            stage.arrow(name, "torques", TORQUE, unit, at, values[:, None] * (turn @ np.array(joint.axis)))
    for joint in stage.model.joints:
        kind, axes = joint.kind.traits, joint.kind.traits.axes(joint)
        own = [joint.name + suffix for suffix in kind.velocities]
        if joint.kind.nv == 1 or not column.keys() >= set(own):
            continue
        at, turn = joint_frames(stage, joint)
        if kind.ball:
            vector = np.einsum("kij,jk->ki", turn, np.array([column[name] for name in own]))
            stage.arrow(joint.name, "torques", TORQUE, "N m", at, vector)
        elif len(axes) == joint.kind.nv:
            before = stage.pose(joint.parent)[:, :3, :3] @ joint.origin.R
            for name, axis, unit in zip(own, axes, kind.rate_units_of(joint), strict=True):
                direction = (turn if axis.moved else before) @ np.array(axis.direction)
                stage.arrow(name, "torques", TORQUE, "N" if unit == "m" else "N m", at, column[name][:, None] * direction)


def draw_wrenches(stage: Stage, external: Mapping[str, Any] | None) -> None:
    """Draw external wrenches on links, {link: Wrench}: constant ones, or with an axis of K."""
    for link, wrench in (external or {}).items():
        pose = stage.pose(link)
        at = np.einsum("kij,kj->ki", pose[:, :3, :3], _rows(wrench.point, len(pose))) + pose[:, :3, 3]
        for kind, unit, given in (("force", "N", wrench.force), ("moment", "N m", wrench.moment)):
            vector = _rows(given, len(pose))
            if wrench.axes == "link":
                vector = np.einsum("kij,kj->ki", pose[:, :3, :3], vector)
            if vector.any():
                stage.arrow(f"{kind} on {link}", "wrenches", LOAD, unit, at, vector)


def draw_ground_forces(stage: Stage, forces: Iterable[Force]) -> None:
    """Draw forces of the ground on a robot."""
    for force in forces:
        at, vector = _rows(force.at, len(stage.times)), _rows(force.vector, len(stage.times))
        stage.arrow(force.name, "ground_forces", GROUND, "N", _waiting(at, vector, stage.times), vector)


def draw_reactions(stage: Stage, names: tuple[str, ...], wrenches: np.ndarray) -> None:
    """Draw force and moment through joints, on their children: (K, n, 6) along the world's axes, named as `wrench_names`."""
    joints = {joint.name: joint for joint in stage.model.joints}
    loops = {loop.name: loop for loop in stage.model.loops}
    for k, name in enumerate(names):
        if name in joints:
            at, _ = joint_frames(stage, joints[name])
        else:
            pose, point = stage.pose(loops[name].second), loops[name].second_pose.p
            at = pose[:, :3, :3] @ point + pose[:, :3, 3]
        for kind, unit, columns in (("force", "N", slice(0, 3)), ("moment", "N m", slice(3, 6))):
            stage.arrow(f"{kind} through {name}", "reactions", REACTION, unit, at, wrenches[:, k, columns])


def joint_frames(stage: Stage, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """Return origins (K, 3) and axes (K, 3, 3) of a joint's frame, after its motion, in the world."""
    pose, back = stage.pose(joint.child), joint.tail.inverse()
    return pose[:, :3, :3] @ back.p + pose[:, :3, 3], pose[:, :3, :3] @ back.R


def _waiting(at: np.ndarray, vector: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return where forces act; one that is zero waits where it acts at the nearest time at which it is not.

    Pictures between two frames are interpolated: a foot that bears and then hangs would take its arrow along.
    """
    acts = np.flatnonzero(vector.any(axis=1))
    if not len(acts):
        return at
    after = np.clip(np.searchsorted(times[acts], times), 1, max(len(acts) - 1, 1))
    first, second = acts[after - 1], acts[np.minimum(after, len(acts) - 1)]
    return at[np.where(times - times[first] <= times[second] - times, first, second)]


def _rows(value: Any, count: int) -> np.ndarray:
    return np.broadcast_to(np.asarray(value, dtype=float), (count, 3))
