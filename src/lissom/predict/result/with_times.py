"""The time of a prediction: its duration, its phases and instants along it."""

from __future__ import annotations

import numpy as np

from ...errors import StateError
from ...spline import SplinePath
from ..data.motion import Motion
from ..data.part import AnyPath
from ..problem.description import Description
from .rounds import Phase

MOST = 10_000_000  # instants of one result
POINTS = 201  # instants of plots and, at least, of exported motions


class WithTimes:
    """What `Prediction` says of its time."""

    path: SplinePath
    channels: dict[str, AnyPath]
    ends: tuple[float, ...]
    description: Description

    @property
    def motion(self) -> Motion:
        """The path and the channels."""
        return Motion(self.path, self.channels, self.ends)

    @property
    def phases(self) -> list[Phase]:
        """Phases of the motion in their order, with their times; none where the problem has none."""
        names, nominal = self.description.phases
        places = np.array(self.ends) if len(self.ends) > 2 else np.array(nominal)
        times = places * self.duration
        return [Phase(name, float(a), float(b)) for name, a, b in zip(names, times[:-1], times[1:], strict=True)]

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.path.duration

    def times(self, points: int = POINTS) -> np.ndarray:
        """Return instants from the start to the end [s]."""
        if not isinstance(points, int) or not 2 <= points <= MOST:
            raise StateError(f"points is {points!r}, expected a number of instants from 2, the start and the end, to {MOST}")
        return np.linspace(0.0, self.duration, points)
