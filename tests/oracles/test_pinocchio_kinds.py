"""Helical and universal joints against Pinocchio's own."""

import numpy as np
import pytest

from lissom import Robot
from lissom.robots import tree_model
from lissom.write.chains import with_chains
from support.states import random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

KINDS = ["helical", "universal", "revolute", "prismatic"]
TREES = [
    {"n": 1, "seed": 0, "kinds": ["helical"]},
    {"n": 1, "seed": 1, "kinds": ["universal"]},
    {"n": 5, "seed": 2, "kinds": ["helical"], "branching": 1.0},
    {"n": 4, "seed": 3, "kinds": ["universal"], "tails": 0.5},
    {"n": 7, "seed": 4, "kinds": KINDS, "floating": True, "tails": 0.5, "fixed": 0.3},
    {"n": 7, "seed": 5, "kinds": KINDS, "branching": 3.0, "skew": 1.57},
]


def close(ours, theirs, tolerance=1e-12):
    return np.abs(ours - theirs).max() < tolerance * max(1.0, np.abs(theirs).max())


@pytest.fixture(params=TREES, ids=lambda given: f"{given['n']} {' '.join(given['kinds'])} {given['seed']}")
def model(request):
    return tree_model(drives=False, **request.param)


@pytest.mark.sweep("4 universal", "numpy")
def test_forces_accelerations_and_the_mass_matrix_are_those_of_pinocchio(model, backend):
    peer, robot = Peer(model), Robot(model, backend=backend)
    q, qd, qdd = random_states(model, seed=1)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert close(tau, peer.tau(q, qd, qdd))
    assert close(robot.bias_torques(q, qd), peer.bias(q, qd))
    assert close(robot.gravity_torques(q), peer.gravity(q))
    M = pin.crba(peer.model, peer.data, peer.q(q))
    M = np.triu(M) + np.triu(M, 1).T
    assert close(robot.mass_matrix(q), peer.G.T @ M @ peer.G)
    for method in ("articulated_body", "mass_matrix"):
        found = robot.forward_dynamics(q, qd, tau, method=method)
        assert close(found, qdd, 1e-9)
        assert close(peer.G @ found, pin.aba(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ tau), 1e-9)


def test_energies_and_momenta_are_those_of_pinocchio(model):
    peer, robot = Peer(model), Robot(model, backend="numpy")
    q, qd, _ = random_states(model, seed=2)
    x, v = peer.q(q), peer.G @ qd
    assert close(robot.kinetic_energy(q, qd), pin.computeKineticEnergy(peer.model, peer.data, x, v))
    assert close(robot.potential_energy(q), pin.computePotentialEnergy(peer.model, peer.data, x))
    pin.ccrba(peer.model, peer.data, x, v)
    assert close(robot.momentum(q, qd), peer.data.hg.vector)
    assert close(robot.centroidal_momentum_matrix(q), np.reshape(peer.data.Ag, (6, -1)) @ peer.G)


def test_derivatives_and_the_coriolis_matrix_are_those_of_pinocchio(model):
    """By chains of two joints: Pinocchio takes the directions of a universal joint as constant, and C qd is not the bias."""
    peer, robot = Peer(with_chains(model)), Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=3)
    theirs = pin.computeRNEADerivatives(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ qdd)
    ours = robot.inverse_dynamics_derivatives(q, qd, qdd)
    for a, b in zip(list(ours)[:2], theirs[:2], strict=True):
        assert close(a, peer.G.T @ b @ peer.G)
    C = pin.computeCoriolisMatrix(peer.model, peer.data, peer.q(q), peer.G @ qd)
    assert close(robot.coriolis_matrix(q, qd), peer.G.T @ C @ peer.G)


def test_links_stand_and_move_where_those_of_pinocchio_do(model):
    peer, robot = Peer(model), Robot(model, backend="numpy")
    q, qd, _ = random_states(model, seed=4)
    for link in robot.link_names:
        assert close(robot.link_pose(q, link), peer.world(q, link).homogeneous)
    link = robot.link_names[-1]
    assert close(robot.jacobian(q, link) @ qd, robot.link_velocity(q, qd, link))
