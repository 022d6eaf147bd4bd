"""A closed robot that stands: a body on a rail without a drive, on a leg of two arms and two forearms that meet in its foot."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, Inertia, Joint, Limits, Link, MotionProblem, StateError
from lissom.predict import State

FOOT = (0.35, 0.0, 0.0)  # in the frame of left_forearm [m]
UP = (0.0, -1.0, 0.0)  # the legs of the five-bar robot point along y


def leg():
    model = lissom.robots.five_bar_model(payload=0.0, gravity=(0.0, 9.81, 0.0))
    links = (Link("rail"), *(Link(x.name, Inertia(3.0)) if x.name == model.base else x for x in model.links))
    height = Joint("height", "prismatic", "rail", model.base, axis=UP, limits=Limits(0.0, 2.0))
    names = {"name": "leg", "active": ("height", "left", "right")}
    return ClosedRobot(dataclasses.replace(model, links=links, joints=(height, *model.joints), **names))


def foot(robot, q):
    return robot.link_pose(q, "left_forearm")[..., :3, :] @ [*FOOT, 1.0]


@pytest.mark.slow
def test_a_closed_leg_pushes_a_body_up_that_nothing_drives():
    robot = leg()
    q0 = robot.home()
    q0[0] = foot(robot, q0)[1]  # the foot is on the ground y = 0
    problem = MotionProblem(robot, control_points=16, duration=0.6, undriven="height").start(q0).end(None)
    assert problem.undriven_names == ("height",)
    problem.contact("foot", "left_forearm", FOOT, surface={"normal": UP, "along": (1, 0, 0)})
    there = q0[0] + 0.06
    problem.limit("position", there, there, entries="height", at=1.0, scale=1.0).limit("velocity", 0, 0, at=1.0, scale=1.0)
    found = problem.limit("torque", -30, 30).minimize("integral", 1.0, "torque").solve(hessian="gauss-newton")
    t, weight = np.linspace(0.0, 0.6, 801), 9.81 * robot.total_mass
    force = found.contact_forces(t)["foot"][:, 0]
    assert np.trapezoid(force[:, 2], t) == pytest.approx(0.6 * weight, rel=1e-4)  # at rest at both ends
    assert np.abs(found.imbalance(t)).max() < 1e-9 * weight and np.abs(found.torques(t)).max() <= 30.03
    assert (np.abs(force[:, 0]) <= 0.8 * force[:, 2] + 1e-6).all()
    tips = foot(robot, found.coordinates(t)[0])
    assert np.abs(tips - tips[0]).max() < 1e-3
    run = robot.simulate(q0, np.zeros(3), 0.2, found.replay, rtol=1e-10, atol=1e-12)
    assert np.abs(run.q[-1] - found.coordinates(0.2)[0]).max() < 1e-6


def test_only_coordinates_of_a_closed_robot_are_named():
    with pytest.raises(StateError, match="undriven=: no joint 'left_elbow' with its own coordinates; expected one"):
        MotionProblem(lissom.robots.five_bar(), undriven="left_elbow")
    with pytest.raises(StateError, match="driven= names joint 'left', which has a drive unless undriven= says otherwise"):
        MotionProblem(lissom.robots.five_bar(), driven="left")


GROUND = {"normal": UP, "along": (1, 0, 0)}
LOADED = {
    "a push along a link": (
        lissom.robots.four_bar,
        lambda p: p.channel("push", ("fx", "fy"), link="rocker", point=(0.05, 0.02, 0.0), axes="link"),
    ),
    "a foot on the ground": (leg, lambda p: p.contact("foot", "left_forearm", FOOT, surface=GROUND)),
    "a foot on a forearm": (
        leg,
        lambda p: p.contact("foot", "left_forearm", FOOT, surface={**GROUND, "link": "right_forearm"}),
    ),
}


def polynomial(robot, n, seed=0):
    """Return a motion near home of n columns, entries of loads among them, as a function of times."""
    factors, home = 0.3 * np.random.default_rng(seed).normal(size=(6, n)), robot.home()

    def at(t):
        powers = [np.polynomial.polynomial.polyder(factors, k) if k else factors for k in range(6)]
        rates = [np.polynomial.polynomial.polyval(t, own).T for own in powers]
        rates[0][:, : len(home)] += home
        return State(tuple(rates))

    return at


@pytest.mark.sweep("ground-torque")
@pytest.mark.parametrize("name", ["torque", "joint_wrench"])
@pytest.mark.parametrize("what", LOADED)
def test_rates_inside_closed_robots_include_those_of_unknown_forces(what, name):
    make, load = LOADED[what]
    robot = make()
    options = {"joint": robot.wrench_names[-1]} if name == "joint_wrench" else {}
    quantities = load(MotionProblem(robot, degree=5)).quantities
    plain, rate = (quantities.get(name + end, **options) for end in ("", "_rate"))
    assert rate.given == ("given", "given_rate")
    at, t, h = polynomial(robot, rate.n), np.array([0.0, 0.05, 0.1]), 1e-4
    near, far = ((plain.values(at(t + k * h)) - plain.values(at(t - k * h))) / (12 * h) for k in (1, 2))
    assert np.abs(rate.values(at(t)) - (8 * near - far)).max() < 1e-8 * np.abs(near).max()
    slopes, h = rate.derivatives(at(t)), 1e-6
    for row, order in enumerate(rate.orders):
        for column in range(rate.n):
            sides = []
            for step in (h, -h):
                moved = [x.copy() for x in at(t).rates]
                moved[order][:, column] += step
                sides.append(rate.values(State(tuple(moved))))
            assert np.abs(slopes[row, :, :, column] - (sides[0] - sides[1]) / (2 * h)).max() < 1e-7 * np.abs(slopes).max()


@pytest.mark.slow
def test_a_pushed_closed_robot_keeps_limits_of_torque_rates():
    robot = lissom.robots.four_bar()
    q0 = robot.home()
    problem = MotionProblem(robot, control_points=14, degree=5, duration=0.6).start(q0, acceleration=0.0)
    problem.channel("push", ("fx", "fy"), link="rocker").limit("push", -2, 2).limit("push_rate", -20, 20)
    problem.end(q0 + 0.4, acceleration=0.0).minimize("integral", 1.0, "torque").minimize("integral", 0.01, "push")
    free = problem.copy().solve()
    t = free.times(101)
    most = 0.7 * np.abs(free.torque_rates(t)).max()
    found = problem.limit("torque_rate", -most, most).solve()
    h = 1e-5
    inside = t[1:-1]
    differences = (found.torques(inside + h) - found.torques(inside - h)) / (2 * h)
    assert found.torque_rates(inside) == pytest.approx(differences, abs=1e-4 * most)
    assert found.success and np.abs(found.torque_rates(t)).max() < 1.002 * most
