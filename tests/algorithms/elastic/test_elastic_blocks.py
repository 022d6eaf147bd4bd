"""The parts of Hua's eq. (30) at the front door: they make the equations of motion, along motions of links and motors."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lissom import Robot, StateError
from lissom.robots import hua_arm
from support.control import mixed_chain
from support.elastic import elastic_trees
from support.motors import single_axis_trees
from support.paths import Swing, rate, times
from support.states import error, random_states

seeds = st.integers(0, 1000)
CHAIN = mixed_chain("numpy").model  # rotors behind springs are felt by joints before them: S and C1 are not zero
NAMES = ("M", "S", "B", "C", "C1", "C2", "G", "elastic")


def both_sides(blocks, qd, qdd):
    """Return the left sides of (30) for links and for motors."""
    n = blocks.M.shape[-1]
    v, a, w, dw = (x[..., None] for x in (qd[..., :n], qdd[..., :n], qd[..., n:], qdd[..., n:]))
    links = (blocks.M @ a + blocks.S @ dw + blocks.C @ v + blocks.C1 @ w)[..., 0] + blocks.G
    motors = (np.swapaxes(blocks.S, -1, -2) @ a + blocks.B @ dw + blocks.C2 @ v)[..., 0] + blocks.elastic
    return links, motors


def pulled(robot, links, elastic):
    """Return what motors have to supply at the joints beside what springs pull with; springs count with a joint's share."""
    links = links.copy()
    for k, motor in enumerate(robot.model.elastic_motors):
        coupling = robot.model.resolve_coupling(robot.model.joint(motor.joint))
        links[..., robot.joint_names.index(coupling.joint)] -= coupling.ratio * elastic[..., k]
    return links


@given(single_axis_trees({"rotor": ("full", "reflected")}, springs=0.3), seeds)
@example(CHAIN, 1)
@settings(max_examples=30)
def test_blocks_make_inverse_dynamics(model, seed):
    """Coupled joints, springs at joints and damping of drives included; friction is no part of (30)."""
    model = _undamped_joints(model.without_friction())
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 4, seed=seed)
    blocks = robot.elastic_blocks(q, qd)
    links, motors = both_sides(blocks, qd, qdd)
    tau = np.concatenate([pulled(robot, links, blocks.elastic), motors], axis=-1)
    assert error(tau, robot.inverse_dynamics(q, qd, qdd)) < 1e-11
    assert error(blocks.elastic, robot.spring_torques(q, qd)) == 0.0


def _undamped_joints(model):
    from dataclasses import replace

    return model.with_joints(lambda j: j if j.spring is None else replace(j, spring=replace(j.spring, damping=0.0)))


@given(elastic_trees(drives=False), seeds)
@example(CHAIN, 1)
@settings(max_examples=10)
def test_along_a_motion_springs_do_what_the_links_need(model, seed):
    model = model.without_friction()
    robot = Robot(model, backend="numpy")
    path = Swing(robot.link_nv, seed).at(times(0.2), 4)
    found = robot.elastic_inverse_dynamics(*path)
    q, qd = np.concatenate([path[0], found.theta], -1), np.concatenate([path[1], found.theta_rate], -1)
    blocks = robot.elastic_blocks(q, qd)
    links, motors = both_sides(blocks, qd, np.concatenate([path[2], found.theta_acceleration], -1))
    n, size = robot.link_nv, max(1.0, np.abs(found.tau).max())
    assert np.abs(pulled(robot, links, blocks.elastic) - found.tau[..., :n]).max() < 1e-11 * size
    assert np.abs(motors - found.tau[..., n:]).max(initial=0) < 1e-11 * size
    # M' - 2 C is skew in the middle of the motion, and B stays what it is
    there = robot.elastic_blocks(_middle(q), _middle(qd))
    skew = rate(blocks.M) - 2 * there.C
    assert np.abs(skew + skew.T).max() < 1e-10 * max(1.0, np.abs(there.M).max())
    assert np.abs(rate(blocks.S) - there.C1 / 2 - there.C2.T).max(initial=0) < 1e-10 * max(1.0, np.abs(there.B).max(initial=0))
    spins = [motor.reflected_inertia for motor in model.elastic_motors]
    assert np.allclose(blocks.B, np.diag(spins), rtol=1e-14, atol=0)


def _middle(x):
    """Return what has these values at the nodes, in the middle of them."""
    return rate(x, 0)


@given(single_axis_trees({"rotor": ("full", "reflected")}), seeds)
@settings(max_examples=10)
def test_inertia_and_coriolis_matrices_do_not_notice_where_motors_are(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    n = robot.link_nv
    turned = np.concatenate([q[:n], q[n:] + 1.7])
    here, there = robot.elastic_blocks(q, qd), robot.elastic_blocks(turned, qd)
    for name in NAMES[:-1]:
        assert np.array_equal(getattr(here, name), getattr(there, name)), name
    faster = robot.elastic_blocks(q, np.concatenate([qd[:n], 5 * qd[n:]]))
    for name in ("C", "C1", "C2"):
        assert np.array_equal(getattr(here, name), getattr(faster, name)), name


def test_no_block_of_the_chain_is_zero():
    robot = Robot(CHAIN, backend="numpy")
    found = robot.elastic_blocks(*random_states(CHAIN, seed=1)[:2])
    assert all(np.abs(getattr(found, name)).max() > 1e-3 for name in NAMES)


@pytest.mark.parametrize("lead", [((), ()), ((3,), ()), ((), (3,)), ((2, 1), (3,))])
def test_every_block_has_the_batch(lead, backend):
    robot = Robot(hua_arm().model, backend=backend)
    rng = np.random.default_rng(1)
    q, qd = rng.normal(size=(*lead[0], 4)), rng.normal(size=(*lead[1], 4))
    whole = np.broadcast_shapes(*lead)
    found = robot.elastic_blocks(q, qd)
    sizes = {"M": (3, 3), "S": (3, 1), "B": (1, 1), "C": (3, 3), "C1": (3, 1), "C2": (1, 3), "G": (3,), "elastic": (1,)}
    for name, size in sizes.items():
        assert getattr(found, name).shape == whole + size, name
    last = tuple(n - 1 for n in whole)
    alone = robot.elastic_blocks(np.broadcast_to(q, (*whole, 4))[last], np.broadcast_to(qd, (*whole, 4))[last])
    for name in NAMES:
        assert np.allclose(getattr(found, name)[last], getattr(alone, name), rtol=1e-13, atol=1e-13), name


def test_wrong_states_are_named():
    robot = hua_arm()
    with pytest.raises(StateError, match="q has size 3, expected nq = 4"):
        robot.elastic_blocks(np.zeros(3), np.zeros(4))
    with pytest.raises(StateError, match=r"the leading axes of q \(2, 4\), qd \(3, 4\) do not fit together"):
        robot.elastic_blocks(np.zeros((2, 4)), np.zeros((3, 4)))
    with pytest.raises(StateError, match=r"qd\[3\] \(joint 'motor_3'\) is nan"):
        robot.elastic_blocks(np.zeros(4), [0, 0, 0, np.nan])
