"""Pages and pictures look from the same place."""

import numpy as np
import pytest

from lissom.view.camera import camera


@pytest.mark.slow
def test_a_point_lies_at_the_same_place_in_the_player_and_in_a_picture(browser, scene):
    size = tuple(browser.run("const c = lissom.players[0].camera; return [c.width, c.height]"))
    seen = camera(scene, size)
    for point in ([0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [-0.4, 0.6, 0.1]):
        found = browser.run("return lissom.players[0].project(arguments[0])", point)
        np.testing.assert_allclose(seen.project(point, size), found, atol=1e-2)
