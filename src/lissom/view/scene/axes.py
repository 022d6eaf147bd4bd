"""Joint axes: an arrow along each axis, with a ring where it turns, a block where it slides, a coil where it does both."""

from __future__ import annotations

import math

import numpy as np

from ...model import Joint, JointKind, Loop, LoopKind
from .forms import box, cone, ring
from .poses import along, matrix, placed
from .scene import Color, Lines, Triangles
from .stage import Stage

LENGTH = 0.14  # of an axis, in sizes of the robot
FEW = 8  # moving joints, from which on axes are shorter: a person has dozens, some of them in one place
TURN: Color = (0.13, 0.35, 0.78, 1.0)
SLIDE: Color = (0.1, 0.55, 0.3, 1.0)
FREE: Color = (0.55, 0.3, 0.65, 1.0)
CUT: Color = (0.82, 0.45, 0.1, 1.0)
Form = Triangles | Lines
COIL = 3.0  # turns that a helical joint's coil shows


def draw_axes(stage: Stage) -> None:
    """Draw the axes of all moving joints, and of loops in another color."""
    for joint in stage.model.joints:
        if joint.kind is not JointKind.FIXED:
            _joint(stage, joint)
    for loop in stage.model.loops:
        _loop(stage, loop)


def _joint(stage: Stage, joint: Joint) -> None:
    """Draw an axis on the parent where it stays there, on the child where it moves with it; all three where there is none."""
    axes, moved = joint.kind.traits.axes(joint), matrix(joint.tail.inverse())
    if not axes:
        for direction in np.eye(3):
            _arrow(stage, stage.body[joint.child], moved, direction, FREE, joint.name, head=False)
        stage.ball(stage.body[joint.child], moved[:3, 3], 0.18 * _length(stage), "axes", FREE, joint.name)
    for axis in axes:
        body, frame = (stage.body[joint.child], moved) if axis.moved else (stage.body[joint.parent], matrix(joint.origin))
        direction = np.array(axis.direction)
        color = FREE if axis.plane else TURN if axis.turns else SLIDE
        _arrow(stage, body, frame, direction, color, joint.name)
        if axis.turns:
            _on_axis(stage, body, frame, direction, ring(), color, joint.name, 0.35)
        if axis.slides:
            form, share = (_coil(-1.0 if axis.left_handed else 1.0), 1.0) if axis.turns else (box(), 0.3)
            _on_axis(stage, body, frame, direction, form, color, joint.name, share)
        if axis.plane:
            for across in along(direction, np.zeros(3))[:3, :2].T:
                _arrow(stage, body, frame, across, color, joint.name)


def _loop(stage: Stage, loop: Loop) -> None:
    first, frame = stage.body[loop.first], matrix(loop.first_pose)
    if loop.kind in (LoopKind.SPHERICAL, LoopKind.RIGID):
        stage.ball(first, frame[:3, 3], 0.18 * _length(stage), "axes", CUT, loop.name)
        return
    _arrow(stage, first, frame, np.array(loop.axis), CUT, loop.name)
    _on_axis(stage, first, frame, np.array(loop.axis), box() if loop.kind is LoopKind.PRISMATIC else ring(), CUT, loop.name, 0.3)
    if loop.kind is LoopKind.UNIVERSAL:
        _arrow(stage, stage.body[loop.second], matrix(loop.second_pose), np.array(loop.second_axis), CUT, loop.name)


def _arrow(stage: Stage, body: int, frame: np.ndarray, axis: np.ndarray, color: Color, name: str, head: bool = True) -> None:
    """Draw an axis through the origin of a frame, two thirds of it on the positive side."""
    length = _length(stage)
    direction = frame[:3, :3] @ axis
    start, end = frame[:3, 3] - direction * length / 3, frame[:3, 3] + direction * length * 2 / 3
    stage.rod(body, start, end, 0.035 * length, "axes", color, name)
    if head:
        stage.add(body, cone(), "axes", color, name, along(direction, end), (0.09 * length, 0.09 * length, 0.22 * length))


def _on_axis(
    stage: Stage, body: int, frame: np.ndarray, axis: np.ndarray, form: Form, color: Color, name: str, share: float
) -> None:
    pose = frame @ placed(np.zeros(3), along(axis, np.zeros(3))[:3, :3])
    stage.add(body, form, "axes", color, name, pose, share * _length(stage))


def _coil(hand: float) -> Lines:
    """Return a screw line about z, right-handed for 1, left-handed for -1, of radius a quarter and length one."""
    angle = np.linspace(0.0, 2 * np.pi * COIL, 24 * int(COIL) + 1)
    points = np.stack([0.25 * np.cos(angle), 0.25 * hand * np.sin(angle), angle / angle[-1] - 1 / 3], axis=-1)
    return Lines(np.stack([points[:-1], points[1:]], axis=1))


def _length(stage: Stage) -> float:
    """Return the length of an axis [m]: shorter where there are many, as links are."""
    many = sum(joint.kind is not JointKind.FIXED for joint in stage.model.joints)
    return LENGTH * stage.size * min(1.0, math.sqrt(FEW / max(many, 1)))
