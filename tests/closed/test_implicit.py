"""Implicit steps of closed robots: stiff springs and stiff feedback in loops."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, StateError
from lissom.simulate import Event

GRAVITY = (0.0, -9.81, 0.0)
HOME = lissom.robots.five_bar().home_tree_q()


def sprung(stiffness, damping):
    """A five-bar whose left elbow, which depends on the driven joints, has a spring at rest at home."""
    spring = lissom.Spring(stiffness, HOME[1], damping)
    model = lissom.robots.five_bar_model(gravity=GRAVITY)
    return ClosedRobot(model.with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "left_elbow" else j))


def test_it_comes_to_where_the_adaptive_method_comes():
    robot = sprung(1e4, 3.0)
    one = robot.simulate(robot.home(), [0.5, -0.5], 0.6)
    other = robot.simulate(robot.home(), [0.5, -0.5], 0.6, method="implicit", rtol=1e-9, atol=1e-9)
    assert np.abs(one.q - other.q).max() < 1e-7 and np.abs(one.qd - other.qd).max() < 1e-5
    assert other.method == "implicit" and other.closure_error.max() < 1e-12
    assert np.abs(other.tau).max() == 0.0 and np.abs(one.qdd - other.qdd).max() < 1e-3 * np.abs(one.qdd).max()


def test_a_stiff_spring_holds_its_joint_and_is_chosen_by_auto():
    """With a spring of 1e8 N m/rad the linkage moves as one whose elbow is locked: a four-bar of the forearm's triangle."""
    robot = sprung(1e8, 1e4)
    G = robot.velocity_matrix(robot.home())
    qd = np.linalg.svd(G[1:2])[2][-1]  # the elbow stands still
    found = robot.simulate(robot.home(), qd, 1.0, method="auto")
    assert found.method == "implicit" and "takes the adaptive method at least" in found.choice
    assert np.abs(found.tree_q[:, 1] - HOME[1]).max() < 1e-5
    # what is left is a pendulum without losses: its energy stays
    assert np.ptp(found.kinetic_energy) > 0.1 and np.ptp(found.energy) < 2e-4 * np.ptp(found.kinetic_energy)


def test_it_passes_dead_points_and_stops_at_events():
    robot = ClosedRobot(lissom.robots.slider_crank_model().replace(gravity=(0.0, 0.0, 0.0)))
    turns = [Event(lambda t, q, qd: q[0] - 9.0, "turned", terminal=True)]
    one, other = (
        robot.simulate(robot.home(), [12.0], 2.0, method=method, events=turns, rtol=1e-9, atol=1e-9)
        for method in ("adaptive", "implicit")
    )
    assert other.events[0].name == "turned" and abs(other.end.t - one.end.t) < 1e-6
    assert np.ptp(other.energy) < 1e-6 * other.energy[0]


def test_stiff_feedback_is_differentiated():
    robot = lissom.robots.five_bar(gravity=GRAVITY)
    goal = robot.home() + [0.2, 0.1]

    def hold(t, q, qd):
        return 1e5 * (goal - q) - 1e3 * qd

    found = robot.simulate(robot.home(), [0.0, 0.0], 1.0, hold, method="implicit")
    expected = goal - robot.gravity_torques(goal) / 1e5
    assert np.abs(found.end.q - expected).max() < 1e-6 and np.abs(found.end.qd).max() < 1e-5


@pytest.mark.slow
def test_a_linkage_that_floats_keeps_its_momentum():
    model = lissom.robots.five_bar_model(gravity=(0.0, 0.0, 0.0))
    body = lissom.Inertia(2.0, tensor=np.diag([0.02, 0.03, 0.04]))
    links = tuple(dataclasses.replace(link, name="body", inertia=body) if link.name == "base" else link for link in model.links)
    joints = tuple(dataclasses.replace(j, parent="body") if j.parent == "base" else j for j in model.joints)
    free = lissom.Joint("free", "floating", "ground", "body")
    robot = ClosedRobot(model.replace(links=(lissom.Link("ground"), *links), joints=(free, *joints)))
    qd = np.random.default_rng(0).normal(size=robot.nv)
    found = robot.simulate(robot.home(), qd, 0.4, method="implicit", rtol=1e-9, atol=1e-9)
    momentum = robot.tree.momentum(found.tree_q, found.tree_qd, point="origin")
    assert np.ptp(momentum, axis=0).max() < 1e-6 * np.abs(momentum).max()
    assert np.abs(np.linalg.norm(found.tree_q[:, 3:7], axis=1) - 1.0).max() < 1e-12
    one = robot.simulate(robot.home(), qd, 0.4)
    assert np.abs(one.end.q - found.end.q).max() < 1e-6


def test_what_is_refused():
    robot = lissom.robots.five_bar()
    for method in ("implicit", "auto"):
        with pytest.raises(StateError, match=f"method='{method}' is for one state, and q0 holds"):
            robot.simulate(robot.home()[None], [[0.0, 0.0]], 0.1, method=method)
