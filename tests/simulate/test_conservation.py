"""What physics keeps: energy of undriven trees, momentum of free ones, and what forces put in."""

import dataclasses

import numpy as np
import pinocchio as pin
import pytest

from lissom import Robot, Wrench
from lissom.robots import planar_two_link, tree_model
from support.peer import Peer
from support.states import random_states

TREES = [
    {"n": 4, "kinds": ["revolute"]},
    {"n": 6, "coupled": 0.3},
    {"n": 6, "branching": 3, "tails": 0.5},
    {"n": 5, "floating": True, "branching": 2},
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("arguments", TREES, ids=str)
def test_energy_of_an_undriven_frictionless_tree_is_kept_over_ten_seconds(arguments, seed):
    robot = Robot(tree_model(seed=seed, drives=False, **arguments))
    q, qd, _ = random_states(robot.model, seed=seed)
    trajectory = robot.simulate(q, qd, 10.0)
    energy, size = trajectory.energy, np.abs(trajectory.kinetic_energy).max()
    assert np.abs(energy - energy[0]).max() < 1e-8 * size
    assert size > 1.0


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_momentum_of_a_floating_tree_in_free_space_is_kept(seed):
    kinds = ["revolute", "spherical", "prismatic", "planar"]
    model = tree_model(5, 2, seed=seed, floating=True, drives=False, kinds=kinds).replace(gravity=(0, 0, 0))
    q, qd, _ = random_states(model, seed=seed)
    trajectory = Robot(model).simulate(q, qd, 10.0, sample=0.1)
    peer = Peer(model)
    momenta = [
        pin.computeCentroidalMomentum(peer.model, peer.data, peer.q(a), peer.G @ b).vector.copy()
        for a, b in zip(trajectory.q, trajectory.qd, strict=True)
    ]
    assert np.abs(np.array(momenta) - momenta[0]).max() < 1e-9 * np.abs(momenta[0]).max()


@pytest.mark.slow
def test_a_falling_tree_falls_as_one(seed=3):
    model = tree_model(4, floating=True, seed=seed, drives=False, kinds=["revolute", "spherical"])
    robot = Robot(model)
    q, qd, _ = random_states(model, seed=seed)
    trajectory = robot.simulate(q, qd, 2.0)
    peer, t = Peer(model), trajectory.t[:, None]
    com = np.array([pin.centerOfMass(peer.model, peer.data, peer.q(a), peer.G @ qd).copy() for a in trajectory.q])
    velocity = pin.centerOfMass(peer.model, peer.data, peer.q(q), peer.G @ qd) * 0 + peer.data.vcom[0]
    assert np.abs(com - (com[0] + velocity * t + 0.5 * np.array(model.gravity) * t**2)).max() < 1e-9 * np.abs(com).max()


def test_what_forces_do_is_the_change_of_energy():
    robot = planar_two_link()
    trajectory = robot.simulate([0.3, 0.4], [0.0, 0.0], 1.0, lambda t, q, qd: np.array([3 * np.sin(5 * t), -1.0]), sample=1e-3)
    power = (trajectory.tau * trajectory.qd).sum(axis=1)
    work = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(trajectory.t))])
    assert np.abs(trajectory.energy - trajectory.energy[0] - work).max() < 1e-4 * np.abs(work).max()


def test_friction_takes_energy_away():
    model = tree_model(3, kinds=["revolute"], seed=1)
    model = model.with_joints(lambda j: dataclasses.replace(j, friction=dataclasses.replace(j.friction, coulomb=0.0)))
    q, qd, _ = random_states(model)
    energy = Robot(model).simulate(q, qd, 3.0).energy
    assert (np.diff(energy) < 1e-9).all() and energy[-1] < energy[0]


@pytest.mark.sweep("adaptive")
@pytest.mark.parametrize("method", ["adaptive", "rk4"])
def test_a_push_accelerates_a_free_body(method):
    model = tree_model(1, floating=True, kinds=["revolute"], drives=False, seed=2).replace(gravity=(0, 0, 0))
    robot = Robot(model)
    mass = sum(link.inertia.mass for link in model.links if link.inertia is not None)
    push = Wrench((1.0, -2.0, 3.0), axes="world")
    options = {} if method == "adaptive" else {"dt": 1e-3}
    trajectory = robot.simulate(robot.neutral(), np.zeros(7), 1.0, external={"trunk": push}, method=method, **options)
    peer = Peer(model)
    pin.centerOfMass(peer.model, peer.data, peer.q(trajectory.end.q), peer.G @ trajectory.end.qd)
    assert np.allclose(peer.data.vcom[0], push.force / mass, rtol=1e-9)
