"""A report in a browser, from disk, the network off: player and curves have one time."""

import dataclasses

import numpy as np
import pytest

from lissom import Robot, robots
from lissom.simulate import Event
from support.browser import Browser, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
NASTY = '<img src=x onerror="window.broken = 1"></script>'


@pytest.fixture(scope="module")
def motion():
    """A fall of a robot whose names come from a stranger."""
    model = robots.planar_two_link_model()
    joints = tuple(dataclasses.replace(joint, name=f"{NASTY}{k}") for k, joint in enumerate(model.joints))
    robot = Robot(model.replace(name=NASTY, joints=joints))
    return robot.simulate([0.3, 0.4], [0.0, 0.0], 2.0, events=[Event(lambda t, q, qd: q[0], NASTY)])


@pytest.fixture(scope="module")
def browser(motion, tmp_path_factory):
    page = motion.report(tmp_path_factory.mktemp("page") / "motion.html")
    with Browser(1600, 900) as window:
        window.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        window.console(), window.requests()
        window.open(page)
        window.wait("window.lissom && lissom.curves && lissom.players[0].drawn && lissom.curves[0].inView.size")
        yield window
        assert window.console() == []
        asked = [url for url in window.requests() if not url.startswith(("chrome", "data:"))]  # of the first tab
        assert set(asked) == {page.as_uri()}
        assert window.run("return window.broken") is None and window.run("return document.images.length") == 0


def shown(browser, panel):
    browser.wait(f"!lissom.curves[0].panels[{panel}].stale")
    return [
        float(x.replace("\u2212", "-").split()[0])
        for x in browser.run("return lissom.curves[0].panels[arguments[0]].readouts.map((x) => x.textContent)", panel)
    ]


@pytest.mark.slow
def test_curves_follow_the_player(browser, motion):
    for t in (0.5, 1.25):
        browser.run("lissom.players[0].setTime(arguments[0])", t)
        assert browser.run("return lissom.curves[0].time") == pytest.approx(t)
        for k in (0, 1):
            (value,) = shown(browser, k)
            assert value == pytest.approx(np.interp(t, motion.t, motion.q[:, k]), abs=1e-4)


def test_a_click_on_a_curve_moves_the_robot(browser, motion):
    x, y, wide = browser.run(
        "const b = lissom.curves[0].panels[0].svg.querySelector('.frame').getBoundingClientRect();"
        "return [b.left, b.top + b.height / 2, b.width]"
    )
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.mouse(kind, x + 0.375 * wide, y, button="left" if kind != "mouseMoved" else "none", clickCount=1)
    t = browser.run("return lissom.players[0].time")
    assert t == pytest.approx(0.75, abs=0.01)
    link = motion.robot.link_names[-1]
    pose = browser.run("return Array.from(lissom.players[0].bodyPose(arguments[0]))", link)
    wanted = motion.robot.link_pose(motion.at(t).q, link)
    assert np.abs(np.reshape(pose, (4, 4)).T - wanted).max() < 2e-3


@pytest.mark.slow
def test_playing_moves_the_cursor(browser):
    browser.mouse("mouseMoved", 5, 5)
    browser.run("lissom.players[0].setTime(0.1); lissom.players[0].play()")
    browser.wait("lissom.curves[0].time > 0.15")
    browser.run("lissom.players[0].pause()")
    assert browser.run("return lissom.curves[0].time - lissom.players[0].time") == pytest.approx(0, abs=1e-9)
    x = browser.run("const p = lissom.curves[0].panels[0]; return p.cursor.getAttribute('x1') / p.inner * (p.end - p.start)")
    assert x == pytest.approx(browser.run("return lissom.players[0].time"), abs=1e-6)


def test_names_of_strangers_are_text_in_all_of_the_page(browser):
    assert browser.run("return document.querySelector('h1').textContent") == f"{NASTY}: simulated motion"
    assert browser.run("return document.querySelector('.panel b').textContent") == f"{NASTY}0"
    assert browser.run("return document.querySelectorAll('details').length") >= 6
