"""Reframing: other frames, the same mechanism, also where axes are nearly parallel."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom import Inertia, Joint, Link, Model, Pose
from lissom.algorithms.dynamics.rnea import rnea
from lissom.model.pose import rotation_about
from lissom.robots import puma560_model, stanford_model, tree_model
from lissom.tree import lump, reframe, regroup
from support.states import error, random_states
from support.trees import trees

TINY = [0.0, 1e-15, 1e-14, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.03, 0.09, 0.1, 0.11, 0.2, 1.0]


def forces(tree, state):
    columns = [[x[..., k] for k in range(x.shape[-1])] for x in state]
    tau = rnea(tree, *columns).tau
    return np.array([np.broadcast_to(x, state[0].shape[:-1]) for x in tau])


def wrenches(tree, state):
    """Return the wrenches of all joints in the users' joint frames; rotors have none of these."""
    columns = [[x[..., k] for k in range(x.shape[-1])] for x in state]
    passes = rnea(tree, *columns)
    n = state[0].shape[0]
    found = []
    for body, f, m in zip(tree.bodies, passes.f, passes.m, strict=True):
        if body.spins:
            continue
        f, m = (np.array([np.broadcast_to(x, n) for x in v]) for v in (f, m))
        m = m - np.cross(body.joint_pose.p, f.T).T
        found.append(np.concatenate([body.joint_pose.R.T @ f, body.joint_pose.R.T @ m]))
    return np.array(found)


@given(trees(every=True), st.integers(0, 100))
def test_forces_and_wrenches_are_those_of_the_given_frames(model, seed):
    tree, state = lump(model), random_states(model, 3, seed=seed)
    assert error(forces(reframe(tree), state), forces(tree, state)) < 1e-12
    assert error(wrenches(reframe(tree), state), wrenches(tree, state)) < 1e-12
    assert error(forces(regroup(reframe(tree)), state), forces(tree, state)) < 1e-12


@given(trees(every=True))
def test_links_and_joints_stay_where_they_are(model):
    """In the base at q = 0 nothing has moved: frames differ, links do not."""
    before, after = lump(model), reframe(lump(model))
    q = random_states(model, seed=2)[0]

    def world(tree):
        poses = []
        for body in tree.bodies:
            start = Pose() if body.parent < 0 else poses[body.parent]
            turn = Pose()
            if body.kind.value in ("revolute", "continuous"):
                turn = Pose(rotation_about((0, 0, 1), body.ratio * q[body.iq] + body.offset + body.zero))
            poses.append(start @ body.pose @ turn)
        return poses

    if any(body.kind.value not in ("revolute", "continuous") for body in before.bodies):
        return
    a, b = world(before), world(after)
    for link in model.links:
        (i, p), (j, r) = before.places[link.name], after.places[link.name]
        assert i == j
        if i >= 0:
            one, two = a[i] @ p, b[j] @ r
            assert np.allclose(one.R, two.R, atol=1e-11)
            assert np.allclose(one.p, two.p, atol=1e-11)


@pytest.mark.parametrize("angle", TINY)
@pytest.mark.parametrize("about", [(1, 0, 0), (0, 1, 0), (0.6, 0.8, 0)])
def test_axes_of_any_angle_to_one_another_cost_no_digits(angle, about):
    """A chain whose joints are tilted by the same small angle: the common normals are far away."""
    body = Inertia(1.0, (0.1, 0.2, 0.05), np.diag([0.1, 0.2, 0.25]))
    tilt = Pose(rotation_about(about, angle), (0.3, 0.1, 0.2))
    links = [Link("l0"), *(Link(f"l{k}", body) for k in range(1, 6))]
    joints = [Joint(f"j{k}", "revolute", f"l{k}", f"l{k + 1}", tilt) for k in range(5)]
    model = Model("chain", tuple(links), tuple(joints))
    tree, state = lump(model), random_states(model, 9, seed=1)
    assert error(forces(reframe(tree), state), forces(tree, state)) < 1e-12
    assert error(wrenches(reframe(tree), state), wrenches(tree, state)) < 1e-12


@pytest.mark.parametrize("skew", TINY)
def test_trees_of_any_skew_cost_no_digits(skew):
    model = tree_model(8, skew=skew, seed=4, kinds=["revolute", "prismatic", "continuous"], tails=0.3)
    tree, state = lump(model), random_states(model, 5, seed=4)
    assert error(forces(reframe(tree), state), forces(tree, state)) < 1e-12
    assert error(forces(regroup(reframe(tree)), state), forces(tree, state)) < 1e-12


def test_far_common_normals_stay_near():
    """Axes tilted by a hair meet kilometres away; frames do not go there."""
    for angle in (1e-9, 1e-6, 1e-3, 0.09):
        tilt = Pose(rotation_about((1, 0, 0), angle), (0.3, 0.1, 0.2))
        links = (Link("a"), Link("b", Inertia(1.0)), Link("c", Inertia(1.0)))
        joints = (Joint("1", "revolute", "a", "b"), Joint("2", "revolute", "b", "c", tilt))
        tree = reframe(lump(Model("m", links, joints)))
        assert max(np.abs(body.pose.p).max() for body in tree.bodies) < 10


@pytest.mark.parametrize("make", [stanford_model, puma560_model])
def test_robots_of_quarter_turns_keep_exact_zeros(make):
    for body in reframe(lump(make())).bodies:
        assert all(abs(x) in (0.0, 1.0) for row in body.pose.rotation for x in row)
        assert (body.zero / (math.pi / 2)) % 1 == 0


def test_a_step_between_revolute_joints_has_a_khalil_rotation():
    """After reframing, x of the parent lies along the common normal: one row of the rotation is that of Rx(alpha)."""
    tree = reframe(lump(tree_model(6, branching=1, skew=1.0, seed=3, kinds=["revolute"])))
    for body in tree.bodies[1:]:
        R = body.pose.R
        assert np.allclose(R[:, 0], [1, 0, 0], atol=1e-12) or np.count_nonzero(np.abs(R) > 1e-14) <= 8
