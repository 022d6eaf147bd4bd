"""Limits on control points: they hold for all time, and leave less room than limits at instants."""

import numpy as np
import pytest

import lissom
from lissom import FileError, MotionProblem, SplinePath, StateError
from lissom.nlp import check_derivatives
from lissom.predict.data.columns import Columns
from lissom.predict.data.motion import Motion
from lissom.predict.problem.description import describe
from lissom.predict.problem_file.read import parse
from lissom.predict.search.run import Run
from lissom.predict.transcription.grid import HullGrid
from lissom.spline.basis import Basis

BOUNDS = {"position": 1.4, "velocity": 4.0, "acceleration": 60.0, "jerk": 1500.0}


def swing(degree=5, control_points=10, duration=(0.05, 2.0)):
    p = MotionProblem(lissom.robots.rr(), control_points=control_points, degree=degree, duration=duration)
    return p.start([0.0, -1.0]).end([1.2, -0.2]).minimize("time")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("degree", [3, 5])
def test_limits_of_control_points_hold_for_all_time(name, degree):
    bound, order = BOUNDS[name], list(BOUNDS).index(name)
    others = {other: size for other, size in BOUNDS.items() if other != name and other in ("jerk", "acceleration")}
    found = {}
    for hull in (True, False):
        p = swing(degree).limit(name, -bound, bound, hull=hull)
        for other, size in others.items():
            p.limit(other, -size, size)
        found[hull] = p.solve()
        assert found[hull].success
    t = np.random.default_rng(0).uniform(0.0, found[True].duration, 10_000)
    values = found[True].path.rate(t, order)
    assert np.abs(values).max() <= bound * (1 + 1e-7)
    assert found[True].duration >= found[False].duration * (1 - 1e-6)  # at instants, there is more room
    assert next(r for r in found[True].limits if r.label.startswith(name)).violation <= 1e-7 * bound
    if name == "jerk" and degree == 3:  # whose control points are its values
        assert found[True].duration == pytest.approx(found[False].duration, rel=1e-6)


def test_limits_of_control_points_are_conservative():
    hull, plain = (swing(5, 8).limit("velocity", -4, 4, hull=hull).limit("jerk", -1500, 1500).solve() for hull in (True, False))
    assert hull.duration > 1.001 * plain.duration
    finer = swing(5, 30).limit("velocity", -4, 4, hull=True).limit("jerk", -1500, 1500).solve()
    assert finer.duration < hull.duration


@pytest.mark.parametrize(("degree", "order"), [(3, 0), (3, 1), (3, 2), (3, 3), (5, 2), (7, 4)])
def test_control_points_of_derivatives_are_those_of_the_path(degree, order):
    path = SplinePath(np.random.default_rng(1).normal(size=(11, 2)), 0.7, degree)
    grid = HullGrid([Basis(11, degree)], Columns(2), 0, order, 5)
    points = grid.state(path.points.ravel(), np.array([0.7])).rates[order]
    # the first and the last are the values at the ends, all are those of a spline of a lower degree
    ends = path.rate(np.array([0.0, 0.7]), order)
    assert np.allclose(points[[0, -1]], ends, rtol=1e-12, atol=1e-9)
    t = np.linspace(0.0, 0.7, 31)
    if degree > order:
        assert np.allclose(SplinePath(points, 0.7, degree - order).at(t), path.rate(t, order), rtol=1e-10, atol=1e-8)
    assert (np.diff(grid.s) > 0).all() and grid.s[0] >= 0 and grid.s[-1] <= 1


def test_derivatives_of_limits_on_control_points_are_those_of_differences():
    p = swing(5, 9).limit("velocity", -4, 4, hull=True).limit("position", -2, 2, hull=True).limit("velocity", -5, 5)
    p.limit("jerk", -900, 900, hull=True, entries="joint_2").limit("torque", -10, 10)
    run = Run(p, "ipopt", 1e-8, 10, {}, None)
    made = run._transcription(Motion(SplinePath(np.zeros((9, 2)), 1.0, 5)), {})
    x = np.concatenate([np.random.default_rng(2).normal(size=18), [0.8]])
    assert check_derivatives(made.nlp(), x).ok


def test_what_has_no_control_points_is_refused():
    with pytest.raises(StateError, match="torque has no control points for hull=True; only the splines position, velocity"):
        swing().limit("torque", -10, 10, hull=True)
    with pytest.raises(StateError, match="hull=True holds at all times, at= only at some"):
        swing().limit("velocity", -4, 4, hull=True, at=0.5)
    with pytest.raises(StateError, match="hull is 'yes', expected True or False"):
        swing().limit("velocity", -4, 4, hull="yes")
    with pytest.raises(StateError, match="torque has no control points"):
        MotionProblem(lissom.robots.panda()).limit_by_model("torque", hull=True)


def test_files_and_descriptions_say_so():
    text = """
lissom: 1
kind: motion
name: swing
robot: robots:panda
duration: {lower: 0.05, upper: 2}
limits:
  - {quantity: acceleration, within: 10, hull: true}
  - {from: robot, quantities: [position, velocity], hull: true}
minimize: time
"""
    p = parse(text)
    assert [limit.hull for limit in p.parts.limits] == [True] * 3
    rows = {row.partition(":")[0]: row for what, row in describe(p).rows if what == "limit"}
    assert rows["acceleration of joint_1"] == "acceleration of joint_1: -10 to 10 rad/s^2, by control points"
    with pytest.raises(FileError, match="8: torque has no control points"):
        parse(text.replace("acceleration", "torque"))
