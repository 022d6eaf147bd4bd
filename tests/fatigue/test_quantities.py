"""Loads over strengths as a quantity: values, derivatives beside complex steps, and what a goal of fatigue changes."""

import numpy as np
import pytest

from lissom import MotionProblem, StateError, robots, tasks
from lissom.fatigue import load
from lissom.fatigue.cycle import cycle_of
from lissom.fatigue.quantities import Bent
from lissom.predict.quantities.quantity import JointMotion
from lissom.predict.quantities.state import State


def bent(line=(0.02, 0.1, 0.3), bend=(0.01, -0.05, 0.0)):
    own = JointMotion("torque", 0, ("a", "b", "c", "d"), ("N m",) * 4)
    return Bent("load", own, np.array([0, 1, 3]), np.array(line), np.array(bend))


def state_of(q):
    return State((q, *(np.zeros_like(q),) * 4), np.linspace(0.0, 1.0, len(q)))


def test_far_from_zero_it_is_the_moment_over_the_strength_of_its_way():
    p, n = 50.0, 100.0
    own = bent((0.5 * (1 / p + 1 / n),) * 3, (0.5 * (1 / p - 1 / n),) * 3)
    tau = np.array([[40.0, -80.0, 7.0, 0.0]])
    assert own.values(state_of(tau))[0] == pytest.approx([40 / p, -80 / n, 0.0], abs=0.006)
    assert own.labels == ("a", "b", "d")


def test_derivatives_are_those_of_complex_steps():
    rng = np.random.default_rng(1)
    tau, weights, step = rng.uniform(-3.0, 3.0, (5, 4)), rng.uniform(-1.0, 1.0, (5, 3)), 1e-30
    own = bent()
    first = own.derivatives(state_of(tau))[0]
    second = own.curvature(state_of(tau), weights)[:, 0, :, 0]
    for j in range(4):
        moved = tau + 1j * step * np.eye(4)[j]
        assert own.values(state_of(moved)).imag / step == pytest.approx(first[:, :, j], rel=1e-13, abs=1e-15)
        slope = own.derivatives(state_of(moved))[0].imag / step
        assert np.einsum("ke,kei->ki", weights, slope) == pytest.approx(second[:, j], rel=1e-12, abs=1e-15)


def test_loads_are_those_of_the_person_whose_motion_it_is():
    arm = MotionProblem(robots.rr())
    person = robots.human(active=["elbow_flexion"])
    with pytest.raises(StateError, match="the problem of 'barman_rr' has no joint 'right_elbow_flexion' of the person"):
        load(arm, person)
    problem = MotionProblem(person, undriven=person.global_joints)
    assert load(problem, person).labels == ("right_elbow_flexion", "left_elbow_flexion")
    problem.limit(load(problem, person.with_changes(weakness={"left_elbow_flexion": (0.0, 0.5)})), -1.0, 1.0)


def test_a_goal_of_a_task_has_a_name():
    with pytest.raises(StateError, match="goal is 'fatique'; did you mean 'fatigue'"):
        tasks.lift(5.0, goal="fatique")


@pytest.mark.slow
def test_with_a_goal_of_fatigue_tired_joints_are_spared():
    place = {"origin": (0.4, 0.1), "destination": (0.4, 0.9)}

    spared = tasks.lift(12.0, goal="fatigue", **place)
    can = spared.person.strengths
    weak = {"spine_1_flexion": (0.3, 0.0), "spine_2_flexion": (0.3, 0.0), "spine_3_flexion": (0.3, 0.0)}
    tired = tasks.lift(12.0, goal="fatigue", changes={"weakness": weak}, start=spared, **place)
    joint = list(can).index("spine_1_flexion")
    back = [cycle_of(task, can).motion[1][joint, 0] for task in (spared, tired)]
    assert back[1] < back[0]


def test_strengths_that_are_left_are_limits_of_a_motion():
    person = robots.human(active=["elbow_flexion"]).with_changes(hand_load={"left": 12.0, "right": 12.0})
    person = person.locked(dict.fromkeys(person.global_joints, 0.0))
    tired = person.with_changes(weakness=dict.fromkeys(person.strengths, (0.0, 0.3)))
    times = []
    for who in (person, tired):
        problem = MotionProblem(person, control_points=12, duration=(0.1, 5.0))
        problem.limit(load(problem, who), -1.0, 1.0).minimize("time")
        found = problem.start([0.1, 0.1]).end([0.9, 0.9]).solve()
        moments = found.torques(np.linspace(0.0, found.duration, 801))
        can = who.strengths["left_elbow_flexion"]
        assert moments.max() < 1.01 * can.positive + 0.5 and moments.min() > -1.01 * can.negative - 0.5
        times.append(found.duration)
    assert times[1] > 1.1 * times[0]
