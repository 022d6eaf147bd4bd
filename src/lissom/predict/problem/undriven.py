"""Undriven joints: columns of a path along which nothing pushes, so that their torques vanish all the time.

A floating or planar joint to the base has no drive unless it is named in `driven`; others are named in `undriven`. A motion
problem adds their rows of the equations of motion itself, when it is solved: torque = 0 at as many instants as the path's
acceleration has freedom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...errors import StateError, suggest
from ...protocol import DrivenRobot
from ..data.joints import column_joints, drive_names, path_joints, path_names
from ..quantities.quantity import Quantity
from .check import entry_numbers

OF_DRIVES = ("torque", "torque_rate", "power", "drawn_power", "muscle_balance")
EARTH = 9.81  # [m/s^2], for the magnitude of forces where there is no gravity


def undriven_columns(robot: DrivenRobot, undriven: Any = (), driven: Any = ()) -> tuple[int, ...]:
    """Return the columns of a path without a drive.

    Args:
        robot: the robot.
        undriven: names of joints without a drive, beside floating and planar ones to the base; of a closed robot, of those that
            its model calls active: its coordinates.
        driven: names of floating or planar joints to the base that have one.
    """
    free = {joint.name for joint in path_joints(robot) if joint.kind.traits.loose and joint.parent == robot.model.base}
    without, has = _joints(robot, undriven, "undriven"), _joints(robot, driven, "driven")
    for name in has:
        if name not in free:
            raise StateError(
                f"driven= names joint {name!r}, which has a drive unless undriven= says otherwise; it is for floating and planar "
                "joints to the base"
            )
        if name in without:
            raise StateError(f"joint {name!r} is named in driven= and in undriven=")
    names = (free | set(without)) - set(has)
    return tuple(k for k, joint in enumerate(column_joints(robot)) if joint.name in names)


class WithUndriven:
    """The undriven columns of a motion problem.

    Attributes:
        undriven: columns of the path without a drive, by number.
    """

    robot: DrivenRobot
    undriven: tuple[int, ...]

    @property
    def undriven_names(self) -> tuple[str, ...]:
        """Names of the columns without a drive."""
        names = path_names(self.robot)
        return tuple(names[k] for k in self.undriven)

    def entries_of(self, quantity: Quantity, names: Sequence[str] | str | None) -> np.ndarray:
        """Return the numbers of a quantity's entries; without names, those that have a drive where it is one of drives."""
        found = entry_numbers(quantity, names)
        if not self.undriven or quantity.name not in OF_DRIVES or quantity.labels != drive_names(self.robot):
            return found
        if names is None:
            found = np.setdiff1d(found, self.undriven)
            if not len(found):
                raise StateError(f"{self.robot.name!r} has no drive in this problem, so no {quantity.name} to limit or minimize")
        for entry in found:
            if int(entry) in self.undriven:
                raise StateError(f"{quantity.entry_label(int(entry))} is zero: it has no drive; leave it out of entries=")
        return found


def weight_of(robot: DrivenRobot) -> float:
    """Return the weight of the robot [N], which with an arm of 1 m [N m] is the magnitude of its rows."""
    mass, gravity = robot.total_mass, float(np.linalg.norm(robot.model.gravity))
    return mass * (gravity or EARTH) or 1.0


def _joints(robot: DrivenRobot, names: Any, what: str) -> tuple[str, ...]:
    """Return names of joints of the path."""
    if not isinstance(names, (str, Iterable)):
        raise StateError(f"{what}= is {names!r}, expected names of joints")
    listed = (names,) if isinstance(names, str) else tuple(names)
    known = [joint.name for joint in path_joints(robot)]
    for name in listed:
        if name not in known:
            raise StateError(f"{what}=: no joint {name!r} with its own coordinates; {suggest(str(name), known)}")
    return listed
