"""How the error of the fixed-step methods shrinks with the step, and what they agree with."""

import numpy as np
import pinocchio as pin
import pytest

from lissom import Robot
from lissom.manifold import configuration_difference, integrate_configuration
from lissom.robots import tree_model
from support.peer import Peer
from support.states import random_states

EVERY_KIND = {"n": 6, "floating": True, "seed": 3, "drives": False}
FLAT = {"n": 4, "seed": 1, "drives": False, "kinds": ["revolute", "prismatic"]}


def distance(model, a, b):
    """How far apart the last states of two trajectories are."""
    return np.abs(np.concatenate([configuration_difference(model, a.q[-1], b.q[-1]), a.qd[-1] - b.qd[-1]])).max()


@pytest.mark.sweep("single ax", "semi_implicit")
@pytest.mark.parametrize("arguments", [EVERY_KIND, FLAT], ids=["every kind", "single axes"])
@pytest.mark.parametrize(("method", "order", "steps"), [("rk4", 4, (40, 80, 160)), ("semi_implicit", 1, (400, 800, 1600))])
def test_error_shrinks_with_the_order_of_the_method(method, order, steps, arguments):
    robot = Robot(tree_model(**arguments))
    q, qd, _ = random_states(robot.model, seed=2)
    tau = np.linspace(-1, 1, robot.nv)
    exact = robot.simulate(q, qd, 0.4, tau)
    errors = [distance(robot.model, robot.simulate(q, qd, 0.4, tau, method=method, dt=0.4 / n), exact) for n in steps]
    slope = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(order, abs=0.25)


@pytest.mark.slow
def test_runge_kutta_agrees_with_the_adaptive_method_at_every_sample():
    robot = Robot(tree_model(**EVERY_KIND))
    q, qd, _ = random_states(robot.model, seed=4)
    fixed = robot.simulate(q, qd, 0.5, method="rk4", dt=2.5e-4, sample=0.01)
    adaptive = robot.simulate(q, qd, 0.5, sample=0.01)
    assert np.allclose(fixed.t, adaptive.t, rtol=0, atol=1e-12)
    for name in ("q", "qd", "qdd"):
        a, b = getattr(fixed, name), getattr(adaptive, name)
        assert np.abs(a - b).max() < 1e-8 * np.abs(b).max(), name


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_semi_implicit_step_is_what_users_of_pinocchio_write(seed):
    model = tree_model(6, 2, seed=seed, floating=True, drives=False)
    peer = Peer(model)
    q, qd, tau = random_states(model, seed=seed)
    dt = 0.05
    trajectory = Robot(model).simulate(q, qd, dt, tau, method="semi_implicit", dt=dt)
    a = pin.aba(peer.model, peer.data, peer.q(q), qd, tau)
    v = qd + a * dt
    assert np.allclose(trajectory.qd[-1], v, rtol=1e-10, atol=1e-10)
    there = pin.integrate(peer.model, peer.q(q), v * dt)
    assert np.abs(pin.difference(peer.model, peer.q(trajectory.q[-1]), there)).max() < 1e-10 * max(np.abs(v * dt).max(), 1)
    assert np.allclose(trajectory.q[-1], integrate_configuration(model, q, v, dt), rtol=1e-10, atol=1e-10)


def test_energy_wavers_but_stays_with_the_symplectic_method():
    robot = Robot(tree_model(1, kinds=["revolute"], seed=0, drives=False))
    trajectory = robot.simulate([0.5], [0.0], 200.0, method="semi_implicit", dt=0.01, sample=0.1)
    energy, swing = trajectory.energy, trajectory.kinetic_energy.max()
    assert np.ptp(energy) < 0.1 * swing
    first, last = energy[:500].mean(), energy[-500:].mean()
    assert abs(last - first) < 0.01 * swing


def test_quaternions_keep_length_one():
    robot = Robot(tree_model(3, kinds=["spherical"], floating=True, drives=False))
    q, qd, _ = random_states(robot.model)
    for options in ({"method": "rk4", "dt": 0.02}, {"method": "semi_implicit", "dt": 0.02}, {}):
        for place in (slice(3, 7), slice(7, 11)):
            u = robot.simulate(3.0 * q, qd, 2.0, **options).q[:, place]
            assert np.allclose(np.linalg.norm(u, axis=1), 1.0, rtol=0, atol=1e-9 if options else 1e-14)


def test_the_last_step_is_shorter_where_dt_does_not_divide_the_duration():
    robot = Robot(tree_model(2, kinds=["revolute"], drives=False))
    odd = robot.simulate([0.1, 0.2], [1.0, 0.0], 0.105, method="rk4", dt=0.01)
    assert odd.t[-2:].tolist() == pytest.approx([0.1, 0.105])
    assert distance(robot.model, odd, robot.simulate([0.1, 0.2], [1.0, 0.0], 0.105)) < 1e-6
    ends = robot.simulate([0.1, 0.2], [1.0, 0.0], 0.105, method="rk4", dt=0.01, sample=1.0)
    assert ends.t.tolist() == pytest.approx([0.0, 0.105])
    assert np.array_equal(ends.q[-1], odd.q[-1])
