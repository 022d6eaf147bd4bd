"""Joints and links as sticks: balls at joints, rods between them and the frames of their links."""

from __future__ import annotations

import numpy as np

from ...model import JointKind, Link
from .scene import Color, Span
from .stage import Stage

ROD, BALL = 0.007, 0.013  # radii, in sizes of the robot
STICK: Color = (0.36, 0.42, 0.5, 1.0)
JOINT: Color = (0.12, 0.42, 0.7, 1.0)
CUT: Color = (0.82, 0.45, 0.1, 1.0)


def draw_sticks(stage: Stage) -> None:
    """Draw all joints, those of loops included; a sliding joint is a rod that changes its length."""
    model, rod, ball = stage.model, ROD * stage.size, BALL * stage.size
    for joint in model.joints:
        parent, child = stage.body[joint.parent], stage.body[joint.child]
        before, after = joint.origin.p, joint.tail.inverse().p
        stage.rod(parent, np.zeros(3), before, rod, "sticks", STICK, joint.parent)
        stage.rod(child, after, np.zeros(3), rod, "sticks", STICK, joint.child)
        if joint.kind is not JointKind.FIXED:
            stage.ball(child, after, ball, "sticks", JOINT, joint.name)
        if joint.kind.traits.slides:
            stage.spans.append(Span(joint.name, "sticks", JOINT, parent, before, child, after, rod))
    for loop in model.loops:
        first, second = stage.body[loop.first], stage.body[loop.second]
        stage.rod(first, np.zeros(3), loop.first_pose.p, rod, "sticks", STICK, loop.first)
        stage.rod(second, loop.second_pose.p, np.zeros(3), rod, "sticks", STICK, loop.second)
        stage.ball(first, loop.first_pose.p, ball, "sticks", CUT, loop.name)
        if loop.kind.value == "prismatic":
            stage.spans.append(Span(loop.name, "sticks", CUT, first, loop.first_pose.p, second, loop.second_pose.p, rod))
    for link in _last(stage):  # a stick to the center of mass of a link that ends in its joint's frame
        if link.inertia is not None:
            stage.rod(stage.body[link.name], np.zeros(3), np.array(link.inertia.com), rod, "sticks", STICK, link.name)


def _last(stage: Stage) -> list[Link]:
    """Return the links that carry no joint."""
    model = stage.model
    used = {joint.parent for joint in model.joints} | {link for loop in model.loops for link in (loop.first, loop.second)}
    return [link for link in model.links if link.name not in used]
