"""Pinocchio as judge: every published robot, random trees, external wrenches, moving bases, drives."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import BaseMotion, Joint, Link, Robot, Wrench
from lissom.read.urdf import read_urdf
from lissom.robots import tree_model
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [pytest.mark.sweep(6), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
TOLERANCE = 1e-12
ROOT = {"fixed": (), "floating": (pin.JointModelFreeFlyer(),)}


def load(file, base, mimic=False):
    model = read_urdf(file, base=base, mimic=mimic)
    return model, Peer(model, pin.buildModelFromUrdf(str(file), *ROOT[base]))


@pytest.mark.sweep("go1.urdf-fixed", "z1.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_joint_forces_of_pinocchio(file, base):
    model, peer = load(file, base)
    states = random_states(model, 9, seed=1)
    theirs = np.array([peer.tau(*state) for state in zip(*states, strict=True)])
    compiled = Robot(model, backend="llvm")
    assert error(compiled.inverse_dynamics(*states), theirs) < TOLERANCE
    assert error(Robot(model, backend="numpy").inverse_dynamics(*states), theirs) < TOLERANCE


@pytest.mark.sweep("z1.urdf-floating")
@pytest.mark.parametrize("base", [pytest.param("fixed", marks=pytest.mark.slow), "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_gravity_bias_and_wrenches_of_pinocchio(file, base):
    model, peer = load(file, base)
    q, qd, qdd = random_states(model, 9, seed=2)
    gravity = np.array([peer.gravity(x) for x in q])
    bias = np.array([peer.bias(x, v) for x, v in zip(q, qd, strict=True)])
    wrenches = np.array([peer.wrenches(*state) for state in zip(q, qd, qdd, strict=True)])
    for backend in ("llvm", "numpy"):
        robot = Robot(model, backend=backend)
        assert error(robot.gravity_torques(q), gravity) < TOLERANCE
        assert error(robot.bias_torques(q, qd), bias) < TOLERANCE
        assert error(robot.joint_wrenches(q, qd, qdd), wrenches) < TOLERANCE


@pytest.mark.sweep(3)
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_on_the_ground_have_the_gravity_bias_and_wrenches_of_pinocchio(file):
    model, peer = load(file, "fixed")
    q, qd, qdd = random_states(model, 3, seed=3)
    robot = Robot(model, backend="numpy")
    assert error(robot.gravity_torques(q), np.array([peer.gravity(x) for x in q])) < TOLERANCE
    assert error(robot.bias_torques(q, qd), np.array([peer.bias(x, v) for x, v in zip(q, qd, strict=True)])) < TOLERANCE
    theirs = np.array([peer.wrenches(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(robot.joint_wrenches(q, qd, qdd), theirs) < TOLERANCE
    # one state, as against a batch
    assert error(robot.joint_wrenches(q[0], qd[0], qdd[0]), theirs[0]) < TOLERANCE


MIMICS = [file for file in FILES if "<mimic" in file.read_text(errors="replace")]


def test_some_published_robots_have_mimic_joints():
    assert len(MIMICS) >= 10


@pytest.mark.sweep("romeo.urdf-fixed")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", MIMICS, ids=[file.name for file in MIMICS])
def test_mimic_joints_are_the_projection_of_the_full_robot(file, base):
    model, peer = load(file, base, mimic=True)
    assert peer.model.nv == model.nv + sum(j.coupling is not None for j in model.joints)
    states = random_states(model, 5, seed=4)
    theirs = np.array([peer.tau(*state) for state in zip(*states, strict=True)])
    assert error(Robot(model).inverse_dynamics(*states), theirs) < TOLERANCE


TREES = [
    {"n": 8, "seed": 1},
    {"n": 9, "seed": 2, "floating": True, "fixed": 0.4},
    {"n": 7, "seed": 3, "branching": 1, "tails": 0.6},
    {"n": 10, "seed": 4, "branching": 3, "coupled": 0.5, "tails": 0.3, "fixed": 0.3},
    {"n": 6, "seed": 5, "kinds": ["revolute"], "skew": 1e-5},
]


@pytest.fixture(params=TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items() if k != "kinds"))
def model(request):
    return tree_model(**request.param)


@pytest.mark.sweep(3)
def test_trees_have_the_forces_and_wrenches_of_pinocchio_and_the_friction_of_its_formula(model, backend):
    peer, robot = Peer(model), Robot(model, backend=backend)
    q, qd, qdd = random_states(model, 9, seed=5)
    friction = np.array([peer.friction(v) for v in qd])
    tau = np.array([peer.tau(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(robot.inverse_dynamics(q, qd, qdd), tau + friction) < TOLERANCE
    assert error(robot.gravity_torques(q), np.array([peer.gravity(x) for x in q])) < TOLERANCE
    bias = np.array([peer.tau(x, v, 0 * v) for x, v in zip(q, qd, strict=True)])
    assert error(robot.bias_torques(q, qd), bias + friction) < TOLERANCE
    wrenches = np.array([peer.wrenches(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(robot.joint_wrenches(q, qd, qdd), wrenches) < TOLERANCE


def test_rotor_inertia_adds_its_acceleration_and_friction_its_velocity(backend):
    model = tree_model(5, kinds=["revolute", "prismatic"], seed=8)
    bare = model.with_joints(lambda j: dataclasses.replace(j, friction=lissom.Friction(), rotor_inertia=0.0))
    q, qd, qdd = random_states(model, 4, seed=8)
    drives = [(j.rotor_inertia, j.friction.viscous, j.friction.coulomb) for j in model.joints]
    armature, damping, loss = np.array(drives).T
    added = armature * qdd + damping * qd + loss * np.sign(qd)
    ours = Robot(model, backend=backend).inverse_dynamics(q, qd, qdd) - Robot(bare, backend=backend).inverse_dynamics(q, qd, qdd)
    assert np.allclose(ours, added, rtol=0, atol=1e-12)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("frames", [("link",), ("world",), ("world", "link", "world")])
def test_external_wrenches_act_as_in_pinocchio(model, frames, backend):
    rng = np.random.default_rng(6)
    moved = [link.name for link in model.links if link.name.startswith(("link", "bracket", "trunk"))]
    chosen = rng.choice(moved, len(frames), replace=False)
    wrenches = {
        str(n): Wrench(rng.normal(size=3) * 9, rng.normal(size=3), axes=f, point=rng.normal(size=3))
        for n, f in zip(chosen, frames, strict=True)
    }
    peer, robot = Peer(model), Robot(model.without_friction(), backend=backend)
    q, qd, qdd = random_states(model, seed=7)
    fext = peer.external(q, wrenches)
    assert error(robot.inverse_dynamics(q, qd, qdd, external=wrenches), peer.tau(q, qd, qdd, fext)) < TOLERANCE
    assert error(robot.bias_torques(q, qd, external=wrenches), peer.tau(q, qd, 0 * qd, fext)) < TOLERANCE
    assert error(robot.gravity_torques(q, external=wrenches), peer.tau(q, 0 * qd, 0 * qd, fext)) < TOLERANCE
    assert error(robot.joint_wrenches(q, qd, qdd, external=wrenches), peer.wrenches(q, qd, qdd, fext)) < TOLERANCE


def test_external_wrenches_take_batches(backend):
    model = tree_model(5, seed=9, drives=False)
    peer, robot = Peer(model), Robot(model, backend=backend)
    q, qd, qdd = random_states(model, (2, 3), seed=7)
    rng = np.random.default_rng(7)
    force, point = rng.normal(size=(2, 3, 3)), rng.normal(size=(3, 3))
    tau = robot.inverse_dynamics(
        q, qd, qdd, external={"link_5": Wrench(force, axes="world", point=point), "link_2": Wrench((0, 0, 9), axes="link")}
    )
    for i in np.ndindex(2, 3):
        one = {"link_5": Wrench(force[i], axes="world", point=point[i[1]]), "link_2": Wrench((0, 0, 9), axes="link")}
        assert error(tau[i], peer.tau(q[i], qd[i], qdd[i], peer.external(q[i], one))) < TOLERANCE


def test_wrench_on_the_base_moves_nothing(backend):
    model = tree_model(4, seed=2)
    robot = Robot(model, backend=backend)
    state = random_states(model, seed=1)
    assert np.array_equal(
        robot.inverse_dynamics(*state, external={"ground": Wrench((1, 2, 3), axes="world")}), robot.inverse_dynamics(*state)
    )


def freed(model):
    """Return the same robot on a floating joint."""
    return model.replace(
        links=(Link("space"), *model.links), joints=(Joint("free", "floating", "space", model.base), *model.joints)
    )


@pytest.mark.sweep("llvm-1", "numpy")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_prescribed_base_motion_is_that_of_a_free_flyer(seed, backend):
    model = tree_model(7, seed=seed, drives=False, coupled=0.3, tails=0.3)
    peer, robot = Peer(freed(model)), Robot(model, backend=backend)
    rng = np.random.default_rng(seed)
    (q, qd, qdd), (p, v, w, a, dw) = random_states(model, seed=seed), rng.normal(size=(5, 3))
    orientation = rng.normal(size=4)
    motion = BaseMotion(orientation, w, a, dw)
    # Pinocchio's acceleration is spatial, lissom's that of the origin: they differ by w x v
    state = np.concatenate([p, orientation, q]), np.concatenate([v, w, qd]), np.concatenate([a - np.cross(w, v), dw, qdd])
    wrenches = {"link_7": Wrench(rng.normal(size=3), rng.normal(size=3), axes="world", point=rng.normal(size=3))}
    fext = peer.external(state[0], wrenches)
    ours = robot.inverse_dynamics(q, qd, qdd, external=wrenches, base_motion=motion)
    assert error(ours, peer.tau(*state, fext)[6:]) < TOLERANCE
    assert (
        error(robot.joint_wrenches(q, qd, qdd, external=wrenches, base_motion=motion), peer.wrenches(*state, fext)[1:])
        < TOLERANCE
    )
    still = np.concatenate([v, w, qd]), np.concatenate([a - np.cross(w, v), dw, 0 * qdd])
    assert error(robot.bias_torques(q, qd, base_motion=motion), peer.tau(state[0], *still)[6:]) < TOLERANCE


def test_joint_wrenches_in_the_world_follow_a_turned_base(backend):
    model = tree_model(4, seed=4)
    robot, state = Robot(model, backend=backend), random_states(model, seed=4)
    motion = BaseMotion((0.3, -0.5, 0.2, 0.8))
    peer = Peer(freed(model))
    wrenches = robot.joint_wrenches(*state, axes="world", base_motion=motion)
    in_joint = robot.joint_wrenches(*state, base_motion=motion)
    full = np.concatenate([np.zeros(3), motion.orientation, state[0]])
    for joint, own, world in zip((j for j in model.joints if j.kind.nv), in_joint, wrenches, strict=True):
        R = peer.world(full, joint.child).rotation @ joint.tail.R.T
        assert np.allclose(world, [*(R @ own[:3]), *(R @ own[3:])], rtol=0, atol=1e-11)


@pytest.mark.parametrize("size", [1e3, 1e6, 1e9])
def test_large_angles_are_those_of_pinocchio(size, backend):
    model = tree_model(8, kinds=["revolute", "continuous"], seed=3, drives=False)
    peer, robot = Peer(model), Robot(model, backend=backend)
    q, qd, qdd = random_states(model, 5, seed=3)
    q *= size / 3
    theirs = np.array([peer.tau(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(robot.inverse_dynamics(q, qd, qdd), theirs) < TOLERANCE


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [20, *(pytest.param(n, marks=pytest.mark.slow) for n in (60, 300))])
@pytest.mark.parametrize("branching", [1, 2])
def test_long_chains_and_large_trees_have_the_forces_of_pinocchio(n, branching):
    model = tree_model(n, branching=branching, seed=1, kinds=["revolute", "continuous", "prismatic"], floating=True)
    peer, robot = Peer(model), Robot(model, backend="llvm")
    q, qd, qdd = random_states(model, 21, seed=1, size=0.1)
    theirs = np.array([peer.tau(*state) + peer.friction(state[1]) for state in zip(q, qd, qdd, strict=True)])
    assert error(robot.inverse_dynamics(q, qd, qdd), theirs) < TOLERANCE
    assert error(robot.inverse_dynamics(q[3], qd[3], qdd[3]), theirs[3]) < TOLERANCE
