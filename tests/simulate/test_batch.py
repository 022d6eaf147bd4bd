"""Many states side by side are the same as one after the other, on every backend."""

import numpy as np
import pytest

import lissom
from lissom import Robot, Wrench
from lissom.robots import planar_two_link, tree_model
from support.states import random_states

METHODS = ["rk4", "semi_implicit"]


@pytest.mark.sweep("semi_implicit")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("lead", [(11,), (2, 3), (1,)])
def test_a_batch_is_its_states_one_by_one(method, lead):
    robot = Robot(tree_model(4, seed=5, floating=True))
    q, qd, tau = random_states(robot.model, lead, seed=6, size=0.5)
    options = {"method": method, "dt": 5e-3}
    many = robot.simulate(q, qd, 0.05, tau[None], **options)
    assert many.q.shape == (11, *lead, robot.nq) and many.tau.shape == (11, *lead, robot.nv)
    for index in np.ndindex(*lead):
        one = robot.simulate(q[index], qd[index], 0.05, tau[index], **options)
        for name in ("q", "qd", "qdd", "tau"):
            a, b = getattr(many, name)[(slice(None), *index)], getattr(one, name)
            assert np.abs(a - b).max() <= 1e-11 * max(np.abs(b).max(), 1.0), name


@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", [*METHODS, "adaptive"])
def test_backends_agree(method):
    model = tree_model(3, seed=7, coupled=0.5, kinds=["revolute", "prismatic"])
    q, qd, tau = random_states(model, size=0.3)
    push = {model.links[-1].name: Wrench((1.0, 2.0, 3.0), axes="world")}
    options = {"external": push} | ({} if method == "adaptive" else {"method": method, "dt": 2e-3})
    a, b = (Robot(model, backend=backend).simulate(q, qd, 0.02, tau, **options) for backend in ("llvm", "numpy"))
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-9), name


def test_stored_samples_do_not_change_with_their_spacing():
    robot = planar_two_link()
    q, qd = np.random.default_rng(0).uniform(-1, 1, (2, 5, 2))
    options = {"method": "rk4", "dt": 0.01}
    every, third = robot.simulate(q, qd, 0.2, **options), robot.simulate(q, qd, 0.2, sample=0.03, **options)
    assert third.t.tolist() == pytest.approx([0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.2])
    for name in ("q", "qd", "qdd"):
        assert np.array_equal(getattr(every, name)[[0, 3, 6, 9, 12, 15, 18, 20]], getattr(third, name)), name


def test_one_torque_function_serves_all_states():
    robot = planar_two_link()
    q = np.random.default_rng(1).uniform(-1, 1, (9, 2))
    shapes = set()

    def controller(t, q, qd):
        shapes.add((q.shape, qd.shape, q.flags.writeable))
        return robot.gravity_torques(q) - 20 * q - 5 * qd

    trajectory = robot.simulate(q, np.zeros((9, 2)), 3.0, controller, method="rk4", dt=2e-3, sample=0.5)
    assert shapes == {((9, 2), (9, 2), False)}
    assert np.abs(trajectory.q[-1]).max() < 0.1 * np.abs(q).max()
    assert np.allclose(trajectory.tau[0], controller(0, q, np.zeros((9, 2))))


def test_states_that_broadcast_are_widened():
    robot = planar_two_link()
    trajectory = robot.simulate(np.zeros(2), np.eye(2), 0.01, method="rk4", dt=0.01)
    assert trajectory.q.shape == (2, 2, 2) and "of (2,) states" in repr(trajectory)


def test_large_batches_are_split_over_threads():
    robot = planar_two_link()
    q, qd = np.random.default_rng(2).uniform(-1, 1, (2, 40_000, 2))
    before = lissom.get_threads()
    ends = []
    try:
        for threads in (1, 2):
            lissom.set_threads(threads)
            ends.append(robot.simulate(q, qd, 0.03, method="semi_implicit", dt=0.01).end)
    finally:
        lissom.set_threads(before)
    assert np.array_equal(ends[0].q, ends[1].q)


def test_angles_of_a_billion_turns_go_on_without_machine_code():
    robot = planar_two_link()
    q = np.array([[0.1, 0.2], [2e9, -3e9]])
    trajectory = robot.simulate(q, np.zeros((2, 2)), 0.02, method="rk4", dt=0.01)
    assert np.isfinite(trajectory.q).all() and (trajectory.qd[-1] != 0).all()
