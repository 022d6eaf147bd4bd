"""Derivatives of the parts of Hua's eq. (30), and of the wrenches on rotors: complex steps, and what holds between the parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import NameLookupError, Robot
from lissom.algorithms.derivatives import directional
from lissom.algorithms.dynamics.motor_wrenches import motor_wrenches
from lissom.algorithms.elastic.blocks import block_shapes, elastic_blocks
from lissom.robots import hua_arm, panda
from support.complex_step import H, evaluate
from support.control import mixed_chain, states
from support.motors import motor_trees, single_axis_trees, smooth
from support.states import random_states

seeds = st.integers(0, 1000)
NAMES = ("M", "S", "B", "C", "C1", "C2", "G", "elastic")


@pytest.mark.parametrize("maker", [elastic_blocks, motor_wrenches])
@given(single_axis_trees({"rotor": ("full", "reflected")}, springs=0.3), seeds)
@settings(max_examples=6)
def test_derivatives_are_complex_steps(maker, model, seed):
    model = smooth(model)
    task, arguments = maker(model), [x[None] for x in random_states(model, seed=seed)]
    arguments = arguments[: len(task.inputs)]
    found = directional.jacobian(model, of=maker).evaluate(arguments)[0][0].reshape(len(task.inputs), -1, model.nv)
    for k in range(len(task.inputs)):
        for entry in range(model.nv):
            moved = [x.astype(complex) for x in arguments]
            moved[k][0, entry] += 1j * H
            column = np.imag(evaluate(task, moved)[0]) / H
            assert np.abs(found[k, :, entry] - column).max(initial=0) < 1e-11 * max(1.0, np.abs(column).max(initial=0))


@pytest.mark.slow
def test_blocks_hang_together_by_their_derivatives():
    """Along a motion M' = C + C^T, S' = C1 / 2 + C2^T and B' = 0; C, C1, C2 are linear in qd; springs have K and D."""
    robot = mixed_chain("numpy")
    n, e = robot.link_nv, robot.n_elastic
    q, qd = states(robot, 5)
    blocks, d = robot.elastic_blocks(q, qd), robot.elastic_blocks_derivatives(q, qd)
    rate = {name: np.einsum("...k,...k->...", getattr(d.dq, name), _spread(qd, getattr(d.dq, name))) for name in NAMES}
    assert np.allclose(rate["M"], blocks.C + np.swapaxes(blocks.C, -1, -2), rtol=0, atol=1e-12)
    assert np.allclose(rate["S"], blocks.C1 / 2 + np.swapaxes(blocks.C2, -1, -2), rtol=0, atol=1e-12)
    assert not d.dq.B.any() and not d.dqd.M.any() and not d.dqd.G.any()
    for name in ("C", "C1", "C2"):
        along = getattr(d.dqd, name)
        assert np.allclose(np.einsum("...k,...k->...", along, _spread(qd, along)), getattr(blocks, name), rtol=0, atol=1e-12)
        assert not along[..., n:].any()
    driven = [robot.joint_names.index(motor.joint) for motor in robot.model.elastic_motors]
    for k, motor in enumerate(robot.model.elastic_motors):
        expected = np.zeros(robot.nv)
        expected[n + k], expected[driven[k]] = motor.spring.stiffness, -motor.spring.stiffness
        assert np.allclose(d.dq.elastic[:, k], expected, rtol=1e-14, atol=0)
    weight = robot.inverse_dynamics_derivatives(q, 0 * qd, 0 * qd).dq[..., :n, :n].copy()
    for k, joint in enumerate(driven):
        weight[..., joint, joint] -= robot.model.elastic_motors[k].spring.stiffness
    assert np.allclose(d.dq.G[..., :n], weight, rtol=0, atol=1e-10) and e == 2


def _spread(qd, like):
    return qd.reshape(len(qd), *[1] * (like.ndim - 2), -1)


@pytest.mark.slow
@given(motor_trees({"elastic": 0.7}, n=2), seeds)
@settings(max_examples=6)
def test_one_direction_and_one_sum_are_parts_of_all_derivatives(model, seed):
    """For every kind of joint, quaternions too."""
    model = smooth(model)
    robot, (q, qd, v) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    if not model.motors:
        return
    d = robot.elastic_blocks_derivatives(q, qd)
    dq, dqd = (np.concatenate([getattr(part, name).reshape(-1, model.nv) for name in NAMES]) for part in d)
    along = robot.jvp("elastic_blocks", (q, qd), (v, qd))
    size = max(1.0, np.abs(dq).max(initial=0), np.abs(dqd).max(initial=0))
    assert np.abs(along - dq @ v - dqd @ qd).max() < 1e-11 * size
    w = np.random.default_rng(seed).normal(size=along.shape)
    found = robot.vjp("elastic_blocks", (q, qd), w)
    assert np.abs(found.dq - w @ dq).max() < 1e-10 * size and np.abs(found.dqd - w @ dqd).max() < 1e-10 * size


@pytest.mark.sweep(2)
@pytest.mark.parametrize("lead", [((), ()), ((2, 1), (3,))])
def test_shapes_and_machine_code(lead, backend):
    robot, rng = Robot(hua_arm().model, backend=backend), np.random.default_rng(1)
    q, qd = rng.normal(size=(*lead[0], 4)), rng.normal(size=(*lead[1], 4))
    dq, dqd = robot.elastic_blocks_derivatives(q, qd)
    whole = np.broadcast_shapes(*lead)
    for name, shape in block_shapes(robot.model).items():
        assert getattr(dq, name).shape == getattr(dqd, name).shape == (*whole, *shape, 4), name
    last = tuple(size - 1 for size in whole)
    alone = Robot(robot.model, backend="numpy").elastic_blocks_derivatives(
        *(np.broadcast_to(x, (*whole, 4))[last] for x in (q, qd))
    )
    for name in NAMES:
        assert np.allclose(getattr(dq, name)[last], getattr(alone.dq, name), rtol=1e-12, atol=1e-12), name


def test_wrenches_on_rotors_have_slopes():
    robot, h = hua_arm(), 1e-5
    x, v = np.random.default_rng(2).normal(size=(2, 3, 4))
    slope = (robot.motor_wrenches(*(x + h * v)) - robot.motor_wrenches(*(x - h * v))) / (2 * h)
    assert np.allclose(robot.jvp("motor_wrenches", tuple(x), tuple(v)), slope, rtol=0, atol=1e-8)


def test_robots_without_motors_have_no_such_function():
    with pytest.raises(NameLookupError, match="no function 'motor_wrenches'"):
        panda().jvp("motor_wrenches", (np.zeros(7),) * 3, (np.ones(7),) * 3)
