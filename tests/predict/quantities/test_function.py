"""Quantities from plain functions: equal to lissom's own, derivatives beside differences, and clear errors."""

import math

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, Robot, StateError
from lissom.predict import State, quantity
from lissom.predict.functions import cos, exp, log, select, sin, sqrt, tanh
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import planar_two_link_model
from support.elastic_arms import hua
from support.states import error


def states(n, count=4, seed=0, center=0.0):
    rng = np.random.default_rng(seed)
    return State((center + 0.3 * rng.normal(size=(count, n)), *rng.normal(size=(3, count, n))))


def moved(state, order, joint, step):
    rates = [x.copy() for x in state.rates]
    rates[order][:, joint] += step
    return State(tuple(rates))


def expect_derivatives(own, state, h=1e-5):
    slopes, weights = own.derivatives(state), np.random.default_rng(1).normal(size=(len(state), own.size))
    bend = own.curvature(state, weights)
    for row, order in enumerate(own.orders):
        for joint in range(own.n):
            ahead, back = (moved(state, order, joint, x) for x in (h, -h))
            assert np.abs((own.values(ahead) - own.values(back)) / (2 * h) - slopes[row, :, :, joint]).max() < 1e-7
            turn = (own.derivatives(ahead) - own.derivatives(back)) / (2 * h)
            assert np.abs(np.einsum("ks,rksn->krn", weights, turn) - bend[:, row, joint]).max() < 1e-6


def test_every_function_is_that_of_math_and_is_differentiated(backend):
    def every(robot, q, qd, qdd):
        a, b = q
        bounded = select(a < b, tanh(a), 2.0 - b / (1.0 + a**2))
        return [sin(a) * cos(b), sqrt(1.0 + b * b) - exp(-a), log(2.0 + sin(a)) + bounded]

    own = quantity(Robot(planar_two_link_model(), backend=backend), every, ["a", "b", "c"], "m")
    state = states(2)
    assert own.name == "every" and own.orders == (0,) and own.units() == ("m", "m", "m")
    for (a, b), found in zip(state.rates[0], own.values(state), strict=True):
        bounded = math.tanh(a) if a < b else 2 - b / (1 + a * a)
        expected = [math.sin(a) * math.cos(b), math.sqrt(1 + b * b) - math.exp(-a), math.log(2 + math.sin(a)) + bounded]
        assert found == pytest.approx(expected, rel=1e-13)
    expect_derivatives(own, state)


@pytest.mark.parametrize("make", [lissom.robots.rr, hua, lissom.robots.five_bar], ids=["rigid", "elastic", "closed"])
def test_formulas_of_the_robots_own_functions_are_the_built_in_quantities(make):
    robot = make()
    link = robot.link_names[-1]

    def speed(robot, q, qd, qdd):
        vx, vy, vz, *_ = robot.get("link_velocity", link=link)
        x, y, z = robot.get("link_position", link=link)
        return [vx**2 + vy**2 + vz**2, x * x + y * y + z * z]

    n = len(robot.joint_names) - robot.n_elastic
    own, quantities = quantity(robot, speed, ["speed", "distance"], ("m^2/s^2", "m^2")), Quantities(robot)
    state = states(n, center=0.0 if make is not lissom.robots.five_bar else robot.home())
    theirs = [quantities.get(name, link=link).values(state) for name in ("speed_squared", "distance_squared")]
    assert own.orders == (0, 1) and error(own.values(state), np.hstack(theirs)) < 1e-11
    expect_derivatives(own, state)


def test_power_is_torque_times_speed():
    robot = lissom.robots.rr()
    own = quantity(
        robot, lambda robot, q, qd, qdd: [t * v for t, v in zip(robot.get("torque"), qd, strict=True)], robot.joint_names
    )
    state = states(2)
    power = Quantities(robot).get("power")
    assert error(own.values(state), power.values(state)) < 1e-13
    assert error(own.derivatives(state), power.derivatives(state)) < 1e-12


def test_a_problem_limits_and_minimizes_a_function_of_its_own():
    robot = lissom.robots.rr()
    heat = quantity(robot, lambda robot, q, qd, qdd: [v * v for v in qd], robot.joint_names, "W", name="heat")
    problem = MotionProblem(robot, control_points=10, duration=0.6).start([0.0, -2.0]).end([1.0, -1.0])
    found = problem.limit(heat, upper=9.0).minimize("integral", 1.0, "torque").solve()
    assert np.abs(found.states(found.times())[1]).max() < 3.0 * 1.001


