"""Limits hold all the time, not at instants alone: what is called solved is checked, mended, or called broken."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, PredictionError, StateError
from lissom.nlp import ipopt
from lissom.nlp.status import Status
from lissom.predict import Quantity
from lissom.predict.problem_file.read import parse
from lissom.predict.search import refine as mend
from support.builtin_problems import solved

RATE = 200.0  # [N m/s]


def swing(control_points=20, degree=3, **options):
    p = MotionProblem(lissom.robots.rr(), control_points=control_points, degree=degree, duration=(0.05, 2.0), **options)
    return p.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")


def worst(found, values, bound, seed=0, count=20000):
    """Return how far values of a motion are beyond their bound at worst, at times that no grid knows, as a share of it."""
    t = np.random.default_rng(seed).uniform(0.0, found.duration, count)
    return np.abs(values(np.append(t, [0.0, found.duration]))).max() / bound - 1.0


@pytest.mark.slow
def test_splines_of_a_high_degree_keep_their_limits():
    # with 4 instants in each of 5 spans, polynomials of degree 15 do as they like in between
    loose = swing(20, 15).solve(limit_tolerance=None)
    assert loose.success and worst(loose, loose.torques, 10.0) > 10.0 and loose.violation > 10.0
    found = swing(20, 15).solve()
    assert found.status is Status.SOLVED and worst(found, found.torques, 10.0) < 1e-3
    assert found.duration > 0.391854  # the exact optimum
    assert len(found.rounds) > 1 and found.rounds[0].instants < found.rounds[-1].instants
    assert {r.control_points for r in found.rounds} == {20}


def test_rounds_begin_with_multipliers_and_only_the_last_solve_is_to_the_tolerance(monkeypatch):
    calls, solve = [], ipopt.solve

    def noted(nlp, x, **options):
        calls.append((nlp.m, options["tolerance"], "multipliers" in options))
        return solve(nlp, x, **options)

    monkeypatch.setattr(ipopt, "solve", noted)
    loads = swing(12, points_per_span=2)
    found = loads.solve()
    assert found.success and len(found.rounds) > 1
    rows, tolerances, warm = zip(*calls, strict=True)
    assert list(tolerances) == [1e-6] * (len(calls) - 1) + [1e-8] and list(warm) == [False] + [True] * (len(calls) - 1)
    assert rows[0] < rows[1] <= rows[-1]
    calls.clear()
    exact = loads.solve(restart=False)
    assert {tolerance for _, tolerance, _ in calls} == {1e-8}
    assert exact.duration == pytest.approx(found.duration, rel=1e-6)


def test_a_motion_that_is_not_solved_to_the_tolerance_is_called_acceptable():
    begun = []

    def stop(iterate):
        begun.append(iterate.iteration)
        return begun.count(0) == 2

    found = swing().solve(progress=stop, throw=False)
    assert found.status is Status.ACCEPTABLE and found.success and begun.count(0) == 2
    assert "tolerance was not reached" in found.message and "stopped during the search" in found.message


@pytest.mark.sweep(1)
@pytest.mark.parametrize("degree", [3, 4, 5])
def test_limits_of_what_jumps_at_knots_hold_on_both_sides_of_them(degree):
    found = swing(10, degree).limit("torque_rate", -RATE, RATE).solve()
    assert found.success and worst(found, found.torques, 10.0) < 1e-3
    knots = np.arange(1, found.path.basis.spans) / found.path.basis.spans * found.duration
    both = np.concatenate([knots - 1e-9, knots + 1e-9])
    assert np.abs(found.torque_rates(both)).max() / RATE - 1.0 < 1e-3
    assert worst(found, found.torque_rates, RATE) < 1e-3


@pytest.mark.sweep("0.01")
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_the_tolerance_of_limits_is_an_option(tolerance):
    found = swing(8).limit("torque_rate", -RATE, RATE).solve(limit_tolerance=tolerance)
    assert found.success and found.violation <= tolerance and found.limit_tolerance == tolerance
    assert worst(found, found.torque_rates, RATE) <= tolerance


def test_what_discretized_problems_give_can_be_reproduced():
    plain, checked = swing(10).solve(limit_tolerance=None), swing(10).solve()
    assert len(plain.rounds) == 1 and plain.violation > 1e-3 >= checked.violation
    assert plain.limit_tolerance == np.inf == swing(10).solve(limit_tolerance=np.inf).limit_tolerance
    assert plain.duration < checked.duration < plain.duration * 1.01


class Spike(Quantity):
    """A peak of height one and of the width of a hundredth of the motion of joint 1, which goes from 0 to 1."""

    name, labels, unit = "spike", ("spike",), ""
    orders = (0,)
    depends = np.array([[True, False]])

    def __init__(self, middle, width):
        self.middle, self.width = middle, width

    def values(self, state):
        return np.exp(-(((state.rates[0][:, :1] - self.middle) / self.width) ** 2))

    def derivatives(self, state):
        q = state.rates[0][:, :1]
        return np.stack([-2 * (q - self.middle) / self.width**2 * self.values(state), 0 * q], axis=-1)[None]

    def curvature(self, state, weights):
        found = np.zeros((len(state), 1, 2, 1, 2))
        z = (state.rates[0][:, 0] - self.middle) / self.width
        found[:, 0, 0, 0, 0] = weights[:, 0] * (4 * z**2 - 2) * np.exp(-(z**2)) / self.width**2
        return found


def test_peaks_between_the_points_of_the_fine_grid_are_found():
    p = swing(8).limit(Spike(0.503, 0.01), None, 0.5)
    found = p.solve(limit_tolerance=None, restart=False)
    spike = next(limit for limit in found.limits if limit.label == "spike")
    assert spike.violation == pytest.approx(0.5, abs=1e-4)  # the fine grid alone comes to 0.49
    q = found.states(np.array([spike.at]))[0]
    assert q[0, 0] == pytest.approx(0.503, abs=1e-3)


@pytest.mark.slow
def test_what_cannot_be_mended_is_called_broken():
    # joint 1 has to pass the spike: no motion keeps below it, though those between instants seem to
    found = swing(8).limit(Spike(0.503, 0.02), None, 0.5).solve(throw=False)
    assert found.status is Status.LIMITS_BROKEN and not found.success
    assert found.violation > 0.5  # of 0.5
    assert "between them it breaks one. It breaks spike (at most 0.5) by 0.5" in found.message
    assert f"at {found.limits[-1].at:.3g} s" in found.message and "of the limit's scale" in found.message
    with pytest.raises(PredictionError, match="limits are broken: .*between them it breaks one"):
        swing(8).limit(Spike(0.503, 0.02), None, 0.5).solve()


def test_more_knots_come_where_more_instants_do_not_suffice(monkeypatch):
    monkeypatch.setattr(mend, "ROUNDS", 0)
    found = swing(10).limit("torque_rate", -RATE, RATE).solve(throw=False)
    assert [r.control_points for r in found.rounds] == [10, 17]
    assert found.status is Status.LIMITS_BROKEN and found.violation == min(r.violation for r in found.rounds)


def test_reports_say_by_how_much_limits_are_broken(tmp_path, monkeypatch):
    monkeypatch.setattr(mend, "ROUNDS", 0)
    found = swing(10).limit("torque_rate", -RATE, RATE).solve(throw=False)
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<p class="verdict bad">Not solved: limits broken. ' in page and "allowed: 0.001" in page
    assert "breaks torque_rate of joint_" in page and "N m/s at 0." in page
    again = lissom.Prediction.load(found.save(tmp_path / "a.npz"), lissom.robots.rr())
    assert again.status is Status.LIMITS_BROKEN and again.limit_tolerance == 1e-3 and again.rounds == found.rounds


@pytest.mark.slow
def test_a_loose_motion_is_not_preferred_to_one_that_keeps_limits():
    # of several starts, one that breaks limits grossly costs less
    found = swing(20, 15).solve(starts=2, seed=3)
    assert found.success and found.violation <= 1e-3


@pytest.mark.parametrize("value", [0, -1e-3, 1e-8, np.nan, "small", True])
def test_tolerances_that_mean_nothing_are_refused(value):
    with pytest.raises(StateError, match="limit_tolerance is .*, expected a share of the limits' scales, such as 1e-3"):
        swing(8).solve(limit_tolerance=value)


def test_files_have_the_option_too():
    text = """
