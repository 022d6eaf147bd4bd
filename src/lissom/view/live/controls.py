"""Controls: the sliders of a robot, and the coordinates that they stand for.

A coordinate in rad or m has a slider of its own. A rotation in space, four coordinates x y z w, has three: its rotation vector
[rad]. Motors behind springs have none: they stand where the springs hold the robot still.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, pi
from typing import Any

import numpy as np

from ...errors import StateError
from ...spatial.quaternion import quaternion_exp, quaternion_log

AT_LIMIT = 1e-6  # [rad or m] from a limit, as a share of the range, that count as being there
TRAVEL = 1.0  # [m] that a slider without limits moves to either side


@dataclass(frozen=True)
class Control:
    """A slider.

    Attributes:
        name: of the coordinate, or of the joint and an axis of its rotation.
        unit: "rad" or "m".
        lower, upper: limits, infinite where there is none.
        place: index of the coordinate in q, or of the first of a quaternion.
        axis: 0, 1 or 2 of a rotation vector; None for a coordinate of its own.
    """

    name: str
    unit: str
    lower: float
    upper: float
    place: int
    axis: int | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends of the slider: the limits, or a range of the same length as without any that begins at the only one."""
        reach = pi if self.unit == "rad" else TRAVEL
        if isfinite(self.lower) and isfinite(self.upper):
            return self.lower, self.upper
        if isfinite(self.lower):
            return self.lower, self.lower + 2 * reach
        if isfinite(self.upper):
            return self.upper - 2 * reach, self.upper
        return -reach, reach

    def side(self, value: float) -> int:
        """Return -1 at the lower limit, 1 at the upper one, 0 between them."""
        near = AT_LIMIT * max(self.ends[1] - self.ends[0], AT_LIMIT)
        return -1 if value <= self.lower + near else 1 if value >= self.upper - near else 0

    def data(self) -> dict[str, Any]:
        """Return the control for the page; a limit that is not there is None."""
        low, high = self.ends
        limits = (x if isfinite(x) else None for x in (self.lower, self.upper))
        return {
            "name": self.name,
            "unit": self.unit,
            "low": low,
            "high": high,
            **dict(zip(("lower", "upper"), limits, strict=True)),
        }


class Controls:
    """The sliders of a robot.

    Attributes:
        every: the sliders, in the order of their values.
    """

    def __init__(self, robot: Any) -> None:
        self.robot = robot
        self.count = robot.nq - robot.n_elastic  # motors behind springs come last
        self.every = tuple(_controls(robot, self.count))

    def values(self, q: np.ndarray) -> np.ndarray:
        """Return the values of the sliders (n,) [rad or m] at coordinates q (nq,)."""
        found = [float(q[c.place]) if c.axis is None else 0.0 for c in self.every]
        for k, control in enumerate(self.every):
            if control.axis == 0:
                found[k : k + 3] = map(float, quaternion_log(q[control.place : control.place + 4]))
        return np.array(found)

    def coordinates(self, values: np.ndarray) -> np.ndarray:
        """Return coordinates q (nq,) at values of the sliders (n,) [rad or m], brought within their limits.

        Raises:
            StateError: values has the wrong size, or a value that is not finite.
        """
        if values.shape != (len(self.every),):
            raise StateError(f"values must be {len(self.every)} numbers, one for each slider, got {values.shape}")
        if not np.isfinite(values).all():
            raise StateError("values must be finite numbers")
        values = np.clip(values, [c.lower for c in self.every], [c.upper for c in self.every])
        q = np.array(self.robot.neutral(), dtype=float)[: self.count]
        for k, control in enumerate(self.every):
            if control.axis is None:
                q[control.place] = values[k]
            elif control.axis == 0:
                q[control.place : control.place + 4] = quaternion_exp(values[k : k + 3])
        return self.whole(q)

    def whole(self, q: np.ndarray) -> np.ndarray:
        """Return coordinates (nq,) from those of the joints: motors behind springs stand where these hold the robot still."""
        return np.asarray(self.robot.at_rest(q[: self.count])) if self.robot.n_elastic else q

    def sides(self, values: np.ndarray) -> list[int]:
        """Return for every slider whether it is at a limit: -1 at the lower one, 1 at the upper one, 0 between them."""
        return [control.side(float(x)) for control, x in zip(self.every, values, strict=True)]


def _controls(robot: Any, count: int) -> list[Control]:
    names, units = robot.coordinate_names, robot.coordinate_units
    lower, upper = robot.limits.lower, robot.limits.upper
    found: list[Control] = []
    at = 0
    while at < count:
        if units[at]:
            found.append(Control(names[at], units[at], float(lower[at]), float(upper[at]), at))
            at += 1
            continue
        joint = names[at].removesuffix("_qx")
        found += [Control(f"{joint} about {axis}", "rad", -np.inf, np.inf, at, k) for k, axis in enumerate("xyz")]
        at += 4
    return found
