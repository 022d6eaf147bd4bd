"""Joints of several parts that move with one velocity, in the articulated-body recursion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Inertia, Joint, Link, Model, ModelError, Motor, Robot, Wrench
from lissom.joints.function import Polynomial
from lissom.model import Motion
from lissom.robots import tree_model
from support.states import error, random_states

seeds = st.integers(0, 10_000)
NEW = ["helical", "custom", "universal", "revolute", "prismatic", "spherical"]


@st.composite
def models(draw):
    """Chains and trees with screws and custom joints, springs, drives, fixed links and a free base."""
    return tree_model(
        draw(st.integers(1, 5)),
        draw(st.sampled_from([1.0, 2.0])),
        seed=draw(seeds),
        kinds=draw(st.sampled_from([["helical"], ["custom"], NEW])),
        floating=draw(st.booleans()),
        fixed=draw(st.sampled_from([0.0, 0.4])),
        tails=draw(st.sampled_from([0.0, 0.5])),
        springs=draw(st.sampled_from([0.0, 0.5])),
        drives=draw(st.booleans()),
    )


@settings(max_examples=40)
@given(models(), seeds)
def test_accelerations_are_those_of_the_mass_matrix_and_undo_inverse_dynamics(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 2, seed=seed)
    loads = {"external": {model.links[-1].name: Wrench((3.0, -2.0, 1.0), (0.5, 0.2, -0.4), axes="world", point=(0.1, 0.2, 0.3))}}
    tau = robot.inverse_dynamics(q, qd, qdd, **loads)
    allowed = 1e-14 * np.linalg.cond(robot.mass_matrix(q)).max() + 1e-11
    by_recursion, by_matrix = (
        robot.forward_dynamics(q, qd, tau, method=method, **loads) for method in ("articulated_body", "mass_matrix")
    )
    assert error(by_recursion, qdd) < allowed
    assert error(by_recursion, by_matrix) < allowed


@settings(max_examples=25)
@given(models(), seeds)
def test_whatever_is_known_gives_back_the_rest_and_the_wrenches_inside(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 2, seed=seed)
    forced = [name for k, name in enumerate(robot.joint_names) if (seed >> k) % 2]
    tau = robot.inverse_dynamics(q, qd, qdd)
    found = robot.hybrid_dynamics(q, qd, known={"torque": forced, "acceleration": ...}, qdd=qdd, tau=tau, wrenches=True)
    allowed = 1e-14 * np.linalg.cond(robot.mass_matrix(q)).max() + 1e-11
    assert error(found.qdd, qdd) < allowed
    assert error(found.tau, tau) < allowed
    assert error(found.wrenches, robot.joint_wrenches(q, qd, qdd)) < allowed


@pytest.mark.slow
def test_long_chains_of_screws_are_compiled_from_the_recursion():
    model = tree_model(13, 1.0, seed=3, kinds=["helical", "revolute"])
    robot, (q, qd, qdd) = Robot(model), random_states(model, 3, seed=4)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(robot.forward_dynamics(q, qd, tau), qdd) < 1e-14 * np.linalg.cond(robot.mass_matrix(q)).max() + 1e-11
    default, *counts = (
        robot.operation_count("forward_dynamics", method=method).multiplications
        for method in (None, "articulated_body", "mass_matrix")
    )
    assert default == min(counts) == counts[0]


def test_every_screw_more_costs_the_same():
    """O(n): the multiplications of an additional joint do not depend on how many there are."""
    counts = [
        Robot(tree_model(n, 1.0, skew=1.0, seed=1, kinds=["helical"], drives=False))
        .operation_count("forward_dynamics", method="articulated_body")
        .multiplications
        for n in (5, 7, 9, 11)
    ]
    steps = np.diff(counts)
    assert np.ptp(steps) < 0.15 * steps.mean()


def test_a_nut_on_a_screw_falls_as_its_energy_says():
    """A mass m without inertia about a vertical screw of pitch p, with a rotor I: (m p^2 + I) qdd = -m g p."""
    nut = Inertia(2.0, (0, 0, 0), np.diag([1.0, 1.0, 0.0]))
    joint = Joint("screw", "helical", "base", "nut", pitch=0.1, rotor_inertia=0.3)
    robot = Robot(Model("nut", (Link("base"), Link("nut", nut)), (joint,), gravity=(0, 0, -9.81)))
    found = robot.forward_dynamics([0.4], [2.0], [0.0], method="articulated_body")
    assert found[0] == pytest.approx(-2.0 * 9.81 * 0.1 / (2.0 * 0.01 + 0.3))


def test_a_reflected_rotor_on_a_screw_counts_with_its_ratio_squared():
    nut = Inertia(2.0, (0, 0, 0), np.diag([1.0, 1.0, 0.0]))
    rotor = Inertia(0.1, (0, 0, 0), np.diag([1e-4, 1e-4, 2e-4]))
    motor = Motor("drive", "screw", "base", 40.0, rotor, rotor="reflected")
    joint = Joint("screw", "helical", "base", "nut", pitch=0.1)
    robot = Robot(Model("nut", (Link("base"), Link("nut", nut)), (joint,), gravity=(0, 0, 0), motors=(motor,)))
    found = robot.forward_dynamics([0.4], [2.0], [0.7], method="articulated_body")
    assert found[0] == pytest.approx(0.7 / (2.0 * 0.01 + 1600 * 2e-4))


def test_a_screw_that_moves_nothing_is_named():
    links = (Link("base"), Link("arm", Inertia(1.0, (0.1, 0, 0), np.eye(3))), Link("tip"))
    joints = (Joint("elbow", "revolute", "base", "arm"), Joint("screw", "helical", "arm", "tip", pitch=0.1))
    with pytest.warns(match="joint 'screw' moves no mass"):
        robot = Robot(Model("light", links, joints), backend="numpy")
    with pytest.raises(ModelError, match="joint 'screw' has almost no inertia along its axis"):
        robot.forward_dynamics(np.zeros(2), np.zeros(2), np.zeros(2), method="articulated_body")


def test_a_rotor_with_its_full_effect_on_a_screw_needs_the_mass_matrix():
    nut = Inertia(2.0, (0, 0, 0), np.diag([1.0, 1.0, 0.1]))
    rotor = Inertia(0.1, (0, 0, 0), np.diag([1e-4, 1e-4, 2e-4]))
    motor = Motor("drive", "screw", "base", 40.0, rotor)
    joint = Joint("screw", "helical", "base", "nut", pitch=0.1)
    robot = Robot(Model("nut", (Link("base"), Link("nut", nut)), (joint,), motors=(motor,)))
    with pytest.raises(ModelError, match="cannot treat motor 'drive', whose rotor turns with its joint; use method"):
        robot.forward_dynamics([0.1], [0.0], [0.0], method="articulated_body")


def test_a_custom_joint_of_one_turn_is_a_revolute_joint_by_another_coordinate():
    """x = f(q) turns as a revolute joint does: its equation of motion, times f', with f'' q'^2 in x''."""
    law = Polynomial((0.1, 0.8, 0.3))
    body = Inertia(1.5, (0.3, 0.1, 0.0), np.diag([0.1, 0.2, 0.3]))
    links, axis = (Link("base"), Link("arm", body)), (0.0, 1.0, 0.0)
    custom = Joint("knee", "custom", "base", "arm", motion=Motion(rotations=((axis, law),)), rotor_inertia=0.2)
    plain = Joint("knee", "revolute", "base", "arm", axis=axis)
    q, qd, tau = 0.4, 1.3, 2.0
    x, slope, bend = law.derivatives(q, 2)
    M = float(Robot(Model("arm", links, (plain,))).mass_matrix([x])[0, 0])
    h = float(Robot(Model("arm", links, (plain,))).bias_torques([x], [slope * qd])[0])
    expected = (tau - slope * (h + M * bend * qd**2)) / (M * slope**2 + 0.2)
    found = Robot(Model("arm", links, (custom,))).forward_dynamics([q], [qd], [tau], method="articulated_body")
    assert found[0] == pytest.approx(expected, rel=1e-12)
