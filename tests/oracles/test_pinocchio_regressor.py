"""Pinocchio's regressor, column by column, and its derivatives along joints that are put in where frames are displaced."""

import dataclasses

import numpy as np
import pytest

from lissom import Joint, Link, Pose, Robot
from lissom.model import JointKind
from lissom.read import load_model
from lissom.robots import puma560_model, stanford_model, tree_model
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [
    pytest.mark.sweep(3),
    pytest.mark.filterwarnings("ignore::lissom.ModelWarning"),
    pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning"),
]
TOLERANCE = 1e-11
ROOT = {"fixed": (), "floating": (pin.JointModelFreeFlyer(),)}


def their_regressor(peer, q, qd, qdd):
    """Return Pinocchio's regressor for the velocities of lissom: ten columns for each of its joints."""
    full = pin.computeJointTorqueRegressor(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ qdd)
    return peer.G.T @ full


def moved(pose):
    """Return the matrix that takes the parameters of a link to a frame in which it stands at `pose`, by Pinocchio."""
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for _ in range(12):
        inertia = pin.Inertia(rng.uniform(1, 2), rng.normal(size=3), pin.Inertia.Random().inertia)
        ours.append(inertia.toDynamicParameters())
        theirs.append(pose.act(inertia).toDynamicParameters())
    return np.linalg.lstsq(np.array(ours), np.array(theirs), rcond=None)[0].T


@pytest.mark.sweep("llvm-0", "numpy-4")
@pytest.mark.parametrize("seed", range(5))
def test_columns_are_those_of_pinocchio_where_no_link_is_fixed(seed, backend):
    kinds = ["revolute", "continuous", "prismatic", "spherical"]
    model = tree_model(7, seed=seed, kinds=kinds, floating=seed % 2 == 0, coupled=0.3 * (seed == 3))
    peer, robot = Peer(model), Robot(model, backend=backend)
    q, qd, qdd = random_states(model, 3, seed=seed)
    theirs = np.array([their_regressor(peer, *state) for state in zip(q, qd, qdd, strict=True)])
    ours = robot.inverse_dynamics_regressor(q, qd, qdd, drives=False)
    for link in model.links:
        own, index = slice(10 * robot.link_names.index(link.name), None), peer.places[link.name][0]
        columns = ours[..., own][..., :10]
        if not index:
            assert not columns.any()  # the ground
            continue
        assert error(columns, theirs[..., 10 * (index - 1) : 10 * index]) < TOLERANCE
        parameters = robot.inertial_parameters(drives=False)[own][:10]
        assert np.allclose(parameters, peer.model.inertias[index].toDynamicParameters(), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_every_link_of_published_robots_has_the_columns_of_pinocchio(file, base):
    model = load_model(file, base=base, mimic=False)
    peer, robot = Peer(model, pin.buildModelFromUrdf(str(file), *ROOT[base])), Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, 2, seed=1)
    ours = robot.inverse_dynamics_regressor(q, qd, qdd)
    for n, state in enumerate(zip(q, qd, qdd, strict=True)):
        theirs = their_regressor(peer, *state)
        for k, link in enumerate(model.links):
            index, pose = peer.places[link.name]
            expected = theirs[:, 10 * (index - 1) : 10 * index] @ moved(pose) if index else np.zeros((model.nv, 10))
            assert np.allclose(ours[n, :, 10 * k : 10 * k + 10], expected, rtol=0, atol=TOLERANCE * np.abs(theirs).max(initial=1))
    assert error(ours @ robot.inertial_parameters(), robot.inverse_dynamics(q, qd, qdd)) < TOLERANCE


@pytest.mark.sweep("ur5")
@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf", pytest.param("talos_reduced.urdf", marks=pytest.mark.slow)])
def test_compiled_regressors_of_published_robots_give_the_forces_of_pinocchio(name):
    model = load_model(next(file for file in FILES if file.name == name), base="floating")
    peer, robot = Peer(model), Robot(model, backend="llvm")
    states = random_states(model, 11, seed=2)
    theirs = np.array([peer.tau(*state) for state in zip(*states, strict=True)])
    assert error(robot.inverse_dynamics_regressor(*states) @ robot.inertial_parameters(), theirs) < TOLERANCE


