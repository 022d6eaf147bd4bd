"""Curves in a page: their data as JSON, and the scripts that draw them.

    {"times": [A f64 (N,)], "events": [[time, text]], "shades": [[start, end]],
     "groups": [{"title", "shown", "panels": [{"title", "unit", "time": number of its times, "log", "least": size of noise,
       "lines": [{"name", "tone", "y": A f32 (N,)}], "limits": [{"low", "high", "at": [times] | null,
         "motor", "spans": [[start, end]] where it holds in these only}]}]}]}

An array A is {"type", "shape", "data": base64, little-endian}. null means no bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..page import data_block, packed, text
from .panel import Bound, Group, Panel, thinned

SCRIPTS = ("numbers.js", "range.js", "panel.js", "gestures.js", "curves.js", "start.js")
MOST = 300_000  # numbers of a page: about 2 MB
LARGEST = float(np.finfo(np.float32).max)


@cache
def scripts() -> tuple[str, ...]:
    """Return the scripts that draw curves, in their order; those of a player come before."""
    return tuple((Path(__file__).parent / name).read_text(encoding="utf-8") for name in SCRIPTS)


@cache
def style() -> str:
    """Return the rules of style of curves."""
    return (Path(__file__).parent / "style.css").read_text(encoding="utf-8")


def curves(
    groups: Sequence[Group],
    events: Sequence[tuple[float, str]] = (),
    name: str = "curves",
    player: int | None = 0,
    phases: Sequence[tuple[float, float]] = (),
) -> str:
    """Return curves as a part of a page that has `scripts` and `style`.

    Args:
        groups: what is drawn; empty groups are left out.
        events: (time [s], text), drawn as dotted lines.
        name: id of the data in the page.
        player: number of the player in the page whose time they share; None for none.
        phases: (start, end) [s] of the phases of the motion; every other one is shaded.
    """
    data = curve_data([group for group in groups if group.panels], events, phases)
    own = "none" if player is None else player
    return f'<div class="curves" data-of="{text(name)}" data-player="{own}"></div>{data_block(name, data)}'


def curve_data(
    groups: Sequence[Group], events: Sequence[tuple[float, str]] = (), phases: Sequence[tuple[float, float]] = ()
) -> dict[str, Any]:
    """Return the data of curves; long ones are thinned, without their peaks being lost."""
    total = sum(len(panel.t) * len(panel.lines) for group in groups for panel in group.panels)
    share = min(1.0, MOST / max(1, total))
    times: list[np.ndarray] = []
    made = []
    for group in groups:
        noise = group.noise
        panels = []
        for panel in group.panels:
            few = thinned(panel, int(share * len(panel.t) * len(panel.lines)))
            panels.append(_panel(few, _number(times, few.t), noise[panel.unit]))
        made.append({"title": group.title, "shown": group.shown, "panels": panels})
    happened = [[float(t), str(what)] for t, what in events]
    shades = [[float(start), float(end)] for start, end in phases[1::2]]
    return {"times": [packed(t, "f64") for t in times], "events": happened, "shades": shades, "groups": made}


def _number(times: list[np.ndarray], t: np.ndarray) -> int:
    """Return the number of these times in the list, to which they are added if they are new."""
    for k, other in enumerate(times):
        if other is t or (other.shape == t.shape and np.array_equal(other, t)):
            return k
    times.append(np.asarray(t, float))
    return len(times) - 1


def _panel(panel: Panel, time: int, least: float) -> dict[str, Any]:
    def y(values: np.ndarray) -> dict[str, Any]:
        return packed(np.clip(values, -LARGEST, LARGEST), "f32")

    return {
        "title": panel.title,
        "unit": panel.unit,
        "time": time,
        "log": panel.log,
        "least": min(least, LARGEST),
        "lines": [{"name": line.name, "tone": line.tone, "y": y(line.y)} for line in panel.lines],
        "limits": [_limit(bound) for bound in panel.bounds if math.isfinite(bound.lower) or math.isfinite(bound.upper)],
    }


def _limit(bound: Bound) -> dict[str, Any]:
    low, high = (float(x) if math.isfinite(x) else None for x in (bound.lower, bound.upper))
    spans = [[float(start), float(end)] for start, end in bound.spans]
    made = {"low": low, "high": high, "at": [float(t) for t in bound.at] or None, "motor": bound.motor}
    return {**made, "spans": spans} if spans else made
