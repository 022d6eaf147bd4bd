"""The page of a live view: the player of a robot's scene, and a panel to move its joints."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ..page import data_block, policy, text
from ..player.page import player_part, player_script, player_style
from ..scene.scene import Scene
from .posing import Posing

SCRIPTS = ("gizmo", "sliders", "live")  # in this order, as one script
# pages that may hold the view in a frame: notebooks of this machine, in a browser or in an editor
NOTEBOOKS = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:* vscode-webview:"


@cache
def live_script() -> str:
    """Return the script of the panel and the handles, which runs after the player's."""
    folder = files(__package__)
    whole = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{whole}}})();\n'


def live_html(scene: Scene, posing: Posing) -> str:
    """Return the page of a robot; its policy is `live_policy([player_script(), live_script()])`, sent by the server."""
    style = f"{player_style()}\n{(files(__package__) / 'live.css').read_text(encoding='utf-8')}"
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(scene.name or 'robot')}</title><style>{style}</style>"
    )
    panel = '<aside class="live-panel" aria-label="joints"></aside>'
    body = f'<div class="live">{player_part(scene, whole=True)}{panel}</div>\n{data_block("live-data", posing.data())}'
    scripts = "\n".join(f"<script>{script}</script>" for script in (player_script(), live_script()))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n{scripts}\n</body></html>\n'


def framed_html(scene: Scene, address: str) -> str:
    """Return a page that shows the page at an address as long as its server answers, and the scene alone otherwise."""
    script = f'(() => {{\n"use strict";\n{(files(__package__) / "frame.js").read_text(encoding="utf-8")}}})();\n'
    scripts = [player_script(), script]
    host = "/".join(address.split("/")[:3])
    style = (
        "body { margin: 0; } iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden; }\n"
        f"iframe.there {{ visibility: visible; }}\n{player_style()}"
    )
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{text(policy(scripts))}; frame-src {host}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style>'
    )
    frame = f'<iframe src="{text(address)}" allow="fullscreen; clipboard-write" title="{text(scene.name)}"></iframe>'
    body = f"<template>{player_part(scene, whole=True)}</template>{frame}\n"
    body += "\n".join(f"<script>{each}</script>" for each in scripts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def live_policy(scripts: list[str], frames: bool = False) -> str:
    """Return the content policy of a served page: its own scripts, and requests to its own server alone.

    Args:
        scripts: of the page.
        frames: whether notebooks of this machine may show it in a frame; else nobody may.
    """
    holders = NOTEBOOKS if frames else "'none'"
    more = f"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {holders}"
    return f"{policy(scripts)}; {more}"
