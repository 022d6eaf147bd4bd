"""Gait: a predicted walk: curves over the gait cycle, step length, cadence, phases, cost of transport."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..arrays import Times
from ..predict.result.prediction import Prediction
from ..predict.result.rounds import Phase
from ..robots.human.robot import Human
from ..spline.check import integer
from .cycle import Instants, ground_forces, instants, loads, states
from .norm import PERCENT, Norm, Score, compare, read_norm
from .problem import EARTH

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion

INSIDE = {"hip": "right_hip_flexion", "knee": "right_knee_flexion", "ankle": "right_ankle_flexion", "spine": "spine_1_flexion"}
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
    def double_support(self) -> float:
        """Share of the gait cycle of one of its two double supports: until the rear foot leaves the ground."""
        stands = self.prediction.problem.ground
        both = [len(own) == 2 for own in stands.stands] if stands is not None else []
        return sum(p.end - p.start for p, two in zip(self.phases, both, strict=True) if two) / (2.0 * self.prediction.duration)

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
        at = self._at(percent / 50.0 * self.prediction.duration)
        person, names = self.person, self.person.joint_names
        q, _, _, tau = states(person, self.prediction, at)
        angle = {name: np.rad2deg(q[:, k]) for k, name in enumerate(names)}
        moment = {name: tau[:, k] / person.total_mass for k, name in enumerate(names)}
        right = [force.vector for force in ground_forces(self.prediction, at) if " right" in force.name]
        F = np.sum(right, axis=0) / (person.total_mass * EARTH)
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

    def compare(self, norm: Norm) -> dict[str, Score]:
        """Return r, rms and the share within one SD of every curve that a norm has: a file, or columns by name.

        Names are those of `cycle` with "_mean" and "_sd" (without which the share is nan), over "cycle_percent".
        """
        return compare(self.cycle(201), norm)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show a gait cycle, two steps, in three dimensions; options as of `Prediction.show`."""
        from ..view.show import show_motion

        return show_motion(self, save=save, **options)

    def report(self, path: str | os.PathLike[str], norm: Norm | None = None, forces: Norm | None = None) -> Path:
        """Write a page (.html): the walk in 3-D, angles, moments, powers, forces of the ground and inside joints, tables.

        Args:
            path: file to write.
            norm: measured curves with their deviations, drawn beside the predicted ones: a file, or columns by name.
            forces: another one, for curves that `norm` has not.
        """
        from ..view.report.gait import report_gait

        known = [x if isinstance(x, Mapping) else read_norm(x) for x in (forces, norm) if x is not None]
        return report_gait(self, {name: np.asarray(column, dtype=float) for each in known for name, column in each.items()}, path)

    def joint_forces(self, t: Times) -> dict[str, np.ndarray]:
        """Return the net force through joints of the right side and the spine (K,) over weight, at times of the cycle.

        It is what holds the limbs together; muscles press joints together with forces several times as large.
        """
        at = self._at(np.asarray(t, dtype=float))
        q, qd, qdd, _ = states(self.person, self.prediction, at)
        found = self.person.joint_wrenches(q, qd, qdd, external=loads(self.prediction, at), axes="world")
        size = np.linalg.norm(found[..., :3], axis=-1) / (self.person.total_mass * EARTH)
        names = list(self.person.wrench_names)
        return {label: size[:, names.index(joint)] for label, joint in INSIDE.items()}

    def joint_powers(self, t: Times) -> dict[str, np.ndarray]:
        """Return moments of muscles times velocities over mass [W/kg] at hip, knee and ankle of the right side (K,)."""
        q, qd, _, tau = states(self.person, self.prediction, self._at(np.asarray(t, dtype=float)))
        power, names = tau * qd / self.person.total_mass, self.person.joint_names
        return {label: power[:, names.index(joint)] for label, joint in INSIDE.items() if label != "spine"}

    def pressure(self, t: Times) -> np.ndarray:
        """Return where the ground pushes the right foot (K, 2), x and y from the foot flat on the ground in the upright pose [m].

        Not a number where it bears less than a tenth of the weight.
        """
        at = self._at(np.asarray(t, dtype=float))
        q, *_ = states(self.person, self.prediction, at)
        right = [force for force in ground_forces(self.prediction, at) if " right" in force.name]
        size = np.stack([np.maximum(force.vector[:, 2], 0.0) for force in right])
        bears = size.sum(axis=0) > 0.1 * self.person.total_mass * EARTH
        place = (
            sum(s[:, None] * force.at for s, force in zip(size, right, strict=True))
            / np.where(bears, size.sum(axis=0), 1)[:, None]
        )
        upright = self.person.point_position(self.person.neutral(), "right_ball")
        ball = self.person.link_pose(q, "right_toes")[:, :3, 3]  # toes turn about a line through the ball, on the ground
        found = (place - ball)[:, :2] + upright[:2]
        return np.where(bears[:, None], found, np.nan)

    def _at(self, t: np.ndarray) -> Instants:
        return instants(self.prediction, self.step_length, t)

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.prediction.duration

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        from ..view.scene.build import SceneMotion

        at = self._at(t)
        q, qd, qdd, tau = states(self.person, self.prediction, at)
        forces, pushes = ground_forces(self.prediction, at), loads(self.prediction, at)
        return SceneMotion(self.person, t, q, qd, qdd, tau, name=self.prediction.name, ground_forces=forces, loads=pushes)

    def _repr_html_(self) -> str:
        from ..view.page import table

        double = self.double_support
        rows = [
            ("speed", f"{self.speed:.3g} m/s"),
            ("step length", f"{self.step_length:.3g} m"),
            ("cadence", f"{self.cadence:.0f} steps per minute"),
            ("double support", f"{2 * double:.0%} of the cycle"),
            ("cost of transport", f"{self.cost_of_transport:.3g}"),
            ("solver", self.prediction.status.value.replace("_", " ")),
        ]
        return f"<p>{self!r}</p>".replace("<p><", "<p>&lt;", 1) + table(("", ""), rows)

    def __repr__(self) -> str:
        steps = f"steps of {self.step_length:.3g} m, {self.cadence:.0f} steps per minute"
        return f"<Gait: {self.speed:g} m/s, {steps}, {self.prediction.status.value}>"
