"""The gait of Barman's thesis, chapter V, as a problem file: sizes as printed, and a step that keeps (5.2) to (5.10)."""

import numpy as np
import pytest

import lissom
from lissom.errors import StateError
from lissom.predict import Prediction


@pytest.fixture(scope="module")
def problem():
    return lissom.predict.load("thesis_gait")


def test_it_has_the_unknowns_of_the_thesis_and_38_joints_move(problem):
    assert problem.n == 55 and problem.basis.count == 6 and problem.duration == (0.5, 0.5)
    frozen = [limit for limit in problem.parts.limits if limit.hull and (limit.lower == limit.upper).all()]
    assert sum(len(limit.entries) for limit in frozen) == 55 - 38
    effort = problem.parts.integrals[0].quantity  # (5.1): torques over the strengths of the same person
    known = [joint.limits.effort for joint in problem.robot.model.joints if joint.name in problem.robot.strengths]
    assert effort.name.startswith("(torque") and len(known) == 49
    assert problem.settings["feasible_first"] and problem.settings["tolerance"] == 1e-3
    assert len(problem.notes) > 5


def test_scales_of_the_effort_are_the_strengths_of_the_person(problem):
    import yaml

    from lissom.predict import builtin_problems

    goal = yaml.safe_load(builtin_problems()["thesis_gait"].read_text(encoding="utf-8"))["minimize"][0]
    efforts = {joint.name: joint.limits.effort for joint in problem.robot.model.joints}
    driven = [name for name in problem.robot.joint_names if name not in problem.robot.global_joints]
    assert goal["scale"] == pytest.approx([efforts[name] for name in driven], rel=1e-5)


def test_feasible_first_finds_a_motion_within_limits_before_it_minimizes():
    arm = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=0.6).start([0.0, -2.0]).end([1.0, -1.0])
    arm = arm.limit("torque", -10, 10).minimize("integral", 1.0, "torque")
    plain, found = arm.solve(), arm.solve(feasible_first=True)
    assert found.success and found.objective == pytest.approx(plain.objective, rel=1e-6)
    with pytest.raises(StateError, match="feasible_first"):
        arm.solve(feasible_first="yes")


def test_only_steps_of_people_are_walks():
    arm = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=0.6).start([0.0, -2.0]).end([1.0, -1.0])
    with pytest.raises(StateError, match="is not a step of a walk: its robot is 'barman_rr'"):
        lissom.gait.gait_of(arm.minimize("integral", 1.0, "torque").solve())


@pytest.mark.slow
def test_the_step_keeps_the_constraints_of_the_thesis_at_its_instants(problem, tmp_path):
    found = problem.solve(throw=False)
    assert found.success and found.solution.x.size == 330 + 1
    walk = lissom.gait.gait_of(found)
    assert walk.speed == pytest.approx(1.2, abs=1e-6) and walk.step_length == pytest.approx(0.6, abs=1e-6)
    assert walk.double_support == pytest.approx(0.1)
    person = problem.robot
    t = np.unique(np.concatenate([np.linspace(phase.start, phase.end, 5) for phase in found.phases]))
    q, qd, *_ = found.states(t)
    limits = person.limits
    assert (q[:, 6:] > limits.lower[6:] - 0.01).all() and (q[:, 6:] < limits.upper[6:] + 0.01).all()
    assert (np.abs(found.torques(t))[:, 6:] < limits.effort[6:] * 1.01).all()
    at = np.array([0.3])
    assert 54.9 < np.rad2deg(found.states(at)[0][0, person.joint_names.index("left_knee_flexion")]) < 65.1
    for k, shift in ((0, 0.6), (1, 0.0)):
        ends = found.states(np.array([0.0, 0.5]))[k]
        moved = person.mirror(ends[0])
        moved[0] += shift
        np.testing.assert_allclose(ends[1], moved, atol=1e-6)
    heel = person.point_position(found.coordinates(t[t <= 0.35])[0], "right_heel")
    assert np.abs(heel[:, 2]).max() < 2.2e-3
    assert np.abs(found.imbalance(t)).max() < 1e-9 * person.total_mass * 9.81
    again = Prediction.load(found.save(tmp_path / "step.npz") or tmp_path / "step.npz", person)
    assert lissom.gait.gait_of(again).step_length == pytest.approx(0.6, abs=1e-6)
    page = walk.report(tmp_path / "step.html").read_text(encoding="utf-8")
    assert "What was chosen" in page and "lever rule" in page
