"""The live view in a browser: sliders and handles move the robot."""

import urllib.parse

import numpy as np
import pytest

from lissom import Model, Robot, robots
from lissom.model import Inertia, Joint, JointKind, Link
from lissom.view.live import serve
from lissom.view.scene.build import robot_scene
from lissom.view.scene.data import bounds
from support.browser import Browser, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
READY = np.array([0.3, -0.5, 0.2, -2.0, 0.1, 1.6, 0.7])
NASTY = '<img src=x onerror="window.broken = 1"> </script>'


@pytest.fixture(scope="module")
def window():
    with Browser(900, 700) as browser:
        yield browser


@pytest.fixture(scope="module")
def panda():
    return robots.panda()


def show(window, robot, q):
    """Serve a robot and open it; the page draws nothing but what the test asks for."""
    view = serve(robot_scene(robot, q), robot, q, browser=False, say=None)
    window.requests()
    window.console()
    window.visit(view.address)
    window.wait("window.lissom && lissom.live && lissom.players[0].drawn")
    return view


@pytest.fixture
def shown(window, panda):
    """The view of a Panda; whatever a test does, its console stays empty and its requests go to the server alone."""
    with show(window, panda, READY) as view:
        yield view
        assert window.console() == []
        asked = {urllib.parse.urlsplit(url)[:2] for url in window.requests()}  # schemes and hosts
        own = {urllib.parse.urlsplit(view.address)[:2]}
        assert {place for place in asked if place[0] not in ("chrome", "chrome-untrusted", "data")} == own  # its first tab's


def hand(window, name="flange"):
    """The pose (4, 4) of a link that the player shows."""
    return np.array(window.run("return lissom.players[0].bodyPose(arguments[0])", name)).reshape(4, 4).T


def pixel(window, point):
    """The pixel of the window at which a point of the world is drawn."""
    x, y, _ = window.run("return lissom.players[0].project(arguments[0])", list(map(float, point)))
    return np.array([x, y])  # the canvas begins at the upper left corner


def drag(window, start, end, steps=3):
    """Press the mouse at a pixel, move it and hold it at another."""
    window.mouse("mouseMoved", *start)
    window.mouse("mousePressed", *start, button="left", clickCount=1)
    for k in range(1, steps + 1):
        x, y = start + (end - start) * k / steps
        window.mouse("mouseMoved", x, y, button="left", buttons=1)
    window.wait("!lissom.live.busy")


def drop(window, end):
    window.mouse("mouseReleased", *end, button="left", clickCount=1)
    window.wait("!lissom.live.busy && !lissom.live.gizmo.held")


def press(window, text):
    """Press the button with a text, and wait for the answer."""
    script = "const b = [...document.querySelectorAll('.live-head button')].find(b => b.textContent === arguments[0]); b.click()"
    window.run(script, text)
    window.wait("!lissom.live.busy")


def test_a_slider_moves_the_robot(window, panda, shown):
    np.testing.assert_allclose(hand(window), panda.link_pose(READY, "flange"), atol=1e-6)
    script = "const s = document.querySelectorAll('.live-slider')[0]; s.value = 1.2; s.dispatchEvent(new Event('input'))"
    window.run(script)
    window.wait("lissom.live.last.values[0] === 1.2")
    q = np.array([1.2, *READY[1:]])
    np.testing.assert_allclose(hand(window), panda.link_pose(q, "flange"), atol=1e-6)
    assert shown.q.tolist() == q.tolist()


@pytest.mark.slow
def test_the_hand_follows_the_pointer(window, panda, shown):
    start = pixel(window, panda.link_pose(READY, "flange")[:3, 3])
    end = start + (-30, 25)
    before = hand(window)
    drag(window, start, end)
    held = hand(window)
    np.testing.assert_allclose(pixel(window, held[:3, 3]), end, atol=0.5)
    np.testing.assert_allclose(held[:3, :3], before[:3, :3], atol=1e-5)  # keeps its orientation
    drop(window, end)
    np.testing.assert_allclose(hand(window), held, atol=1e-5)
    np.testing.assert_allclose(hand(window), panda.link_pose(shown.q, "flange"), atol=1e-5)


