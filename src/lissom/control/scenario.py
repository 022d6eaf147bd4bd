"""Scenario: a robot, its start, a reference, and a controller."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

import numpy as np

import lissom

from ..protocol import DrivenRobot
from ..simulate import Trajectory
from ..wrench import Wrench
from .reference import Reference
from .tracking import Tracking, track

OF_A_METHOD = ("dt", "rtol", "atol")  # options that are meaningless for another method than the one they were given for


@dataclass(frozen=True, eq=False)
class Scenario:
    """A simulation under control, ready to run.

    Attributes:
        name: of the scenario.
        robot: the robot.
        controller: an object with a method torque(t, q, qd).
        reference: desired motion of the joints.
        q0, qd0: coordinates (nq,) and velocities (nv,) at the start, motors included.
        duration: [s].
        options: of `Robot.simulate`: method, dt, sample, rtol, atol, hold.
        external: wrenches on links, all the time.
        unknown: links whose wrenches the controller does not know.
        task: the reference in words.
        assumed: assumptions made for values that are not given, one sentence each.
        sources: files that it was read from.
    """

    name: str
    robot: DrivenRobot
    controller: Any
    reference: Reference
    q0: np.ndarray
    qd0: np.ndarray
    duration: float
    options: Mapping[str, Any] = field(default_factory=dict)
    external: Mapping[str, Wrench] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    task: str = ""
    assumed: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        kind = type(self.controller).__name__
        return f"<Scenario {self.name!r}: {self.robot.name!r} under {kind}, {self.duration:g} s>"

    def _repr_html_(self) -> str:
        from ..view.summary_results import scenario_html

        return scenario_html(self)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the robot in three dimensions where it starts, as `Robot.show`; `tracking` of a run shows the motion."""
        from ..view.show import show_robot

        options.setdefault("title", self.name)
        return show_robot(self.robot, self.q0, save=save, **options)

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Return the options of a run with changes; dt, rtol and atol of another method are dropped."""
        found = {"duration": self.duration, **self.options}
        changes = {key: value for key, value in changes.items() if value is not None}
        if changes.get("method", found.get("method")) != found.get("method"):
            found = {key: value for key, value in found.items() if key not in OF_A_METHOD}
        return {**found, **changes}

    def run(
        self, *, progress: bool | Callable[[float, float], None] | None = None, throw: bool = True, **changes: Any
    ) -> Trajectory:
        """Simulate.

        Args:
            progress, throw: as in `Robot.simulate`.
            changes: options that replace the scenario's: duration, method, dt, sample, rtol, atol, hold; None keeps them.
        """
        settings = self.settings(**changes)
        return self.robot.simulate(
            self.q0, self.qd0, torque=self.controller, external=self.external or None, progress=progress, throw=throw, **settings
        )

    def tracking(self, trajectory: Trajectory) -> Tracking:
        """Return the tracking errors, torques and deflections of a run."""
        return track(trajectory, self.reference, self.controller, self.name)

    def report(self, trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
        """Write the page of a run (`Tracking.report`), with the controller's gains, stability and the assumptions."""
        from ..view.report.tracking import report_tracking
        from .summary import gains_of, stability

        gains = gains_of(self.controller)
        rows = [(name, *row) for name, *row in zip(self.robot.velocity_names, *gains.values(), strict=False)]
        bounded = trajectory.status.value in ("finished", "event", "interrupted")  # no inertia where the motion diverged
        words = [("controller", type(self.controller).__name__), ("task", self.task)]
        words += [("stability", stability(self.controller, trajectory.q if bounded else None))]
        words += [("assumed", line) for line in self.assumed]
        words += [("not covered", f"the controller ignores the wrench on {link}") for link in self.unknown]
        tables = [("Gains", ("joint", *gains), rows), ("Control in words", ("", ""), words)]
        return report_tracking(self.tracking(trajectory), path, tables)
