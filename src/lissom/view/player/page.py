"""Pages with a player: a scene that moves, from a file of its own, without a server or a network.

The player is the files of `SCRIPTS` in this order, as one script; the page's policy allows it by its hash.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from pathlib import Path

from ...files import write_whole
from ..page import check_ending, page_text, policy, text
from ..scene.data import scene_json
from ..scene.scene import Scene

SCRIPTS = (
    "math",  # vectors and matrices
    "decode",  # the scene's arrays
    "motion",  # poses at a time
    "camera",
    "shaders",
    "coarse",  # fewer triangles
    "gpu",  # programs and buffers
    "solids",  # arrows and springs
    "things",  # all that is drawn
    "pen",  # what overlays draw with
    "stage",  # drawing and picking
    "dom",
    "input",  # mouse, touch, keys
    "controls",  # the bar of time
    "panels",  # layers, legend, names
    "contexts",  # of many players
    "pace",  # less where drawing is slow
    "screen",  # the canvas, its context, paper
    "player",
    "start",
)


@cache
def player_script() -> str:
    """Return the player as one script, for `scripts` of a page."""
    folder = files(__package__)
    text = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{text}}})();\n'


@cache
def player_style() -> str:
    """Return the player's style sheet, for `style` of a page."""
    return (files(__package__) / "style.css").read_text(encoding="utf-8")


def player_part(scene: Scene, *, whole: bool = False) -> str:
    """Return HTML of a player, a part of a page that also has `player_script()` and `player_style()`.

    Args:
        scene: what is shown.
        whole: whether the player fills the window.
    """
    missing = "<noscript>This 3-D view needs JavaScript.</noscript>"
    data = f'<script type="application/json">{scene_json(scene)}</script>'
    return f'<div class="lissom-player"{" data-whole" if whole else ""}>{missing}{data}</div>'


def pair_part(first: Scene, second: Scene) -> str:
    """Return HTML of two players side by side with one time and one camera."""
    return f'<div class="lissom-pair">{player_part(first)}{player_part(second)}</div>'


def scene_html(scene: Scene) -> str:
    """Return a whole page that shows a scene and nothing else, also for the `srcdoc` of a frame in a notebook."""
    script, style = player_script(), f"body {{ margin: 0; }}\n{player_style()}"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{text(policy([script]))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(scene.name or 'scene')}</title><style>{style}</style>"
    )
    body = f"{player_part(scene, whole=True)}\n<script>{script}</script>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def pair_html(first: Scene, second: Scene, title: str) -> str:
    """Return a whole page that shows two scenes side by side, with one time and one camera."""
    return page_text(title, [pair_part(first, second)], [player_script()], player_style())


def write_scene_page(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write the page of `scene_html`.

    Raises:
        FileError: the file does not end in .html, or cannot be written.
    """
    path = check_ending(path)
    return write_whole(path, scene_html(scene).encode("utf-8", "xmlcharrefreplace"), folders=True)