@pytest.mark.slow
def test_an_arrow_moves_along_its_axis_and_a_ring_turns_about_it(window, shown):
    before = hand(window)
    handles = {h["name"]: h["points"] for h in window.run("return lissom.live.gizmo.handles()")}
    tip = pixel(window, np.mean(handles["arrow 2"], axis=0))
    drag(window, tip, tip + (0, 20))
    moved = hand(window)
    np.testing.assert_allclose(moved[:2, 3], before[:2, 3], atol=1e-5)
    assert moved[2, 3] < before[2, 3] - 0.01
    drop(window, tip + (0, 20))
    handles = {h["name"]: h["points"] for h in window.run("return lissom.live.gizmo.handles()")}
    ring = [pixel(window, p) for p in handles["ring 2"]]
    near = min(range(48), key=lambda k: -ring[k][1])  # in front: nothing else is near it
    drag(window, ring[near], ring[near + 2 if near + 2 <= 48 else near - 46])
    turned = hand(window)
    np.testing.assert_allclose(turned[:3, 3], moved[:3, 3], atol=1e-4)
    np.testing.assert_allclose(turned[2, :3], moved[2, :3], atol=1e-4)  # heights of the axes stay in a turn about z
    angle = np.arccos((np.trace(turned[:3, :3] @ moved[:3, :3].T) - 1) / 2)
    assert angle == pytest.approx(2 * np.pi / 24, rel=0.2)
    drop(window, ring[near])


@pytest.mark.slow
def test_a_target_out_of_reach_is_said_and_limits_are_marked(window, panda, shown):
    window.run("lissom.live.drag({origin: [3, 0, 0.5], turn: [0, 0, 0, 1]}, false)")
    window.wait("!lissom.live.busy", 20)
    assert "out of reach" in window.run("return document.querySelector('.live-message').textContent")
    window.run("lissom.live.release()")
    window.run("lissom.live.sliders.slide(3, -9)")
    window.wait("document.querySelectorAll('.live-row')[3].classList.contains('at-low')")
    assert shown.q[3] == panda.limits.lower[3]


@pytest.mark.slow
def test_values_are_typed_in_radians_or_degrees(window, shown):
    script = "const t = document.querySelectorAll('.live-typed')[0]; t.value = arguments[0]; t.dispatchEvent(new Event('change'))"
    window.run(script, "0.5")
    window.wait("lissom.live.last.values[0] === 0.5")
    press(window, "deg")
    assert window.run("return document.querySelectorAll('.live-typed')[0].value") == "28.65"
    window.run(script, "-90")
    window.wait("lissom.live.last.values[0] < -1.57")
    assert shown.q[0] == pytest.approx(-np.pi / 2)
    for text, value in (
        ("pi/4", np.pi / 4),
        ("60deg", np.pi / 3),
        ("-2*pi/3", -2 * np.pi / 3),
        ("30 °", np.pi / 6),
        ("1e1", np.pi / 18),
    ):
        window.run(script, text)
        window.wait(f"Math.abs(lissom.live.last.values[0] - {value}) < 1e-12")
    for text in ("left", "2pi/0", "1 2", "pi pi", "0x10", "degdeg", "90rad"):
        window.run(script, text)
        assert window.run("return document.querySelectorAll('.live-typed')[0].value") == "10.00"
        said = window.run("return document.querySelector('.live-message').textContent")
        assert said == f"joint_1: “{text}” is not a number such as 0.5, -pi/2 or 90deg"


@pytest.mark.slow
def test_after_refusals_fields_show_the_robot_and_say_why_although_a_later_value_is_taken(window, shown):
    window.run(
        "const typed = document.querySelectorAll('.live-typed');"
        "['1.5', 'up', '0.4'].forEach((text, k) => { typed[k].value = text; typed[k].dispatchEvent(new Event('change')); })"
    )
    window.wait("!lissom.live.busy && lissom.live.last.values[2] === 0.4")
    values = window.run("return [...document.querySelectorAll('.live-typed')].map((typed) => typed.value)")
    assert values == [f"{x:.4f}" for x in [1.5, READY[1], 0.4, *READY[3:]]]
    assert "“up” is not a number" in window.run("return document.querySelector('.live-message:not([hidden])').textContent")
    script = "const t = document.querySelectorAll('.live-typed')[0]; t.value = '0.'; t.dispatchEvent(new Event('input'))"
    window.run(script)  # somebody types while another answer comes
    press(window, "neutral")
    assert window.run("return document.querySelectorAll('.live-typed')[0].value") == "0."


def test_buttons_set_neutral_and_random_poses(window, panda, shown):
    press(window, "random")
    assert (shown.q != READY).all()
    press(window, "neutral")
    assert shown.q.tolist() == panda.neutral().tolist()
    np.testing.assert_allclose(hand(window), panda.link_pose(panda.neutral(), "flange"), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["lissom.players[0].home()", "document.querySelector('canvas').dispatchEvent(KEY)"])
