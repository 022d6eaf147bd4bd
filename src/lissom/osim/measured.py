"""Measured curves as targets of motion problems: columns of .mot and .sto files, markers of .trc files, over a span of time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import StateError
from .model import OsimModel
from .motion import coordinates_of
from .storage import read_table
from .table import Table
from .trc import Markers, read_trc

ROWS = 101  # of a target, with straight lines between


def measured(
    source: Table | Markers | str | os.PathLike[str],
    names: Sequence[str] | str,
    time: tuple[float, float] | None = None,
    *,
    model: OsimModel | None = None,
    rows: int = ROWS,
) -> np.ndarray:
    """Return rows (rows, entries) at equal fractions of a span of time: a `target=` of `MotionProblem.minimize`.

    Angles, markers, ground forces and muscles are followed alike: coordinates as "position", a marker as "link_position" of its
    link, columns of forces as "contact_force", EMG as "excitation" or "activation".

    Args:
        source: a table, markers, or the path of a .mot, .sto or .trc file.
        names: of columns, in the order of the goal's entries; of markers, x, y and z of each [m].
        time: first and last time [s], the start and the end of the motion; None takes those of the source.
        model: whose coordinates the columns are: angles in degrees become rad. Needed where a table is in degrees.
        rows: how many.

    Raises:
        FileError: a name is missing, or has gaps within the span.
        StateError: the span is empty or not within the source, or a table in degrees has no model.
    """
    if isinstance(rows, bool) or not isinstance(rows, int) or not 2 <= rows <= 100_000:
        raise StateError(f"rows is {rows!r}, expected 2 to 100000")
    chosen = [names] if isinstance(names, str) else list(names)
    if isinstance(source, Table | Markers):
        given = source
    else:
        given = read_trc(source) if Path(source).suffix.lower() == ".trc" else read_table(source)
    if isinstance(given, Table) and model is not None:
        given = coordinates_of(model, given)
    if isinstance(given, Table) and given.degrees:
        raise StateError(f"{given.title!r} is in degrees; give model=, whose coordinates say which columns are angles")
    times = given.times
    start, end = (float(times[0]), float(times[-1])) if time is None else (float(time[0]), float(time[1]))
    if not times[0] <= start < end <= times[-1]:
        raise StateError(f"time is {start:g} to {end:g} s, expected a span within {times[0]:g} to {times[-1]:g} s")
    inside = slice(int(np.searchsorted(times, start, "right")) - 1, int(np.searchsorted(times, end, "left")) + 1)
    first, last = times[inside][[0, -1]]
    part = given.between(float(first), float(last))
    if isinstance(part, Table):
        values = part.columns(chosen)
    else:
        places = part.of(chosen)
        if not np.isfinite(places).all():
            frame, marker, _ = np.argwhere(~np.isfinite(places))[0]
            raise StateError(f"marker {chosen[marker]!r} was not seen at {part.times[frame]:g} s; fill the gap, or cut the span")
        values = places.reshape(len(part), -1)
    at = np.linspace(start, end, rows)
    return np.stack([np.interp(at, part.times, column) for column in values.T], axis=1)
