"""Solving motion problems: closed forms, restarts, refinement, stops, and advice where no motion was found."""

import os
import signal
import time
from math import sqrt

import numpy as np
import pytest

import lissom
from lissom import (
    ConvergenceError,
    Inertia,
    Interrupted,
    Joint,
    JointKind,
    Link,
    Model,
    MotionProblem,
    PredictionError,
    Robot,
    SplinePath,
    StateError,
)
from lissom.nlp.solution import Iterate
from lissom.nlp.status import Status
from lissom.predict.search.progress import Line
from lissom.predict.search.run import Run
from lissom.predict.search.starts import perturbed, straight

pytestmark = pytest.mark.usefixtures("interruptible")

MASS, FORCE, WAY = 2.0, 5.0, 0.8  # [kg], [N], [m]
ONE, TWO = lissom.robots.rr().joint_names
TIP = lissom.robots.rr().link_names[-1]


def cart_robot():
    joint = Joint("slide", JointKind.PRISMATIC, "base", "cart", axis=(1.0, 0.0, 0.0))
    return Robot(Model("cart", (Link("base"), Link("cart", Inertia(MASS))), (joint,)))


CART = cart_robot()


def cart(control_points=20, duration=(0.05, 10.0), **options):
    return MotionProblem(CART, control_points=control_points, duration=duration, **options).start([0.0]).end([WAY])


def rr(control_points=12, duration=(0.05, 2.0), **options):
    p = MotionProblem(lissom.robots.rr(), control_points=control_points, duration=duration, **options)
    return p.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")


# closed forms


def test_fastest_way_of_a_mass_is_full_force_forth_and_back():
    exact = 2 * sqrt(MASS * WAY / FORCE)
    found = [cart(m).limit("torque", -FORCE, FORCE).minimize("time").solve().duration for m in (8, 16, 32, 64)]
    assert found == sorted(found, reverse=True)
    assert 0 < found[-1] - exact < 1e-3 * exact
    # a force of degree one needs a span to jump, and loses as much as the square of that: order two
    assert (found[0] - exact) / (found[2] - exact) > 8


def test_fastest_way_of_a_mass_below_a_speed_is_a_trapezoid():
    speed = 0.5
    exact = WAY / speed + speed * MASS / FORCE
    found = cart(64).limit("torque", -FORCE, FORCE).limit("velocity", -speed, speed).minimize("time").solve()
    assert 0 < found.duration - exact < 2e-3 * exact
    assert found.violation < 1e-3


def test_least_effort_of_a_mass_is_a_cubic():
    T = 1.7
    found = cart(9, duration=T).minimize("integral", 1.0, "torque").solve()
    assert found.success and found.duration == T
    assert found.objective == pytest.approx(12 * (MASS * WAY) ** 2 / T**3, rel=1e-9)
    s = found.times() / T
    assert np.abs(found.states(found.times())[0][:, 0] - WAY * (3 * s**2 - 2 * s**3)).max() < 1e-9


def test_least_jerk_is_the_polynomial_of_degree_five():
    T = 1.3
    p = MotionProblem(CART, control_points=9, degree=5, points_per_span=16, duration=T)
    p.start([0.0], acceleration=0.0).end([WAY], acceleration=0.0).minimize("integral", 1.0, "jerk")
    found = p.solve()
    assert found.objective == pytest.approx(720 * WAY**2 / T**5, rel=1e-5)
    s = found.times() / T
    assert np.abs(found.states(found.times())[0][:, 0] - WAY * (10 * s**3 - 15 * s**4 + 6 * s**5)).max() < 1e-5


def test_least_energy_of_a_mass_is_that_of_its_slowest_trapezoid():
    # only speeding up draws power: what counts is the highest speed, least where forces are full, v T - v^2 m / f = way
    T = 1.6
    speed = FORCE / (2 * MASS) * (T - sqrt(T * T - 4 * WAY * MASS / FORCE))
    exact = 0.5 * MASS * speed**2
    p = cart(48, duration=T).limit("torque", -FORCE, FORCE)
    found = p.minimize("integral", 1.0, "drawn_power", square=False, rounding=0.01).solve()
    t = found.times(4001)
    drawn = np.maximum(found.torques(t) * found.states(t)[1], 0.0)[:, 0]
    assert found.success
    assert 0 < np.trapezoid(drawn, t) - exact < 0.01 * exact
    # and the energy given back is all of it, so that the work on the way is nothing
    assert abs(np.trapezoid(found.torques(t)[:, 0] * found.states(t)[1][:, 0], t)) < 1e-4