def test_two_functions_of_one_name_are_two_quantities():
    robot, state = lissom.robots.rr(), states(2)
    one, two = (quantity(robot, lambda robot, q, qd, qdd, k=k: k * q[0], "x", name="same") for k in (2.0, 3.0))
    assert np.allclose(one.values(state) * 1.5, two.values(state))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda robot, q, qd, qdd: q[0] if q[0] > 0 else q[1], "`if`, .* do not work in it; write select"),
        (lambda robot, q, qd, qdd: max(q[0], q[1]), "write select"),
        (lambda robot, q, qd, qdd: np.sin(q[0]), "lissom.predict.functions"),
        (lambda robot, q, qd, qdd: math.sin(q[0]), "functions of NumPy and math do not work"),
        (lambda robot, q, qd, qdd: q[0] ** 0.5, "power 0.5 of a value; expected a whole number"),
        (lambda robot, q, qd, qdd: [q[0], q[1]], "returns 2 values, but has 1 labels"),
        (lambda robot, q, qd, qdd: 3.0, "does not depend on the motion"),
        (lambda robot, q, qd, qdd: q[0] + "1m", "'1m' where a value or a number is expected"),
        (lambda robot, q, qd, qdd: robot.get("torqe")[0], "no quantity 'torqe'"),
        (lambda robot, q, qd, qdd: robot.get("position")[0], "no quantity 'position' for formulas"),
        (lambda robot, q, qd, qdd: robot.get("torque_rate")[0], "depends on more than q, qd and qdd"),
        (lambda robot, q, qd, qdd: robot.get("link_position", link="hand")[0], "no link 'hand'"),
        (lambda robot, q: q[0], "takes 2 positional arguments"),
    ],
)
def test_what_cannot_be_recorded_is_an_error_that_says_what_to_write(function, message):
    with pytest.raises(StateError, match=message):
        quantity(lissom.robots.rr(), function, "x")


def test_arguments_of_the_wrong_kind_are_errors():
    with pytest.raises(StateError, match="function is 'speed', expected a function of robot, q, qd and qdd"):
        quantity(lissom.robots.rr(), "speed", "x")
    with pytest.raises(StateError, match="a quantity needs a Robot, got Model"):
        quantity(lissom.robots.rr().model, lambda robot, q, qd, qdd: q[0], "x")


def with_vectors(robot, q, qd, qdd, s, push):
    """Arrays of NumPy as vectors and matrices, the instant, and a channel of two entries."""
    tip, com = np.array(robot.get("link_position", link="link_2")), np.array(robot.get("center_of_mass"))
    R = np.array(robot.get("link_rotation", link="link_2")).reshape(3, 3)
    way = s * (R @ (tip - com)) + push[0] * np.array([1.0, 2.0, 3.0]) - 0.5 * tip / (2.0 + push[1] ** 2)
    return [way @ way * qd[0], push[1] ** 2 * s + 1.0 / (2.0 + s) - (q[0] - np.array([0.3]))[0]]


def test_formulas_take_vectors_the_instant_and_channels():
    robot = Robot(planar_two_link_model())
    found = lissom.predict.quantity(robot, with_vectors, ["a", "b"], channels={"push": 2})
    n = robot.nv + 2
    assert found.channels == ("push",) and found.orders == (0, 1) and found.depends.shape == (2, n)
    rng = np.random.default_rng(3)
    rates, s, h = tuple(rng.uniform(-1, 1, (4, n)) for _ in range(4)), rng.uniform(size=4), 1e-6
    state, weights = lissom.predict.State(rates, s), rng.uniform(-1, 1, (4, 2))
    q, push = rates[0][:, :-2], rates[0][:, -2:]
    tip, com = robot.link_pose(q, "link_2"), robot.center_of_mass(q)
    way = s[:, None] * np.einsum("kij,kj->ki", tip[:, :3, :3], tip[:, :3, 3] - com) + push[:, :1] * [1.0, 2.0, 3.0]
    way -= 0.5 * tip[:, :3, 3] / (2.0 + push[:, 1:] ** 2)
    expected = [(way * way).sum(axis=1) * rates[1][:, 0], push[:, 1] ** 2 * s + 1 / (2 + s) - (q[:, 0] - 0.3)]
    assert np.allclose(found.values(state), np.stack(expected, axis=1), rtol=1e-12)
    slopes, bends = found.derivatives(state), found.curvature(state, weights)
    for k, order in enumerate(found.orders):
        for j in range(n):
            near = []
            for sign in (1, -1):
                moved = [rate.copy() for rate in rates]
                moved[order][:, j] += sign * h
                near.append(lissom.predict.State(tuple(moved), s))
            slope = (found.values(near[0]) - found.values(near[1])) / (2 * h)
            assert np.abs(slope - slopes[k, :, :, j]).max() < 1e-7
            bend = (found.derivatives(near[0]) - found.derivatives(near[1])) / (2 * h)
            assert np.abs(np.einsum("ke,rkej->krj", weights, bend) - bends[:, k, j]).max() < 1e-6


