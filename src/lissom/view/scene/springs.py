"""Springs: force elements between their ends, and springs of joints and drives beside the joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model import Joint
from .poses import along, matrix
from .scene import Color, Lines, Span
from .stage import Stage

SPRING: Color = (0.2, 0.55, 0.35, 1.0)
DRIVE: Color = (0.7, 0.5, 0.1, 1.0)
OTHER: Color = (0.65, 0.25, 0.45, 1.0)
RADIUS, COILS = 0.016, 8
TURNS = 2.75  # of a spiral spring
Ends = tuple[tuple[str, Any], tuple[str, Any]]  # link, and point in its frame [m]


def draw_springs(stage: Stage) -> None:
    """Draw coils between the ends of point springs, rods for other force elements, and springs of joints and drives.

    A spring of a sliding joint is a coil along it, that of a turning one a spiral around its axis.
    """
    for element in stage.model.force_elements:
        ends, coil = element.ends, element.kind == "point_spring"
        for pair in zip(ends[:-1], ends[1:], strict=True):
            _span(stage, element.name, SPRING if coil else OTHER, pair, COILS if coil else 0)
    joints = {joint.name: joint for joint in stage.model.joints}
    for joint in stage.model.joints:
        if joint.spring is not None:
            _beside(stage, joint, f"spring of {joint.name}", SPRING, 1.0)
    for motor in stage.model.elastic_motors:
        _beside(stage, joints[motor.joint], f"spring of {motor.name}", DRIVE, 1.35)


def _beside(stage: Stage, joint: Joint, name: str, color: Color, size: float) -> None:
    before, after, axes = joint.origin.p, joint.tail.inverse().p, joint.kind.traits.axes(joint)
    if all(axis.slides and not axis.turns for axis in axes) and axes:
        # beside the joint, so that it has a length where the two frames meet
        offset = along(np.array(joint.axis), np.zeros(3))[:3, 0] * 2.0 * RADIUS * size * stage.size
        behind = np.array(joint.axis) * 0.1 * stage.size
        start = before + joint.origin.R @ (offset - behind)
        _span(stage, name, color, ((joint.parent, start), (joint.child, after + joint.tail.R.T @ offset)), COILS, size)
        return
    axis = along(np.array(joint.axis), np.zeros(3))
    stage.add(stage.body[joint.parent], _spiral(), "springs", color, name, matrix(joint.origin) @ axis, 0.07 * size * stage.size)


def _span(stage: Stage, name: str, color: Color, ends: Ends, coils: int, size: float = 1.0) -> None:
    (one, start), (two, end) = ends
    radius = RADIUS * size * stage.size * (1.0 if coils else 0.4)
    first, second = stage.body[one], stage.body[two]
    stage.spans.append(Span(name, "springs", color, first, np.array(start), second, np.array(end), radius, coils))


def _spiral() -> Lines:
    """Return a spiral about z, of outer radius one."""
    angle = np.linspace(0.0, 2 * np.pi * TURNS, 90)
    radius = 0.3 + 0.7 * angle / angle[-1]
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros_like(angle)], axis=-1)
    return Lines(np.stack([points[:-1], points[1:]], axis=1))
