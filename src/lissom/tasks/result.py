"""Task: a predicted motion of a person, with scores by name, loads at L5/S1, pictures and a report."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

import lissom

from ..arrays import Times
from ..errors import StateError
from ..predict import Prediction
from ..robots.human.points import Point
from ..robots.human.robot import Human
from .body import EARTH, SIDES, SOLE, flat_soles, strength_used
from .cobot import GRIP
from .cobot import NAME as COBOT
from .spine import SpineLoad, spine_load

ROWS = 401  # instants of scores and curves
RISES = ("stand_up", "sit_down")


class TaskScore(NamedTuple):
    """A number about a motion.

    Attributes:
        value: the number.
        unit: "" for none.
        note: what it is of, such as a joint.
    """

    value: float
    unit: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class Task:
    """A predicted motion of a person.

    Attributes:
        kind: "lift", "stand_up", "sit_down", "reach" or "run".
        person: who moves; of a lift, with the box as a free body.
        prediction: the motion, with all that predictions know: torques, forces of contacts, files, pictures.
    """

    kind: str
    person: Human
    prediction: Prediction

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.prediction.duration

    def spine(self, t: Times) -> SpineLoad:
        """Return the loads at L5/S1 at times (K,) [s]."""
        t = np.atleast_1d(np.asarray(t, dtype=float))
        q, qd, qdd = self.prediction.coordinates(t)
        return spine_load(self.person, q, qd, qdd, self.prediction._external(t))

    def moments(self, t: Times) -> dict[str, np.ndarray]:
        """Return the moments of muscles (K,) by joint [N m]."""
        tau, names = self.prediction.torques(np.asarray(t, dtype=float)), self.person.velocity_names
        return {name: tau[..., names.index(name)] for name in self.person.strengths}

    def strength_used(self, t: Times) -> dict[str, np.ndarray]:
        """Return the moments of muscles over the strengths of their way (K,) by joint."""
        return strength_used(self.person, self.prediction.torques(np.asarray(t, dtype=float)))

    def ground_force(self, t: Times) -> np.ndarray:
        """Return the force of the ground on both feet (K, 3) along the world's axes [N]."""
        found = self.prediction.contact_forces(t, axes="world")
        return np.asarray(sum(found[name].sum(axis=-2) for name in self._soles))

    def hand_forces(self, t: Times) -> dict[str, np.ndarray]:
        """Return the force (K, 3) of each hand on the box by "left" and "right", along the world's axes [N]."""
        found = self.prediction.contact_forces(t, axes="world")
        return {side: -found[f"{side}_grip"].sum(axis=-2) for side in SIDES if f"{side}_grip" in found}

    def cobot_force(self, t: Times) -> np.ndarray:
        """Return the force (K, 3) of a cobot on the box along the world's axes [N]: what the box needs beside the hands.

        Raises:
            StateError: no cobot holds the box.
        """
        self._expect_cobot()
        q, qd, qdd = self.prediction.coordinates(np.asarray(t, dtype=float))
        a = self.person.link_acceleration(q, qd, qdd, "box")[..., :3]
        inertia = self.person.model.link("box").inertia
        mass = 0.0 if inertia is None else inertia.mass
        return np.asarray(mass * (a - np.array(self.person.model.gravity)) - sum(self.hand_forces(t).values()))

    def cobot_used(self, t: Times) -> dict[str, np.ndarray]:
        """Return the torques of a cobot over their limits (K,) by joint.

        Raises:
            StateError: no cobot holds the box.
        """
        self._expect_cobot()
        tau, names = self.prediction.torques(np.asarray(t, dtype=float)), self.person.velocity_names
        own = [joint for joint in self.person.model.joints if joint.name.startswith(f"{COBOT}_") and joint.name in names]
        return {joint.name: np.abs(tau[..., names.index(joint.name)]) / joint.limits.effort for joint in own}

    @property
    def has_cobot(self) -> bool:
        """Whether a cobot holds the box with the person."""
        return any(joint.name == GRIP for joint in self.person.model.joints)

    def _expect_cobot(self) -> None:
        if not self.has_cobot:
            raise StateError("no cobot holds the box of this task; lissom.tasks.lift(..., cobot=lissom.tasks.Cobot()) has one")

    def pressure(self, t: Times) -> np.ndarray:
        """Return where the ground pushes both feet together (K, 2), x and y [m]; not a number in flight."""
        q, moment, total = self.prediction.coordinates(np.asarray(t, dtype=float))[0], 0.0, 0.0
        for name, force in self.prediction.contact_forces(t, axes="world").items():
            for point, push in zip(self._soles.get(name, ()), np.moveaxis(force[..., 2], -1, 0), strict=False):
                moment = moment + push[..., None] * self.person.point_position(q, point)[..., :2]
                total = total + push
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(np.abs(total) > 1.0, 1.0, np.nan)[..., None] * moment / np.asarray(total)[..., None])

    @property
    def scores(self) -> dict[str, TaskScore]:
        """Numbers about the motion by name, each with its unit; "effort" and "balance" as they are minimized."""
        t = np.linspace(0.0, self.duration, ROWS)
        moments, used, spine = self.moments(t), self.strength_used(t), self.spine(t)
        can, weight = self.person.strengths, self.person.body.mass * EARTH
        effort = sum(np.trapezoid((tau / can[name].effort) ** 2, t) for name, tau in moments.items()) / self.duration
        hardest = max(used, key=lambda name: float(used[name].max()))
        found = {
            "effort": TaskScore(float(effort), ""),
            "largest_share_of_strength": TaskScore(float(used[hardest].max()), "", hardest),
            "peak_ground_force": TaskScore(float(self.ground_force(t)[:, 2].max() / weight), "body weights"),
            "peak_L5S1_compression": TaskScore(float(spine.compression.max()), "N", "net"),
            "peak_L5S1_shear": TaskScore(float(np.abs(spine.shear).max()), "N", "net"),
            "peak_L5S1_moment": TaskScore(float(np.abs(spine.extension).max()), "N m"),
            "peak_disc_compression": TaskScore(float(spine.disc.max()), "N", "with one muscle"),
        }
        if set(self._soles) == {f"{side}_sole" for side in SIDES}:
            x = [point[0] for point in flat_soles(self.person, 1.0).values()]
            away = self.pressure(t) - [0.5 * (min(x) + max(x)), 0.0]
            found["balance"] = TaskScore(float(np.trapezoid((away**2).sum(axis=1) / SOLE**2, t) / self.duration), "")
        if hands := self.hand_forces(t):
            peak = max(float(np.linalg.norm(force, axis=1).max()) for force in hands.values())
            found["peak_hand_force"] = TaskScore(peak, "N", "each hand")
        if self.has_cobot:
            force, shares = self.cobot_force(t), self.cobot_used(t)
            joint = max(shares, key=lambda name: float(shares[name].max()))
            found["peak_cobot_force"] = TaskScore(float(np.linalg.norm(force, axis=1).max()), "N", "on the box")
            found["largest_share_of_cobot"] = TaskScore(float(shares[joint].max()), "", joint)
        if self.kind in RISES:
            for joint in ("hip", "knee"):
                both = np.mean([moments[f"{side}_{joint}_flexion"] for side in SIDES], axis=0)
                peak = float(-both.min() / self.person.body.mass)
                found[f"peak_{joint}_extension_moment"] = TaskScore(peak, "N m/kg", "one side")
        return found

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions; options as of `Prediction.show`."""
        return self.prediction.show(save=save, **options)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html): the motion in 3-D, scores, angles, moments, loads at L5/S1, forces of ground and hands."""
        from ..view.report.task import report_task

        return report_task(self, path)

    @cached_property
    def _soles(self) -> dict[str, tuple[str, ...]]:
        """Names of the person's points at which the ground pushes, by contact."""
        known = {point: name for name, point in self.person.points.items()}
        found = {}
        for contact in self.prediction.description.channels:
            if contact.touch is not None and contact.touch.surface is None and contact.touch.link != "pelvis":
                names = (known[Point(contact.touch.link, at)] for at in contact.touch.points)
                found[contact.name.removesuffix("_force")] = tuple(names)
        return found

    def _repr_html_(self) -> str:
        from ..view.summary_results import page, some_rows

        rows = [(name.replace("_", " "), f"{s.value:.3g} {s.unit}", s.note) for name, s in self.scores.items()]
        return page(repr(self), some_rows("scores", ("score", "value", "of"), rows))

    def __repr__(self) -> str:
        return f"<Task: {self.prediction.name}, {self.duration:.3g} s, {self.prediction.status.value}>"
