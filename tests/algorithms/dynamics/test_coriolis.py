"""The Coriolis matrix: its forces, its skewness, its symbols."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom import Robot
from lissom.algorithms.dynamics.crba import mass_matrix
from lissom.robots import tree_model
from lissom.tree import lump
from support.kinematics import rate_of_coordinates
from support.springs import undamped
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)
H = 1e-30


def mass_matrix_rate(model, q, rate):
    """Return the derivative of the mass matrix along a rate of coordinates, by a complex step through the recursion."""
    entries = mass_matrix(lump(model), [np.array([x]) for x in q + 1j * H * rate])
    return np.array([[np.imag(np.sum(x)) / H for x in row] for row in entries])


@given(trees(every=True), seeds)
def test_its_forces_are_those_of_the_velocities(model, seed):
    model = undamped(model.without_friction())
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    forces = robot.bias_torques(q, qd) - robot.gravity_torques(q)
    ours = np.einsum("nij,nj->ni", robot.coriolis_matrix(q, qd), qd)
    assert np.abs(ours - forces).max() < 1e-12 * max(1.0, np.abs(robot.bias_torques(q, qd)).max())


@given(trees(every=True), seeds)
def test_the_rate_of_the_mass_matrix_is_the_matrix_and_its_transpose(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    C = robot.coriolis_matrix(q, qd)
    rate = mass_matrix_rate(model, q, rate_of_coordinates(model, q, qd))
    assert np.abs(rate - C - C.T).max() < 1e-12 * max(1.0, np.abs(C).max())


@given(trees(kinds=["revolute", "continuous", "prismatic"], floating=False), seeds)
def test_it_is_made_of_christoffel_symbols(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    dM = np.array([mass_matrix_rate(model, q, unit) for unit in np.eye(model.nv)])  # dM[k, i, j] = dM_ij / dq_k
    symbols = 0.5 * (np.einsum("kij->ijk", dM) + np.einsum("jik->ijk", dM) - np.einsum("ijk->ijk", dM))
    ours = robot.coriolis_matrix(q, qd)
    assert np.abs(ours - symbols @ qd).max() < 1e-12 * max(1.0, np.abs(ours).max())


@pytest.mark.slow
def test_machine_code_agrees_with_numpy_and_writes_where_it_is_told():
    model = tree_model(5, seed=3, floating=True, coupled=0.4, tails=0.4)
    q, qd, _ = random_states(model, 11, seed=2)
    theirs = Robot(model, backend="numpy").coriolis_matrix(q, qd)
    compiled = Robot(model, backend="llvm")
    out = np.empty_like(theirs)
    assert compiled.coriolis_matrix(q, qd, out=out) is out
    assert error(out, theirs) < 1e-13
    assert error(compiled.coriolis_matrix(q[0], qd[0]), theirs[0]) < 1e-13


def test_branches_do_not_meet():
    robot = Robot(tree_model(2, branching=2, seed=1, kinds=["revolute"], floating=True), backend="numpy")
    q, qd, _ = random_states(robot.model, seed=1)
    C = robot.coriolis_matrix(q, qd)
    assert C[6, 7] == C[7, 6] == 0


@pytest.mark.parametrize("name", ["coriolis_matrix", "kinetic_energy", "potential_energy", "center_of_mass", "momentum"])
def test_operations_are_counted(name):
    count = Robot(tree_model(4, seed=1)).operation_count(name)
    assert count.multiplications > 0 and count.additions > 0
