"""The five-bar linkage: two driven arms at the base, two forearms that meet in a pin; a planar robot with two degrees of freedom.

It moves in the x-y plane of the base, z up. The left shoulder is at x = -base/2, the right one at +base/2. Angles of the arms
are from x, those of the forearms from their arms.
"""

from __future__ import annotations

import math
from typing import Any

import lissom

from ..errors import ModelError
from ..model import Inertia, Joint, JointKind, Limits, Link, Loop, LoopKind, Model, Pose
from .four_bar import rod


def five_bar(base: float = 0.3, arm: float = 0.25, forearm: float = 0.35, **more: Any) -> lissom.ClosedRobot:
    """Return a five-bar linkage driven at its shoulders, as a ClosedRobot; for the arguments see `five_bar_model`."""
    from ..closed import ClosedRobot

    return ClosedRobot(five_bar_model(base, arm, forearm, **more))


def five_bar_model(
    base: float = 0.3,
    arm: float = 0.25,
    forearm: float = 0.35,
    m_arm: float = 1.0,
    m_forearm: float = 0.6,
    payload: float = 0.5,
    speed: float = 20.0,
    effort: float = 30.0,
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81),
) -> Model:
    """Return a symmetric five-bar linkage of thin rods, driven at its shoulders.

    Args:
        base: distance of the shoulders [m].
        arm, forearm: lengths [m].
        m_arm, m_forearm: masses of each [kg].
        payload: mass at the pin, carried by the left forearm [kg].
        speed, effort: limits of the drives [rad/s, N m].
        gravity: [m/s^2]; normal to the plane by default, without effect on the drives.
    """
    if not (base > 0 and arm > 0 and forearm > 0):
        raise ModelError(f"base, arm and forearm must be positive lengths [m], got {base:g}, {arm:g}, {forearm:g}")
    half = 2.0  # [rad] of the left arm at home; the right one mirrors it
    x = -base / 2 + arm * math.cos(half)
    if not abs(x) < forearm:
        raise ModelError(f"the forearms are too short to meet: forearm must be more than {abs(x):g} m, got {forearm:g} m")
    left = rod(m_forearm, forearm)
    if payload > 0:
        total = m_forearm + payload
        com = (m_forearm * forearm / 2 + payload * forearm) / total
        I = left.tensor[2][2] + m_forearm * (com - forearm / 2) ** 2 + payload * (forearm - com) ** 2
        left = Inertia(total, (com, 0.0, 0.0), ((0.0, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I)))
    links = (
        Link("base"),
        Link("left_arm", rod(m_arm, arm)),
        Link("left_forearm", left),
        Link("right_arm", rod(m_arm, arm)),
        Link("right_forearm", rod(m_forearm, forearm)),
    )
    limits, elbow = Limits(velocity=speed, effort=effort), Pose(translation=(arm, 0.0, 0.0))
    joints = (
        Joint("left", JointKind.REVOLUTE, "base", "left_arm", Pose(translation=(-base / 2, 0.0, 0.0)), limits=limits),
        Joint("left_elbow", JointKind.REVOLUTE, "left_arm", "left_forearm", elbow),
        Joint("right", JointKind.REVOLUTE, "base", "right_arm", Pose(translation=(base / 2, 0.0, 0.0)), limits=limits),
        Joint("right_elbow", JointKind.REVOLUTE, "right_arm", "right_forearm", elbow),
    )
    tip = Pose(translation=(forearm, 0.0, 0.0))
    loop = Loop("pin", LoopKind.REVOLUTE, "left_forearm", "right_forearm", tip, tip)
    inward = math.atan2(math.sqrt(forearm**2 - x**2), -x)
    right = math.pi - half
    posture = {"left": half, "left_elbow": inward - half, "right": right, "right_elbow": math.pi - inward - right}
    return Model("five_bar", links, joints, gravity, loops=(loop,), active=("left", "right"), posture=posture)  # type: ignore[arg-type]
