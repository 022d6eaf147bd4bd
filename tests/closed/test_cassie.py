"""Cassie: a floating base, four loops, springs, and rods that spin about their own axes."""

import mujoco
import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, ModelError
from support.cassie import DRIVEN, cassie_mjcf
from support.states import error

pytestmark = pytest.mark.filterwarnings("ignore:.*are ignored. it has more than one axis")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("cassie") / "cassie.xml"
    path.write_text(cassie_mjcf())
    return path


@pytest.fixture(scope="module")
def robot(file):
    return ClosedRobot(lissom.load(file).model, backend="numpy")


def some_state(robot, seed=0):
    """Return a closed configuration near home with the base anywhere, velocities, accelerations."""
    rng = np.random.default_rng(seed)
    names = list(robot.coordinate_names)
    q = robot.home()
    q[:7] = rng.normal(size=7)
    for side in ("left", "right"):
        for name in DRIVEN:
            q[names.index(f"{side}-{name}")] += rng.uniform(-0.1, 0.1)
        q[names.index(f"{side}-shin")] += rng.uniform(-0.02, 0.02)
    return robot.coordinates(robot.closure(q)), rng.normal(size=robot.nv), rng.normal(size=robot.nv)


@pytest.mark.slow
def test_it_loads_closes_and_moves(robot):
    assert robot.mobility().degrees_of_freedom == robot.nv == 22
    assert robot.nq == 29
    assert repr(robot) == "<ClosedRobot 'cassie': 4 loops, nq = 29, nv = 22, 10 drives, 12 free velocities>"
    assert robot.model.active == tuple(f"{side}-{name}" for side in ("left", "right") for name in DRIVEN)
    free = {"left-shin", "left-heel-spring", "left-achilles-rod_wx", "right-shin", "right-heel-spring", "right-achilles-rod_wx"}
    assert free < set(robot.free_names) and len(robot.free_names) == 12
    q, qd, qdd = some_state(robot)
    assert robot.closure_error(robot.closure(q)) < 1e-14
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(robot.forward_dynamics(q, qd, tau), qdd) < 1e-10
    assert error(robot.mass_matrix(q) @ qdd + robot.bias_torques(q, qd), tau) < 1e-11


@pytest.mark.slow
def test_mujoco_gives_the_same_accelerations(file, robot):
    """MuJoCo's mass matrix, bias, springs, dampers and constraint Jacobian, its constraints made hard here."""
    m = mujoco.MjModel.from_xml_path(str(file))
    for j in np.flatnonzero(m.jnt_type == mujoco.mjtJoint.mjJNT_BALL).tolist():
        m.dof_damping[m.jnt_dofadr[j] : m.jnt_dofadr[j] + 3] = 0.0  # lissom warns that it leaves it out
    d = mujoco.MjData(m)
    q, qd, qdd = some_state(robot)
    tree, v, a = robot.tree_motion(q, qd, qdd)
    forces = np.zeros(robot.model.nv)
    forces[list(robot.plan.active)] = robot.inverse_dynamics(q, qd, qdd)

    def to_mujoco(tree):
        """Return qpos: quaternions have w first."""
        x, at = [], 0
        for joint in robot.model.independent_joints:
            own = tree[at : at + joint.kind.nq]
            x += [*own[:-4], own[-1], *own[-4:-1]] if joint.kind.nq > joint.kind.nv else list(own)
            at += joint.kind.nq
        return np.array(x)

    def rotation(tree):
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, to_mujoco(tree)[3:7])
        return R.reshape(3, 3)

    def jacobian(tree):
        """Return K of the equalities along lissom's velocities: those of a free body are its own, in its own axes."""
        d.qpos[:] = to_mujoco(tree)
        mujoco.mj_forward(m, d)
        K = d.efc_J.reshape(-1, m.nv)[:12].copy()
        K[:, :3] = K[:, :3] @ rotation(tree)
        return K

    K, h = jacobian(tree), 1e-6
    rate = [jacobian(lissom.manifold.integrate_configuration(robot.model, tree, s * h * v)) for s in (1, -1)]
    bias = (rate[0] - rate[1]) / (2 * h) @ v
    R = rotation(tree)
    world = v.copy()
    world[:3] = R @ v[:3]
    d.qpos[:], d.qvel[:] = to_mujoco(tree), world
    mujoco.mj_forward(m, d)
    M = np.zeros((m.nv, m.nv))
    for k in range(m.nv):
        mujoco.mj_mulM(m, d, M[k], np.eye(m.nv)[k])
    passive = d.qfrc_passive - d.qfrc_bias
    turn = np.eye(m.nv)
    turn[:3, :3] = R
    M, passive = turn.T @ M @ turn, turn.T @ passive
    # the acceleration of a free body in its own axes lacks w x v of the world's
    lag = np.zeros(m.nv)
    lag[:3] = np.cross(v[3:6], v[:3])
    right = forces + passive - M @ lag
    whole = np.block([[M, K.T], [K, np.zeros((12, 12))]])
    found = np.linalg.lstsq(whole, np.concatenate([right, -bias]), rcond=1e-10)[0][: m.nv]
    assert np.abs(K @ v).max() < 1e-10
    assert error(a, found) < 1e-6


@pytest.mark.slow
def test_it_falls_without_losing_momentum(tmp_path):
    path = tmp_path / "cassie.xml"
    path.write_text(cassie_mjcf(damped=False))
    robot = lissom.load(path)
    q, qd, _ = some_state(robot)
    motion = robot.simulate(q, 0.3 * qd, duration=0.1)
    h = robot.tree.momentum(motion.tree_q, motion.tree_qd)
    mass = sum(link.inertia.mass for link in robot.model.links if link.inertia)
    fall = h[:, :3] - mass * motion.t[:, None] * np.array(robot.model.gravity)
    assert np.abs(fall - h[0, :3]).max() < 1e-10
    assert np.abs(h[:, 3:] - h[0, 3:]).max() < 1e-10
    assert np.ptp(motion.energy) < 1e-9
    assert motion.closure_error.max() < 1e-13


@pytest.mark.slow
def test_a_dead_point_is_named_and_the_advice_works(tmp_path):
    """Where the file has no keyframe, cranks and plantar rods begin in one line."""
    path = tmp_path / "cassie.xml"
    path.write_text(cassie_mjcf(home=False))
    robot = lissom.load(path)
    assert "dead point" in repr(robot)
    with pytest.raises(ModelError, match="dead point, where active joint 'left-foot' does not move.*posture="):
        robot.nq  # noqa: B018
    bent = {"left-foot": -1.5, "right-foot": -1.5, "left-foot-crank": -1.5, "right-foot-crank": -1.5}
    assert ClosedRobot(robot.model, backend="numpy", posture=bent | {"left-plantar-rod": 1.5, "right-plantar-rod": 1.5}).nv == 22
