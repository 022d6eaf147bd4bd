"""Center of mass and momentum: sums over links, rates, conservation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom import Joint, Link, Model, ModelError, ModelWarning, Robot, StateError
from lissom.robots import tree_model
from support.kinematics import Motion, link_poses, momenta
from support.rotors import ROTOR, grounded, unfolded
from support.states import random_states
from support.trees import trees

seeds = st.integers(0, 1000)
STEPS, WEIGHTS = np.array([-3, -2, -1, 1, 2, 3]), np.array([-1, 9, -45, 45, -9, 1]) / 60


def moving_links(model):
    """Return the links with mass that go places: those that move, and rotors on these."""
    still = grounded(model)
    still |= {ROTOR + motor.name for motor in model.motors if motor.link in still}
    return [link for link in unfolded(model).links if link.inertia is not None and link.name not in still]


@given(trees(every=True), seeds)
def test_the_center_of_mass_is_the_mean_over_links(model, seed):
    robot, (q, _, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    poses, links = link_poses(unfolded(model), q)[0], moving_links(model)
    mass = sum(link.inertia.mass for link in links)
    mean = sum(x.inertia.mass * (poses[x.name][1] + poses[x.name][0] @ np.array(x.inertia.com)) for x in links) / mass
    assert robot.total_mass == pytest.approx(mass, rel=1e-14)
    assert np.allclose(robot.center_of_mass(q), mean, rtol=0, atol=1e-12)


@given(trees(every=True), seeds)
def test_the_center_of_mass_moves_as_its_jacobian_says(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    motion, h = Motion(model, q, qd, 0 * qd), 1e-3
    rate = WEIGHTS @ robot.center_of_mass(np.array([motion.q(k * h) for k in STEPS])) / h
    assert np.allclose(robot.center_of_mass_jacobian(q) @ qd, rate, rtol=0, atol=1e-8 * max(1.0, np.abs(rate).max()))


@given(trees(every=True), seeds)
def test_momentum_is_the_sum_over_links(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    twin, still = unfolded(model), grounded(model)
    parts = momenta(Motion(twin, *state), 0.0)
    total = sum(np.concatenate(part) for name, part in parts.items() if name not in still)
    size = max(1.0, np.abs(total).max())
    assert np.allclose(robot.momentum(*state[:2], point="origin"), total, rtol=0, atol=1e-8 * size)


@given(trees(every=True), seeds)
def test_momentum_about_the_center_of_mass_is_that_of_the_matrix(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    h, A, world = robot.momentum(q, qd), robot.centroidal_momentum_matrix(q), robot.momentum(q, qd, point="origin")
    size = max(1.0, np.abs(world).max())
    assert np.allclose(A @ qd, h, rtol=0, atol=1e-12 * size)
    assert np.allclose(A[:3], robot.total_mass * robot.center_of_mass_jacobian(q), rtol=0, atol=1e-12 * np.abs(A).max())
    assert np.allclose(h[3:], world[3:] - np.cross(robot.center_of_mass(q), world[:3]), rtol=0, atol=1e-12 * size)
    assert np.allclose(h[:3], world[:3], rtol=0, atol=1e-12 * size)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_free_tree_keeps_its_momentum_whatever_its_joints_do(seed):
    # rotors have no momentum of their own in the reflected model, so that they are left out
    model = tree_model(6, seed=seed, floating=True, drives=False).replace(gravity=(0, 0, 0))
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    tau[:6] = 0
    motion, h = Motion(model, q, qd, robot.forward_dynamics(q, qd, tau)), 1e-3
    path, speeds = (np.array([x(k * h) for k in STEPS]) for x in (motion.q, motion.qd))
    for point in ("origin", "com"):
        rate = WEIGHTS @ robot.momentum(path, speeds, point=point) / h
        assert np.abs(rate).max() < 1e-6 * np.abs(tau).max()


def test_machine_code_agrees_with_numpy():
    model = tree_model(8, seed=3, floating=True, coupled=0.4, tails=0.4)
    compiled, plain = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    q, qd, _ = random_states(model, 11, seed=2)
    calls = [
        lambda r, **o: r.center_of_mass(q, **o),
        lambda r, **o: r.center_of_mass_jacobian(q, **o),
        lambda r, **o: r.momentum(q, qd, **o),
        lambda r, **o: r.momentum(q, qd, point="origin", **o),
        lambda r, **o: r.centroidal_momentum_matrix(q, **o),
    ]
    for call in calls:
        theirs = call(plain)
        out = np.empty_like(theirs)
        assert call(compiled, out=out) is out
        assert np.allclose(out, theirs, rtol=0, atol=1e-13 * np.abs(theirs).max())


def test_wrong_points_and_robots_without_mass_are_refused():
    robot = Robot(tree_model(2, seed=1), backend="numpy")
    q, qd = robot.neutral(), np.zeros(robot.nv)
    with pytest.raises(StateError, match="momentum has no point 'com2'; did you mean 'com'"):
        robot.momentum(q, qd, point="com2")
    with pytest.warns(ModelWarning):
        empty = Robot(Model("empty", (Link("a"), Link("b")), (Joint("j", "revolute", "a", "b"),)), backend="numpy")
    for call in (empty.center_of_mass, empty.center_of_mass_jacobian, empty.centroidal_momentum_matrix):
        with pytest.raises(ModelError, match="robot 'empty' has no center of mass: no link that moves has inertia"):
            call([0.0])
    with pytest.raises(ModelError, match="has no center of mass"):
        empty.momentum([0.0], [1.0])
    assert not empty.momentum([0.0], [1.0], point="origin").any()
    assert empty.total_mass == 0
