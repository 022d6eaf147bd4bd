"""Regrouping: fewer parameters, the same joint forces."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom import Inertia, Joint, Link, Model
from lissom.algorithms.dynamics.inverse_dynamics import inverse_dynamics
from lissom.algorithms.dynamics.rnea import rnea
from lissom.compiler.program import CONST
from lissom.model.pose import Pose, rotation_from_rpy
from lissom.robots import tree_model
from lissom.tree import lump, reframe, regroup
from support.published import FILES
from support.states import error, random_states
from support.trees import trees


def forces(tree, state):
    columns = [[x[..., k] for k in range(x.shape[-1])] for x in state]
    return np.array([np.broadcast_to(x, state[0].shape[:-1]) for x in rnea(tree, *columns).tau])


@given(trees(every=True), st.integers(0, 100))
def test_joint_forces_are_unchanged(model, seed):
    tree, state = lump(model), random_states(model, 3, seed=seed)
    assert error(forces(regroup(tree), state), forces(tree, state)) < 1e-12
    assert error(forces(regroup(regroup(tree)), state), forces(tree, state)) < 1e-12


def test_revolute_bodies_keep_what_their_turn_feels():
    for body in regroup(lump(tree_model(5, kinds=["revolute"], seed=2))).bodies:
        assert body.mass == 0.0
        assert body.ms[2] == 0.0
        assert abs(body.J[0, 0] + body.J[1, 1] - body.J[2, 2]) < 1e-15


def test_sliding_bodies_keep_no_inertia_of_rotation():
    for body in regroup(lump(tree_model(5, kinds=["prismatic"], seed=2))).bodies:
        assert not body.J.any()


def test_bodies_on_balls_keep_no_mass():
    tree = lump(tree_model(4, kinds=["spherical"], seed=2))
    assert all(body.mass == 0.0 for body in regroup(tree).bodies)


def test_a_free_body_keeps_everything_and_gains():
    tree = lump(tree_model(4, kinds=["revolute"], seed=2, floating=True))
    grouped = regroup(tree)
    assert sum(b.mass for b in grouped.bodies) > tree.bodies[0].mass
    assert np.isclose(sum(b.mass for b in grouped.bodies), sum(b.mass for b in tree.bodies))


def test_what_a_first_joint_cannot_feel_is_gone():
    tree = lump(tree_model(1, kinds=["revolute"], seed=2))
    (body,) = regroup(tree).bodies
    assert (body.mass, tree.bodies[0].J[2, 2]) == (0.0, body.J[2, 2])


@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf"])
def test_no_residue_of_rounding_is_a_constant_of_a_program(name):
    """The smallest number of the UR5's file is 4.9e-12; what is below 1e-13 was made by sums that are zero on paper."""
    (file,) = (file for file in FILES if file.name == name)
    program = inverse_dynamics(lissom.load(file).model).program(name)
    constants = [abs(instruction[1]) for instruction in program.code if instruction[0] == CONST]
    assert min(x for x in constants if x) > 1e-13


def test_small_numbers_of_a_model_are_data():
    """A center of mass that is off its axis by 5e-12 of its distance stays there."""
    links = [Link("base"), Link("rod", Inertia(2.0, (1.0, 5e-12, 0.3), np.diag([0.1, 0.2, 0.15])))]
    model = Model("rod", links, [Joint("j", "revolute", "base", "rod", axis=(0, 0, 1))])
    (body,) = regroup(lump(model)).bodies
    assert body.ms.tolist() == pytest.approx([2.0, 1e-11, 0.0], rel=1e-9)


def test_turns_and_shifts_of_a_link_leave_no_residue():
    """The same rod, carried by frames that are turned by a quarter as far as pi/2 is one: its second moments stay few."""
    rod = Link("rod", Inertia(2.0, (0.7, 0.0, 0.0), np.diag([0.0, 0.1, 0.1])))
    turned = Pose(rotation_from_rpy(math.pi / 2, 0.0, -math.pi / 2), (0.1, 0.2, 0.3))
    joints = [
        Joint("a", "revolute", "base", "link", axis=(0, 0, 1)),
        Joint("b", "revolute", "link", "rod", turned, axis=(0, 1, 0)),
    ]
    body = regroup(reframe(lump(Model("rod", [Link("base"), Link("link", rod.inertia), rod], joints)))).bodies[1]
    size = np.abs(body.J).max()
    assert all(x == 0.0 or abs(x) > 1e-6 * size for x in body.J.flat)
    assert sum(x != 0.0 for x in body.ms) == 1
