"""Tables of problems and results in notebooks."""

import re

import numpy as np
import pytest

from lissom import Inertia, Joint, Limits, Link, Model, MotionProblem, Robot, StateError, Trajectory, control, robots
from lissom.predict import pareto, solve_many
from lissom.timing import time_optimal

NAME = "<script>\x1b[2J"


@pytest.fixture(scope="module")
def robot():
    """An arm whose names contain markup."""
    links = (Link("ground"), Link(NAME, Inertia(1.0, (0.3, 0, 0), np.eye(3).tolist())))
    return Robot(Model(NAME, links, (Joint(NAME, "revolute", "ground", NAME, axis=(0, 1, 0), limits=Limits(-3, 3, 2.0, 20.0)),)))


def rows_of(page):
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", page) if "<td" in row]


def test_a_problem_lists_its_ends_limits_and_goals():
    problem = MotionProblem(robots.rr(), duration=(0.05, 2.0)).start([0, -2]).end([1, -1], velocity=[0.5, 0.0])
    problem.limit("torque", [-10, -5], 10).avoid("link_2", (0.4, 0.1, 0), 0.1).minimize("time").minimize("peak", 0.1, "velocity")
    rows = rows_of(problem._repr_html_())
    assert ["start", "position", "joint_1 0, joint_2 -2"] in rows and ["end", "velocity", "joint_1 0.5, joint_2 0"] in rows
    assert ["torque (2)", "N m", "-10 .. -5", "10", "all the time"] in rows
    assert [row[2:4] for row in rows if row[0].startswith("distance")] == [
        ["0.1", "inf"]
    ]  # [m], of the squared distance that is limited
    problem.limit("position", 0.2, 0.4, entries=["joint_1"], at=[0.25, 0.5])
    assert ["position of joint_1", "rad", "0.2", "0.4", "0.25, 0.5 of the duration"] in rows_of(problem._repr_html_())
    assert ["time [s]", "1"] in rows and ["peak of |velocity| [rad/s]", "0.1"] in rows and len(rows) == 7


def test_an_empty_problem_is_a_line():
    assert rows_of(MotionProblem(robots.rr())._repr_html_()) == []


def test_a_prediction_says_what_holds_it_back_and_lists_only_limits_that_it_reaches():
    problem = MotionProblem(robots.rr(), control_points=8, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    found = problem.limit("torque", -10, 10).limit("velocity", -100, 100).minimize("time").solve()
    page = found._repr_html_()
    assert {row[0] for row in rows_of(page)} == {"time [s]", "torque of joint_1", "torque of joint_2"}
    longest = (np.abs(found.torques(found.times(10_001))) > 9.9).mean(axis=0).argmax()
    assert f"joint_{longest + 1} at its torque limit" in page and "2 other limits not reached" in page
    assert ">when<" not in page
    failed = problem.limit("velocity", -0.1, 0.1).solve(throw=False)
    assert not failed.success and failed._repr_html_().count(failed.message[:20]) == 1


def test_a_prediction_with_phases_says_when_limits_hold_it_back():
    problem = MotionProblem(robots.rr(), control_points=8).phases({"out": (0.05, 1.0), "back": (0.05, 1.0)})
    problem.start([0, -2]).end([1, -1]).limit("torque", -10, 10, during="out").limit("torque", -5, 5, during="back")
    page = problem.minimize("time").solve()._repr_html_()
    assert ">when<" in page and {row[1] for row in rows_of(page) if row[0].startswith("torque")} <= {"out", "back"}


def test_a_timing_lists_the_limits_that_it_reaches():
    timing = time_optimal(robots.planar_two_link(), [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8]], torque=[60.0, 25.0], velocity=4.0)
    page = timing._repr_html_()
    assert len(rows_of(page)) == len(timing.active) > 0 and f"{timing.duration:.4g} s;" in page


