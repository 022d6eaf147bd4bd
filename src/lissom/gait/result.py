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
from .curves import curves, side_of, spring_moments
from .cycle import Instants, ground_forces, instants, loads, states
from .energy import STANDING, metabolic_power
from .norm import Norm, Score, compare, read_norm
from .problem import EARTH
from .terrain import Terrain

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion

LEVEL = Terrain()


@dataclass(frozen=True, eq=False)
class Gait:
    """A walk: one step from the right heel's strike to the left one's, whose mirror image is the next, or two steps.

    Attributes:
        person: who walks.
        prediction: the step, with all that predictions know: torques, wrenches inside joints, forces, files, pictures.
        speed: along the level [m/s].
        step_length: along the level [m].
        terrain: level ground, a slope or stairs.
        steps: that were predicted: 1 where left and right are alike, 2 where they are not.
    """

    person: Human
    prediction: Prediction
    speed: float
    step_length: float
    terrain: Terrain = LEVEL
    steps: int = 1

    @property
    def step_time(self) -> float:
        """Time of a step [s]; of two steps with phases of free durations, the mean."""
        return self.prediction.duration / self.steps

    @property
    def strike(self) -> float:
        """Time of the left heel's strike [s], where the left foot's cycle begins."""
        return self.prediction.duration if self.steps == 1 else self.phases[len(self.phases) // 2 - 1].end

    @property
    def cadence(self) -> float:
        """Steps per minute."""
        return 60.0 / self.step_time

    @property
    def phases(self) -> list[Phase]:
        """Phases of the prediction in their order, with their times [s]."""
        return self.prediction.phases

    @property
    def stance(self) -> float:
        """Share of the gait cycle in which a foot stands; of two feet that differ, the mean."""
        return sum(many * time for many, time in self._standing()) / (2.0 * self.prediction.duration)

    @property
    def double_support(self) -> float:
        """Share of the gait cycle of one of its two double supports, their mean: until the rear foot leaves the ground."""
        return sum(time for many, time in self._standing() if many == 2) / (2.0 * self.prediction.duration)

    @property
    def flight(self) -> float:
        """Share of the gait cycle in which no foot is on the ground: zero of walking."""
        return sum(time for many, time in self._standing() if many == 0) / self.prediction.duration

    def _standing(self) -> list[tuple[int, float]]:
        """Return how many feet stand, and how long [s], for every phase."""
        ground = self.prediction.description.ground
        many = [0] * len(self.phases) if ground is None else [len(own) for own in ground.stands]
        return [(count, phase.end - phase.start) for count, phase in zip(many, self.phases, strict=True)]

    @property
    def cost_of_transport(self) -> float:
        """Work of all joints, positive and negative, over weight times distance; that of muscles and their heat are not in it."""
        t = self.prediction.times(401)
        power = np.abs(self.prediction.torques(t) * self.prediction.states(t)[1])
        way = self.steps * self.step_length
        return float(np.trapezoid(power.sum(axis=-1), t) / (self.person.total_mass * EARTH * way))

    @property
    def metabolic_cost(self) -> float:
        """Energy over mass and distance [J/(kg m)]: of joints, by `lissom.gait.metabolic_power`, and of standing."""
        t = self.prediction.times(401)
        power = metabolic_power(self.prediction.torques(t), self.prediction.states(t)[1]).sum(axis=-1)
        mass, way = self.person.total_mass, self.steps * self.step_length
        return float(np.trapezoid(power / mass + STANDING, t) / way)

    def cycle(self, n: int = 51, side: str = "right") -> dict[str, np.ndarray]:
        """Return curves of a side over its gait cycle, from its heel's strike to the next, at n equal percents.

        Angles [deg]: hip_flexion, hip_adduction, hip_rotation (internal), knee_flexion, ankle_dorsiflexion, pelvis_tilt
        (anterior), pelvis_obliquity (side up), pelvis_rotation (side ahead), trunk_tilt (of the chest, ahead), trunk_obliquity
        (side up). Moments over the body's mass [N m/kg], as inverse dynamics of a laboratory gives them, of muscles and springs
        together: hip_extension_moment, hip_abduction_moment, knee_extension_moment, ankle_plantarflexion_moment; with a spring
        beside the joint, hip_spring_moment, ... is its part. Forces of the ground on the foot over the body's weight:
        vertical_force, fore_aft_force (ahead), lateral_force (inward), on a slope across and along it. As gait laboratories do,
        angles of the pelvis and of the hips count from the plane through the spines of the pelvis, 11 deg ahead of the model's
        upright one.
        """
        integer(n, "n", 2, most=100_000)
        return curves(self, np.linspace(0.0, 100.0, n), side)

    def compare(self, norm: Norm, side: str = "right") -> dict[str, Score]:
        """Return r, rms and the share within one SD of every curve that a norm has: a file, or columns by name.

        Names are those of `cycle` with "_mean" and "_sd" (without which the share is nan), over "cycle_percent".
        """
        return compare(self.cycle(201, side), norm)

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

    def joint_forces(self, t: Times, side: str = "right") -> dict[str, np.ndarray]:
        """Return the net force through joints of a side and the spine (K,) over the body's weight, at times of the cycle.

        It is what holds the limbs together; muscles press joints together with forces several times as large.
        """
        at = self._at(np.asarray(t, dtype=float))
        q, qd, qdd, _ = states(self.person, self.prediction, at)
        found = self.person.joint_wrenches(q, qd, qdd, external=loads(self.prediction, at), axes="world")
        size = np.linalg.norm(found[..., :3], axis=-1) / (self.person.body.mass * EARTH)
        names = list(self.person.wrench_names)
        return {label: size[:, names.index(joint)] for label, joint in _inside(side).items()}

    def joint_powers(self, t: Times, side: str = "right") -> dict[str, np.ndarray]:
        """Return moments, of muscles and springs, times velocities over mass [W/kg] at hip, knee and ankle of a side (K,)."""
        q, qd, _, tau = states(self.person, self.prediction, self._at(np.asarray(t, dtype=float)))
        power = (tau - spring_moments(self.person, q)) * qd / self.person.body.mass
        names = self.person.joint_names
        return {label: power[:, names.index(joint)] for label, joint in _inside(side).items() if label != "spine"}

    def pressure(self, t: Times, side: str = "right") -> np.ndarray:
        """Return where the ground pushes a foot (K, 2), x and y from the foot flat on the ground in the upright pose [m].

        Not a number where it bears less than a tenth of the weight.
        """
        _inside(side)  # a wrong name raises
        at = self._at(np.asarray(t, dtype=float))
        q, *_ = states(self.person, self.prediction, at)
        own = [force for force in ground_forces(self.prediction, at) if f" {side}" in force.name]
        size = np.stack([np.maximum(force.vector[:, 2], 0.0) for force in own])
        bears = size.sum(axis=0) > 0.1 * self.person.body.mass * EARTH
        place = (
            sum(s[:, None] * force.at for s, force in zip(size, own, strict=True)) / np.where(bears, size.sum(axis=0), 1)[:, None]
        )
        upright = self.person.point_position(self.person.neutral(), f"{side}_ball")
        # toes turn about a line through the ball, on the ground
        ball = self.person.link_pose(q, f"{side}_toes")[:, :3, 3]
        far = place - ball
        far[:, 0] /= np.cos(self.terrain.pitch)
        return np.where(bears[:, None], far[:, :2] + upright[:2], np.nan)

    def _at(self, t: np.ndarray) -> Instants:
        return instants(self.prediction, self.step_length, self.terrain.rise(self.step_length), self.steps, t)

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.step_time

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        from ..view.scene.build import SceneMotion

        at = self._at(t)
        q, qd, qdd, tau = states(self.person, self.prediction, at)
        forces, pushes = ground_forces(self.prediction, at), loads(self.prediction, at)
        more: dict[str, Any] = {"name": self.prediction.name, "obstacles": self.terrain.solids(self.step_length)}
        return SceneMotion(self.person, t, q, qd, qdd, tau, ground_forces=forces, loads=pushes, **more)

    def _repr_html_(self) -> str:
        from ..view.summary_results import page, some_rows

        double = self.double_support
        rows = [
            ("speed", f"{self.speed:.3g} m/s"),
            ("step length", f"{self.step_length:.3g} m"),
            ("cadence", f"{self.cadence:.0f} steps per minute"),
            ("double support", f"{2 * double:.0%} of the cycle") if double else ("flight", f"{self.flight:.0%} of the cycle"),
            ("cost of transport", f"{self.cost_of_transport:.3g}"),
            ("solver", self.prediction.status.value.replace("_", " ")),
        ]
        return page(repr(self), some_rows("numbers", ("", ""), rows))

    def __repr__(self) -> str:
        steps = f"steps of {self.step_length:.3g} m, {self.cadence:.0f} steps per minute"
        return f"<Gait: {self.speed:g} m/s, {steps}, {self.prediction.status.value}>"


def _inside(side: str) -> dict[str, str]:
    """Return the joints, by label, whose forces and powers are shown."""
    legs = {label: f"{side_of(side)}_{label}_flexion" for label in ("hip", "knee", "ankle")}
    return legs | {"spine": "spine_1_flexion"}
