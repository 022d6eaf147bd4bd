"""The page of a report: verdict, the motion in 3-D, curves, details."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..curves.panel import Group
from ..curves.write import curves
from ..curves.write import scripts as curve_scripts
from ..curves.write import style as curve_style
from ..page import fold, verdict, write_page
from ..player.page import pair_part, player_part, player_script, player_style
from ..scene.scene import Scene
from .verdict import Verdict

STYLE = """
.motion .lissom-player { height: min(560px, 75vh); }
@media (min-width: 1500px) and (min-height: 600px) { body:has(.beside) { max-width: 1900px; }
  .beside { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1.6em; align-items: start; }
  .beside > .motion { position: sticky; top: 0.6em; } .beside > .motion .lissom-player { height: min(760px, 90vh); } }
@media print { .beside { display: block; } .motion { break-inside: avoid; } .motion .lissom-player { height: auto; }
  .motion canvas { max-height: 12cm; object-fit: contain; } }
"""


def write_report(
    title: str,
    said: Verdict,
    scenes: Sequence[Scene],
    groups: Sequence[Group],
    details: Sequence[tuple[str, str]],
    path: str | os.PathLike[str],
    *,
    first: Sequence[str] = (),
    events: Sequence[tuple[float, str]] = (),
    note: str = "",
    phases: Sequence[tuple[float, float]] = (),
) -> Path:
    """Write a report.

    Args:
        title: heading.
        said: the verdict.
        scenes: of the motion: one, two side by side, or none.
        groups: curves; none: there is no such part.
        details: headings and HTML below them, folded.
        path: file to write (.html).
        first: HTML before the motion.
        events: (time [s], text), marked in curves.
        note: HTML below the curves.
        phases: (start, end) [s] of the phases of the motion, shaded in curves.
    """
    drawn = f"<div><h2>Curves</h2>{curves(groups, events, phases=phases)}{note}</div>" if groups else note
    if scenes:
        part = player_part(scenes[0]) if len(scenes) == 1 else pair_part(scenes[0], scenes[1])
        kind = "beside" if len(scenes) == 1 else "below"  # wide windows show one player beside the curves
        drawn = f'<div class="{kind}"><div class="motion"><h2>Motion</h2>{part}</div>{drawn}</div>'
    parts = [verdict(*said), *first, drawn, "<h2>Details</h2>", *(fold(*detail) for detail in details)]
    scripts = [*([player_script()] if scenes else []), *(curve_scripts() if groups else [])]
    return write_page(title, parts, path, scripts, (player_style() if scenes else "") + curve_style() + STYLE)
