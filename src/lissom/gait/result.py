"""Gait: a predicted walk: curves over the gait cycle, step length, cadence, phases, cost of transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..predict.result.prediction import Prediction
from ..predict.result.rounds import Phase
from ..robots.human.robot import Human
from ..spline.check import integer
from .norm import PERCENT, Score, compare
from .problem import EARTH

PELVIS = 11.0  # [deg] by which the plane through the spines of a pelvis leans ahead in standing, where the model's tilt is zero


@dataclass(frozen=True, eq=False)
class Gait:
    """A walk: one step from the right heel's strike to the left one's; the next is its mirror image.

    Attributes:
        person: who walks.
        prediction: the step, with all that predictions know: torques, wrenches inside joints, forces, files, pictures.
        speed: [m/s].
        step_length: [m].
    """

    person: Human
    prediction: Prediction
    speed: float
    step_length: float

    @property
    def cadence(self) -> float:
        """Steps per minute."""
        return 60.0 / self.prediction.duration

    @property
    def phases(self) -> list[Phase]:
        """Phases of the step in their order, with their times [s]."""
        return self.prediction.phases

    @property
    def cost_of_transport(self) -> float:
        """Work of all joints, positive and negative, over weight times distance; that of muscles and their heat are not in it."""
        t = self.prediction.times(401)
        power = np.abs(self.prediction.torques(t) * self.prediction.states(t)[1])
        return float(np.trapezoid(power.sum(axis=-1), t) / (self.person.total_mass * EARTH * self.step_length))

    def cycle(self, n: int = 51) -> dict[str, np.ndarray]:
        """Return curves of the right side over a gait cycle, from its heel's strike to the next, at n equal percents.

        Angles [deg]: hip_flexion, hip_adduction, hip_rotation (internal), knee_flexion, ankle_dorsiflexion, pelvis_tilt
        (anterior), pelvis_obliquity (side up), pelvis_rotation (side ahead). Moments of muscles over mass [N m/kg]:
        hip_extension_moment, hip_abduction_moment, knee_extension_moment, ankle_plantarflexion_moment. Forces of the ground on
        the foot over weight: vertical_force, fore_aft_force (ahead), lateral_force (inward). As gait laboratories do, angles of
        the pelvis and of the hips count from the plane through the spines of the pelvis, 11 deg ahead of the model's upright one.
        """
        integer(n, "n", 2, most=100_000)
        percent = np.linspace(0.0, 100.0, n)
        first = percent < 50.0
        T = self.prediction.duration
        t = np.clip(np.where(first, percent, percent - 50.0) / 50.0, 0.0, 1.0) * T
        person, names = self.person, self.person.joint_names
        q, tau = self.prediction.states(t)[0], self.prediction.torques(t)
        q, tau = (np.where(first[:, None], x, person.mirror(x)) for x in (q, tau))
        angle = {name: np.rad2deg(q[:, k]) for k, name in enumerate(names)}
        moment = {name: tau[:, k] / person.total_mass for k, name in enumerate(names)}
        forces = self.prediction.contact_forces(t, axes="world")
        lead = sum(f[..., 0, :] for link, f in forces.items() if link.startswith("right"))
        rear = sum(f[..., 0, :] for link, f in forces.items() if link.startswith("left"))
        F = np.where(first[:, None], lead, np.asarray(rear) * (1.0, -1.0, 1.0)) / (person.total_mass * EARTH)
        return {
            PERCENT: percent,
            "hip_flexion": angle["right_hip_flexion"] + PELVIS,
            "hip_adduction": -angle["right_hip_abduction"],
            "hip_rotation": angle["right_hip_rotation"],
            "knee_flexion": angle["right_knee_flexion"],
            "ankle_dorsiflexion": angle["right_ankle_flexion"],
            "pelvis_tilt": angle["pelvis_tilt"] + PELVIS,
            "pelvis_obliquity": -angle["pelvis_obliquity"],
            "pelvis_rotation": angle["pelvis_rotation"],
            "hip_extension_moment": -moment["right_hip_flexion"],
            "hip_abduction_moment": moment["right_hip_abduction"],
            "knee_extension_moment": -moment["right_knee_flexion"],
            "ankle_plantarflexion_moment": -moment["right_ankle_flexion"],
            "vertical_force": F[:, 2],
            "fore_aft_force": F[:, 0],
            "lateral_force": F[:, 1],
        }

    def compare(self, norm: Any) -> dict[str, Score]:
        """Return r, rms and the share within one SD of every curve that a norm has: a file, or columns by name.

        Names are those of `cycle` with "_mean" and "_sd" (without which the share is nan), over "cycle_percent".
        """
        return compare(self.cycle(201), norm)

    def __repr__(self) -> str:
        steps = f"steps of {self.step_length:.3g} m, {self.cadence:.0f} a minute"
        return f"<Gait: {self.speed:g} m/s, {steps}, {self.prediction.status.value}>"
