"""Curves of a walk over the gait cycle of a side, with the names and signs of gait laboratories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import NameLookupError, is_choice
from ..robots.human.robot import Human
from .cycle import ground_forces, states
from .norm import PERCENT

if TYPE_CHECKING:
    from .result import Gait

EARTH = 9.81  # [m/s^2]
PELVIS = 11.0  # [deg] by which the plane through the spines of a pelvis leans ahead in standing, where the model's tilt is zero
SIDES = ("right", "left")
CHEST = "upper_chest"


def side_of(side: str) -> str:
    """Return "right" or "left"; an error for anything else."""
    if not is_choice(side, SIDES):
        raise NameLookupError("side", str(side), SIDES, " of a walk")
    return side


def spring_moments(person: Human, q: np.ndarray) -> np.ndarray:
    """Return what springs beside muscles take from them at coordinates (K, nv) [N m]: the joint's moment is tau less this."""
    found = np.zeros_like(q)
    for k, name in enumerate(person.joint_names):
        spring = person.model.joint(name).spring
        if spring is not None:
            found[:, k] = spring.stiffness * (q[:, k] - spring.rest)
    return found


def curves(walk: Gait, percent: np.ndarray, side: str) -> dict[str, np.ndarray]:
    """Return the curves of `Gait.cycle` at percents of the cycle (n,)."""
    own, person = side_of(side), walk.person
    if own == "left" and walk.steps == 1:
        return curves(walk, percent, "right")  # the mirror image, half a cycle later
    left = own == "left"
    at = walk._at(percent / 50.0 * walk.step_time + left * walk.strike)
    names, mass = person.joint_names, person.body.mass
    q, _, _, tau = states(person, walk.prediction, at)
    springs = spring_moments(person, q)
    angle = {name: np.rad2deg(q[:, k]) for k, name in enumerate(names)}
    moment = {name: (tau - springs)[:, k] / mass for k, name in enumerate(names)}
    passive = {name: -springs[:, k] / mass for k, name in enumerate(names) if springs[:, k].any()}
    forces = [force.vector for force in ground_forces(walk.prediction, at) if f" {own}" in force.name]
    c, s = np.cos(walk.terrain.pitch), np.sin(walk.terrain.pitch)
    F = np.sum(forces, axis=0) @ np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]]) / (mass * EARTH)
    R = person.link_pose(q, CHEST)[:, :3, :3]
    out = -1.0 if left else 1.0  # of what is named after the right side
    found = {
        PERCENT: percent,
        "hip_flexion": angle[f"{own}_hip_flexion"] + PELVIS,
        "hip_adduction": -angle[f"{own}_hip_abduction"],
        "hip_rotation": angle[f"{own}_hip_rotation"],
        "knee_flexion": angle[f"{own}_knee_flexion"],
        "ankle_dorsiflexion": angle[f"{own}_ankle_flexion"],
        "pelvis_tilt": angle["pelvis_tilt"] + PELVIS,
        "pelvis_obliquity": -out * angle["pelvis_obliquity"],
        "pelvis_rotation": out * angle["pelvis_rotation"],
        "trunk_tilt": np.rad2deg(np.arctan2(R[:, 0, 2], R[:, 2, 2])),
        "trunk_obliquity": -out * np.rad2deg(np.arcsin(np.clip(R[:, 2, 1], -1.0, 1.0))),
        "hip_extension_moment": -moment[f"{own}_hip_flexion"],
        "hip_abduction_moment": moment[f"{own}_hip_abduction"],
        "knee_extension_moment": -moment[f"{own}_knee_flexion"],
        "ankle_plantarflexion_moment": -moment[f"{own}_ankle_flexion"],
    }
    for joint in ("hip", "knee", "ankle"):  # with the signs of the moments above
        if f"{own}_{joint}_flexion" in passive:
            found[f"{joint}_spring_moment"] = -passive[f"{own}_{joint}_flexion"]
    return found | {"vertical_force": F[:, 2], "fore_aft_force": F[:, 0], "lateral_force": out * F[:, 1]}