def test_the_whole_scene_is_the_robot_in_its_present_pose(window, panda, shown, how):
    press(window, "neutral")
    window.run(how.replace("KEY", "new KeyboardEvent('keydown', {key: '0'})"))
    low, high = bounds(robot_scene(panda, panda.neutral()))
    found = window.run("const c = lissom.players[0].camera; return [c.low, c.high, c.target]")
    np.testing.assert_allclose(found, [low, high, (low + high) / 2], atol=1e-3)
    assert np.abs(np.array([low, high]) - bounds(robot_scene(panda, READY))).max() > 0.1


@pytest.mark.slow
def test_a_click_on_a_link_chooses_it(window, panda, shown):
    poses = panda.link_poses(READY)
    lower = pixel(window, 0.5 * (poses[panda.link_names.index("link_3"), :3, 3] + poses[panda.link_names.index("link_2"), :3, 3]))
    body = window.run("return lissom.players[0].pickThing(...arguments[0]).body", lower.tolist())
    drag(window, lower, lower, 1)
    drop(window, lower)
    window.wait(f"lissom.live.link === '{body}'")
    assert body in ("link_2", "link_3")
    assert window.run("return document.querySelector('.live-hand select').value") == body
    np.testing.assert_allclose(window.run("return lissom.live.gizmo.origin"), panda.link_pose(READY, body)[:3, 3], atol=1e-9)


@pytest.mark.slow  # the best of several seconds: other work of the machine must not decide
def test_a_dragged_panda_has_thirty_updates_a_second(window, shown):
    window.run("lissom.live.drag({origin: lissom.live.gizmo.origin, turn: lissom.live.gizmo.turn}, false)")
    window.wait("!lissom.live.busy", 20)  # the first drag waits for the compiler
    window.run(
        """
        const L = lissom.live, {origin: [x, y, z], turn} = L.gizmo;
        let counted = L.updates, since = performance.now();
        window.rates = [];
        const step = (k) => {
          L.drag({origin: [x - 0.03 * Math.sin(k / 9), y, z - 0.03 * Math.sin(k / 7)], turn}, false);
          const passed = (performance.now() - since) / 1000;
          if (passed > 1) {
            window.rates.push((L.updates - counted) / passed);
            [counted, since] = [L.updates, performance.now()];
          }
          if (window.rates.length < 6) setTimeout(() => step(k + 1), 5); else L.release();
        };
        step(0);
        """
    )
    window.wait("window.rates.length === 6", 40)
    assert max(window.run("return window.rates")) > 30


@pytest.mark.slow
def test_a_closed_robot_is_dragged_and_its_loops_stay_closed(window):
    robot = robots.four_bar()
    with show(window, robot, robot.home()) as view:
        window.run("lissom.live.choose('rocker')")
        middle = np.array(window.run("return lissom.live.gizmo.handles().find(h => h.name === 'ring 1').points[0]"))
        assert np.isfinite(middle).all()
        window.run("lissom.live.choose('coupler')")
        start = pixel(window, robot.link_pose(robot.home(), "coupler")[:3, 3])
        drag(window, start, start + (12, 12))
        answer = window.run("return lissom.live.last")
        assert robot.closure_error(answer["tree_q"]) < 1e-9
        assert abs(view.q[0] - robot.home()[0]) > 0.01
        np.testing.assert_allclose(hand(window, "coupler"), robot.tree.link_pose(answer["tree_q"], "coupler"), atol=1e-5)
        drop(window, start + (12, 12))
        window.run("lissom.live.sliders.slide(0, 1e8)")
        window.wait("!lissom.live.busy")
        assert window.console() == []


def test_names_are_text_in_the_panel(window):
    joints = (Joint(NASTY, JointKind.REVOLUTE, "base", NASTY),)
    body = Inertia(1.0, (0.1, 0.0, 0.0), np.diag([0.02, 0.03, 0.03]))
    robot = Robot(Model(NASTY, (Link("base"), Link(NASTY, body)), joints))
    with show(window, robot, robot.neutral()):
        assert window.run("return document.querySelector('.live-name').textContent") == NASTY
        assert window.run("return document.querySelector('.live-hand option').textContent") == NASTY
        assert window.run("return document.querySelectorAll('img').length") == 0
        assert window.run("return window.broken") is None and window.console() == []


@pytest.mark.slow
def test_the_page_says_when_the_server_has_ended(window, panda):
    with show(window, panda, READY):
        pass
    window.run("document.querySelectorAll('.live-head button')[0].click()")
    window.wait("lissom.live.ended")
    assert "has ended" in window.run("return document.querySelector('.live-message').textContent")
    assert window.run("return document.querySelector('.live-slider').disabled")
    np.testing.assert_allclose(hand(window), panda.link_pose(READY, "flange"), atol=1e-6)
    window.console()  # of the refused connection
