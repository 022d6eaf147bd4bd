"""Clearances: squared distances of the axes of capsules on links from obstacles, and from each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...algorithms.kinematics.clearances import Pair
from ...protocol import DrivenRobot
from ..data.solids import Box, Obstacle, Solid, kind
from .compiled import OfRobot
from .root import Root

if TYPE_CHECKING:
    from ...model.model import Model

NAME = "axis_distance_squared"


class Meeting(NamedTuple):
    """Two solids that must not touch.

    Attributes:
        link: name of the link that carries the first.
        body: in the frame of that link.
        other: name of the link that carries the second; None for the world.
        solid: the second, in the frame of `other`.
        label: of the two, in words.
        itself: whether both are parts of the robot.
    """

    link: str
    body: Solid
    other: str | None
    solid: Obstacle
    label: str
    itself: bool = False

    @property
    def radii(self) -> float:
        """Distance of the cores at which the solids touch [m]; of a box, that of the axis and its surface."""
        return self.body.radius + (0.0 if isinstance(self.solid, Box) else self.solid.radius)

    @property
    def pair(self) -> Pair:
        """The cores, whose distance is measured."""
        assert not isinstance(self.solid, Box)
        return Pair(self.link, self.body.core, self.other, self.solid.core)


class Clearances(OfRobot):
    """Squared distances of the cores of solids [m^2]: of axes of capsules and centers of spheres.

    Args:
        robot: the robot.
        meetings: pairs of solids, one entry each.
    """

    def __init__(self, robot: DrivenRobot, meetings: Sequence[Meeting]) -> None:
        task = robot.path_task("squared_distances", pairs=tuple(each.pair for each in meetings))
        super().__init__(robot, NAME, [each.label for each in meetings], "m^2", task, ((), {}))
        self.meetings = tuple(meetings)

    def root(self, entry: int) -> Root:
        """Return the distance of the surfaces."""
        return Root(f"distance of {self.labels[entry]}", "m", self.meetings[entry].radii)

    def breach(self, side: str, entry: int, value: float, least: float) -> str:
        """Return the message for an end of the motion at which an entry is less than its bound."""
        met = self.meetings[entry]
        apart, margin = math.sqrt(max(value, 0.0)) - met.radii, math.sqrt(least) - met.radii
        if apart >= 0.0:
            found = f"they are {apart:.4g} m apart"
        else:
            deep = "" if value > 0.0 else "at least "  # the depth of cores in each other is not measured
            found = f"they overlap by {deep}{-apart:.4g} m"
        asked = f"expected a margin of {margin:.4g} m" if margin > 1e-12 else "expected no contact"
        return f"the {side} of the motion breaks a limit, {met.label}: {found}, {asked}"


def apart(model: Model, poses: np.ndarray, meeting: Meeting) -> float:
    """Return the distance of the surfaces of two capsules of links [m], given the poses of all links (n_links, 4, 4)."""
    from ...spatial.distances import Segment, between_segments
    from ...spatial.vector import Vector

    order = {link.name: k for k, link in enumerate(model.links)}
    placed = []
    for link, core in ((meeting.link, meeting.pair.line), (meeting.other, meeting.pair.form)):
        assert link is not None
        pose = poses[order[link]]
        start, end = (pose[:3, :3] @ np.array(point) + pose[:3, 3] for point in core)
        way = end - start if core.start != core.end else np.zeros(3)
        placed.append(Segment(Vector.of(start), Vector.of(way), float(way @ way)))
    return math.sqrt(max(between_segments(*placed), 0.0)) - meeting.radii


def label_of(link: str, solid: Obstacle) -> str:
    """Return a pair of a link and an obstacle of the world in words."""
    return f"{link} to the {kind(solid)}"