def with_free_joint(model, name, part):
    """Return the model with a joint that can move in every direction in the place of a joint's origin or tail."""
    old = model.joint(name)
    if part == "origin":
        first = Joint("put_in", "floating", old.parent, "between", old.origin)
        second = dataclasses.replace(old, parent="between", origin=Pose())
    else:
        first = dataclasses.replace(old, child="between", tail=Pose())
        second = Joint("put_in", "floating", "between", old.child, old.tail)
    joints = [x for joint in model.joints for x in ((first, second) if joint is old else (joint,))]
    return model.replace(links=(*model.links, Link("between", massless=True)), joints=tuple(joints))


def derivatives_along_free_joint(model, name, part, q, qd, qdd):
    """Return d tau (nv, 6) by a displacement: Pinocchio's derivative by the coordinates of a joint that stands still."""
    peer, own = Peer(with_free_joint(model, name, part)), Peer(model)
    index = peer.model.getJointId("put_in")
    full, speed, rate = pin.neutral(peer.model), np.zeros(peer.model.nv), np.zeros(peer.model.nv)
    chosen = np.zeros((own.model.nv, peer.model.nv))
    theirs, v, a = own.q(q), own.G @ qd, own.G @ qdd
    for k in own.ids:
        old = own.model.joints[k]
        new = peer.model.joints[peer.model.getJointId(own.model.names[k])]
        full[new.idx_q : new.idx_q + new.nq] = theirs[old.idx_q : old.idx_q + old.nq]
        speed[new.idx_v : new.idx_v + new.nv] = v[old.idx_v : old.idx_v + old.nv]
        rate[new.idx_v : new.idx_v + new.nv] = a[old.idx_v : old.idx_v + old.nv]
        chosen[old.idx_v : old.idx_v + old.nv, new.idx_v : new.idx_v + new.nv] = np.eye(old.nv)
    by_q = pin.computeRNEADerivatives(peer.model, peer.data, full, speed, rate)[0]
    start = peer.model.joints[index].idx_v
    return own.G.T @ chosen @ by_q[:, start : start + 6]


@pytest.mark.sweep(
    "numpy-chain-origin", "numpy-floating-tail", "numpy-coupled-origin", "numpy-puma-tail", "numpy-stanford-origin"
)
@pytest.mark.parametrize("part", ["origin", "tail"])
@pytest.mark.parametrize(
    "model",
    [
        tree_model(5, seed=1, branching=1, kinds=["revolute", "prismatic"], tails=0.5),
        tree_model(6, seed=2, floating=True, fixed=0.4, tails=0.5),
        tree_model(7, seed=3, branching=2, coupled=0.6, fixed=0.3, tails=0.3),
        puma560_model(),
        stanford_model(),
    ],
    ids=["chain", "floating", "coupled", "puma", "stanford"],
)
def test_displaced_frames_are_joints_that_stand_still_in_pinocchio(model, part, backend):
    robot = Robot(model, backend=backend)
    q, qd, qdd = state = random_states(model, seed=4)
    ours = robot.inverse_dynamics_geometry_derivatives(*state, part=part)
    theirs = [derivatives_along_free_joint(model, name, part, q, qd, qdd) for name in robot.moving_joint_names]
    assert error(ours, np.stack(theirs, axis=1)) < TOLERANCE


@pytest.mark.sweep("ur5_robot.urdf-fixed", "solo12.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf", "solo12.urdf", "talos_reduced.urdf"])
def test_a_turn_about_the_axis_is_a_turn_of_the_joint_in_published_robots(name, base):
    # by a coordinate: the frame displaced along or about its own axis; Pinocchio has the derivative by q
    model = load_model(next(file for file in FILES if file.name == name), base=base, mimic=False)
    peer, robot = Peer(model), Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=6)
    by_q = peer.G.T @ pin.computeRNEADerivatives(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ qdd)[0] @ peer.G
    ours = robot.inverse_dynamics_geometry_derivatives(q, qd, qdd)
    for k, joint in enumerate(peer.moving):
        if joint.kind.nv == 1:
            first = 0 if joint.kind is JointKind.PRISMATIC else 3
            along = ours[:, k, first : first + 3] @ joint.axis
            column = by_q[:, peer.starts[joint.name][1]]
            assert np.allclose(along, column, rtol=0, atol=TOLERANCE * max(1.0, np.abs(by_q).max()))
