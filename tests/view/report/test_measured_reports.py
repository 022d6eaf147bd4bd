"""Pictures, reports and tables of identified parameters, torques from outside and many problems."""

import re

import numpy as np
import pytest

from lissom import MotionProblem, StateError, Wrench, robots
from lissom.identify import Measurement, excite, identify, identify_payload, observe
from lissom.predict import solve_many
from lissom.view.report.observation import of_observation

NAME = '<img src=x onerror="alert(1)">\x1b[2J'


def motion_of(robot, count=1001, end=4.0):
    """Return times, and sums of sines with their rates."""
    t, draw = np.linspace(0.0, end, count), np.random.default_rng(2)
    rate = 2 * np.pi / end * np.arange(1, 5)
    a, b = draw.uniform(-1, 1, (2, 4, robot.nv)) / rate[:, None]
    s, c = np.sin(np.outer(t, rate)), np.cos(np.outer(t, rate))
    return t, s @ a + c @ b, (c * rate) @ a - (s * rate) @ b, -(s * rate**2) @ a - (c * rate**2) @ b


@pytest.fixture(scope="module")
def arm():
    return robots.puma560()


@pytest.fixture(scope="module")
def found(arm):
    t, q, qd, qdd = motion_of(arm)
    tau = arm.inverse_dynamics(q, qd, qdd) + np.random.default_rng(3).normal(0, 0.5, q.shape)
    push = {"link_6": np.tile([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], (600, 1))}
    return identify([Measurement(arm, t, q, tau, name=NAME), Measurement(arm, t[:600], q[:600], tau[:600], wrenches=push)])


def test_the_player_of_identified_parameters_has_the_time_of_the_curves(arm, found, tmp_path):
    from lissom.view.report.identification import _recorded, _times

    t, breaks = _times(found)
    shown = _recorded(found, breaks)
    assert shown._scene_span() == pytest.approx((t[0], t[-1]), abs=1e-12) and shown.events == tuple(breaks)
    first = found.motions[0]
    rows = [int(np.abs(shown.t - x).argmin()) for x in t[: len(first.keep)]]  # of samples that the estimate uses
    assert np.abs(shown.t[rows] - t[: len(rows)]).max() < 1e-9
    assert np.array_equal(shown.q[rows], first.q[first.keep]) and np.array_equal(shown.tau[rows], first.data.tau[first.keep])
    page = found.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "lissom-player" in page and "<img" not in page and "\x1b" not in page


def test_measured_motions_are_shown_by_number(found, tmp_path):
    assert found.show(1, save=tmp_path / "b.html", layers={"reactions": True}).stat().st_size > 100_000
    assert found.motions[0].data.show(save=tmp_path / "c.png", size=(160, 120), time=1.0).is_file()
    with pytest.raises(StateError, match="number is 2, expected a whole number from 0 to 1"):
        found.show(2, save=tmp_path / "d.html")


def test_tables_have_base_parameters_payload_and_torques_from_outside(arm, found):
    page = found._repr_html_()
    assert f'<td class="n">{found.values[0]:.5g}</td>' in page and page.count("<tr>") == 2 + 30 + 6  # 30 of 52 are listed
    t, q, qd, qdd = motion_of(arm)
    carried = identify_payload(Measurement(arm, t, q, arm.with_payload(2.0, (0, 0, 0.1)).inverse_dynamics(q, qd, qdd)))
    assert f'<td class="n">{carried.inertia.mass:.5g}</td>' in carried._repr_html_()


def test_a_push_is_a_collision_on_the_page_and_an_arrow_in_the_picture(arm, tmp_path):
    t, q, qd, qdd = motion_of(arm)
    force = np.where((t > 2.0) & (t < 2.3), 1.0, 0.0)[:, None] * np.array([0.0, 0.0, 40.0])
    tau = arm.inverse_dynamics(q, qd, qdd, external={"link_6": Wrench(force, axes="world")})
    seen = observe(arm, t, q, qd, tau, gain=60.0)
    hits = seen.collisions(4.0)
    assert len(hits) == 1
    said = of_observation(seen, 4.0, hits)
    assert (
        said.first.startswith(f"1 collision, the first at {hits[0].start:.4g} s, felt most at {hits[0].joint}") and said.careful
    )
    assert of_observation(seen, 1e3, []).first.startswith("no collision") and not of_observation(seen, None, []).careful
    page = seen.report(tmp_path / "a.html", 4.0).read_text(encoding="utf-8")
    assert "lissom-player" in page and f"collision: {hits[0].joint}" in page
    row = int(np.abs(t - 2.25).argmin())
    drawn = seen._recorded("link_6")._scene_motion(t[[row]])
    assert np.allclose(drawn.external["link_6"].force, [0.0, 0.0, 40.0], rtol=0, atol=1.5)  # it follows within 1/gain
    assert seen.show(save=tmp_path / "b.html").is_file() and seen.show(link="link_6", save=tmp_path / "c.html").is_file()
    assert re.search(r"joint_2</td><td class=\"n\">N m</td>", seen._repr_html_())
    with pytest.raises(StateError, match="threshold must be positive"):
        seen.report(tmp_path / "d.html", -1.0)


def test_many_problems_have_a_page_with_the_shortest_and_the_longest_motion(tmp_path):
    problem = MotionProblem(robots.rr(), control_points=8, duration=(0.05, 2.0)).limit("torque", -10, 10).minimize("time")
    problem.name = NAME
    pairs = [([0, -2], [1, -1]), ([0, -2], [0.2, -1.8]), ([0, -2], [np.nan, -1.8])]
    many = solve_many(problem, pairs, workers=1)
    page = many.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "2 of 3 problems solved" in page and page.count('class="broken"') == 1 and "\x1b" not in page
    assert "<img" not in page and page.count("lissom-player") >= 2
    low, high = sorted(one.duration for one in many if one.success)
    assert f"motions from {low:.4g} s to {high:.4g} s" in page
    assert many[0].show(save=tmp_path / "b.html").is_file() and many[1].report(tmp_path / "c.html").is_file()
    with pytest.raises(Exception, match="problem 2 has no motion"):
        many[2].show(save=tmp_path / "d.html")


def test_an_exciting_motion_is_looked_at_before_a_robot_runs_it(tmp_path):
    robot = robots.planar_two_link()
    motion = excite(robot, velocity=3.0, torque=60.0, duration=4.0, harmonics=2, starts=1, iterations=3)
    t = np.linspace(*motion._scene_span(), 9)
    drawn, (q, qd, qdd) = motion._scene_motion(t), motion.at(t)
    assert np.abs(drawn.poses() - robot.link_poses(q)).max() < 1e-12
    assert np.abs(robot.forward_dynamics(q, qd, drawn.tau) - qdd).max() < 1e-8
    assert motion.show(save=tmp_path / "a.html", layers={"reactions": True}).is_file()
    assert f"{np.abs(motion.samples()[2][:, 0]).max():.4g}</td>" in motion._repr_html_()