lissom: 1
kind: motion
name: swing
robot: robots:rr
duration: {lower: 0.05, upper: 2}
start: {position: [0, -2]}
end: {position: [1, -1]}
limits: [{quantity: torque, within: 10}]
minimize: time
solve: {limit_tolerance: LIMIT}
"""
    assert parse(text.replace("LIMIT", "1e-2")).settings == {"limit_tolerance": 1e-2}
    assert parse(text.replace("LIMIT", ".inf")).settings == {"limit_tolerance": np.inf}
    with pytest.raises(lissom.FileError, match="11: 'limit_tolerance' must be more than 0, such as 1e-3, got -1"):
        parse(text.replace("LIMIT", "-1"))


@pytest.mark.sweep("rr", "rp")
@pytest.mark.parametrize("name", ["rr", "rp", "puma560", "panda"])
def test_limits_of_problems_that_ship_with_lissom_hold(name):
    found = solved(name)
    assert found.success and found.violation <= 1e-3
    torques = {limit.label: limit for limit in found.limits if limit.label.startswith("torque of")}
    t = np.random.default_rng(1).uniform(0.0, found.duration, 20000)
    for joint, tau in zip(found.robot.joint_names, found.torques(t).T, strict=True):
        limit = torques.get(f"torque of {joint}")
        assert limit is None or np.abs(tau).max() <= limit.upper * 1.001


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in lissom.predict.builtin_problems() if name != "thesis_gait"])  # instants only
def test_all_problems_that_ship_with_lissom_are_solved(name):
    found = solved(name)
    assert found.success and found.violation <= 1e-3
