"""Poses of links that a motion passes through, or ends at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np

from ...arrays import ArrayLike, Instants
from ...errors import StateError
from ...model import Pose
from ..data.rotation import pose_parts
from ..quantities.task_space import ORIGIN, three


class WithPoses:
    """The poses of a motion problem; each is two limits, of `link_position` and `orientation`."""

    limit: Callable[..., Self]

    def reach(
        self, link: str, pose: Pose | ArrayLike, at: Instants = 1.0, point: Sequence[float] = ORIGIN, *, during: str | None = None
    ) -> Self:
        """Let a link be at a pose, or a point of it at a position, at some time.

        A pose is six equations: robots with fewer joints need limits of `link_position`, `orientation` or `tilt` that they can
        choose. An end that is given by a pose needs `end(None)` or `start(None)`: the joints are free, and at rest.

        Args:
            link: its name.
            pose: of the link in the world: a matrix (4, 4), a lissom.Pose, or a position (3,) [m], which leaves rotations free.
            at: fractions of the duration, or of the phase `during`, 1 for the end.
            point: in the link's frame [m], the one that is at the position.
            during: name of a phase; at=1.0 is then its end, a time that the solver chooses where its duration is free.
        """
        if at is None:
            raise StateError("reach needs at=, fractions of the duration from 0 to 1")
        position, turn = pose_parts(pose)
        offset = np.array(three(point, "point"))
        if turn is not None:
            self.limit("orientation", 0.0, 0.0, at=at, scale=1.0, link=link, target=turn, during=during)
        return self.limit("link_position", position, position, at=at, scale=1.0, link=link, point=offset, during=during)
