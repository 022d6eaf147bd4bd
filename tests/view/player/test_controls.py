"""What the player answers to, in a browser: slider, keys, mouse, links between players."""

import math
import time

import matplotlib.image
import numpy as np
import pytest

from lissom.view.player.page import pair_html
from support.player import NASTY, pixels


def test_the_slider_moves_the_robot(browser, scene, tmp_path):
    before = pixels(browser, tmp_path)
    place = browser.run(
        "const b = document.querySelector('input[type=range]').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
    )
    x, y = place[0] + 0.5 * place[2], place[1] + place[3] / 2
    for kind in ("mousePressed", "mouseReleased"):
        browser.mouse(kind, x, y, button="left", clickCount=1)
    now = browser.run("return lissom.players[0].time")
    assert now == pytest.approx(1.0, abs=0.02)
    assert (pixels(browser, tmp_path) != before).any(axis=2).sum() > 500
    clock = browser.run("return document.querySelector('.lissom-clock').value")
    assert clock == f"{now:.2f} / 2.00 s"


def test_hover_shows_names_as_text(browser, scene):
    tip = scene.bodies[-1]
    x, y, _ = browser.run("const p = lissom.players[0]; return p.project(p.bodyPose(arguments[0]).slice(12, 15))", tip)
    browser.run("lissom.players[0].setLayer('wrenches', false)")
    browser.mouse("mouseMoved", x + 3, y + 3)
    browser.wait("!document.querySelector('.lissom-tip').hidden")
    assert browser.run("return [...document.querySelector('.lissom-tip').children].map((e) => e.textContent)") == [NASTY, tip]
    assert browser.run("return document.querySelector('.lissom-title').textContent") == scene.name
    assert browser.run("return document.querySelector('.lissom-mark').title").startswith(NASTY)
    assert browser.run("return document.images.length") == 0


def test_arrows_and_springs_say_their_values(browser, scene):
    tip = scene.poses[0, -1, :3, 3]
    pick = "const p = lissom.players[0], [x, y] = p.project(arguments[0]); return p.pickThing(x, y)"
    browser.run("lissom.players[0].setLayer('visual', false)")
    arrow = browser.run(pick, list(tip - [0.0, 0.0, 0.25]))
    assert (arrow["name"], arrow["value"]) == ("pull", "40.0 N")
    length = np.linalg.norm(tip - [0.6, 0.6, 0.0])
    spring = next(
        found
        for s in np.linspace(0.2, 0.8, 25)
        if (found := browser.run(pick, list(s * tip + (1 - s) * np.array([0.6, 0.6, 0.0]))))
    )
    assert spring["name"] == "spring" and spring["value"] == f"length {length:#.3g} m"


def test_the_legend_shows_how_long_forces_and_moments_are_drawn(browser):
    rows = "[...document.querySelectorAll('.lissom-key')]"
    found = browser.run(f"return {rows}.map((k) => [k.children[0].offsetWidth, k.children[1].textContent])")
    pixel = browser.run("const c = lissom.players[0].camera; return c.pixel(c.target)")
    for (width, words), unit, scale in zip(found, ("N", "N m"), (0.01, 0.03), strict=True):
        assert width * pixel == pytest.approx(scale * float(words.removesuffix(f" {unit}")), rel=0.03)
    browser.run("lissom.players[0].setLayer('wrenches', false); lissom.players[0].draw()")
    assert browser.run("return document.querySelector('.lissom-legend').hidden")


def test_steps_go_from_frame_to_frame(browser, scene):
    browser.run("const p = lissom.players[0]; p.setTime(0.51); p.step(1)")
    assert browser.run("return lissom.players[0].time") == pytest.approx(scene.times[11])
    browser.run("const p = lissom.players[0]; p.setTime(0.51); p.step(-1)")
    assert browser.run("return lissom.players[0].time") == pytest.approx(scene.times[10])


