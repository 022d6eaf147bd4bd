"""Checks of the inertias of a model with a valid tree.

Two grades. Fatal: no motion can be computed. Doubtful: the equations exist, but no real machine has these numbers; many published
robots have such links, so they load with a warning, and `load(..., strict=True)` rejects them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .joint import JointKind
from .link import Inertia

if TYPE_CHECKING:
    from .model import Model

# principal moments within this share of the largest are zero up to rounding in the file
ROUNDING = 1e-6
# radius of gyration [m] below which a tensor is that of a point mass, and its digits are rounding
POINT = 1e-6
# share of a mechanism's mass that counts as zero: the acceleration of a joint that moves no more cannot be computed
NEGLIGIBLE = 1e-12
REMEDY = "forward dynamics need a mass there, a rotor inertia (armature), or the joint fixed"


@dataclass(frozen=True)
class Problem:
    """One finding: its text names the link or joint; a `fatal` one makes the model invalid."""

    text: str
    fatal: bool = False


def find_problems(model: Model) -> list[Problem]:
    """Return everything doubtful or impossible about the inertias of `model`."""
    problems = [*_doubtful_links(model), *_doubtful_rotors(model), *_idle_joints(model)]
    for links, (mass, J) in _rigid_groups(model).items():
        if not np.isfinite(mass) or not np.isfinite(J).all():
            text = f"the inertia of {_named(links)} is too large to compute with; check masses, lengths and their units"
            problems.append(Problem(text, fatal=True))
            continue
        moments = np.linalg.eigvalsh(J)
        if mass > 0 and moments[0] < -ROUNDING * max(abs(moments)):
            problems.append(
                Problem(
                    f"the inertia of {_named(links)} is not positive definite: its smallest principal moment about the joint is "
                    f"{moments[0]:.4g} kg m^2; check signs and units",
                    fatal=True,
                )
            )
    return problems


def _named(links: tuple[str, ...]) -> str:
    return f"link {links[0]!r}" + (f" with the links fixed to it ({', '.join(map(repr, links[1:]))})" if len(links) > 1 else "")


def _idle_joints(model: Model) -> list[Problem]:
    """Find joints that move almost no mass and have no rotor: torques do not determine their accelerations."""
    carried = {link.name: link.inertia.mass if link.inertia is not None else 0.0 for link in model.links}
    driven = {motor.joint for motor in model.motors if motor.reflected_inertia > 0 and not motor.elastic}
    for motor in model.motors:
        if motor.inertia is not None and motor.link is not None:
            carried[motor.link] += motor.inertia.mass
    for joint in reversed(model.joints):
        carried[joint.parent] += carried[joint.child]
    found = []
    whole: dict[str, float] = {}  # mass of a link's mechanism: everything behind one moving joint at the base
    for joint in model.joints:
        mass = carried[joint.child]
        if joint.kind is JointKind.FIXED:
            whole[joint.child] = whole.get(joint.parent, 0.0)
            continue
        whole[joint.child] = whole.get(joint.parent, 0.0) or mass
        enough = mass > NEGLIGIBLE * whole[joint.child] or not math.isfinite(whole[joint.child])
        if enough or joint.rotor_inertia > 0 or joint.name in driven or model.link(joint.child).massless:
            continue
        what = (
            f"almost no mass, {mass:.3g} kg in a mechanism of {whole[joint.child]:.3g} kg"
            if mass > 0
            else f"no mass: neither link {joint.child!r} nor anything beyond it has inertia"
        )
        found.append(Problem(f"joint {joint.name!r} moves {what}; {REMEDY}"))
    return found


def _doubtful_links(model: Model) -> list[Problem]:
    found = []
    for link in model.links:
        if link.inertia is None:
            continue
        a, b, c = link.inertia.principal_moments
        if max(abs(a), abs(c)) < link.inertia.mass * POINT**2:
            continue
        if a < -ROUNDING * c:
            found.append(
                Problem(
                    f"link {link.name!r}: inertia about the center of mass is not positive definite (principal moments "
                    f"{a:.4g}, {b:.4g}, {c:.4g} kg m^2); was it given about the link's origin?"
                )
            )
        elif link.inertia.triangle_excess > ROUNDING * c:
            found.append(
                Problem(
                    f"link {link.name!r}: principal moments violate the triangle inequality "
                    f"({a:.4g} + {b:.4g} < {c:.4g} kg m^2); no rigid body has them"
                )
            )
    return found


def _doubtful_rotors(model: Model) -> list[Problem]:
    """Find rotors with more inertia about the axis than a flat disc: twice that across the axis."""
    found = []
    for motor in model.motors:
        if motor.inertia is None:
            continue
        across, about = motor.inertia.tensor[0][0], motor.spin_inertia
        if about > 2.0 * across + ROUNDING * about or across < 0.0:
            found.append(
                Problem(
                    f"motor {motor.name!r}: the rotor has Izz = {about:.4g} kg m^2 about its axis and Ixx = Iyy = {across:.4g} "
                    "across it; no rigid body has Ixx below half of Izz, which is that of a flat disc"
                )
            )
    return found


@np.errstate(over="ignore", invalid="ignore")
def _rigid_groups(model: Model) -> dict[tuple[str, ...], tuple[float, np.ndarray]]:
    """Sum mass and inertia of every moving link and the links fixed to it, about the moving link's origin."""
    groups: dict[str, list[str]] = {}
    leader: dict[str, str] = {}
    pose: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    total: dict[str, tuple[float, np.ndarray]] = {}
    for joint in model.joints:
        head = leader.get(joint.parent) if joint.kind is JointKind.FIXED else joint.child
        if head is None:
            continue  # fixed to the base: it never moves
        leader[joint.child] = head
        groups.setdefault(head, []).append(joint.child)
        R, p = np.eye(3), np.zeros(3)
        if joint.kind is JointKind.FIXED:
            R0, p0 = pose[joint.parent]
            step = joint.origin @ joint.tail
            R, p = R0 @ step.R, R0 @ step.p + p0
        pose[joint.child] = (R, p)
        inertia = model.link(joint.child).inertia
        mass, J = total.get(head, (0.0, np.zeros((3, 3))))
        if inertia is not None:
            mass, J = mass + inertia.mass, J + inertia_about(inertia, R, p)
        total[head] = (mass, J)
    return {tuple(groups[head]): total[head] for head in groups}


def inertia_about(inertia: Inertia, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the inertia tensor about the origin of a frame in which the link's frame is at (R, p) [kg m^2]."""
    c = R @ np.array(inertia.com) + p
    return R @ np.array(inertia.tensor) @ R.T + inertia.mass * (c @ c * np.eye(3) - np.outer(c, c))
