"""Targets, formulas of the instant and poses in problems with phases: fractions are those of the phases."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, SplinePath
from lissom.nlp import check_derivatives
from lissom.predict.data.motion import idle
from lissom.predict.search.run import Run

ARM = lissom.robots.rr()


def problem(free, count=12):
    p = MotionProblem(ARM, control_points=count)
    return p.phases({"out": (0.2, 0.6) if free else 0.4, "back": 0.5})


def line(s):
    return [0.3 + 0.4 * s, -0.8 + 0.3 * s]


@pytest.mark.parametrize("free", [False, True])
def test_derivatives_of_targets_in_phases_are_those_of_differences(free):
    p = problem(free).minimize("integral", 1.0, "torque", target=[[1, 2], [0, 1], [3, 0]], weights=[1, 2, 1], during="back")
    p.minimize("integral", 2.0, "link_position", link="link_2", target=lambda s: [s, 0.1, 0.0])
    p.minimize("peak", 1.0, "position", target=line, during="out")
    p.limit(lissom.predict.quantity(ARM, lambda robot, q, qd, qdd, s: qd[0] * s + q[1], "x"), upper=3.0)
    path = SplinePath(np.zeros((p.basis.count, 2)), 1.0, basis=p.basis)
    found = Run(p, "ipopt", 1e-8, 10, {}, None)._transcription(idle(path, p.channels, p.timing), {})
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.uniform(-0.5, 0.5, found.size), [0.45, 0.5] if free else [0.9], [9.0]])
    found.lower[:], found.upper[:] = -np.inf, np.inf
    found.lower[found.size : found.peaks_at] = 1e-3
    told = check_derivatives(found.nlp(), x, factor=1.1, tolerance=2e-5)
    assert told.ok, told


@pytest.mark.parametrize("free", [False, True])
def test_a_target_is_followed_over_its_phase(free):
    p = problem(free).start([0.0, -1.0], velocity=None).end(None, None)
    p.minimize("integral", 1.0, "position", target=line, during="back").minimize("integral", 1e-7, "acceleration")
    found = p.solve()
    out = found.phases[0].end
    t = np.linspace(0.05, 1.0, 12)
    assert np.abs(found.states(out + 0.5 * t)[0] - [line(s) for s in t]).max() < 2e-3


def test_formulas_of_the_instant_are_checked_with_the_fractions_of_the_solver():
    own = lissom.predict.quantity(ARM, lambda robot, q, qd, qdd, s: [v + 6.0 * s for v in qd], ARM.joint_names, "rad/s")
    p = MotionProblem(ARM, control_points=14).phases({"out": (0.05, 1.0), "back": (0.05, 1.0)})
    p.start([0, -2]).end([1, -1]).limit("torque", -10, 10).minimize("time").limit(own, upper=8.0)
    found = p.solve()
    ends = (0.0, *(phase.end for phase in found.phases))
    t = found.times(801)
    s = np.interp(t, ends, p.timing.ends)
    worst = (found.states(t)[1] + 6.0 * s[:, None]).max()
    report = [limit.violation for limit in found.limits if limit.upper == 8.0]
    assert found.success and worst < 8.0 * 1.0011 and max(report) == pytest.approx(max(0.0, worst - 8.0), abs=2e-3)


def test_a_link_passes_a_pose_at_a_time_that_the_solver_chooses():
    goal = ARM.link_pose([0.2, -1.6], "link_2")[:3, 3]
    p = MotionProblem(ARM, control_points=14).phases({"to": (0.05, 1.0), "from": (0.05, 1.0)}).start([0, -2]).end([1, -1])
    p.reach("link_2", goal, at=1.0, during="to").limit("torque", -10, 10).minimize("time")
    found = p.solve()
    first, last = found.phases
    assert np.abs(ARM.link_pose(found.states(first.end)[0], "link_2")[:3, 3] - goal).max() < 1e-6
    half = MotionProblem(ARM, control_points=14, duration=(0.1, 2.0)).start([0, -2]).end([1, -1])
    fixed = half.reach("link_2", goal, at=0.5).limit("torque", -10, 10).minimize("time").solve()
    assert abs(first.end / found.duration - 0.5) > 0.02 and found.duration < fixed.duration