def test_playing_moves_time_and_stops_at_the_end_without_loop(browser):
    browser.run(
        "const p = lissom.players[0]; p.seen = []; p.onTime((t) => p.seen.push(t)); p.speed = 2; p.loop = false; p.play()"
    )
    browser.wait("!lissom.players[0].playing")
    seen = browser.run("return lissom.players[0].seen")
    assert seen[-1] == 2.0 and len(seen) > 2 and (np.diff(seen) > 0).all()


def test_the_mouse_and_the_keys_move_the_camera(browser):
    state = "return lissom.players[0].camera.state"
    before = browser.run(state)
    browser.mouse("mousePressed", 200, 200, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", 260, 220, button="left", buttons=1)
    browser.mouse("mouseReleased", 260, 220, button="left", clickCount=1)
    turned = browser.run(state)
    assert turned["azimuth"] < before["azimuth"] and turned["elevation"] > before["elevation"]
    browser.mouse("mouseWheel", 200, 200, deltaX=0, deltaY=-200)
    assert browser.run(state)["distance"] < turned["distance"]
    for kind in ("keyDown", "keyUp"):
        browser.command("Input.dispatchKeyEvent", type=kind, key="z", text="z")
    assert browser.run(state)["elevation"] == pytest.approx(math.pi / 2)
    browser.run("lissom.players[0].home()")
    after = browser.run(state)
    assert after["distance"] == pytest.approx(before["distance"]) and after["target"] == pytest.approx(before["target"])


def test_fingers_turn_and_zoom(browser):
    state = "return lissom.players[0].camera.state"
    before = browser.run(state)

    def touch(kind, *points):
        browser.command(
            "Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        )

    touch("touchStart", (200, 200))
    touch("touchMove", (240, 200))
    touch("touchEnd")
    turned = browser.run(state)
    assert turned["azimuth"] < before["azimuth"] and turned["distance"] == before["distance"]
    touch("touchStart", (200, 200), (260, 200))
    touch("touchMove", (160, 200), (300, 200))
    touch("touchEnd")
    assert browser.run(state)["distance"] < turned["distance"]


def test_a_taken_gesture_does_not_move_the_camera(browser):
    state = "return lissom.players[0].camera.state"
    before = browser.run(state)
    browser.run("window.kinds = []; lissom.players[0].onPointer((kind) => { kinds.push(kind); return true; })")
    browser.mouse("mousePressed", 200, 200, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", 280, 240, button="left", buttons=1)
    browser.mouse("mouseReleased", 280, 240, button="left", clickCount=1)
    assert browser.run("return kinds") == ["down", "move", "up"] and browser.run(state) == before


@pytest.mark.slow
def test_linked_players_share_time_and_camera(fresh, scene, tmp_path):
    path = tmp_path / "pair.html"
    path.write_text(pair_html(scene, scene, "both"), encoding="utf-8")
    fresh.open(path)
    fresh.wait("lissom.players.length === 2")
    fresh.run("const [a, b] = lissom.players; b.camera.orbit(0.3, 0.1); b.moved(); a.setTime(1.25)")
    assert fresh.run("const [a, b] = lissom.players; return [b.time, b.camera.azimuth - a.camera.azimuth]") == [1.25, 0]
    fresh.run("lissom.players[1].step(1)")
    assert fresh.run("return lissom.players.map((p) => p.time)") == pytest.approx([1.3, 1.3])


def test_a_picture_is_saved_as_png(browser, tmp_path):
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    size = browser.run(
        "const p = lissom.players[0]; p.pace.level = 3; p.resize(); p.picture(); return [p.canvas.height, p.canvas.width]"
    )
    end = time.monotonic() + 10
    while not (files := list(tmp_path.glob("*.png"))) and time.monotonic() < end:
        time.sleep(0.02)
    assert (
        matplotlib.image.imread(files[0]).shape[:2]
        == tuple(size)
        == (
            browser.run(
                "const p = lissom.players[0]; return Math.round(p.canvas.clientHeight * Math.min(window.devicePixelRatio, 2))"
            ),
            browser.run(
                "const p = lissom.players[0]; return Math.round(p.canvas.clientWidth * Math.min(window.devicePixelRatio, 2))"
            ),
        )
    )