def test_least_peak_of_a_force_is_that_of_the_fastest_way():
    T = 1.2
    exact = 4 * MASS * WAY / T**2
    found = [cart(m, duration=T).minimize("peak", 1.0, "torque").solve() for m in (12, 48)]
    assert all(f.success for f in found)
    assert 0 < found[1].objective - exact < 2e-3 * exact
    assert found[1].objective < found[0].objective
    assert np.abs(found[1].torques(found[1].times(2001))).max() == pytest.approx(found[1].objective, rel=1e-3)


def test_peaks_are_divided_by_their_scale():
    one, ten = (cart(12, duration=1.2).minimize("peak", 1.0, "torque", scale=s).solve().objective for s in (1.0, 10.0))
    assert one == pytest.approx(10 * ten, rel=1e-6)


def test_thrown_and_caught_masses_start_and_end_with_their_speeds():
    p = (
        MotionProblem(CART, control_points=10, duration=1.0)
        .start([0.0], velocity=0.7)
        .end([WAY], velocity=[-0.3], acceleration=0.0)
    )
    found = p.minimize("integral", 1.0, "torque").solve(refine=1)
    q, qd, qdd, _ = found.states([0.0, 1.0])
    assert np.abs(q[:, 0] - [0.0, WAY]).max() < 1e-9
    assert np.abs(qd[:, 0] - [0.7, -0.3]).max() < 1e-9
    assert abs(qdd[1, 0]) < 1e-6


def test_a_target_in_space_is_a_limit_at_the_end():
    goal = np.array([0.3, 0.5, 0.0])
    p = MotionProblem(lissom.robots.rr(), control_points=10, duration=(0.05, 2.0)).start([0.0, -2.0]).end(None)
    p.limit("link_position", goal[:2], goal[:2], entries=["x", "y"], at=1.0, scale=1.0, link=TIP)
    found = p.limit("torque", -10, 10).minimize("time").solve()
    assert found.success
    q, qd, *_ = found.states([found.duration])
    assert np.abs(lissom.robots.rr().link_pose(q, TIP)[0, :3, 3] - goal).max() < 1e-7
    assert np.abs(qd).max() < 1e-7


def test_motions_that_repeat_do_so_on_refined_splines_too():
    p = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0)
    p.limit("position", [0.5, -0.5], [0.5, -0.5], at=0.3, scale=1.0).limit(
        "position", [-0.5, 0.2], [-0.5, 0.2], at=0.7, scale=1.0
    )
    found = p.same_at_both_ends().minimize("integral", 1.0, "torque").solve(refine=2)
    assert found.success and len(found.rounds) > 1
    for rate, size in zip(found.states([0.0, found.duration])[:3], (1, 10, 100), strict=True):
        assert np.abs(rate[0] - rate[1]).max() < 1e-6 * size
    mirrored = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0).start([0.4, 0.1], velocity=None)
    pairs = [(ONE, TWO, 1.0), (TWO, ONE, -1.0)]
    found = mirrored.same_at_both_ends("position", "velocity", pairs=pairs).minimize("integral", 1.0, "torque").solve(refine=1)
    q, qd, *_ = found.states([0.0, found.duration])
    for rate in (q, qd):
        assert np.abs([rate[0, 0] - rate[1, 1], -rate[0, 1] - rate[1, 0]]).max() < 1e-8


def test_ends_may_be_shifted_and_sums_of_joints():
    p = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0).start([0.4, 0.1], velocity=[0.3, -0.5])
    pairs = [({ONE: 1.0, TWO: -2.0}, (ONE, TWO), -1.0), (ONE, TWO, 1.0)]
    found = p.same_at_both_ends(pairs=pairs, shift=[0.7, -0.2]).minimize("integral", 1.0, "torque").solve(refine=1)
    assert found.success
    for rate, by in zip(found.states([0.0, found.duration])[:3], ([0.7, -0.2], [0, 0], [0, 0]), strict=True):
        start, end = rate
        assert abs(end[0] + end[1] - (-(start[0] - 2.0 * start[1]) + by[0])) < 1e-7
        assert abs(end[1] - (start[0] + by[1])) < 1e-7


# restarts, starts and refinement


@pytest.mark.slow
def test_refinement_stops_when_nothing_changes_any_more():
    found = cart(8, duration=1.0).minimize("integral", 1.0, "torque").solve(refine=True)
    assert [r.control_points for r in found.rounds] == [8, 13]  # the cubic was exact at once
    fast = rr(10).solve(refine=2)
    assert [r.control_points for r in fast.rounds] == [10, 17, 31]
    assert fast.rounds[-1].objective == fast.objective < fast.rounds[0].objective
    assert fast.path.basis.count == 31


