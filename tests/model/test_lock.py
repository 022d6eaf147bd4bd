"""Locked joints: what they join moves as one."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom.errors import ModelError, NameLookupError
from lissom.model import Inertia, Motor, Pose, Spring
from lissom.model.lock import locked
from lissom.model.payload import with_payload
from lissom.model.pose import rotation_about
from support.states import error, random_states
from support.trees import SINGLE, trees


@given(trees(kinds=SINGLE, floating=False), st.data())
def test_a_locked_robot_moves_as_the_whole_one_with_joints_at_rest(model, data):
    robot = lissom.Robot(model, backend="numpy")
    names = data.draw(st.lists(st.sampled_from(robot.joint_names), unique=True, max_size=robot.nv - 1))
    # a motor behind a spring cannot turn on while what it drives is held
    leaders = {motor.name: model.resolve_coupling(model.joint(motor.joint)).joint for motor in model.elastic_motors}
    names += [name for name, leader in leaders.items() if leader in names and name not in names]
    q, qd, qdd = random_states(model)
    held = [robot.joint_names.index(name) for name in names]
    qd[held] = qdd[held] = 0.0
    rest = lissom.Robot(locked(model, {name: q[k] for name, k in zip(names, held, strict=True)}), backend="numpy")
    free = [k for k in range(robot.nv) if k not in held]
    assert rest.joint_names == tuple(robot.joint_names[k] for k in free)
    assert error(rest.inverse_dynamics(q[free], qd[free], qdd[free]), robot.inverse_dynamics(q, qd, qdd)[free]) < 1e-11


def test_the_front_door_locks_too():
    robot = lissom.robots.puma560()
    rest = robot.locked({"joint_4": 0.3, "joint_6": -0.2})
    q = np.array([0.1, 0.2, 0.4, 0.5])
    full = np.array([0.1, 0.2, 0.4, 0.3, 0.5, -0.2])
    assert np.allclose(rest.link_pose(q, "link_6"), robot.link_pose(full, "link_6"), atol=1e-14)


def test_wrong_names_and_kinds_are_refused():
    robot = lissom.robots.puma560()
    with pytest.raises(NameLookupError, match="no joint 'joint_44'.*did you mean 'joint_4'"):
        robot.locked({"joint_44": 0.0})
    with pytest.raises(ModelError, match=r"must be given by name, such as {'elbow': 0.5}, got \[0\]"):
        robot.locked([0])
    ball = lissom.Robot(lissom.robots.tree_model(n=2, kinds=["spherical"], seed=1), backend="numpy")
    with pytest.raises(ModelError, match="spherical; only joints of one axis"):
        ball.locked({ball.joint_names[0]: 0.0})


ROTOR = Inertia(0.5, (0.0, 0.0, 0.02), ((2e-3, 0.0, 0.0), (0.0, 2e-3, 0.0), (0.0, 0.0, 3e-3)))
TILTED = Pose(rotation_about((0.6, 0.0, 0.8), 0.7), (0.1, -0.2, 0.05))


def arm_with(**drive):
    """The planar arm in a vertical plane whose elbow has a motor on the upper arm."""
    model = lissom.robots.planar_two_link_model()
    upper = model.joint("elbow").parent
    return model.replace(motors=(Motor("m", "elbow", upper, ratio=-7.0, inertia=ROTOR, origin=TILTED, **drive),))


@pytest.mark.parametrize("rotor", ["full", "reflected"])
def test_a_rigid_motor_of_a_locked_joint_becomes_part_of_its_link(rotor):
    model = arm_with(rotor=rotor)
    rest = locked(model, {"elbow": 0.4})
    assert rest.motors == () and rest.nv == 1
    upper = model.joint("elbow").parent
    R, c = TILTED.R, TILTED.R @ np.array(ROTOR.com) + TILTED.p
    by_hand = with_payload(model, ROTOR.mass, c, R @ np.array(ROTOR.tensor) @ R.T, upper).link(upper).inertia
    ours = rest.link(upper).inertia
    assert ours.mass == pytest.approx(by_hand.mass) and np.allclose(ours.com, by_hand.com, rtol=0, atol=1e-15)
    assert np.allclose(ours.tensor, by_hand.tensor, rtol=0, atol=1e-15)


def test_a_locked_elastic_motor_leaves_its_spring_to_the_joint():
    model = arm_with(spring=Spring(200.0, 0.05, 0.3))
    rest = locked(model, {"m": 0.6})
    assert rest.motors == () and rest.nv == 2
    assert rest.joint("elbow").spring == Spring(200.0, 0.6 - 0.05, 0.3)
    whole, part = lissom.Robot(model, backend="numpy"), lissom.Robot(rest, backend="numpy")
    q, qd, qdd = random_states(rest, 5, seed=1)
    theta = np.full((5, 1), 0.6)
    full = np.hstack([q, theta]), np.hstack([qd, 0 * theta]), np.hstack([qdd, 0 * theta])
    assert error(part.inverse_dynamics(q, qd, qdd), whole.inverse_dynamics(*full)[:, :2]) < 1e-12
    assert error(part.joint_wrenches(q, qd, qdd), whole.joint_wrenches(*full)) < 1e-12


def test_springs_of_joint_and_locked_motor_become_one():
    model = arm_with(spring=Spring(200.0, 0.05, 0.3))
    model = model.with_joints(lambda j: replace(j, spring=Spring(50.0, -0.4, 0.1)) if j.name == "elbow" else j)
    spring = locked(model, {"m": 0.6}).joint("elbow").spring
    for q, qd in ((0.0, 0.0), (1.3, 0.0), (-0.7, 2.0)):  # the force of the two is that of the one
        two = 200.0 * (0.6 - q - 0.05) - 0.3 * qd + 50.0 * (-0.4 - q) - 0.1 * qd
        assert spring.stiffness * (spring.rest - q) - spring.damping * qd == pytest.approx(two, rel=1e-13)


def test_a_joint_with_an_elastic_motor_is_locked_together_with_it_or_not_at_all():
    model = arm_with(spring=Spring(200.0))
    with pytest.raises(ModelError, match="'elbow' cannot be locked alone: its motor 'm', .*lock 'm' as well, or use model"):
        locked(model, {"elbow": 0.4})
    rest = locked(model, {"elbow": 0.4, "m": 0.6})
    assert rest.motors == () and rest.nv == 1 and rest.joint("elbow").spring is None


def test_a_payload_leaves_motors_where_they_are():
    model = arm_with(spring=Spring(200.0))
    assert with_payload(model, 2.0).motors == model.motors


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_a_joint_is_locked_at_a_finite_position(value):
    for model in (lissom.robots.planar_two_link_model(), lissom.robots.stanford_model()):  # revolute and prismatic joints
        for joint in model.independent_joints[:3]:
            with pytest.raises(ModelError, match=f"position of joint '{joint.name}' is {value}; expected a finite number"):
                locked(model, {joint.name: value})
