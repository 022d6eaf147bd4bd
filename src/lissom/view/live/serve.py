"""Serving scenes: of a robot, whose joints then move, of a motion, or of two motions side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..player.page import pair_html, player_script, scene_html
from ..scene.scene import Scene
from .page import live_html, live_policy, live_script
from .posing import Posing
from .view import LiveView


def serve(
    scene: Scene,
    robot: Any = None,
    q: Any = None,
    *,
    second: Scene | None = None,
    port: int | None = None,
    browser: bool | None = None,
    frames: bool = False,
    say: Callable[[str], object] | None = print,
) -> LiveView:
    """Serve a scene to this machine, and open it in a browser.

    Args:
        scene: what is shown.
        robot: Robot or ClosedRobot whose pose the scene shows, to move its joints; None for a motion.
        q: coordinates of that pose (nq,); None is `robot.neutral()`.
        second: another motion, shown beside the first.
        port: where to listen on 127.0.0.1; None takes a free port.
        browser: True opens a tab, False only prints the address; None opens one where there is a display.
        frames: whether notebooks of this machine may show the page in a frame.
        say: prints a line; None prints nothing.

    Returns:
        The view: `address`, `close()`, `wait()`, and the coordinates `q` set last.
    """
    how: dict[str, Any] = {"port": port, "browser": browser, "say": say}
    if robot is None:
        html = scene_html(scene) if second is None else pair_html(scene, second, _title(scene, second))
        return LiveView(_bytes(html), live_policy([player_script()], frames), **how)
    posing = Posing(robot, q, scene)
    return LiveView(_bytes(live_html(scene, posing)), live_policy([player_script(), live_script()], frames), posing, **how)


def _title(first: Scene, second: Scene) -> str:
    return first.name if first.name == second.name else f"{first.name} and {second.name}"


def _bytes(html: str) -> bytes:
    return html.encode("utf-8", "xmlcharrefreplace")
