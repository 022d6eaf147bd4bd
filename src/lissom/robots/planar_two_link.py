"""The textbook arm: two links in a vertical plane, with its equations of motion in closed form beside it.

The base frame's x points to the side and z up. q1 is the angle of link 1 above the x axis, q2 that of link 2 above link 1.
"""

from __future__ import annotations

import numpy as np

from ..model import Inertia, Joint, JointKind, Link, Model, Pose
from ..robot import Robot

# rotating about -y moves x toward z: positive angles lift
LIFT = (0.0, -1.0, 0.0)


def planar_two_link(l1: float = 1.0, l2: float = 1.0, m1: float = 1.0, m2: float = 1.0, **more: float) -> Robot:
    """Return a two-link arm in a vertical plane as a Robot; for the arguments see `planar_two_link_model`."""
    return Robot(planar_two_link_model(l1, l2, m1, m2, **more))


def planar_two_link_model(
    l1: float = 1.0,
    l2: float = 1.0,
    m1: float = 1.0,
    m2: float = 1.0,
    c1: float | None = None,
    c2: float | None = None,
    I1: float | None = None,
    I2: float | None = None,
    g: float = 9.81,
) -> Model:
    """Return a two-link arm that moves in a vertical plane.

    Args:
        l1, l2: lengths of the links [m].
        m1, m2: masses [kg].
        c1, c2: distance of each center of mass from its joint [m]; the middle of the link by default.
        I1, I2: moment of inertia about each center of mass, about the axis of rotation [kg m^2]; a thin rod's by default.
        g: gravity [m/s^2], pulling along -z.
    """
    c1, c2, I1, I2 = _rods(l1, l2, m1, m2, c1, c2, I1, I2)
    # a thin rod along x: no inertia about x, and as much about z as about y
    links = (
        Link("base"),
        Link("link_1", Inertia(m1, (c1, 0.0, 0.0), ((0, 0, 0), (0, I1, 0), (0, 0, I1)))),
        Link("link_2", Inertia(m2, (c2, 0.0, 0.0), ((0, 0, 0), (0, I2, 0), (0, 0, I2)))),
    )
    joints = (
        Joint("shoulder", JointKind.REVOLUTE, "base", "link_1", axis=LIFT),
        Joint("elbow", JointKind.REVOLUTE, "link_1", "link_2", Pose(translation=(l1, 0.0, 0.0)), axis=LIFT),
    )
    return Model("planar_two_link", links, joints, gravity=(0.0, 0.0, -g))


def planar_two_link_closed_form(
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    l1: float = 1.0,
    l2: float = 1.0,
    m1: float = 1.0,
    m2: float = 1.0,
    c1: float | None = None,
    c2: float | None = None,
    I1: float | None = None,
    I2: float | None = None,
    g: float = 9.81,
) -> np.ndarray:
    """Return the torques [N m] of the arm from Lagrange's equations, written out.

    Args:
        q, qd, qdd: angles [rad], speeds [rad/s] and accelerations [rad/s^2], arrays (..., 2).
        l1, l2, m1, m2, c1, c2, I1, I2, g: as in `planar_two_link_model`.

    Returns:
        tau = M(q) qdd + C(q, qd) + G(q), an array (..., 2).
    """
    c1, c2, I1, I2 = _rods(l1, l2, m1, m2, c1, c2, I1, I2)
    q, qd, qdd = np.asarray(q, float), np.asarray(qd, float), np.asarray(qdd, float)
    q1, q2, v1, v2, a1, a2 = q[..., 0], q[..., 1], qd[..., 0], qd[..., 1], qdd[..., 0], qdd[..., 1]
    h = m2 * l1 * c2
    # kinetic energy 1/2 qd' M qd
    M11 = I1 + I2 + m1 * c1**2 + m2 * (l1**2 + c2**2) + 2 * h * np.cos(q2)
    M12 = I2 + m2 * c2**2 + h * np.cos(q2)
    M22 = I2 + m2 * c2**2
    # potential energy m1 g c1 sin q1 + m2 g (l1 sin q1 + c2 sin(q1 + q2))
    G2 = m2 * g * c2 * np.cos(q1 + q2)
    G1 = (m1 * c1 + m2 * l1) * g * np.cos(q1) + G2
    tau1 = M11 * a1 + M12 * a2 - h * np.sin(q2) * (2 * v1 * v2 + v2**2) + G1
    tau2 = M12 * a1 + M22 * a2 + h * np.sin(q2) * v1**2 + G2
    return np.stack([tau1, tau2], axis=-1)


def _rods(
    l1: float, l2: float, m1: float, m2: float, c1: float | None, c2: float | None, I1: float | None, I2: float | None
) -> tuple[float, float, float, float]:
    return (
        l1 / 2 if c1 is None else c1,
        l2 / 2 if c2 is None else c2,
        m1 * l1**2 / 12 if I1 is None else I1,
        m2 * l2**2 / 12 if I2 is None else I2,
    )