def test_random_starts_are_the_same_for_the_same_seed_and_never_worse():
    p = rr(10)
    one, again, other = (p.solve(starts=3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.path.points, again.path.points) and one.iterations == again.iterations
    assert one.success and other.success
    alone = p.solve()
    assert one.objective <= alone.objective * (1 + 1e-7)
    paths = [[motion.path for motion in perturbed(p, straight(p), 2, seed)] for seed in (1, 2)]
    assert not np.array_equal(paths[0][0].points, paths[1][0].points)
    for path in paths[0]:  # ends stay where they are
        assert np.array_equal(path.points[[0, 1, -2, -1]], [[0, -2], [0, -2], [1, -1], [1, -1]])


@pytest.mark.parametrize("restart", [True, False])
def test_a_restart_looks_whether_there_is_a_better_solution(restart):
    begun = []
    found = rr(20).solve(
        restart=restart, progress=lambda iterate: begun.append(iterate.iteration) if iterate.iteration == 0 else None
    )
    assert len(begun) == (2 if restart else 1)
    assert found.success and len(found.rounds) == 1


def test_the_exact_solve_begins_near_the_limits_of_the_rough_one(monkeypatch):
    near, once = [], Run.once
    monkeypatch.setattr(Run, "once", lambda *arguments: near.append(arguments[5:]) or once(*arguments))
    assert rr(20).solve(limit_tolerance=None).success
    assert near[0] == ("",) and near[1] == ("same",)  # of the same program, though no instants were added


def test_a_solution_is_a_good_start():
    p = rr(20)
    cold = p.solve(restart=False)
    warm = p.solve(start=cold, restart=False)
    assert warm.success and warm.objective == pytest.approx(cold.objective, rel=1e-7)
    for start in (cold.path, SplinePath.between([0.0, -2.0], [1.0, -1.0], 1.0, 7, 5)):  # any path, of another degree too
        assert p.solve(start=start).objective == pytest.approx(cold.objective, rel=1e-6)
    finer = p.solve(start=cold.path.refined(), starts=2, restart=False)
    assert finer.path.basis.count == 37 and finer.objective < cold.objective


def test_multipliers_of_a_neighbor_save_iterations():
    first = rr(20).solve(restart=False, limit_tolerance=None)
    near = rr(20).end([1.005, -1.0])
    warm, path, cold = (near.solve(start=x, restart=False, limit_tolerance=None) for x in (first, first.path, None))
    assert warm.iterations < min(path.iterations, cold.iterations)
    assert warm.success and warm.objective == pytest.approx(cold.objective, rel=1e-6)
    other = rr(20).limit("velocity", -50, 50)  # more limits: the multipliers do not fit, the path does
    assert other.solve(start=first).objective == pytest.approx(first.objective, rel=1e-6)


def test_uno_finds_the_same_motion():
    pytest.importorskip("unopy")
    p = rr(10)
    assert p.solve(solver="uno").objective == pytest.approx(p.solve().objective, rel=1e-6)


# stops and failures


def test_ctrl_c_keeps_the_best_point_and_it_goes_on_from_there():
    p = rr(20)
    asked = []

    def press(iterate):
        asked.append(iterate.iteration)
        if iterate.iteration == 6:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="stopped from the keyboard") as stop:
        p.solve(progress=press, starts=3, refine=3)
    found = stop.value.result
    assert found.status is Status.INTERRUPTED and not found.success
    assert asked == list(range(len(asked))) and 6 <= asked[-1] < 9  # no other start, restart or round was begun
    assert found.path.points.shape == (20, 2) and np.isfinite(found.objective)
    assert "Interrupted" in found.message and "go on from here: solve(start=prediction)" in found.message
    assert p.solve(start=found).objective == pytest.approx(p.solve().objective, rel=1e-6)


def test_ctrl_c_while_refining_keeps_the_coarser_solution():
    rounds = []

    def press(iterate):
        rounds.append(iterate.iteration)
        if iterate.iteration == 4 and rounds.count(0) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted) as stop:
        rr(20).solve(progress=press, refine=3, restart=False)
    found = stop.value.result
    assert found.success and len(found.rounds) == 1 and rounds.count(0) == 2
    assert "stopped during the search for a better one" in found.message


