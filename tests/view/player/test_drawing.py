"""What the player draws, in a browser: pages from disk, the network off."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lissom.view.page import text, write_page
from lissom.view.player.page import player_part, player_script, player_style, scene_html
from support.player import NASTY, pixels, projected


def test_a_page_draws_and_asks_for_nothing(fresh, page, tmp_path):
    picture = pixels(fresh, tmp_path)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 300
    assert [url for url in fresh.requests() if not url.startswith(("chrome:", "data:"))] == [page.resolve().as_uri()]
    assert fresh.run("return performance.getEntriesByType('resource').length") == 0


def test_links_are_drawn_where_link_pose_says(browser, robot, motion):
    t, q = motion
    for k in (0, 17, 40):
        browser.run("lissom.players[0].setTime(arguments[0])", float(t[k]))
        for name in (link.name for link in robot.model.links):
            pose = np.array(browser.run("return lissom.players[0].bodyPose(arguments[0])", name)).reshape(4, 4).T
            expected = robot.link_pose(q[k], name)
            assert np.abs(pose - expected).max() < 1e-6
            pixel = browser.run("return lissom.players[0].project(arguments[0])", pose[:3, 3].tolist())
            np.testing.assert_allclose(pixel, projected(browser, expected[:3, 3]), atol=1e-3)


@pytest.mark.slow
def test_the_page_of_show_has_every_link_where_link_pose_says(fresh, robot, motion, tmp_path):
    q = motion[1][7]
    fresh.open(robot.show(q, save=tmp_path / "pose.html"))
    fresh.wait("lissom.players[0].drawn")
    for link in robot.model.links:
        expected = robot.link_pose(q, link.name)
        pose, pixel = fresh.run(
            "const p = lissom.players[0], m = p.bodyPose(arguments[0]); return [m, p.project(m.slice(12, 15))]", link.name
        )
        assert np.abs(np.array(pose).reshape(4, 4).T - expected).max() < 1e-6
        np.testing.assert_allclose(pixel, projected(fresh, expected[:3, 3]), atol=1e-3)
    assert fresh.run("return document.querySelector('.lissom-bar').hidden")


def test_pixels_of_a_link_surround_its_projected_position(browser, robot, motion, tmp_path):
    t, q = motion
    for layer in ("wrenches", "springs", "ground"):
        browser.run("lissom.players[0].setLayer(arguments[0], false)", layer)
    for k in (5, 30):
        browser.run("lissom.players[0].setTime(arguments[0])", float(t[k]))
        picture = pixels(browser, tmp_path)
        rows, columns = np.nonzero((picture[..., 0] > 60) & (picture[..., 0] > 2.5 * picture[..., 1]))
        x, y, _ = projected(browser, robot.link_pose(q[k], robot.model.links[-1].name)[:3, 3])
        assert len(rows) > 100
        middle = [(columns.min() + columns.max() + 1) / 2, (rows.min() + rows.max() + 1) / 2]
        assert np.abs(np.array(middle) - [x, y]).max() < 1.0


def test_between_frames_bodies_turn_at_a_constant_rate(browser, scene):
    name, (a, b) = scene.bodies[2], scene.poses[10:12, 2]
    browser.run("lissom.players[0].setTime(arguments[0])", scene.times[10] + 0.25 * (scene.times[11] - scene.times[10]))
    pose = np.array(browser.run("return lissom.players[0].bodyPose(arguments[0])", name)).reshape(4, 4).T
    angle = [math.acos(min((np.trace(a[:3, :3].T @ R[:3, :3]) - 1) / 2, 1.0)) for R in (pose, b)]
    assert angle[1] > 0.01 and angle[0] == pytest.approx(0.25 * angle[1], rel=1e-4)


def test_nothing_is_drawn_while_nothing_changes(browser):
    browser.wait("!lissom.players[0].waiting && !lissom.players[0].later")
    drawn = browser.run("return lissom.players[0].drawn")
    browser.run("const end = performance.now() + 150; while (performance.now() < end);")
    assert browser.run("return [lissom.players[0].drawn, lissom.players[0].playing]") == [drawn, False]


@pytest.mark.slow
def test_a_lost_context_comes_back(fresh, tmp_path):
    before = pixels(fresh, tmp_path)
    fresh.run("const gl = lissom.players[0].stage.gl; window.lose = gl.getExtension('WEBGL_lose_context'); lose.loseContext()")
    fresh.wait("lissom.players[0].lost")
    fresh.run("lissom.players[0].draw(); lose.restoreContext()")
    fresh.wait("lissom.players[0].lost === false")
    assert (pixels(fresh, tmp_path) == before).mean() > 0.999
    messages = fresh.console()  # the fresh itself reports the loss
    assert all("CONTEXT_LOST" in line for line in messages), messages


@pytest.mark.slow
def test_dark_pages_and_paper_have_colors_of_their_own(browser, tmp_path):
    light = pixels(browser, tmp_path)[5, 250]
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = pixels(browser, tmp_path)
    assert light.min() > 200 and dark[5, 250].max() < 70 and dark.max() > 120
    browser.command("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.wait("getComputedStyle(document.querySelector('.lissom-bar')).display === 'none'")
    paper = pixels(browser, tmp_path)
    assert paper[3, 250].min() == 255 and paper.min() < 120


@pytest.mark.slow
def test_printing_copies_the_picture_in_white(browser):
    browser.run("lissom.players[0].setTime(0.7); dispatchEvent(new Event('beforeprint'))")
    copy = "const c = document.querySelector('.lissom-copy');"
    read = copy + "return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
    width = browser.run("return lissom.players[0].canvas.width")
    paper = np.array(browser.run(read)).reshape(-1, width, 4)
    assert (paper[:5, ..., :3] == 255).all() and len(np.unique(paper.reshape(-1, 4), axis=0)) > 200
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelector('.lissom-copy')") is None


def test_live_views_show_poses_and_draw_on_top(browser, scene, tmp_path):
    poses = np.tile([0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0], len(scene.bodies))
    browser.run("lissom.players[0].showPoses({poses: arguments[0]})", poses.tolist())
    assert browser.run("return lissom.players[0].bodyPose(arguments[0])", scene.bodies[-1])[12:15] == pytest.approx(
        [0.1, 0.2, 0.3]
    )
    browser.run("lissom.players[0].overlay((pen) => pen.ball([0.1, 0.2, 0.3], 12, [0, 0, 1, 1]))")
    picture = pixels(browser, tmp_path)
    rows, columns = np.nonzero((picture[..., 2] > 60) & (picture[..., 2] > 2.5 * picture[..., 0]))
    x, y, _ = projected(browser, [0.1, 0.2, 0.3])
    assert np.abs([columns.mean() + 0.5 - x, rows.mean() + 0.5 - y]).max() < 1.5
    ray = browser.run("return lissom.players[0].ray(arguments[0], arguments[1])", x, y)
    way = np.array([0.1, 0.2, 0.3]) - ray["origin"]
    np.testing.assert_allclose(way / np.linalg.norm(way), ray["direction"], atol=1e-6)


@pytest.mark.slow
def test_a_page_with_many_players_draws_those_in_sight(fresh, scene, tmp_path):
    small = player_style() + ".lissom-player { width: 260px; height: 240px; }"
    write_page(
        "many", [player_part(replace(scene, parts=scene.parts[:1]))] * 10, tmp_path / "many.html", [player_script()], small
    )
    fresh.open(tmp_path / "many.html")
    fresh.wait("lissom.players.length === 10 && lissom.players[0].drawn")
    for k in (9, 0):
        fresh.run("lissom.players[arguments[0]].canvas.scrollIntoView({block: 'center'})", k)
        fresh.run("window.before = lissom.players[arguments[0]].drawn || 0; lissom.players[arguments[0]].redraw()", k)
        shown = f"lissom.players[{k}]"
        fresh.wait(f"{shown}.drawn > before && !{shown}.parked && !{shown}.lost && !{shown}.copy")
    alive = fresh.run("return lissom.players.filter((p) => p.stage && !p.lost && !p.parked).length")
    assert 1 <= alive <= 8


@pytest.mark.slow
def test_a_frame_of_a_notebook_shows_a_scene(fresh, scene, tmp_path):
    page = tmp_path / "notebook.html"
    page.write_text(f'<iframe width="400" height="300" srcdoc="{text(scene_html(scene))}"></iframe>', encoding="utf-8")
    fresh.open(page)
    fresh.wait("frames[0].lissom && frames[0].lissom.players[0].drawn")
    assert fresh.run("return frames[0].lissom.players[0].canvas.clientWidth") == 400


@pytest.mark.slow
def test_labels_are_text_above_their_points(fresh, scene, tmp_path):
    page = tmp_path / "labels.html"
    page.write_text(scene_html(replace(scene, labels=((NASTY, np.array([0.1, 0.2, 0.3])),))), encoding="utf-8")
    fresh.open(page)
    fresh.wait("window.lissom && lissom.players[0].drawn")
    fresh.run("lissom.players[0].pause(); lissom.players[0].draw()")
    said, box = fresh.run(
        "const s = document.querySelector('.lissom-whose span'), b = s.getBoundingClientRect();"
        "return [s.textContent, [b.left, b.right, b.top, b.bottom]]"
    )
    x, y, _ = projected(fresh, [0.1, 0.2, 0.3])
    assert said == NASTY and fresh.run("return window.broken || 0") == 0
    assert abs((box[0] + box[1]) / 2 - x) < 2 and y - 30 < box[3] <= y


def test_without_webgl_the_page_says_so(fresh):
    made = (
        "const e = document.body.appendChild(document.createElement('div')); HTMLCanvasElement.prototype.getContext = () => null;"
    )
    fresh.run(made + "lissom.player(e, lissom.players[0].scene, {play: false}); e.id = 'none'")
    assert "WebGL 2" in fresh.run("return document.querySelector('#none [role=alert]').textContent")
