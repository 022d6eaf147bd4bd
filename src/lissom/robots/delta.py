"""The Delta robot of R. Clavel (US patent 4976582, 1990): three driven arms, and forearms that are parallelograms.

The parallelograms keep the platform level, so that it only translates: three degrees of freedom. Each is modeled as one rod with
the mass of the two, on a universal joint at the elbow and a ball joint at the platform; the platform is on three massless
sliders, which keep it from rotating. z points up, the platform is below the base.
"""

from __future__ import annotations

import math

import lissom

from ..errors import ModelError
from ..model import Inertia, Joint, JointKind, Limits, Link, Loop, LoopKind, Model, Pose
from ..model.pose import rotation_about
from .four_bar import rod


def delta(
    base_radius: float = 0.2, platform_radius: float = 0.05, arm: float = 0.25, forearm: float = 0.6, **more: float
) -> lissom.ParallelRobot:
    """Return a Delta robot whose coordinates are the angles of its arms; for the arguments see `delta_model`."""
    from ..closed import ParallelRobot

    return ParallelRobot(delta_model(base_radius, platform_radius, arm, forearm, **more))


def delta_model(
    base_radius: float = 0.2,
    platform_radius: float = 0.05,
    arm: float = 0.25,
    forearm: float = 0.6,
    m_arm: float = 0.5,
    m_forearm: float = 0.15,
    m_platform: float = 0.3,
    home: float = 0.3,
    speed: float = 30.0,
    effort: float = 20.0,
) -> Model:
    """Return a Delta robot: three driven arms, and forearms that keep the platform level.

    Args:
        base_radius, platform_radius: from the middle to the axes of the arms, and to the ends of the forearms [m].
        arm, forearm: lengths [m].
        m_arm, m_forearm, m_platform: masses of an arm, of a parallelogram and of the platform [kg].
        home: angle of all arms below the horizontal at home [rad].
        speed, effort: limits of the drives [rad/s, N m].
    """
    out = base_radius + arm * math.cos(home) - platform_radius
    if not abs(out) < forearm:
        raise ModelError(
            f"the forearms do not reach the platform at home: forearm must be more than {abs(out):g} m, got {forearm:g} m"
        )
    drop = math.sqrt(forearm**2 - out**2)
    links = [Link("base"), Link("slide_x"), Link("slide_y"), Link("platform", Inertia(m_platform, tensor=_ball(m_platform)))]  # type: ignore[arg-type]
    joints = [
        Joint("x", JointKind.PRISMATIC, "base", "slide_x", axis=(1.0, 0.0, 0.0)),
        Joint("y", JointKind.PRISMATIC, "slide_x", "slide_y", axis=(0.0, 1.0, 0.0)),
        Joint("z", JointKind.PRISMATIC, "slide_y", "platform", axis=(0.0, 0.0, 1.0)),
    ]
    loops, posture = [], {"z": -arm * math.sin(home) - drop}
    # about y, x turns downward; about z the forearm swings to the side
    for k in range(1, 4):
        turn = rotation_about((0.0, 0.0, 1.0), 2 * math.pi / 3 * (k - 1))
        foot, ball = turn @ [base_radius, 0.0, 0.0], turn @ [platform_radius, 0.0, 0.0]
        links += [Link(f"arm_{k}", rod(m_arm, arm)), Link(f"elbow_{k}"), Link(f"forearm_{k}", rod(m_forearm, forearm))]
        limits, across = Limits(velocity=speed, effort=effort), (0.0, 1.0, 0.0)
        joints += [
            Joint(f"drive_{k}", JointKind.REVOLUTE, "base", f"arm_{k}", Pose(turn, tuple(foot)), across, limits=limits),
            Joint(f"fold_{k}", JointKind.REVOLUTE, f"arm_{k}", f"elbow_{k}", Pose(translation=(arm, 0.0, 0.0)), across),
            Joint(f"side_{k}", JointKind.REVOLUTE, f"elbow_{k}", f"forearm_{k}"),
        ]
        tip = Pose(translation=(forearm, 0.0, 0.0))
        loops.append(Loop(f"ball_{k}", LoopKind.SPHERICAL, f"forearm_{k}", "platform", tip, Pose(translation=tuple(ball))))
        posture |= {f"drive_{k}": home, f"fold_{k}": math.atan2(drop, -out) - home}
    closed = {"loops": tuple(loops), "active": ("drive_1", "drive_2", "drive_3"), "posture": posture}
    return Model("delta", tuple(links), tuple(joints), **closed)  # type: ignore[arg-type]


def _ball(mass: float) -> tuple[tuple[float, float, float], ...]:
    I = mass * 1e-3  # any value: it never rotates
    return ((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I))
