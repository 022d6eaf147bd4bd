"""The size of an objective does not matter: motions and iterations are those of the same goals in other units."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem
from lissom.nlp.status import Status
from lissom.predict import pareto

PANDA = [[0.0, -0.7, 0.0, -2.3, 0.0, 1.5, 0.7], [0.3, -0.2, 0.2, -1.8, 0.3, 1.9, 1.0]]


def swing(duration=(0.05, 2.0), control_points=16, degree=5):
    p = MotionProblem(lissom.robots.rr(), control_points=control_points, degree=degree, duration=duration)
    return p.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10)


def reach(duration):
    p = MotionProblem(lissom.robots.panda(), control_points=10, degree=5, duration=duration)
    return p.start(PANDA[0]).end(PANDA[1]).limit_by_model("torque")


def push(duration=1.0):
    p = MotionProblem(lissom.robots.rp(0.0), control_points=14, degree=5, duration=duration)
    return p.start([0.0, 0.0]).end([0.4, 1.0]).limit("torque", -10, 10)


GOALS = {
    "time": lambda w: swing(degree=3).minimize("time", w),
    "torque": lambda w: swing(0.6).minimize("integral", w, "torque"),
    "torque, free time": lambda w: swing((0.4, 0.9)).minimize("integral", w, "torque"),
    "jerk": lambda w: swing(0.6).minimize("integral", w, "jerk"),
    "jerk, free time": lambda w: swing((0.4, 0.9)).minimize("integral", w, "jerk"),
    "peak": lambda w: swing(0.6).minimize("peak", w, "torque").minimize("integral", 1e-3 * w, "acceleration"),
    "mixed": lambda w: swing().minimize("time", w).minimize("integral", 0.01 * w, "torque"),
    "jerk of a Panda": lambda w: reach(1.0).minimize("integral", w, "jerk"),
    "time of a Panda": lambda w: reach((0.2, 3.0)).minimize("time", w).minimize("integral", 1e-3 * w, "acceleration"),
    "energy of a slide": lambda w: push().minimize("integral", w, "drawn_power", square=False).minimize("integral", w, "torque"),
}


@pytest.mark.sweep("time", "jerk")
@pytest.mark.parametrize("goal", GOALS)
def test_weights_do_not_change_the_motion(goal):
    one = GOALS[goal](1.0).solve()
    assert one.status is Status.SOLVED
    for weight in (1e-6, 1e6):
        other = GOALS[goal](weight).solve()
        assert other.status is Status.SOLVED
        assert np.abs(other.path.points - one.path.points).max() < 1e-6
        assert other.duration == pytest.approx(one.duration, abs=1e-6)
        assert other.objective == pytest.approx(weight * one.objective, rel=1e-6)
        assert sum(g.weight * g.value for g in other.goals) == pytest.approx(other.objective, rel=1e-6)
        assert abs(other.iterations - one.iterations) <= 0.2 * one.iterations


def test_least_jerk_with_a_weight_of_one_is_solved():
    # the closed form of one joint from rest to rest, without acceleration at the ends: 720 d^2 / T^5
    p = MotionProblem(lissom.robots.rr(), control_points=12, degree=5, duration=0.8)
    p.start([0.0, -2.0], acceleration=0.0).end([1.0, -1.0], acceleration=0.0).limit("torque", -40, 40)
    found = p.minimize("integral", 1.0, "jerk").solve()
    assert found.status is Status.SOLVED
    assert found.objective == pytest.approx(2 * 720 / 0.8**5, rel=1e-4)  # jerk^2 is integrated by the rule of Simpson


def test_a_start_far_off_does_not_hide_the_objective():
    # from 0.05 s, where squared forces are a million times those of the optimum
    p = MotionProblem(lissom.robots.rp(0.0), control_points=8, duration=(0.05, 20.0)).start([0.0, 0.0]).end([0.4, 0.0])
    p.minimize("time").minimize("integral", 1.0, "torque")
    for restart in (True, False):
        found = p.solve(start=lissom.SplinePath.between([0.0, 0.0], [0.4, 0.0], 0.05, 8), restart=restart)
        near = p.solve(start=found)
        assert found.status is near.status is Status.SOLVED
        assert found.duration == pytest.approx(near.duration, rel=1e-6)
        assert found.objective == pytest.approx(near.objective, rel=1e-9)


def test_multipliers_and_iterates_are_told_in_units_of_the_objective():
    seen = []
    one, other = (GOALS["time"](w).solve(restart=False, progress=seen.append) for w in (1.0, 1e3))
    for a, b in zip(one.limits, other.limits, strict=True):
        assert b.multiplier == pytest.approx(1e3 * a.multiplier, rel=1e-4)
    assert one.solution.history[-1].objective == pytest.approx(one.objective, rel=1e-6)
    assert seen[-1].objective == other.solution.history[-1].objective == pytest.approx(1e3 * one.duration, rel=1e-5)


@pytest.mark.slow
def test_fronts_are_the_same_for_large_and_small_weights():
    p = MotionProblem(lissom.robots.rp(0.0), control_points=10, duration=(0.05, 2.0)).start([0, 0]).end([0.4, 1.0])
    p.limit("torque", -10, 10).minimize("time").minimize("integral", 1.0, "torque")
    pairs = np.array([[0.99, 0.01], [0.9, 0.1]])
    fronts = [pareto(p, size * pairs) for size in (1.0, 1e6, 1e-6)]
    for front in fronts[1:]:
        assert np.allclose(front.values, fronts[0].values, rtol=1e-6) and front.best.all()


@pytest.mark.parametrize("way", [1e-9, 1e-6])
def test_a_start_that_costs_nearly_nothing_does_not_blow_the_objective_up(way):
    problem = MotionProblem(lissom.robots.rr(), control_points=10, duration=1.0).start([0.0, 0.0]).end([way, 0.0])
    problem.limit("position", 0.3, 0.3, entries="joint_1", at=0.5, scale=1.0).minimize("integral", 1.0, "acceleration")
    found = problem.solve(restart=False)
    assert found.status is Status.SOLVED and found.iterations <= 3
    there = problem.copy().end([0.0, 0.0]).solve()
    assert found.objective == pytest.approx(there.objective, rel=1e-5)
