"""Bases that are recorded motions: the torques that a robot needs for one in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import StateError
from ...read.entry import Entry
from ...read.table import read_table
from ...read.values import line_of, number
from ..parameters import Value
from .base import Ran
from .document import KEPT
from .files import OfDocument, robot_of


class TorqueFile(OfDocument):
    """Inverse dynamics of a motion in a CSV file: {robot, motion, speed}."""

    kind = "torque"

    def _read(self, entry: Entry) -> _Recorded:
        keys = entry.mapping(("robot", "motion", "speed"), required=("robot", "motion"))
        robot = robot_of(entry, self.document.folder)
        speed = number(keys["speed"]) if "speed" in keys else 1.0
        if not speed > 0:
            raise keys["speed"].error(
                f"'speed' is {speed:g}, expected a positive number: 1 for the motion as recorded, 2 for twice as fast"
            )
        with line_of(keys["motion"]):
            t, q = _motion(str(Path(self.document.folder) / keys["motion"].text()), tuple(robot.coordinate_names))
            if robot.nq != robot.nv:
                raise StateError(f"{robot.name!r} has joints whose coordinates are not angles and lengths; use `lissom torque`")
        return _Recorded(robot, t, q, speed)

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Compute the torques of a case."""
        return Ran(self._read(self.changed(values)).trajectory())


@dataclass(frozen=True)
class _Recorded:
    """A recorded motion of a robot, so many times as fast."""

    robot: Any
    t: np.ndarray
    q: np.ndarray
    speed: float

    def trajectory(self) -> Any:
        from scipy.interpolate import CubicSpline

        t = self.t / self.speed
        curve = CubicSpline(t, self.q)
        q, qd, qdd = curve(t), curve(t, 1), curve(t, 2)
        return self.robot.as_trajectory(t, q, qd, qdd, self.robot.inverse_dynamics(q, qd, qdd))


@lru_cache(KEPT)
def _motion(file: str, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    table = read_table(Path(file))
    found = table.numbers([table.need_time(), *table.columns("q", names)])
    table.check_time(found[:, 0])
    if len(found) < 4:
        raise table.error(f"has {len(found)} lines of numbers; 4 or more are needed for accelerations")
    return found[:, 0], found[:, 1:]
