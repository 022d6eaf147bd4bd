"""Moving along a velocity and back, on every kind of joint."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.manifold import configuration_difference, integrate_configuration
from lissom.model import JointKind
from lissom.robots import tree_model
from lissom.spatial.quaternion import quaternion_exp, quaternion_log
from support.kinematics import link_poses, rate_of_coordinates
from support.states import error, random_states
from support.trees import trees

ALL = tree_model(12, seed=2, floating=True, coupled=0.3)
seeds = st.integers(0, 1000)


def small_turns(model, v):
    """Return velocities whose turns stay below pi: longer ones come back by the other side."""
    v, start = v.copy(), 0
    for joint in model.independent_joints:
        turn = {JointKind.SPHERICAL: 3, JointKind.FLOATING: 3, JointKind.PLANAR: 1}.get(joint.kind, 0)
        part = v[..., start + joint.kind.nv - turn : start + joint.kind.nv]
        if turn:
            part /= np.maximum(1.0, np.linalg.norm(part, axis=-1, keepdims=True) / 3.0)
        start += joint.kind.nv
    return v


@given(trees(), seeds, st.sampled_from([1.0, 1e-2, 1e-5, 1e-9]))
def test_the_difference_of_two_configurations_is_the_velocity_between_them(model, seed, size):
    q, v, _ = random_states(model, 5, seed=seed)
    v = small_turns(model, size * v)
    back = configuration_difference(model, q, integrate_configuration(model, q, v))
    assert np.abs(back - v).max() < 2e-14  # the rounding of configurations up to 3


@given(trees(), seeds)
def test_the_velocity_between_two_configurations_leads_from_one_to_the_other(model, seed):
    q, other = random_states(model, (2, 4), seed=seed)[0]
    end = integrate_configuration(model, q, configuration_difference(model, q, other))
    for a, b in zip(end, other, strict=True):
        ours, theirs = (link_poses(model, x)[0] for x in (a, b))
        for link in ours:
            assert all(np.allclose(x, y, rtol=0, atol=1e-12) for x, y in zip(ours[link], theirs[link], strict=True))


@given(trees(), seeds)
def test_the_configuration_leaves_at_the_rate_of_its_coordinates(model, seed):
    q, v, _ = random_states(model, seed=seed)
    h = 1e-3
    ahead = {k: integrate_configuration(model, q, v, k * h) for k in (-3, -2, -1, 1, 2, 3)}
    rate = sum(c * (ahead[k] - ahead[-k]) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)
    assert error(rate, rate_of_coordinates(model, q, v)) < 1e-10


def test_two_half_steps_are_one_step():
    q, v, _ = random_states(ALL, 20, seed=1)
    whole = integrate_configuration(ALL, q, v, 2.0)
    halves = integrate_configuration(ALL, integrate_configuration(ALL, q, v), v)
    assert np.allclose(whole, halves, rtol=0, atol=1e-13)


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-160, 1e-8, 0.2999999, 0.3000001, 1.0, 3.1, np.pi - 1e-9, np.pi])
def test_turns_of_any_size_keep_their_digits(angle):
    w = angle * np.array([0.6, -0.48, 0.64])
    assert np.allclose(quaternion_log(quaternion_exp(w)), w, rtol=1e-15, atol=0)
    free = tree_model(1, kinds=["floating"])
    v = np.array([0.3, -2.0, 1.1, *w])
    q = integrate_configuration(free, [0, 0, 0, 0, 0, 0, 1], v)
    assert np.allclose(configuration_difference(free, [0, 0, 0, 0, 0, 0, 1], q), v, rtol=4e-15, atol=0)


def test_the_series_meet_the_quotients():
    free = tree_model(1, kinds=["floating"])
    for d in (1e-12, -1e-12):
        below, above = (
            integrate_configuration(free, [0, 0, 0, 0, 0, 0, 1], [1.0, 2.0, 3.0, t, 0.0, 0.0]) for t in (0.3 - d, 0.3 + d)
        )
        assert np.allclose(below, above, rtol=0, atol=1e-11)


def test_quaternions_of_any_length_come_out_at_length_one():
    ball = tree_model(1, kinds=["spherical"])
    u = np.array([0.1, -0.7, 0.3, 0.2])
    for scale in (1e-3, 1.0, 50.0, -2.0):
        out = integrate_configuration(ball, scale * u, [0.0, 0.0, 0.0])
        assert np.allclose(out, np.sign(scale) * u / np.linalg.norm(u), rtol=0, atol=1e-15)
        assert np.allclose(configuration_difference(ball, u, scale * u), 0, atol=1e-15)


def test_angles_are_not_wrapped():
    arm = tree_model(3, kinds=["revolute", "continuous", "prismatic"], seed=1)
    assert np.array_equal(integrate_configuration(arm, [0.0, 1.0, 2.0], [10.0, 20.0, 30.0], 2.0), [20.0, 41.0, 62.0])
    assert np.array_equal(configuration_difference(arm, [0.0, 1.0, 2.0], [20.0, 41.0, 62.0]), [20.0, 40.0, 60.0])


def test_leading_axes_broadcast():
    q, v, _ = random_states(ALL, 4, seed=3)
    dt = np.array([[0.1], [0.2]])
    moved = integrate_configuration(ALL, q, v, dt)
    assert moved.shape == (2, 4, ALL.nq)
    assert np.array_equal(moved[1, 2], integrate_configuration(ALL, q[2], v[2], 0.2))
    assert np.array_equal(integrate_configuration(ALL, q[0], v)[3], integrate_configuration(ALL, q[0], v[3]))
    assert configuration_difference(ALL, q[0], moved).shape == (2, 4, ALL.nv)


def test_steps_are_those_of_pinocchio():
    pin = pytest.importorskip("pinocchio")
    from support.peer import Peer

    model = tree_model(12, seed=5, floating=True)
    peer = Peer(model)
    order = np.argmax(np.abs(peer.G), axis=0)  # where Pinocchio has each velocity
    for size in (1.0, 1e-6):
        (starts, speeds, _), (ends, _, _) = random_states(model, 20, seed=4, size=size), random_states(model, 20, seed=6)
        for q, v, other in zip(starts, speeds, ends, strict=True):
            v = small_turns(model, v)
            theirs = pin.integrate(peer.model, peer.q(q), peer.G @ v)
            assert np.allclose(peer.q(integrate_configuration(model, q, v)), theirs, rtol=0, atol=1e-13)
            between = pin.difference(peer.model, peer.q(q), peer.q(other))[order]
            ours = configuration_difference(model, q, other)
            assert np.allclose(ours, between, rtol=0, atol=1e-10)
