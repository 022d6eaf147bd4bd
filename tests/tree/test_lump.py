"""Lumping: moving bodies only, frames with z along the axis, and the user's frames remembered."""

import numpy as np
import pytest
from hypothesis import given

from lissom import Inertia, Joint, Link, Model, Pose
from lissom.algorithms.dynamics.rnea import rnea
from lissom.model.pose import frame_with_z, rotation_about
from lissom.tree import BASE, lump
from support.kinematics import link_poses
from support.rotors import ROTOR, unfolded
from support.states import random_states
from support.trees import trees

AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]


@pytest.mark.parametrize("axis", [*AXES, (0.6, 0.0, 0.8), (0.48, -0.6, 0.64)])
def test_frames_are_right_handed_with_z_along_the_axis(axis):
    R = frame_with_z(axis)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0)
    assert np.allclose(R[:, 2], axis, atol=1e-15)
    if axis in AXES:
        assert set(np.abs(R).flat) == {0.0, 1.0}


def test_the_frame_of_z_is_itself():
    assert frame_with_z((0.0, 0.0, 1.0)).tolist() == np.eye(3).tolist()


def poses_of_bodies(tree, q):
    """Return pose of every body, from the steps of the recursion itself."""
    still = [0.0] * tree.nv
    passes = rnea(tree, [float(x) for x in q], still, still)
    poses = []
    for body, step in zip(tree.bodies, passes.steps, strict=True):
        R0, p0 = (np.eye(3), np.zeros(3)) if body.parent == BASE else poses[body.parent]
        turn = np.array([list(step.to_child(type(step.P).of(e))) for e in np.eye(3)])
        poses.append((R0 @ turn, p0 + R0 @ np.array(list(step.P))))
    return poses


@given(trees(every=True))
def test_links_and_joints_are_where_forward_kinematics_puts_them(model):
    q = random_states(model, seed=1)[0]
    tree = lump(model)
    bodies = poses_of_bodies(tree, q)
    links, joints = link_poses(model, q)
    for name, (index, pose) in tree.places.items():
        R, p = (np.eye(3), np.zeros(3)) if index == BASE else bodies[index]
        assert np.allclose(R @ pose.R, links[name][0], atol=1e-12)
        assert np.allclose(R @ pose.p + p, links[name][1], atol=1e-12)
    for body, (R, p) in zip(tree.bodies, bodies, strict=True):
        if body.spins or body.inner:
            continue  # its frame has the axis of a rotor or of a part of the joint, and nothing else
        assert np.allclose(R @ body.joint_pose.R, joints[body.name][0], atol=1e-12)
        assert np.allclose(R @ body.joint_pose.p + p, joints[body.name][1], atol=1e-12)


@given(trees(every=True))
def test_mass_and_first_moments_are_those_of_the_links(model):
    q = random_states(model, seed=1)[0]
    tree = lump(model)
    bodies, (links, _) = poses_of_bodies(tree, q), link_poses(unfolded(model), q)
    rotors = [(ROTOR + m.name, m.inertia) for m in model.motors if m.rotor == "full" and tree.places[m.link][0] != BASE]
    twin = {link.name: link.inertia for link in unfolded(model).links}  # reflected rotors are part of their links there
    own = [(name, twin[name]) for name in tree.places if tree.places[name][0] != BASE and twin[name] is not None]
    assert sum(b.mass for b in tree.bodies) == pytest.approx(sum(inertia.mass for _, inertia in own + rotors))
    ours = sum(b.mass * p + R @ b.ms for b, (R, p) in zip(tree.bodies, bodies, strict=True))
    theirs = sum(i.mass * (links[n][0] @ np.array(i.com) + links[n][1]) for n, i in own + rotors)
    assert np.allclose(ours, theirs, atol=1e-12)


def test_what_is_fixed_to_the_base_is_no_body():
    links = (Link("ground"), Link("plate", Inertia(5.0)), Link("arm", Inertia(1.0)))
    joints = (
        Joint("weld", "fixed", "ground", "plate", Pose(translation=(0, 0, 1))),
        Joint("j", "revolute", "plate", "arm", Pose(rotation_about((0, 1, 0), 0.3), (1, 0, 0))),
    )
    tree = lump(Model("m", links, joints))
    assert [b.name for b in tree.bodies] == ["j"]
    assert tree.bodies[0].parent == BASE
    assert tree.bodies[0].pose.translation == (1.0, 0.0, 1.0)
    assert tree.places["plate"] == (BASE, Pose(translation=(0, 0, 1)))
    assert tree.children(BASE) == [0]
    assert tree.children(0) == []


def test_models_have_their_own_trees_in_any_order():
    links = [(Link("base"), Link("arm", Inertia(mass))) for mass in (1.0, 2.0)]
    models = [Model("m", both, (Joint("hinge", "revolute", "base", "arm"),)) for both in links]
    assert [lump(models[k]).bodies[0].mass for k in (0, 1, 1, 0)] == [1.0, 2.0, 2.0, 1.0]
    assert lump(models[0]) is lump(models[0])