def test_a_formula_of_the_instant_is_a_limit_that_changes_with_time():
    robot = lissom.robots.rr()
    slower = lissom.predict.quantity(robot, lambda robot, q, qd, qdd, s: [v + 6.0 * s for v in qd], robot.joint_names, "rad/s")
    p = lissom.MotionProblem(robot, control_points=12, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    found = p.limit(slower, upper=8.0).limit("torque", -10, 10).minimize("time").solve()
    t = found.times(501)
    assert found.success and (found.states(t)[1] + 6.0 * (t / found.duration)[:, None]).max() < 8.0 * 1.002
    assert found.states(t)[1].max() > 2.5


def test_a_problem_minimizes_a_formula_of_its_channel():
    robot = lissom.robots.rr()
    p = lissom.MotionProblem(robot, control_points=8, duration=0.6).channel("slack", ("a", "b"))
    apart = lissom.predict.quantity(robot, lambda robot, q, qd, qdd, slack: [slack[0] - q[0], slack[1] - 2.0 * q[1]], ["a", "b"],
                                    channels={"slack": 2})  # fmt: skip
    found = p.start([0, -2]).end([1, -1]).minimize("integral", 1.0, apart).minimize("integral", 1e-3, "torque").solve()
    t = np.linspace(0.05, 0.55, 11)
    assert np.abs(found.channel("slack", t) - found.states(t)[0] * [1.0, 2.0]).max() < 0.05


@pytest.mark.parametrize(
    ("formula", "channels", "message"),
    [
        (
            lambda robot, q, qd, qdd, push: q[0],
            {},
            "takes 'push' after robot, q, qd and qdd; expected s",
        ),
        (lambda robot, q, qd, qdd: q[0], {"push": 2}, "has no parameter 'push' for its channel"),
        (lambda robot, q, qd, qdd, push: q[0], {"push": 0}, "channel 'push' has 0 entries, expected a whole number from 1"),
        (lambda robot, q, qd, qdd, s: s * 2.0, {}, "does not depend on the motion"),
    ],
)
def test_wrong_parameters_of_formulas_are_refused(formula, channels, message):
    with pytest.raises(StateError, match=message):
        lissom.predict.quantity(Robot(planar_two_link_model()), formula, "x", channels=channels)


def test_channels_of_another_size_are_refused():
    robot = lissom.robots.rr()
    p = lissom.MotionProblem(robot).channel("push", ("fx", "fy"), link="link_2")
    short = quantity(robot, lambda robot, q, qd, qdd, push: push[0] * q[0], "x", name="short", channels={"push": 1})
    with pytest.raises(StateError, match="quantity 'short' sees 3 columns, .*, but the problem has 4"):
        p.limit(short, upper=1.0)


def test_formulas_of_rates_of_channels_depend_on_what_they_use():
    robot = lissom.robots.rr()

    def lag(robot, q, qd, qdd, a, b_rate, b):
        return [b_rate[0] * a[1] - b[0] * sin(q[0]), a[0] * b[1] * qd[1]]

    own = quantity(robot, lag, ["one", "two"], channels={"a": 2, "b": 2})
    assert own.channels == ("a", "b") and own.orders == (0, 1)
    # columns: two joints, a, b
    assert own.depends.tolist() == [[True, False, False, True, True, False], [False, True, True, False, False, True]]
    state = states(6)
    (q, qd), (a, b) = (x[:, :2] for x in state.rates[:2]), (state.rates[0][:, 2:4], state.rates[0][:, 4:])
    expected = [state.rates[1][:, 4] * a[:, 1] - b[:, 0] * np.sin(q[:, 0]), a[:, 0] * b[:, 1] * qd[:, 1]]
    assert np.allclose(own.values(state), np.array(expected).T, rtol=1e-12)
    expect_derivatives(own, state)


def test_forward_mode_has_the_same_derivatives():
    def bent(robot, q, qd, qdd, a):
        return [select(q[0] < 0.1, q[1] * a[0] * a[0], sin(q[1]) * qd[0]), q[0] * a[0]]

    one, two = (quantity(lissom.robots.rr(), bent, ["x", "y"], channels={"a": 1}, forward=way) for way in (False, True))
    state = states(3)
    assert np.allclose(one.derivatives(state), two.derivatives(state), atol=1e-14)
    weights = np.random.default_rng(3).normal(size=(4, 2))
    assert np.allclose(one.curvature(state, weights), two.curvature(state, weights), atol=1e-14)
    expect_derivatives(two, state)
