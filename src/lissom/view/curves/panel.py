"""Panels of curves over time, as numbers; `write.py` makes data for a page of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MOTOR, WANTED = 1, "wanted"  # tones of a motor beside its joint, and of a reference
NOISE, TINY = 1e-9, 1e-13  # share of the largest value in a group, and value, below which a curve is drawn as a flat line


@dataclass(frozen=True, eq=False)
class Line:
    """A curve.

    Attributes:
        name: for the legend; any text.
        y: values (N,); not a number where there is none.
        tone: number of a color, or "wanted" for the dotted line of a reference.
    """

    name: str
    y: np.ndarray
    tone: int | str = 0


class Bound(NamedTuple):
    """Limits of the values in a panel.

    Attributes:
        lower, upper: infinite where there is none.
        at: times [s] at which they hold; empty for all the time.
        motor: whether they are a motor's beside its joint's.
        spans: (start, end) [s] of the times in which they hold; empty for all the time.
    """

    lower: float
    upper: float
    at: tuple[float, ...] = ()
    motor: bool = False
    spans: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """A diagram.

    Attributes:
        title: any text.
        unit: of the values.
        t: times (N,) [s], increasing.
        lines: curves at these times.
        bounds: limits.
        log: whether values are drawn by their logarithm.
    """

    title: str
    unit: str
    t: np.ndarray
    lines: Sequence[Line]
    bounds: Sequence[Bound] = ()
    log: bool = False


@dataclass(frozen=True, eq=False)
class Group:
    """Panels under a heading.

    Attributes:
        title: of the group.
        panels: its panels, from left to right.
        shown: whether it is open at first.
    """

    title: str
    panels: Sequence[Panel]
    shown: bool = True

    @property
    def noise(self) -> dict[str, float]:
        """By unit, the size below which values are rounding noise beside those of the other panels."""
        largest: dict[str, float] = {}
        for panel in self.panels:
            for line in panel.lines:
                finite = line.y[np.isfinite(line.y)]
                size = float(np.abs(finite).max(initial=0.0))
                largest[panel.unit] = max(largest.get(panel.unit, 0.0), size)
        return {unit: max(NOISE * size, TINY) for unit, size in largest.items()}


def thinned(panel: Panel, most: int) -> Panel:
    """Return a panel with at most about `most` numbers, in which every curve keeps its peaks.

    The times are cut into pieces of equally many samples; of each, the first, the lowest and the highest of every curve remain.
    """
    count, lines = len(panel.t), len(panel.lines)
    if count * lines <= most:
        return panel
    pieces = max(2, most // max(1, lines * (2 * lines + 1)))
    edges = np.unique(np.linspace(0, count, pieces + 1).astype(int))
    kept = [edges[:-1], np.array([count - 1])]
    for line in panel.lines:
        for sign in (1.0, -1.0):
            y = np.where(np.isnan(line.y), -np.inf, sign * line.y)
            top = np.maximum.reduceat(y, edges[:-1])
            is_top = np.flatnonzero(y == np.repeat(top, np.diff(edges)))
            piece = np.searchsorted(edges, is_top, side="right")
            kept.append(is_top[np.unique(piece, return_index=True)[1]])
    rows = np.unique(np.concatenate(kept))
    own = [Line(line.name, line.y[rows], line.tone) for line in panel.lines]
    return Panel(panel.title, panel.unit, panel.t[rows], own, panel.bounds, panel.log)
