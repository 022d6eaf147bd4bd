"""Motion: the path of the joints and the channels beside it, all splines over the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...spline import SplinePath
from ...spline.basis import Basis
from .part import AnyBasis, AnyPath, PartPath, channel_basis, on_basis
from .phases import Phases

if TYPE_CHECKING:
    from .channels import Channel


@dataclass(frozen=True, eq=False)
class Motion:
    """A path of joints, and channels by name, with the same duration and the same spans.

    Attributes:
        ends: where clocks begin and end (clocks + 1,), as fractions of the duration; see `Phases`.
    """

    path: SplinePath
    channels: Mapping[str, AnyPath] = field(default_factory=dict)
    ends: tuple[float, ...] = (0.0, 1.0)

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.path.duration

    @property
    def durations(self) -> np.ndarray:
        """Durations of the clocks (clocks,) [s]."""
        return self.duration * np.diff(self.ends)  # type: ignore[no-any-return]

    @property
    def splines(self) -> tuple[AnyPath, ...]:
        """The path, then the channels."""
        return (self.path, *self.channels.values())

    @property
    def points(self) -> np.ndarray:
        """All control points, one spline after the other (number,)."""
        return np.concatenate([spline.points.ravel() for spline in self.splines])

    def refined(self) -> Motion:
        """Return the same motion with twice as many spans."""
        path, channels = self.path.refined(), {}
        for name, spline in self.channels.items():
            channels[name] = spline.refined(path.basis.span_ends) if isinstance(spline, PartPath) else spline.refined()
        return Motion(path, channels, self.ends)

    def with_duration(self, duration: float) -> Motion:
        """Return the same curves with another duration [s], all clocks in proportion."""
        channels = {name: spline.with_duration(duration) for name, spline in self.channels.items()}
        return Motion(self.path.with_duration(duration), channels, self.ends)

    def with_points(self, points: np.ndarray, durations: np.ndarray) -> Motion:
        """Return a motion with other control points, one spline after the other, and other durations of the clocks [s]."""
        duration, ends = float(np.sum(durations)), self.ends
        if len(durations) > 1:
            ends = (0.0, *(np.cumsum(durations)[:-1] / duration).tolist(), 1.0)
        found: list[AnyPath] = []
        start = 0
        for spline, basis in zip(self.splines, self.bases(ends), strict=True):
            size = spline.points.size
            found.append(on_basis(basis, points[start : start + size].reshape(spline.points.shape), duration))
            start += size
        return Motion(found[0], dict(zip(self.channels, found[1:], strict=True)), ends)  # type: ignore[arg-type]

    def bases(self, ends: Sequence[float] | np.ndarray) -> list[AnyBasis]:
        """Return the bases of all splines, with the clocks' ends moved to other places."""
        if tuple(ends) == self.ends:
            return [spline.basis for spline in self.splines]
        return [spline.basis.stretched(self.ends, ends) for spline in self.splines]

    def moved(self, s: np.ndarray, ends: np.ndarray, back: bool = False) -> np.ndarray:
        """Return places along splines whose clocks have given ends as fractions of the duration, or these back as places."""
        if len(ends) == 2:
            return s
        return np.interp(s, *((self.ends, ends) if back else (ends, self.ends)))

    def rates(self, t: np.ndarray, orders: int) -> tuple[np.ndarray, ...]:
        """Return derivatives by time of the orders 0, 1, ..., (K, columns) each, at times (K,) [s]: joints, then channels."""
        rates = zip(*(spline.rates(t, orders) for spline in self.splines), strict=True)
        return tuple(np.concatenate(parts, axis=-1) if self.channels else parts[0] for parts in rates)


def idle(path: SplinePath, channels: Sequence[Channel], phases: Phases | None = None) -> Motion:
    """Return a motion along a path on a problem's basis, with channels at their first values and nominal shares of clocks."""
    phases = phases or Phases()
    made = {}
    for channel, basis in zip(channels, bases(path.basis, channels, phases)[1:], strict=True):
        made[channel.name] = on_basis(basis, np.full((basis.count, len(channel.labels)), channel.first), path.duration)
    return Motion(path, made, tuple(phases.clock_ends.tolist()))


def bases(basis: Basis, channels: Sequence[Channel], phases: Phases | None = None) -> tuple[AnyBasis, ...]:
    """Return the bases of the path, and of channels with the same spans."""
    found: list[AnyBasis] = [basis]
    for channel in channels:
        first, last = channel.run or (0, -1)
        ends = (phases or Phases()).ends
        found.append(channel_basis(basis, channel.degree, ends[first], ends[last]))
    return tuple(found)
