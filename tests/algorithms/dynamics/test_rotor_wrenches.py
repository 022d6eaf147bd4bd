"""Wrenches on rotors: the same as those of a mechanism that has every rotor as a link of its own, which really turns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import BaseMotion, Robot
from lissom.model import Coupling, Joint, JointKind, Link, Model
from lissom.model.names import coordinate_names, velocity_names
from lissom.robots import panda
from support.motors import motor_trees
from support.states import random_states


def with_rotors_as_links(model):
    """Return the model with a link and a joint for each rotor, coupled to the driven joint in rigid drives."""
    links, joints = list(model.links), list(model.joints)
    for motor in model.motors:
        links.append(Link(f"rotor of {motor.name}", motor.inertia))
        coupling = None if motor.elastic else Coupling(motor.joint, motor.ratio)
        kind = JointKind.CONTINUOUS
        joints.append(
            Joint(motor.name, kind, motor.link, links[-1].name, motor.origin, friction=motor.friction, coupling=coupling)
        )
    return Robot(Model(model.name, tuple(links), tuple(joints), model.gravity), backend="numpy")


def spread(robot, other, names, x):
    """Return coordinates or velocities of the other robot: rotors turn by their gear ratio."""
    ratios = {motor.name: motor.ratio for motor in robot.model.motors}
    columns = [x[..., names(robot.model).index(name)] * ratios.get(name, 1.0) for name in names(other.model)]
    return np.stack(columns, axis=-1)


@given(motor_trees(), st.integers(0, 1000), st.booleans())
@settings(max_examples=15)
@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")
def test_wrenches_on_rotors_are_those_of_links_that_spin(model, seed, moving):
    robot, other = Robot(model, backend="numpy"), with_rotors_as_links(model)
    q, qd, qdd = random_states(model, 3, seed=seed)
    names = (coordinate_names, velocity_names, velocity_names)
    state = [spread(robot, other, name, x) for name, x in zip(names, (q, qd, qdd), strict=True)]
    base = BaseMotion(acceleration=(1.0, 2.0, -3.0), angular_velocity=(0.3, -0.2, 0.5)) if moving else None
    ours = robot.motor_wrenches(q, qd, qdd, base_motion=base)
    theirs = other.joint_wrenches(*state, axes="parent", base_motion=base)
    for k, motor in enumerate(model.motors):
        seen = theirs[:, other.moving_joint_names.index(motor.name)] @ np.kron(np.eye(2), motor.origin.R)
        assert np.abs(ours[:, k] - seen).max() < 1e-11 * max(1.0, np.abs(seen).max())


def test_a_robot_without_motors_has_no_rotors_to_load():
    robot = panda()
    assert robot.motor_wrenches(np.zeros((5, 7)), np.zeros(7), np.zeros(7)).shape == (5, 0, 6)