def test_the_progress_function_can_stop_and_its_errors_come_through():
    found = rr().solve(progress=lambda iterate: iterate.iteration >= 3, throw=False)
    assert found.status is Status.STOPPED and found.iterations == 3

    def fail(iterate):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        rr().solve(progress=fail)
    assert np.isfinite(caught.value.result.objective)  # the best point, all the same


@pytest.mark.slow
def test_a_budget_of_seconds_returns_the_best_motion_so_far():
    found = rr(20).solve(seconds=1e-9, throw=False)
    assert found.status is Status.TIME_LIMIT and found.iterations == 0 and np.isfinite(found.objective)
    assert found.message == "The time limit was reached; allow more seconds, or go on from here: solve(start=prediction)"
    with pytest.raises(PredictionError, match="no motion found: The time limit was reached"):
        rr(20).solve(seconds=1e-9)
    rounds, begun = [], []

    def slow(iterate):  # the second solve is late
        rounds.append(iterate.iteration)
        begun.append(time.perf_counter())
        if rounds.count(0) == 2:
            time.sleep(max(0.0, begun[0] + 3.0 - time.perf_counter()))

    kept = rr(20).solve(seconds=3.0, refine=3, restart=False, progress=slow)
    assert kept.success and len(kept.rounds) == 1 and rounds.count(0) == 2
    assert "stopped during the search for a better one" in kept.message
    assert rr(20).solve(seconds=60).duration == pytest.approx(rr(20).solve().duration, rel=1e-12)
    for wrong in (0, -1.0, "1", True, float("inf")):
        with pytest.raises(StateError, match="seconds is .*, expected a positive number"):
            rr().solve(seconds=wrong)


def test_ctrl_c_between_rounds_keeps_those_that_were_finished(monkeypatch):
    def press(path):  # while the finer spline is made, no solver runs
        os.kill(os.getpid(), signal.SIGINT)
        return refined(path)

    refined = SplinePath.refined
    monkeypatch.setattr(SplinePath, "refined", press)
    with pytest.raises(Interrupted) as stop:
        rr(20).solve(refine=3, restart=False)
    found = stop.value.result
    assert found.success and [r.control_points for r in found.rounds] == [20]
    assert found.duration == pytest.approx(rr(20).solve(restart=False).duration, rel=1e-9)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_ends_a_loop_over_problems():
    done = []

    def press(iterate):
        if iterate.iteration == 3 and len(done) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        for _ in range(3):
            rr(8).solve(progress=press, limit_tolerance=None)
            done.append(True)
    assert len(done) == 1


def test_a_second_ctrl_c_stops_at_once_and_keeps_the_best_point_too():
    def press(iterate):
        if iterate.iteration == 4:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted) as stop:
        rr(8).solve(progress=press)
    assert stop.value.result.status is Status.INTERRUPTED and stop.value.result.iterations == 4


@pytest.mark.parametrize("progress", [True, False])
def test_progress_can_be_asked_for_as_in_simulations(progress, capsys):
    assert rr(20).solve(progress=progress, restart=False).success
    assert capsys.readouterr().err == ""  # which is no terminal
    line = Line("swing")
    assert line(Iterate(0, 1.5, 2e-3)) == "swing: iteration 0, objective 1.5, violation 2e-03"
    with pytest.raises(StateError, match="progress is 'yes', expected True, or a function"):
        rr(8).solve(progress="yes")


def test_too_few_iterations_give_a_point_and_advice():
    p = rr(20)
    found = p.solve(iterations=5, throw=False)
    assert found.status is Status.ITERATION_LIMIT
    assert "allow more iterations, or go on from here: solve(start=prediction)" in found.message
    assert p.solve(start=found).success
    with pytest.raises(PredictionError, match="no motion found: ") as caught:
        p.solve(iterations=5)
    assert caught.value.prediction.status is Status.ITERATION_LIMIT and caught.value.result is caught.value.prediction
    assert isinstance(caught.value, ConvergenceError) and p.solve(start=caught.value.prediction).success
    with pytest.raises(StateError, match="throw must be True or False, got 'no'"):
        p.solve(throw="no")


def test_a_time_that_is_too_short_is_told():
    found = rr(duration=0.2).solve(throw=False)
    assert not found.success
    assert "unreachable in the 0.2 s allowed" in found.message and "torque of" in found.message
    assert found.violation > 1e-3
    found = rr(duration=(0.05, 0.2)).solve(throw=False)
    assert not found.success
    assert "the duration is at its upper bound, 0.2 s: allow more" in found.message


def test_a_motion_that_nothing_holds_up_is_told():
    found = cart(8).minimize("time").solve()
    assert found.success and "The duration is at its lower bound, 0.05 s" in found.message


