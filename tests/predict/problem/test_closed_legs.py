"""A closed robot that stands: a body on a rail without a drive, on a leg of two arms and two forearms that meet in its foot."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, Inertia, Joint, Limits, Link, MotionProblem, StateError

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
