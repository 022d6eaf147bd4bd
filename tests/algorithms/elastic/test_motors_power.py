"""Energy of robots with motors in motion: what motors put in, springs and masses hold, and friction takes; nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import Friction, Robot
from lissom.robots import tree_model
from support import lagrangian
from support.dual import E3, Dual
from support.motors import PLACES, smooth, with_motors
from support.states import random_states

KINDS = [{"kinds": ["revolute"]}, {"kinds": ["revolute", "prismatic"], "branching": 1.6, "coupled": 0.3}]


def simpson(values, dt):
    """Return the integral; its error falls with the fourth power of the time between samples."""
    weights = np.r_[1, np.tile([4, 2], (len(values) - 3) // 2), 4, 1] * dt / 3
    return weights @ values


@pytest.mark.sweep("tree")
@pytest.mark.parametrize("arguments", KINDS, ids=["arm", "tree"])
def test_motors_pay_for_energy_and_losses(arguments):
    """Motor power = rate of kinetic, gravitational and spring energy + losses, over a second."""
    tree = tree_model(3, skew=1.1, seed=3, drives=False, **{"branching": 1.0, **arguments})
    model = with_motors(tree, 4, 1.0, 0.6, ratios=(6.0, -9.0))
    # Coulomb friction breaks the smoothness that Simpson's rule counts on
    model = model.with_motors(lambda m: replace(m, friction=Friction(m.friction.viscous)))
    robot, n, dt = Robot(model), model.nv, 5e-4
    assert 0 < len(model.elastic_motors) < len(model.motors)
    wave = np.linspace(3.0, 8.0, n)
    motored = np.array([name not in {m.joint for m in model.elastic_motors} for name in robot.joint_names])

    def torques(t, q, qd):
        return motored * 5.0 * np.sin(wave * t + np.arange(n))

    q = robot.at_rest(random_states(model, seed=1)[0][: n - len(model.elastic_motors)] / 3)
    run = robot.simulate(q, np.zeros(n), 1.0, torques, sample=dt, rtol=1e-11, atol=1e-12)
    power = np.sum(run.tau * run.qd, axis=-1)
    lost = np.array([lagrangian.losses(model, qd) @ qd for qd in run.qd])
    energy = np.array([sum(lagrangian.energies(model, *state)) for state in zip(run.q[[0, -1]], run.qd[[0, -1]], strict=True)])
    turnover = simpson(np.abs(power), dt)
    assert energy[1] - energy[0] == pytest.approx(simpson(power - lost, dt), abs=1e-8 * turnover)
    assert run.energy[-1] - run.energy[0] == pytest.approx(energy[1] - energy[0], rel=1e-9)
    assert simpson(lost, dt) > 1e-4 * turnover


@pytest.mark.parametrize("arguments", KINDS, ids=["arm", "tree"])
def test_at_every_moment_power_is_the_rate_of_energy_and_losses(arguments):
    """The same without integrals: along the motion that the robot finds, by derivatives of Lagrange's energies."""
    tree = tree_model(4, skew=1.1, seed=5, **{"branching": 1.0, **arguments})
    model = with_motors(tree, 2, 1.0, 0.6, rotor=("full", "reflected"))
    robot = Robot(model, backend="numpy")
    for q, qd, tau in zip(*random_states(model, 10, seed=6), strict=True):
        qdd = robot.forward_dynamics(q, qd, tau)
        lost = lagrangian.losses(model, qd) @ qd
        # energy along q + t qd + t^2/2 qdd, its rate at t = 0
        x = Dual.of(one=q[None], e1=qd[None], e3=qd[None], e1e3=qdd[None])
        rate = (lagrangian.kinetic(model, x) + lagrangian.potential(model, x)).parts[E3, 0]
        assert tau @ qd == pytest.approx(rate + lost, abs=1e-8 * np.abs(tau * qd).sum())


@pytest.mark.sweep("arm", "tree")
@pytest.mark.parametrize("arguments", [*KINDS, {"floating": True, "kinds": ["revolute"]}], ids=["arm", "tree", "free"])
def test_undriven_and_undamped_motion_keeps_its_energy(arguments):
    tree = tree_model(3, skew=1.1, seed=2, drives=False, springs=0.3, **{"branching": 1.0, **arguments})
    places = ("parent", "child") if arguments.get("floating") else PLACES  # motors on the ground would push at it
    model = with_motors(tree, 3, 1.0, 0.6, places, friction=False, ratios=(6.0, -9.0)).replace(gravity=(0, 0, -2.0))
    robot = Robot(smooth(model))
    q, qd, _ = random_states(robot.model, seed=1)
    q[-len(model.elastic_motors) :] = q[-len(model.elastic_motors) :] / 3
    run = robot.simulate(q, qd, 1.5)
    size = np.abs(run.kinetic_energy).max()
    assert np.abs(run.energy - run.energy[0]).max() < 1e-8 * size
    assert np.ptp(run.spring_energy) > 0.01 * size
    if arguments.get("floating"):
        before, after = (robot.momentum(run.q[k], run.qd[k]) for k in (0, -1))
        weight = robot.total_mass * np.array(model.gravity) * run.t[-1]
        assert np.allclose(after[:3], before[:3] + weight, rtol=0, atol=1e-6 * np.abs(weight).max())
        assert np.allclose(after[3:], before[3:], rtol=0, atol=1e-6 * max(1.0, np.abs(before).max()))
