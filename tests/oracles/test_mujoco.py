"""MuJoCo as judge of MJCF models: mj_inverse, with its own order of quaternions and axes of free joints."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from support.states import error

mujoco = pytest.importorskip("mujoco")
from support.mujoco_judge import MODELS, Judge, chain  # noqa: E402 - only where MuJoCo is installed

pytestmark = [pytest.mark.sweep(6), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
TOLERANCE = 1e-10


def load(tmp_path, text, backend):
    file = tmp_path / "model.xml"
    file.write_text(text)
    return Robot(lissom.load(file).model, backend=backend)


@pytest.mark.parametrize("name", MODELS)
def test_joint_forces_are_those_of_mujoco(tmp_path, name, backend):
    judge, robot = Judge(MODELS[name]), load(tmp_path, MODELS[name], backend)
    states = judge.states(9, seed=1)
    theirs = np.array([judge.tau(*state) for state in zip(*states, strict=True)])
    assert error(robot.inverse_dynamics(*states), theirs) < TOLERANCE
    still = 0 * states[1]
    gravity = np.array([judge.tau(*state) for state in zip(states[0], still, still, strict=True)])
    assert error(robot.gravity_torques(states[0]), gravity) < TOLERANCE


def test_accelerations_of_elastic_joints_are_those_of_mujoco(tmp_path, backend):
    judge, robot = Judge(MODELS["springs"]), load(tmp_path, MODELS["springs"], backend)
    for q, qd, tau in zip(*judge.states(9, seed=4), strict=True):
        judge.d.qpos[:], judge.d.qvel[:], judge.d.qfrc_applied[:] = q, qd, tau
        mujoco.mj_forward(judge.m, judge.d)
        assert error(robot.forward_dynamics(q, qd, tau), judge.d.qacc) < TOLERANCE


def test_friction_loss_is_that_of_mujoco(tmp_path, backend):
    # MuJoCo's friction is a soft constraint, which a fast joint without acceleration saturates
    text = chain(
        '<joint axis="0 1 0" frictionloss="0.7"/>', '<joint type="slide" axis="0 0 1" frictionloss="1.5" damping="0.2"/>'
    )
    judge, robot = Judge(text), load(tmp_path, text, backend)
    for q, qd, qdd in zip(*judge.states(9, seed=2), strict=True):
        fast, rest = 5 * np.sign(qd) + qd, 0 * qdd
        assert error(robot.inverse_dynamics(q, fast, rest), judge.tau(q, fast, rest)) < TOLERANCE


def test_passive_forces_are_mujocos_damping(tmp_path, backend):
    judge, robot = Judge(MODELS["damping"]), load(tmp_path, MODELS["damping"], backend)
    bare = Robot(robot.model.without_friction(), backend=backend)
    q, qd, qdd = (x[0] for x in judge.states(1, seed=3))
    judge.tau(q, qd, qdd)
    assert np.allclose(robot.inverse_dynamics(q, qd, qdd) - bare.inverse_dynamics(q, qd, qdd), -judge.d.qfrc_passive, atol=1e-12)


def test_coupled_joints_are_the_projection_of_mujocos(tmp_path, backend):
    text = (
        MODELS["hinges"].replace("<joint", '<joint name="j0"', 1).replace('<joint axis="1 0 0"', '<joint name="j1" axis="1 0 0"')
    )
    tied = text.replace("</mujoco>", '<equality><joint joint1="j1" joint2="j0" polycoef="0.2 -1.5 0 0 0"/></equality></mujoco>')
    judge, robot = Judge(text), load(tmp_path, tied, backend)
    assert robot.nv == 2
    G = np.array([[1, 0], [-1.5, 0], [0, 1]])
    rng = np.random.default_rng(4)
    for q, qd, qdd in rng.normal(size=(5, 3, 2)):
        theirs = G.T @ judge.tau(G @ q + [0, 0.2, 0], G @ qd, G @ qdd)
        assert error(robot.inverse_dynamics(q, qd, qdd), theirs) < TOLERANCE