def test_a_front_lists_its_motions_and_shows_one(tmp_path):
    problem = MotionProblem(robots.rr(), control_points=8, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    problem.limit("torque", -10, 10).minimize("time").minimize("integral", 1.0, "torque")
    front = pareto(problem, [0.9, 0.5], refine=False)
    rows = rows_of(front._repr_html_())
    assert [row[0] for row in rows] == ["0.9, 0.1", "0.5, 0.5"]
    np.testing.assert_allclose([[float(x) for x in row[1:3]] for row in rows], front.values, rtol=1e-5)
    page = front.show(1, save=tmp_path / "one.html").read_text(encoding="utf-8")
    assert page == front.predictions[1].show(save=tmp_path / "other.html").read_text(encoding="utf-8")
    for wrong in (2, True, "a"):
        with pytest.raises(StateError, match="number is .*, expected a whole number from 0 to 1: a motion of the front"):
            front.show(wrong)


def test_outcomes_list_what_became_of_every_problem():
    problem = MotionProblem(robots.rr(), control_points=8, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    problem.limit("torque", -10, 10).minimize("time")
    hopeless = problem.copy().limit("velocity", -0.01, 0.01)
    found = solve_many([problem, hopeless], workers=1, refine=False)
    rows = rows_of(found._repr_html_())
    assert [row[0] for row in rows] == ["0", "1"] and rows[0][2] == "solved" and rows[0][-1] == ""
    assert float(rows[0][3]) == pytest.approx(found[0].duration, rel=1e-4)
    assert rows[1][2] == found[1].status.value.replace("_", " ") and rows[1][-1].startswith(found[1].message[:20])
    assert rows_of(found[1]._repr_html_()) == [rows[1]]


def test_base_parameters_and_models_are_tables():
    arm = robots.rr()
    base = arm.base_parameters()
    rows = rows_of(base._repr_html_())
    assert [row[2] for row in rows] == list(base.expressions)
    assert [float(row[1]) for row in rows] == pytest.approx(base.values, rel=1e-4)
    rows = rows_of(arm.model._repr_html_())
    assert [row[:4] for row in rows] == [[j.name, j.kind.value, j.parent, j.child] for j in arm.model.joints]
    page = robots.human_model()._repr_html_()
    assert len(rows_of(page)) == 30 and f"... and {len(robots.human_model().joints) - 30} more" in page


def test_a_model_shows_markup_in_names_as_text(robot):
    page = robot.model._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;\\x1b[2J" in page and "\x1b" not in page


def test_a_scenario_lists_its_start_and_is_shown_there(tmp_path):
    scenario = control.load_scenario("hua_arm")
    page = scenario._repr_html_()
    assert [row[0] for row in rows_of(page)] == list(scenario.robot.coordinate_names)
    assert [float(row[2]) for row in rows_of(page)] == pytest.approx(scenario.q0, rel=1e-3, abs=1e-9)
    assert "task: " in page
    shown = scenario.show(save=tmp_path / "start.html").read_text(encoding="utf-8")
    robot = scenario.robot.show(scenario.q0, save=tmp_path / "robot.html", title=scenario.name).read_text(encoding="utf-8")
    assert shown == robot


def test_tracking_lists_errors_and_torques():
    robot, goal = robots.rr(), np.array([0.5, 0.2])
    motion = robot.simulate([0.3, 0.4], [0, 0], 0.2, control.PDGravity(robot, goal, kp=50, kd=10))
    tracking = control.track(motion, goal)
    rows = rows_of(tracking._repr_html_())
    peak = np.abs(motion.tau[:, 1]).max()
    assert rows[1] == ["joint_2", "rad", f"{tracking.rms[1]:.3g}", f"{tracking.largest[1]:.3g}", f"{peak:.4g} N m"]


def test_inverse_kinematics_list_coordinates_and_say_why_a_target_is_missed(robot):
    found = robot.inverse_kinematics(NAME, robot.link_pose([0.5], NAME))
    assert [row[1:] for row in rows_of(found._repr_html_())] == [["rad", f"{found.q[0]:.4g}", "-3", "3"]]
    far = robot.inverse_kinematics(NAME, position=[5.0, 0, 0], throw=False)
    assert "missed by 5 m" in far._repr_html_()


def test_names_in_tables_of_results_are_text(robot):
    problem = (
        MotionProblem(robot, control_points=8, duration=(0.05, 9.0)).start([0]).end([1]).limit_by_model("torque").minimize("time")
    )
    motion = robot.simulate([0.3], [0.0], 0.1)
    results = (problem, problem.solve(), time_optimal(robot, [[0.0], [0.5], [1.0]]), motion, control.track(motion, [0.0]))
    for result in (*results, robot.inverse_kinematics(NAME, robot.link_pose([0.5], NAME)), robot):
        page = result._repr_html_()
        assert "&lt;script&gt;" in page and "<script" not in page and "\x1b" not in page, type(result)


def test_long_tables_end_with_a_count_of_the_rest():
    robot = robots.tree(40, seed=1)
    zero = np.zeros((1, robot.nv))
    page = Trajectory(robot, np.zeros(1), robot.neutral()[None], zero, zero, zero)._repr_html_()
    assert len(rows_of(page)) == 30 and f"... and {robot.nq - 30} more coordinates" in page
