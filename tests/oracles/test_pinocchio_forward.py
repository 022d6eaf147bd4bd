"""Pinocchio as judge of forward dynamics and mass matrices, over every published robot.

Accelerations are compared through what they do: a mass matrix with condition 1e6 turns the last digit of a force into the tenth
of an acceleration, in any program. So the difference of two answers is measured by the forces that it stands for, and by itself.
"""

import numpy as np
import pytest

from lissom import ModelError, Robot
from lissom.algorithms.dynamics import singular
from lissom.read.urdf import read_urdf
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [pytest.mark.sweep(6), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
ROOT = {"fixed": (), "floating": (pin.JointModelFreeFlyer(),)}
COMPILED = ("ur5_robot.urdf", "panda.urdf", "g1_29dof_rev_1_0.urdf", "solo12.urdf", "human.urdf")


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_accelerations_and_mass_matrices_of_pinocchio(file, base):
    model = read_urdf(file, base=base, mimic=False)
    peer = Peer(model, pin.buildModelFromUrdf(str(file), *ROOT[base]))
    q, qd, qdd = random_states(model, 3, seed=6)
    robot = Robot(model, backend="llvm" if file.name in COMPILED else "numpy")
    if model.nv == 0:
        assert robot.forward_dynamics(q, qd, qdd).shape == (3, 0)
        return
    M = robot.mass_matrix(q)
    theirs = []
    for x in q:
        upper = np.triu(pin.crba(peer.model, peer.data, peer.q(x)))
        theirs.append(upper + np.triu(upper, 1).T)
    assert error(M, np.array(theirs)) < 1e-12

    tau = robot.inverse_dynamics(q, qd, qdd)
    if np.linalg.cond(M[0]) > 1e14:
        # joints that move nothing: no program can tell their accelerations
        with pytest.raises(ModelError, match=r"joint '\w+' has almost no inertia along its axis"):
            robot.forward_dynamics(q, qd, tau)
        return
    answer = robot.forward_dynamics(q, qd, tau)
    assert error(answer, qdd) < 1e-9  # forward dynamics undo inverse dynamics
    aba = np.array([pin.aba(peer.model, peer.data, peer.q(x), v, t).copy() for x, v, t in zip(q, qd, tau, strict=True)])
    forces = np.einsum("nij,nj->ni", M, answer - aba)
    assert np.abs(forces).max() < 1e-12 * np.abs(tau).max()
    # icub alone is worse than 1e-10: its mass matrix has condition 1e8, and Pinocchio's own round trip is off by 4e-9
    assert error(answer, aba) < max(1e-10, 1e-15 * np.linalg.cond(M).max())


@pytest.mark.sweep("a1.urdf-fixed", "ur5_robot.urdf-fixed", "go1.urdf-floating", "z1.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_no_published_robot_is_near_the_limit_of_singularity(file, base, monkeypatch):
    """What is refused is refused for a massless tip; a limit that is 1e5 times as high refuses the same robots."""
    model = read_urdf(file, base=base, mimic=False)
    q, qd, tau = random_states(model, 3, seed=3)
    refused = []
    for limit in (1e-12, 1e-7):
        monkeypatch.setattr(singular, "SINGULAR", limit)
        try:
            Robot(model, backend="numpy").forward_dynamics(q, qd, tau, method="articulated_body")
        except ModelError as error:
            refused.append(str(error).split("; in a mechanism")[0])
    assert not refused or (len(set(refused)) == 1 and len(refused) == 2 and "along its axis: 0 kg" in refused[0])
