"""What tests of the player share: its pixels, and a camera of our own."""

import math

import matplotlib.image
import numpy as np

FIELD = 0.6  # vertical angle of view of the player [rad]
NASTY = '<img src=x onerror="window.broken = 1"> </script>'


def pixels(browser, tmp_path):
    """Return the canvas as an array (height, width, 3) from 0 to 255."""
    browser.wait("!lissom.players[0].waiting && !lissom.players[0].later")  # nothing moves any more
    browser.run("lissom.players[0].draw()")
    browser.picture(tmp_path / "shot.png")
    height, width = browser.run("const c = lissom.players[0].canvas; return [c.clientHeight, c.clientWidth]")
    return np.rint(255 * matplotlib.image.imread(tmp_path / "shot.png")[:height, :width, :3]).astype(int)


def projected(browser, point):
    """Return the pixel of a point by a camera of our own: look-at and perspective from where the player's stands."""
    state = browser.run("const c = lissom.players[0].camera; return {...c.state, eye: c.eye, width: c.width, height: c.height}")
    eye, target = np.array(state["eye"]), np.array(state["target"])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    way, f = np.asarray(point) - eye, state["height"] / 2 / math.tan(FIELD / 2)
    depth = way @ forward
    x, y = state["width"] / 2 + f * (way @ right) / depth, state["height"] / 2 - f * (way @ np.cross(right, forward)) / depth
    return np.array([x, y, depth])