def test_limits_that_are_passed_between_instants_are_told():
    found = cart(8).limit("torque", -FORCE, FORCE).minimize("time").solve()
    assert found.success and found.violation < 0.01 and "Between instants" not in found.message
    shaky = MotionProblem(lissom.robots.rr(), control_points=10, duration=(0.05, 2.0)).start([0.0, -2.0]).end([1.0, -1.0])
    shaky.limit("torque", -10, 10).limit("torque_rate", -200, 200).minimize("time")
    found = shaky.solve(limit_tolerance=None)
    assert found.success and found.violation > 0.01
    assert "Between instants, torque_rate of joint_" in found.message and "try refine=True" in found.message


def test_a_target_out_of_reach_is_told():
    p = MotionProblem(lissom.robots.rr(), control_points=8, duration=(0.05, 2.0)).start([0.0, -2.0]).end(None)
    found = p.limit("link_position", lower=2.0, entries="x", at=1.0, link=TIP).minimize("time").solve(throw=False)
    assert not found.success
    assert f"the best point breaks link_position of {TIP}.x (at least 2 m) by 1.2 m at " in found.message  # arms of 0.4 m
    assert "that target may be out of reach" in found.message


def test_coulomb_friction_is_told_where_the_solver_does_not_settle():
    p = MotionProblem(lissom.robots.puma560(), control_points=8, duration=1.0).start([0, 0.5, -0.5, 0, 0.3, 0])
    found = p.end([1, 1, -1, 0.5, -0.3, 0.4]).minimize("integral", 1.0, "torque").solve(iterations=20, throw=False)
    assert not found.success
    assert "Coulomb friction of joint_1 jumps where its velocity changes sign" in found.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"solver": "snopt"}, "no solver 'snopt'; "),
        ({"iterations": -1}, "iterations is -1, expected a whole number from 0 to"),
        ({"tolerance": 0.0}, r"tolerance is 0\.0, expected a number between 0 and 1"),
        ({"tolerance": "fine"}, "tolerance is 'fine', expected a number"),
        ({"starts": 0}, "starts is 0, expected a whole number from 1 to 1000"),
        ({"starts": 1.5}, r"starts is 1\.5, expected a whole number from 1 to 1000"),
        ({"refine": -1}, "refine is -1, expected a whole number from 0 to"),
        ({"refine": "yes"}, "refine is 'yes', expected a whole number"),
        ({"start": "home"}, "start must be a SplinePath of 2 joints, or a Prediction of such a motion"),
        ({"start": SplinePath.between([0.0], [1.0], 1.0, 8)}, "start must be a SplinePath of 2 joints"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(StateError, match=message):
        rr().solve(**options)


def test_a_goal_is_needed():
    with pytest.raises(StateError, match=r"nothing is minimized; add a goal: problem\.minimize\('time'\)"):
        cart().solve()
    with pytest.raises(StateError, match="every goal has weight 0, so every motion would be optimal"):
        cart().minimize("time", 0.0).minimize("integral", 0.0, "torque").solve()


def test_predictions_tell_their_limits():
    found = rr(20).solve()
    assert [limit.label for limit in found.limits] == [f"torque of {ONE}", f"torque of {TWO}"]
    t = found.path.basis.grid(40) * found.duration
    for limit, tau in zip(found.limits, found.torques(t).T, strict=True):
        assert limit.unit == "N m" and (limit.lower, limit.upper, limit.scale) == (-10.0, 10.0, 10.0)
        beyond = max(0.0, np.abs(tau).max() - 10.0)
        assert beyond <= limit.violation < beyond + 1e-4  # peaks lie between these instants
        assert 0.1 < limit.active < 1.0
    assert found.violation == pytest.approx(max(limit.violation for limit in found.limits) / 10.0)
    assert found.seconds > 0 and found.setup_seconds > 0 and found.message
    assert repr(found).startswith("<Prediction of 'barman_rr': 0.39305 s, objective 0.39305")


def test_where_no_motion_keeps_the_limits_the_one_that_breaks_them_least_is_returned():
    def problem(duration):
        return lissom.MotionProblem(lissom.robots.rr(), duration=duration).start([0, -2]).end([1, -1])

    found = problem(0.3).limit("torque", -10, 10).minimize("time").solve(throw=False)
    least = problem(0.3).minimize("peak", 1.0, "torque").solve()
    assert not found.success
    assert max(report.violation for report in found.limits) == pytest.approx(least.objective - 10.0, rel=1e-3)
