"""Views in notebooks: in a frame below the cell, live for a robot, complete for a motion."""

from __future__ import annotations

import os
from typing import Any

from ..page import text
from ..player.page import scene_html
from ..scene.scene import Scene
from .page import framed_html
from .serve import serve
from .view import LiveView

HEIGHT = 520  # of the frame [pixels]
LIVE = "LISSOM_LIVE"  # "0": robots are shown as they are, without a server


def show_inline(
    scene: Scene, robot: Any = None, q: Any = None, *, live: bool = True, port: int | None = None, height: int = HEIGHT
) -> LiveView | None:
    """Show a scene below the cell of a notebook.

    The scene is part of the notebook's file: it is shown without a kernel, and in pages made of the notebook. A robot's joints
    move while the kernel runs on the machine of the browser.

    Args:
        scene: what is shown.
        robot: Robot or ClosedRobot whose pose the scene shows; None for a motion.
        q: coordinates of that pose (nq,).
        live: whether joints can be moved.
        port: where the robot is served on 127.0.0.1; None takes a free port.
        height: of the frame [pixels].

    Returns:
        The view that serves a robot; None for others.
    """
    from IPython.display import HTML, display

    live = live and robot is not None and os.environ.get(LIVE) != "0"
    view = serve(scene, robot, q, port=port, browser=False, frames=True, say=None) if live else None
    if view is not None:
        view.inline = True
    page = scene_html(scene) if view is None else framed_html(scene, view.address)
    style = f"width: 100%; height: {int(height)}px; border: 0;"
    frame = (
        f'<iframe srcdoc="{text(page)}" style="{style}" allow="fullscreen; clipboard-write" title="{text(scene.name)}"></iframe>'
    )
    display(HTML(f"<div>{frame}</div>"))
    return view
