"""The Gough-Stewart platform: six legs, each a universal joint at the base, a slider and a ball joint at the platform (6-UPS).

Geometry and material are those of N. Smith and J. Wendlandt, "Creating a Stewart platform model using SimMechanics", MATLAB
Digest,
September 2002, which many control studies use: joints on circles of 3 m at the base and 1 m at the platform, in pairs 2.5 and 10
degrees to both sides of every 120 degrees, turned by 60 degrees against each other, 2 m apart at home; each leg two steel
cylinders of 3/4 of its length at home, the lower one a tube; a platform of 5 cm of steel (density 76000 / 9.81 kg/m^3).
"""

from __future__ import annotations

import math

import numpy as np

import lissom

from ..errors import ModelError
from ..model import Inertia, Joint, JointKind, Limits, Link, Loop, LoopKind, Model, Pose
from ..model.pose import tidy

STEEL = 76e3 / 9.81  # [kg/m^3]


def gough_stewart(
    base_radius: float = 3.0, platform_radius: float = 1.0, height: float = 2.0, **more: float
) -> lissom.ParallelRobot:
    """Return a Gough-Stewart platform whose coordinates are the lengths of its legs; arguments: see `gough_stewart_model`."""
    from ..closed import ParallelRobot

    return ParallelRobot(gough_stewart_model(base_radius, platform_radius, height, **more))


def gough_stewart_model(
    base_radius: float = 3.0,
    platform_radius: float = 1.0,
    height: float = 2.0,
    base_angle: float = 2.5,
    platform_angle: float = 10.0,
    platform_mass: float = math.pi * 0.05 * STEEL,
    tube: float = 0.05,
    bore: float = 0.03,
    density: float = STEEL,
    speed: float = math.inf,
    force: float = math.inf,
) -> Model:
    """Return a Gough-Stewart platform: six legs whose lengths are driven.

    Args:
        base_radius, platform_radius: of the circles on which the joints are [m].
        height: of the platform above the base at home [m].
        base_angle, platform_angle: half the angle between the joints of a pair [degrees].
        platform_mass: of a thin disc [kg].
        tube, bore: outer and inner radius of the lower cylinders, the first also radius of the upper ones [m].
        density: of the legs [kg/m^3].
        speed, force: limits of the drives [m/s, N].
    """
    lengths = {"base_radius": base_radius, "platform_radius": platform_radius, "height": height, "tube": tube}
    for name, value in lengths.items():
        if not 0 < value < math.inf:
            raise ModelError(f"{name} must be a positive length [m], got {value:g}")
    B = _ring(base_radius, base_angle, 0.0)
    P = np.roll(_ring(platform_radius, platform_angle, math.pi / 3), 1, axis=0)  # neighbors at the base part at the platform
    I = platform_mass * platform_radius**2 / 4
    disc = Inertia(platform_mass, tensor=((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, 2 * I)))
    links, joints, loops = [Link("base"), Link("platform", disc)], [Joint("pose", JointKind.FLOATING, "base", "platform")], []
    posture: dict[str, object] = {"pose": (0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0)}
    for k, (foot, ball) in enumerate(zip(B, P, strict=True), 1):
        leg = ball + [0.0, 0.0, height] - foot
        length = float(np.linalg.norm(leg))
        part = 0.75 * length
        lower, upper = cylinder(density, part, tube, bore, part / 2), cylinder(density, part, tube, 0.0, -part / 2)
        links += [Link(f"cross_{k}"), Link(f"lower_{k}", lower), Link(f"upper_{k}", upper)]
        limits = Limits(lower=part, upper=2 * part, velocity=speed, effort=force)
        joints += [
            # z along the leg at home, x horizontal
            Joint(f"swing_{k}", JointKind.REVOLUTE, "base", f"cross_{k}", Pose(_along(leg), tuple(foot)), axis=(1.0, 0.0, 0.0)),
            Joint(f"tilt_{k}", JointKind.REVOLUTE, f"cross_{k}", f"lower_{k}", axis=(0.0, 1.0, 0.0)),
            Joint(f"leg_{k}", JointKind.PRISMATIC, f"lower_{k}", f"upper_{k}", limits=limits),
        ]
        loops.append(Loop(f"ball_{k}", LoopKind.SPHERICAL, f"upper_{k}", "platform", second_pose=Pose(translation=tuple(ball))))
        posture[f"leg_{k}"] = length
    active = tuple(f"leg_{k}" for k in range(1, 7))
    closed = {"loops": tuple(loops), "active": active, "posture": posture}
    return Model("gough_stewart", tuple(links), tuple(joints), **closed)  # type: ignore[arg-type]


def cylinder(density: float, length: float, outer: float, inner: float, center: float) -> Inertia:
    """Return the inertia of a cylinder or tube along z, whose center is at `center`."""
    mass = density * math.pi * (outer**2 - inner**2) * length
    across, along = mass * (3 * (outer**2 + inner**2) + length**2) / 12, mass * (outer**2 + inner**2) / 2
    return Inertia(mass, (0.0, 0.0, center), ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, along)))


def _ring(radius: float, half_angle: float, turn: float) -> np.ndarray:
    """Return six points (6, 3) in pairs around every 120 degrees."""
    angles = [2 * math.pi / 3 * k + side * math.radians(half_angle) + turn for k in range(3) for side in (-1, 1)]
    return np.array([[radius * math.cos(a), radius * math.sin(a), 0.0] for a in angles])


def _along(leg: np.ndarray) -> np.ndarray:
    """Return axes (columns) with z along a leg and x horizontal."""
    z = leg / np.linalg.norm(leg)
    x = np.cross([0.0, 0.0, 1.0], z)
    x = x / np.linalg.norm(x) if np.linalg.norm(x) > 1e-12 else np.array([1.0, 0.0, 0.0])
    return tidy(np.column_stack([x, np.cross(z, x), z]))
