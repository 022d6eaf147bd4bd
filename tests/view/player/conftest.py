"""One browser for all tests of the player, and a page with a moving robot, an arrow, a spring and names full of markup."""

import numpy as np
import pytest

import lissom
from lissom.view.player.page import write_scene_page
from lissom.view.scene.forms import sphere
from lissom.view.scene.scene import Arrow, Lines, Part, Scene, Span
from support.browser import Browser, missing
from support.player import NASTY

RED, GREEN, GRAY = (0.9, 0.1, 0.1, 1.0), (0.1, 0.6, 0.1, 1.0), (0.5, 0.5, 0.55, 1.0)


@pytest.fixture(scope="session")
def robot():
    return lissom.robots.stanford()


@pytest.fixture(scope="session")
def motion(robot):
    """Times and coordinates of a motion of two seconds."""
    t = np.linspace(0.0, 2.0, 41)
    low, high = np.full(robot.nq, -0.8), np.full(robot.nq, 0.9)
    low[2], high[2] = 0.2, 0.6
    return t, low + (high - low) * (0.5 + 0.5 * np.sin(t[:, None] * np.linspace(1.0, 2.0, robot.nq)))


@pytest.fixture(scope="session")
def scene(robot, motion):
    t, q = motion
    names = [link.name for link in robot.model.links]
    poses = np.tile(np.eye(4), (len(t), len(names) + 1, 1, 1))
    for k, row in enumerate(q):
        for b, name in enumerate(names, 1):
            poses[k, b] = robot.link_pose(row, name)
    ball, tip = sphere(), len(names)
    scale = (0.05, 0.05, 0.05)
    parts = [
        Part(b, ball, "visual", RED if b == tip else GRAY, NASTY if b == tip else "", scale=scale) for b in range(1, tip + 1)
    ]
    grid = np.array([[[x, -1.0, 0.0], [x, 1.0, 0.0]] for x in np.linspace(-1.0, 1.0, 11)])
    parts.append(Part(0, Lines(grid), "ground", GRAY, "ground"))
    at = poses[:, tip, :3, 3]
    arrows = (
        Arrow("pull", "wrenches", GREEN, "N", 0.01, at, np.tile([0.0, 0.0, -40.0], (len(t), 1))),
        Arrow("twist", "wrenches", GREEN, "N m", 0.03, np.zeros((len(t), 3)), np.tile([0.0, 0.0, 8.0], (len(t), 1))),
    )
    spans = (Span("spring", "springs", GREEN, 0, np.array([0.6, 0.6, 0.0]), tip, np.zeros(3), 0.03, 8),)
    return Scene('a "robot" ' + NASTY, ("world", *names), poses, t, tuple(parts), arrows, spans, events=((0.5, NASTY),))


@pytest.fixture(scope="session")
def page(scene, tmp_path_factory):
    return write_scene_page(scene, tmp_path_factory.mktemp("page") / "motion.html")


@pytest.fixture(scope="session")
def window():
    if (lacks := missing()) is not None:
        pytest.skip(lacks)
    with Browser(520, 500) as browser:
        yield browser


RESET = """
const p = lissom.players[0];
Object.assign(p, {speed: 1, loop: true, overlays: [], listeners: []});
p.input.takers = [];
p.pause(); p.setTime(0); p.placed = null; p.home();
for (const layer of p.scene.layers) p.setLayer(layer.key, layer.shown);
p.pace.rest(); p.draw();
"""


@pytest.fixture
def fresh(window, page):
    """The browser with the page just opened; whatever a test does, its console stays empty."""
    _calm(window)
    window.requests()
    window.console()
    window.open(page)
    window.wait("window.lissom && lissom.players[0].drawn")
    window.shows = page
    yield window
    window.shows = None
    _check(window)


@pytest.fixture
def browser(window, page):
    """The browser with the page open, paused at the beginning, as after opening; opened where another is."""
    _calm(window)
    if getattr(window, "shows", None) != page:
        window.open(page)
        window.wait("window.lissom && lissom.players[0].drawn")
        window.shows = page
    window.run(RESET)
    window.console()
    yield window
    _check(window)


def _calm(window):
    window.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])


def _check(window):
    assert window.console() == []
    assert window.run("return window.broken") is None
