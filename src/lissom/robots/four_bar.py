"""Planar linkages with one degree of freedom: the four-bar linkage and the slider-crank.

Both move in the x-z plane of the base, z up. Angles are above the x axis, for the crank, and above the link before, for the
others.
"""

from __future__ import annotations

import numpy as np

import lissom

from ..errors import ModelError
from ..model import Inertia, Joint, JointKind, Link, Loop, LoopKind, Model, Pose
from .planar_two_link import LIFT


def four_bar(
    crank: float = 0.2, coupler: float = 0.5, rocker: float = 0.4, ground: float = 0.45, **more: float
) -> lissom.ClosedRobot:
    """Return a four-bar linkage driven at its crank, as a ClosedRobot; for the arguments see `four_bar_model`."""
    from ..closed import ClosedRobot

    return ClosedRobot(four_bar_model(crank, coupler, rocker, ground, **more))


def four_bar_model(
    crank: float = 0.2,
    coupler: float = 0.5,
    rocker: float = 0.4,
    ground: float = 0.45,
    m_crank: float = 1.0,
    m_coupler: float = 2.0,
    m_rocker: float = 1.5,
    g: float = 9.81,
) -> Model:
    """Return a four-bar linkage of thin rods in a vertical plane, driven at its crank.

    Args:
        crank, coupler, rocker: lengths of the links [m].
        ground: distance of the two pivots at the base [m]; the crank's is the origin, the rocker's lies on x.
        m_crank, m_coupler, m_rocker: masses [kg].
        g: gravity [m/s^2], pulling along -z.

    The tree is crank and coupler, and the rocker; the joint between coupler and rocker is cut.
    """
    _check(crank=crank, coupler=coupler, rocker=rocker, ground=ground)
    links = (
        Link("base"),
        Link("crank", rod(m_crank, crank)),
        Link("coupler", rod(m_coupler, coupler)),
        Link("rocker", rod(m_rocker, rocker)),
    )
    joints = (
        Joint("crank_joint", JointKind.CONTINUOUS, "base", "crank", axis=LIFT),
        Joint("coupler_joint", JointKind.CONTINUOUS, "crank", "coupler", Pose(translation=(crank, 0.0, 0.0)), axis=LIFT),
        Joint("rocker_joint", JointKind.CONTINUOUS, "base", "rocker", Pose(translation=(ground, 0.0, 0.0)), axis=LIFT),
    )
    tips = Pose(translation=(coupler, 0.0, 0.0)), Pose(translation=(rocker, 0.0, 0.0))
    loop = Loop("tip", LoopKind.REVOLUTE, "coupler", "rocker", *tips, axis=LIFT)
    posture = {"crank_joint": 1.0, "coupler_joint": -0.5, "rocker_joint": 1.5}
    gravity = (0.0, 0.0, -g)
    return Model("four_bar", links, joints, gravity, loops=(loop,), active=("crank_joint",), posture=posture)  # type: ignore[arg-type]


def slider_crank(crank: float = 0.1, rod_length: float = 0.3, **more: float) -> lissom.ClosedRobot:
    """Return a slider-crank driven at its crank, as a ClosedRobot; for the arguments see `slider_crank_model`."""
    from ..closed import ClosedRobot

    return ClosedRobot(slider_crank_model(crank, rod_length, **more))


def slider_crank_model(
    crank: float = 0.1,
    rod_length: float = 0.3,
    m_crank: float = 1.0,
    m_rod: float = 0.8,
    m_slider: float = 0.5,
    offset: float = 0.0,
    g: float = 9.81,
) -> Model:
    """Return a slider-crank in a vertical plane, driven at its crank.

    Args:
        crank, rod_length: lengths of crank and connecting rod [m].
        m_crank, m_rod, m_slider: masses [kg]; crank and rod are thin rods.
        offset: height of the slider's line above the crank's pivot [m].
        g: gravity [m/s^2], pulling along -z.

    The slider moves along x; the pin between rod and slider is cut.
    """
    _check(crank=crank, rod_length=rod_length)
    if not abs(offset) < rod_length + crank:
        raise ModelError(
            f"the rod never reaches the slider's line: offset is {offset:g} m, rod and crank {rod_length + crank:g} m"
        )
    links = (
        Link("base"),
        Link("crank", rod(m_crank, crank)),
        Link("rod", rod(m_rod, rod_length)),
        Link("slider", Inertia(m_slider, tensor=tuple(map(tuple, np.diag([1e-4 * m_slider] * 3))))),  # type: ignore[arg-type]
    )
    joints = (
        Joint("crank_joint", JointKind.CONTINUOUS, "base", "crank", axis=LIFT),
        Joint("rod_joint", JointKind.CONTINUOUS, "crank", "rod", Pose(translation=(crank, 0.0, 0.0)), axis=LIFT),
        Joint("slider_joint", JointKind.PRISMATIC, "base", "slider", Pose(translation=(0.0, 0.0, offset)), axis=(1.0, 0.0, 0.0)),
    )
    loop = Loop("pin", LoopKind.REVOLUTE, "rod", "slider", Pose(translation=(rod_length, 0.0, 0.0)), Pose(), axis=LIFT)
    posture = {"crank_joint": 1.0, "rod_joint": -1.2, "slider_joint": rod_length}
    gravity = (0.0, 0.0, -g)
    return Model("slider_crank", links, joints, gravity, loops=(loop,), active=("crank_joint",), posture=posture)  # type: ignore[arg-type]


def rod(mass: float, length: float) -> Inertia:
    """Return the inertia of a thin rod along x, from the origin."""
    I = mass * length**2 / 12
    return Inertia(mass, (length / 2, 0.0, 0.0), ((0.0, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I)))


def _check(**lengths: float) -> None:
    for name, value in lengths.items():
        if not 0 < value < np.inf:
            raise ModelError(f"{name} must be a positive length [m], got {value:g}")
