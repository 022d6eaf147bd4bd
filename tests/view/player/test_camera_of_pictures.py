"""Pages and pictures look from the same place."""

import numpy as np
import pytest

from lissom.view.camera import camera


@pytest.mark.slow
def test_a_phone_shows_the_whole_motion_below_title_and_buttons(fresh, scene):
    fresh.command("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
    try:
        fresh.wait("lissom.players[0].camera.width <= 390 && lissom.players[0].camera.bar > 0")
        size = tuple(fresh.run("const c = lissom.players[0].camera; return [c.width, c.height]"))
        top = fresh.run(
            "const v = lissom.players[0].canvas.getBoundingClientRect();"
            "return Math.max(...[...document.querySelectorAll('.lissom-tools > *, .lissom-title')]"
            ".map(x => x.getBoundingClientRect().bottom)) - v.top"
        )
        seen = camera(scene, size)
        for point in ([0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [-0.4, 0.6, 0.1]):
            found = fresh.run("return lissom.players[0].project(arguments[0])", point)
            np.testing.assert_allclose(seen.project(point, size), found, atol=1e-2)
        corners = "const c = lissom.players[0].camera; return [0, 1, 2, 3, 4, 5, 6, 7].map(k => c.project([0, 1, 2].map("
        places = np.array(fresh.run(corners + "i => (k >> i) & 1 ? c.high[i] : c.low[i])))"))
        assert places[:, 1].min() >= top - 1 and places[:, 1].max() <= size[1] and abs(places[:, 0] / size[0] - 0.5).max() < 0.5
    finally:
        fresh.command("Emulation.clearDeviceMetricsOverride")


@pytest.mark.slow
def test_a_point_lies_at_the_same_place_in_the_player_and_in_a_picture(browser, scene):
    size = tuple(browser.run("const c = lissom.players[0].camera; return [c.width, c.height]"))
    seen = camera(scene, size)
    for point in ([0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [-0.4, 0.6, 0.1]):
        found = browser.run("return lissom.players[0].project(arguments[0])", point)
        np.testing.assert_allclose(seen.project(point, size), found, atol=1e-2)
