"""MuJoCo as judge of MJCF models: mj_inverse, with its own order of quaternions and axes of free joints."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.model.pose import rotation_from_quaternion
from support.states import error

mujoco = pytest.importorskip("mujoco")
pytestmark = [pytest.mark.sweep(6), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
TOLERANCE = 1e-10

HEAD = '<option gravity="0.3 -0.2 -9.7"><flag contact="disable" limit="disable"/></option>'
BOX = '<geom type="box" size="0.1 0.2 0.3" pos="0.05 0.02 -0.1" euler="10 20 30" density="400"/>'
ROD = '<geom type="capsule" fromto="0 0 0 0.1 0.3 0.2" size="0.04"/>'


def chain(*bodies):
    """Nest bodies, each with its joints, in one another."""
    text = ""
    for k, joints in reversed(list(enumerate(bodies))):
        place = f'pos="0.{k + 1} -0.2 0.3" euler="{17 * k} 40 {-25 * k}"'
        text = f'<body name="b{k}" {place}>{joints}{BOX if k % 2 else ROD}{text}</body>'
    return f'<mujoco model="chain">{HEAD}<worldbody>{text}</worldbody></mujoco>'


HINGE = '<joint type="hinge" axis="0 1 1"/>'
MODELS = {
    "hinges": chain(HINGE, '<joint axis="1 0 0"/>', '<joint axis="1 2 -3"/>'),
    "anchors off the origin": chain('<joint axis="0 0 1" pos="0.1 -0.2 0.3"/>', '<joint axis="0 1 0" pos="-0.3 0.1 0"/>'),
    "slides": chain('<joint type="slide" axis="0 0 1"/>', '<joint type="slide" axis="1 1 0" pos="0.2 0 0"/>', HINGE),
    "references": chain('<joint axis="0 1 0" ref="30" pos="0.1 0 0.2"/>', '<joint type="slide" axis="1 0 2" ref="0.4"/>', HINGE),
    "ball": chain('<joint type="ball" pos="0.1 0.2 -0.1"/>', HINGE, '<joint type="ball"/>'),
    "free": chain("<freejoint/>", HINGE, '<joint type="slide" axis="0 1 1"/>'),
    "several joints a body": chain(
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1" pos="0.1 0 0"/>',
        '<joint axis="1 0 0" pos="0.2 0 0" ref="20"/><joint axis="0 1 0" pos="0 -0.1 0"/>',
    ),
    "armature": chain('<joint axis="0 1 0" armature="0.7"/>', '<joint type="slide" axis="0 0 1" armature="0.3"/>'),
    "damping": chain('<joint axis="0 1 0" damping="0.7"/>', '<joint type="slide" axis="0 0 1" damping="2" armature="0.1"/>'),
    "springs": chain(
        '<joint axis="0 1 0" stiffness="7" springref="20" armature="0.7"/>',
        '<joint type="slide" axis="0 0 1" ref="0.3" stiffness="30" springref="-0.2" damping="2"/>',
        '<joint axis="1 0 0" ref="40" stiffness="2"/>',
        HINGE,
    ),
    "welded": chain(HINGE, "", HINGE, ""),
    "branches": f'<mujoco>{HEAD}<worldbody><body name="a">{HINGE}{BOX}<body name="b" pos="0 0 1">{HINGE}{ROD}</body>'
    f'<body name="c" pos="0 1 0"><joint type="ball"/>{ROD}<body name="d" pos="1 0 0">{HINGE}{BOX}</body></body></body>'
    f'<body name="e" pos="3 3 3"><freejoint/>{BOX}</body></worldbody></mujoco>',
}


class Judge:
    """MuJoCo's inverse dynamics in lissom's coordinates."""

    def __init__(self, text) -> None:
        self.m = mujoco.MjModel.from_xml_string(text)
        self.d = mujoco.MjData(self.m)

    def tau(self, q, qd, qdd):
        m, d = self.m, self.d
        d.qpos[:], d.qvel[:], d.qacc[:] = q, qd, qdd
        free = []
        for j in range(m.njnt):
            at, v = m.jnt_qposadr[j], m.jnt_dofadr[j]
            if m.jnt_type[j] in (0, 1):
                at += 3 if m.jnt_type[j] == 0 else 0
                d.qpos[at : at + 4] = np.roll(q[at : at + 4], 1)
            if m.jnt_type[j] == 0:
                R, w = rotation_from_quaternion(q[at : at + 4]), qd[v + 3 : v + 6]
                d.qvel[v : v + 3] = R @ qd[v : v + 3]
                d.qacc[v : v + 3] = R @ (qdd[v : v + 3] + np.cross(w, qd[v : v + 3]))
                free.append((v, R))
        mujoco.mj_inverse(m, d)
        tau = d.qfrc_inverse.copy()
        for v, R in free:
            tau[v : v + 3] = R.T @ tau[v : v + 3]
        return tau

    def states(self, n, seed):
        rng = np.random.default_rng(seed)
        q = rng.uniform(-2, 2, (n, self.m.nq))
        for j in range(self.m.njnt):
            if self.m.jnt_type[j] in (0, 1):
                at = self.m.jnt_qposadr[j] + (3 if self.m.jnt_type[j] == 0 else 0)
                q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
        return q, rng.normal(size=(n, self.m.nv)), rng.normal(size=(n, self.m.nv))


def load(tmp_path, text, backend):
    file = tmp_path / "model.xml"
    file.write_text(text)
    return Robot(lissom.load(file).model, backend)


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
    bare = Robot(robot.model.without_friction(), backend)
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
