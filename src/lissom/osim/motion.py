"""Coordinates over time from a table: by OpenSim's names, in rad and m, with rates along splines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..doubts import doubt
from ..errors import StateError
from .filtering import FAR, is_even, lowpass, rates
from .model import OsimModel
from .table import Table

VALUE, SPEED = "/value", "/speed"


@dataclass(frozen=True, eq=False)
class Motion:
    """Coordinates of a model over time, in the order of `model.names`.

    Attributes:
        times: (N,) [s].
        q, qd, qdd: (N, n) [rad or m, and per second].
    """

    times: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def coordinates_of(model: OsimModel, table: Table) -> Table:
    """Return the columns of coordinates in rad and m, called by OpenSim's names, without others.

    Columns may also be called by paths of states, as "/jointset/hip_r/hip_flexion_r/value".
    """
    places: dict[str, int] = {}
    left = []
    for k, label in enumerate(table.names):
        name = label
        if label.endswith(VALUE):
            joint, name = label.split("/")[-3:-1]
            name = name if name in model.coordinates else f"{joint}/{name}"
        if name not in model.coordinates:
            left += [] if label.endswith(SPEED) else [label]
            continue
        if name in places:
            raise table.error(f"columns {table.names[places[name]]!r} and {label!r} are the same coordinate")
        places[name] = k
    if not places:
        raise table.error(f"no column is a coordinate of {model.parts.name!r}; it has {', '.join(map(repr, model.names))}")
    if left:
        doubt(str(table.error(f"columns {', '.join(map(repr, left))} are no coordinates of {model.parts.name!r}, and left out")))
    table.columns([table.names[k] for k in places.values()])  # refuses gaps
    scale = [np.pi / 180 if table.degrees and model.kinds[name] == "rotational" else 1.0 for name in places]
    return replace(table, names=tuple(places), values=table.values[:, list(places.values())] * scale, degrees=False)


def motion_of(model: OsimModel, table: Table, cutoff: float | None = None, time: tuple[float, float] | None = None) -> Motion:
    """Return the motion of a table, with rates along splines of degree 5 through its rows, as OpenSim's inverse dynamics.

    Coordinates without a column stay at their default, those that are coupled follow.

    Args:
        model: the model.
        table: its coordinates over time.
        cutoff: frequency of the low-pass filter of OpenSim before [Hz]; None does not filter.
        time: first and last time [s]; None takes those of the table.

    Raises:
        FileError: a column has gaps, or no column is a coordinate.
        StateError: too few rows, or an empty span of time.
    """
    known = coordinates_of(model, table)
    start, end = (known.times[0], known.times[-1]) if time is None else time
    start, end = max(start, known.times[0]), min(end, known.times[-1])
    if not start <= end:
        raise StateError(f"the motion has no rows from {start:g} to {end:g} s")
    if cutoff is not None:
        known = lowpass(known, cutoff, shortest=True)
    first, last = (max(int(np.searchsorted(known.times, t, "right")) - 1, 0) for t in (start, end))
    times = known.times[first : last + 1]
    used = slice(max(first - FAR, 0), last + 1 + FAR) if is_even(known.times) else slice(None)
    wanted = slice(first - used.start, last + 1 - used.start) if used.start is not None else slice(first, last + 1)
    all_rates = rates(known.times[used], known.values[used])
    found = {name: [x[wanted, k] for x in all_rates] for k, name in enumerate(known.names)}
    missing = []
    for name in model.names:
        if name in found:
            continue
        terms = model.sums.get(name) or ((model.couplings[name],) if name in model.couplings else ())
        if terms and all(leader in found for leader, _ in terms):
            total = [np.zeros(len(times)) for _ in range(3)]
            for leader, law in terms:
                x, v, a = found[leader]
                y, slope, bend = law.derivatives(x, 2)
                total = [old + new for old, new in zip(total, (y, slope * v, slope * a + bend * v * v), strict=True)]
            found[name] = total
            continue
        missing.append(name)
        still = np.zeros(len(times))
        found[name] = [np.full(len(times), model.defaults[model.names.index(name)]), still, still]
    if missing:
        doubt(str(table.error(f"no columns for {', '.join(map(repr, missing))}: they stay at their defaults")))
    q, qd, qdd = (np.column_stack([found[name][k] for name in model.names]) for k in range(3))
    return Motion(times, q, qd, qdd)
