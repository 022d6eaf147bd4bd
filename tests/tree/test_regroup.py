"""Regrouping: fewer parameters, the same joint forces."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lissom.algorithms.dynamics.rnea import rnea
from lissom.robots import tree_model
from lissom.tree import lump, regroup
from support.states import error, random_states
from support.trees import trees


def forces(tree, state):
    columns = [[x[..., k] for k in range(x.shape[-1])] for x in state]
    return np.array([np.broadcast_to(x, state[0].shape[:-1]) for x in rnea(tree, *columns).tau])


@given(trees(), st.integers(0, 100))
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
