"""Limits as reports show them: distances in m, components in parentheses, gains that are not noise."""

import io
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from lissom import MotionProblem, robots
from lissom.cli.predict import show
from lissom.cli.reports import prediction_report
from lissom.predict import Box, Capsule, LimitReport, Prediction
from lissom.predict.quantities.root import Root
from lissom.view.report.prediction import limits_table
from lissom.view.report.shown import label_shown, limit_shown
from lissom.view.report.verdict import of_prediction

TIP = (0.2, 0.0, 0.0)


def distance(found, t, center):
    pose = found.robot.link_poses(found.states(t)[0])[:, found.robot.link_names.index("link_2")]
    return np.linalg.norm(pose[:, :3, :3] @ TIP + pose[:, :3, 3] - center, axis=1)


@pytest.fixture(scope="module")
def near():
    """A motion around a ball in the way of the one without it, the ball's center, and the distance to keep."""
    problem = MotionProblem(robots.rr(), control_points=12, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    free = problem.limit("torque", -10, 10).limit("velocity", -100, 100).minimize("time").solve()
    pose = free.robot.link_pose(free.states(free.duration / 2)[0], "link_2")
    center = tuple(pose[:3, :3] @ TIP + pose[:3, 3] + [0.01, 0.0, 0.0])
    return problem.avoid("link_2", center, 0.04, point=TIP).solve(start=free), center


@pytest.mark.slow
def test_the_verdict_says_how_near_the_motion_came_to_an_obstacle(near, tmp_path):
    found, center = near
    page = found.report(tmp_path / "a.html").read_text(encoding="utf-8")
    said = re.search(r"distance of link_2 to center: (\S+) m at the nearest, 0.04 m needed", page)
    assert float(said[1]) == pytest.approx(distance(found, found.times(5001), np.array(center)).min(), rel=2e-3)
    assert "distance_squared" not in page.split("Problem in words")[0] and "at least 0.04 m" in page


def test_small_violations_of_distances_keep_their_share_of_the_scale():
    square = LimitReport("distance_squared of hand to center", "m^2", 0.25, math.inf, 0.5, 1e-4, 0.3, 2.0, 0.25)
    square = replace(square, root=Root("distance of hand to center", "m"))
    shown = limit_shown(square)
    assert (shown.label, shown.unit, shown.lower, shown.upper) == ("distance of hand to center", "m", 0.5, math.inf)
    assert (0.5 - shown.violation) ** 2 == pytest.approx(0.25 - 1e-4, rel=1e-12)
    assert shown.violation / shown.scale == pytest.approx(square.violation / square.scale, rel=1e-3)
    h = 1e-6  # the gain of a slightly smaller distance is that of its square
    assert shown.multiplier * h == pytest.approx(square.multiplier * (0.5**2 - (0.5 - h) ** 2), rel=1e-5)


def test_a_component_stands_in_parentheses():
    assert label_shown("help of fz") == "help (fz)" and label_shown("center_of_mass of z") == "center_of_mass (z)"
    assert label_shown("torque of z") == "torque of z"  # a joint of that name
    assert label_shown("joint_wrench of joint_1.fx") == "joint_wrench of joint_1.fx" and label_shown("regularity") == "regularity"


@pytest.mark.slow
def test_gains_that_are_noise_are_dashes(near, tmp_path):
    found, _ = near
    page = found.report(tmp_path / "a.html").read_text(encoding="utf-8")
    row = re.search(r"<tr[^>]*><td[^>]*>velocity of joint_1</td>.*?</tr>", page)[0]
    gain = found.limits[2].multiplier
    assert gain < 1e-9 * max(limit.multiplier for limit in found.limits), "the velocity is far from its limit"
    assert re.findall(r"<td[^>]*>(.*?)</td>", row)[-1] == "-"
    assert of_prediction(found).good


@pytest.fixture(scope="module")
def around():
    """A motion past a capsule and a box, at limited speed."""
    problem = MotionProblem(robots.rr(), control_points=12, duration=(0.05, 2.0)).start([-0.6, 0.9]).end([0.9, -0.3])
    body = Capsule([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 0.02)
    problem.avoid("link_2", Capsule([0.62, 0.2, -0.5], [0.62, 0.2, 0.5], 0.03), margin=0.01, capsules=body)
    problem.avoid("link_2", Box([0.2, 0.5, 0.0], [0.1, 0.1, 0.1]), margin=0.02, capsules=body)
    return problem.limit("speed_squared", upper=9.0, link="link_2").limit("torque", -10, 10).minimize("time").solve()


def test_speeds_and_distances_of_surfaces_are_shown_instead_of_squares(around, tmp_path):
    shown = [limit.shown() for limit in around.limits[:3]]
    assert [(x.label, x.unit) for x in shown] == [
        ("distance of link_2 to the capsule", "m"), ("distance of link_2 to the box", "m"), ("speed of link_2", "m/s"),
    ]  # fmt: skip
    assert [x.lower for x in shown] == pytest.approx([0.01, 0.02, -math.inf]) and shown[2].upper == 3.0
    assert [limit.label for limit in around.limits[:3:2]] == [
        "axis_distance_squared of link_2 to the capsule",
        "speed_squared of link_2",
    ]
    page = around.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "_squared" not in page and "at most 3 m/s" in page
    near = re.search(r"distance of link_2 to the capsule: (\S+) m at the nearest, 0.01 m needed", page)
    pose = around.robot.link_pose(around.states(around.times(3001))[0], "link_2")
    points = pose[:, None, :2, 3] + np.linspace(0.0, 0.3, 301)[:, None] * pose[:, None, :2, 0]
    apart = np.linalg.norm(points - [0.62, 0.2], axis=-1).min() - 0.05
    assert float(near[1]) == pytest.approx(apart, rel=0.01)
    assert re.search(r"distance of link_2 to the box: \S+ m at the nearest, 0.02 m needed", page)
    assert "_squared" not in around._repr_html_() and "_squared" not in around.problem._repr_html_()


def test_limits_in_files_keep_what_they_are_shown_as(around, tmp_path):
    again = Prediction.load(around.save(tmp_path / "a.npz"), around.robot)
    assert again.limits == around.limits
    assert "_squared" not in str(around.description)


def test_printed_limits_and_json_show_distances_and_speeds(around):
    report = prediction_report(around)
    assert [x["name"] for x in report["limits"][:3]] == [limit.shown().label for limit in around.limits[:3]]
    assert report["limits"][2]["upper"] == 3.0
    console = Console(file=io.StringIO(), width=200)
    show(around, console)
    assert "speed of link_2" in console.file.getvalue() and "_squared" not in console.file.getvalue()


def test_upper_bounds_of_squares_keep_their_share_of_the_scale():
    square = LimitReport(
        "speed_squared of hand", "m^2/s^2", -math.inf, 4.0, 0.5, 1e-3, 0.3, 2.0, 4.0, root=Root("speed of hand", "m/s")
    )
    shown = square.shown()
    assert (shown.lower, shown.upper, shown.unit) == (-math.inf, 2.0, "m/s")
    assert (2.0 + shown.violation) ** 2 == pytest.approx(4.0 + 1e-3, rel=1e-12)
    assert shown.violation / shown.scale == pytest.approx(square.violation / square.scale, rel=1e-3)
    both = replace(square, lower=1.0)
    assert both.shown() is both
    assert replace(square, lower=4.0).shown().label == "speed_squared of hand"


def test_violations_within_rounding_are_none_and_plain_numbers_have_no_unit():
    turned = LimitReport("link_rotation of hand.R02", "1", 0.0, 0.0, 1.0, 1e-16, 0.3, 2.0, 1.0)
    assert not turned.is_missed and replace(turned, violation=1e-8).is_missed
    shown = limit_shown(turned)
    assert (turned.bounds, shown.bounds, shown.unit) == ("0", "0", "")
    assert replace(turned, unit="1/s", upper=2.0).bounds == "0 to 2 1/s"
    free = replace(turned, label="velocity of elbow", unit="rad/s", lower=-1.0, upper=1.0, violation=0.0, multiplier=1e-8)
    rows = re.findall(r"<tr[^>]*>(<td.*?)</tr>", limits_table([turned, free], 1e-3))
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    assert [row[3:] for row in cells] == [["none", "", "2"], ["none", "", "-"]] and cells[0][1] == "0"
