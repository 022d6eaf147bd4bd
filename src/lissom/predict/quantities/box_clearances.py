"""Clearances from boxes: distances of capsules of links from the surfaces of boxes.

The ends of the capsules' axes, seen from the boxes, come with exact derivatives from their compiled task. The distance of a
segment from a box is a function of its ends (`geometry/segment_box.py`), and the chain rule joins both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...algorithms.kinematics.clearances import Placed
from ...geometry.segment_box import SegmentBox, segment_box
from ...protocol import DrivenRobot
from ..data.solids import Box
from .clearances import Meeting
from .compiled import OfRobot
from .quantity import Quantity
from .state import State


class BoxClearances(Quantity):
    """Distances of the surfaces of capsules and boxes [m]; negative where they overlap, by how much.

    Args:
        robot: the robot.
        meetings: of capsules with boxes, one entry each.
    """

    _joined_by = " of "

    def __init__(self, robot: DrivenRobot, meetings: Sequence[Meeting]) -> None:
        self.name, self.labels, self.unit = "distance", tuple(each.label for each in meetings), "m"
        self.meetings, placed, half = tuple(meetings), [], []
        for each in meetings:
            assert isinstance(each.solid, Box)
            box: Any = each.solid
            placed.append(Placed(each.link, each.body.core, each.other, box.center, box.rotation))
            half.append(0.5 * np.array(box.size))
        task = robot.path_task("segment_ends", segments=tuple(placed))
        labels = [f"{k}{axis}" for k in range(2 * len(placed)) for axis in "xyz"]
        self.ends = OfRobot(robot, "segment_ends", labels, "m", task, ((), {}))
        self.half, self.radii = np.array(half), np.array([each.body.radius for each in meetings])
        self.orders = self.ends.orders
        self.depends = np.asarray(self.ends.depends.reshape(self.size, 6, -1).any(axis=1))

    def values(self, state: State) -> np.ndarray:
        """Return the distances."""
        return self._measured(state).distance - self.radii

    def derivatives(self, state: State) -> np.ndarray:
        """Return the slopes by the ends, times those of the ends."""
        gradient, D = self._measured(state).gradient, self.ends.derivatives(state)
        return np.einsum("kpu,rkpuj->rkpj", gradient, D.reshape(*D.shape[:2], self.size, 6, -1))

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Return second derivatives by the ends, between slopes of the ends, and those of the ends themselves."""
        found, D = self._measured(state), self.ends.derivatives(state)
        D = D.reshape(*D.shape[:2], self.size, 6, -1)
        own = np.einsum("rkpui,kpuv,skpvj->krisj", D, weights[..., None, None] * found.hessian, D, optimize=True)
        more = self.ends.curvature(state, (weights[..., None] * found.gradient).reshape(len(state), -1))
        return own + more

    def breach(self, side: str, entry: int, value: float, least: float) -> str:
        """Return the message for an end of the motion at which an entry is less than its bound."""
        found = f"they are {value:.4g} m apart" if value >= 0.0 else f"they overlap by {-value:.4g} m"
        asked = f"expected a margin of {least:.4g} m" if least > 1e-12 else "expected no contact"
        return f"the {side} of the motion breaks a limit, {self.meetings[entry].label}: {found}, {asked}"

    def _measured(self, state: State) -> SegmentBox:
        """Return distances (K, size) of the axes from the boxes, and their derivatives by the ends."""
        ends = self.ends.values(state).reshape(-1, 6)
        K = len(state)
        with np.errstate(invalid="ignore"):  # loops that do not close have ends that are not numbers
            found = segment_box(ends, np.tile(self.half, (K, 1)))
        missing = np.isnan(ends).any(axis=1)
        found.distance[missing] = np.nan
        return SegmentBox(*(part.reshape(K, self.size, *part.shape[1:]) for part in found))
