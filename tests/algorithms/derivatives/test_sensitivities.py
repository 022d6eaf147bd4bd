"""Sensitivities against complex steps through the functions themselves, identities, closed forms, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import BaseMotion, Friction, Robot, Wrench
from lissom.algorithms.dynamics import forward_dynamics, inverse_dynamics
from lissom.algorithms.dynamics.inverse_dynamics import WRENCH_AXES
from lissom.model import JointKind
from lissom.model.pose import rotation_from_quaternion
from lissom.robot.check import COMPONENTS
from support.complex_step import jacobians
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)


def random_loads(model, seed, moving):
    """Return external wrenches in both frames, off the links' origins, and a motion of the base: arguments of a robot's call."""
    rng = np.random.default_rng(seed)
    links = [link.name for link in model.links[1:]]
    chosen = rng.choice(links, size=min(len(links), 3), replace=False)
    frames = rng.permutation(["world", "link", "world"])
    external = {
        str(link): Wrench(*(10 * rng.normal(size=(2, 3))), axes=str(axes), point=rng.normal(size=3))
        for link, axes in zip(chosen, frames, strict=False)
    }
    ride = BaseMotion(*(rng.normal(size=size) for size in (4, 3, 3, 3)))
    return {"external": external, "base_motion": ride if moving else None}


def expected(robot, maker, state, loads=None, **options):
    """Return the derivatives of a task by complex steps, in the order of its state."""
    packed, told = robot._loads(**(loads or {"external": None, "base_motion": None}))
    return list(jacobians(robot.model, maker(robot.model, **told, **options), *state, *packed).values())


def same(ours, theirs, tolerance=1e-12):
    """Compare table by table, as shares of the largest entry of each."""
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert error(a, b.reshape(a.shape)) < tolerance


def of_any_length(model, q, seed):
    """Return q with quaternions of other lengths than one."""
    rng, q, start = np.random.default_rng(seed), np.array(q), 0
    for joint in model.independent_joints:
        start += joint.kind.nq
        if joint.kind.nq > joint.kind.nv:
            q[..., start - 4 : start] *= rng.uniform(0.5, 2.0)
    return q


# against complex steps


@given(trees(every=True), seeds, st.booleans())
@settings(max_examples=40)
def test_joint_forces_change_as_complex_steps_say(model, seed, moving):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    state, loads = (of_any_length(model, q, seed), qd, qdd), random_loads(model, seed, moving)
    ours = robot.inverse_dynamics_derivatives(*state, **loads)
    same(ours, expected(robot, inverse_dynamics.inverse_dynamics, state, loads))
    # packed: the same numbers, and nothing outside them
    rows, columns = robot.derivatives_entries
    packed = robot.inverse_dynamics_derivatives(*state, packed=True, **loads)
    for whole, part in zip(ours, packed, strict=True):
        rebuilt = np.zeros_like(whole)
        rebuilt[rows, columns] = part
        assert np.array_equal(rebuilt, whole)


@given(trees(every=True), seeds, st.sampled_from(WRENCH_AXES), st.booleans())
@settings(max_examples=40)
def test_wrenches_inside_joints_change_as_complex_steps_say(model, seed, axes, moving):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    state, loads = (of_any_length(model, q, seed), qd, qdd), random_loads(model, seed, moving)
    ours = robot.joint_wrench_derivatives(*state, axes=axes, **loads)
    theirs = expected(robot, inverse_dynamics.joint_wrenches, state, loads, axes=axes)
    same(ours, theirs)
    # some joints and components, in an order of their own
    rng = np.random.default_rng(seed)
    n = len(robot.moving_joint_names)
    joints, components = (rng.permutation(k)[: rng.integers(1, k + 1)] for k in (n, 6))
    names = [robot.moving_joint_names[k] for k in joints], [COMPONENTS[k] for k in components]
    some = robot.joint_wrench_derivatives(*state, axes=axes, joints=names[0], components=names[1], **loads)
    for part, whole in zip(some, ours, strict=True):
        assert part.shape == (len(joints), len(components), model.nv)
        assert error(part, whole[joints][:, components]) < 1e-13


@given(trees(every=True), seeds, st.booleans())
@settings(max_examples=30)
def test_accelerations_change_as_complex_steps_say(model, seed, moving):
    robot = Robot(model, backend="numpy")
    q, qd, tau = random_states(model, seed=seed)
    state, loads = (of_any_length(model, q, seed), qd, tau), random_loads(model, seed, moving)
    ours = robot.forward_dynamics_derivatives(*state, **loads)
    theirs = expected(robot, forward_dynamics.forward_dynamics, state, loads)
    # accelerations are as sharp as the mass matrix is regular: so are the forces that their difference stands for
    M = robot.mass_matrix(state[0])
    for a, b in zip(ours, theirs, strict=True):
        assert np.abs(M @ (a - b)).max() <= 1e-12 * (np.abs(M) @ np.abs(b)).max() + 1e-15  # terms of size 1 may cancel
    tolerance = 1e-10 if np.linalg.cond(M) < 1e4 else 1e-14 * np.linalg.cond(M)
    for a, b in zip(ours, theirs, strict=True):
        assert np.abs(a - b).max() <= tolerance * np.abs(b).max() + 1e-14 * np.abs(np.linalg.inv(M)).max()


# a spatial chain that turns and slides, pushed off its links' origins

PUSHES = {
    "l6": Wrench((3.0, -2.0, 5.0), (0.5, 0.2, -0.4), axes="world", point=(0.2, 0.1, 0.3)),
    "l3": Wrench((-1.0, 4.0, 2.0), (0.1, -0.3, 0.2), axes="link", point=(-0.1, 0.3, 0.2)),
}
RIDE = BaseMotion((0.1, 0.5, -0.2, 0.8), (0.4, -0.3, 0.7), (1.0, 2.0, -0.5), (0.3, 0.6, -0.8))


def spatial_chain():
    """R-P-R-P-R-R with axes and frames in general directions, and drives."""
    rng = np.random.default_rng(11)
    links, joints = [lissom.Link("base")], []
    for k, kind in enumerate("RPRPRR", 1):
        spread = np.cov(rng.normal(size=(3, 9))) * 0.1
        tensor = np.trace(spread) * np.eye(3) - spread
        links.append(lissom.Link(f"l{k}", lissom.Inertia(rng.uniform(1, 4), rng.normal(size=3) * 0.2, tensor)))
        pose = lissom.Pose(rotation_from_quaternion(rng.normal(size=4)), rng.normal(size=3) * 0.4)
        what = {"kind": JointKind.REVOLUTE if kind == "R" else JointKind.PRISMATIC, "axis": rng.normal(size=3)}
        drive = {"friction": Friction(rng.uniform(), rng.uniform()), "rotor_inertia": rng.uniform(0.1, 0.3)}
        joints.append(lissom.Joint(f"j{k}", parent=f"l{k - 1}" if k > 1 else "base", child=f"l{k}", origin=pose, **what, **drive))
    return lissom.Model("spatial chain", links, joints)


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def chain(request):
    return Robot(spatial_chain(), backend=request.param)


@pytest.mark.sweep("numpy")
def test_a_spatial_chain_pushed_off_its_origins_changes_as_complex_steps_say(chain):
    state, loads = random_states(chain.model, seed=4), {"external": PUSHES, "base_motion": RIDE}
    same(chain.inverse_dynamics_derivatives(*state, **loads), expected(chain, inverse_dynamics.inverse_dynamics, state, loads))
    same(chain.forward_dynamics_derivatives(*state, **loads), expected(chain, forward_dynamics.forward_dynamics, state, loads))
    for axes in WRENCH_AXES if chain.backend.name == "numpy" else ("joint", "world"):  # compiling takes its time
        theirs = expected(chain, inverse_dynamics.joint_wrenches, state, loads, axes=axes)
        same(chain.joint_wrench_derivatives(*state, axes=axes, **loads), theirs)


# at rest, and where coordinates are quaternions


@pytest.mark.sweep("numpy")
def test_coulomb_friction_has_no_derivative_at_rest_either(chain):
    q, zero = random_states(chain.model, seed=2)[0], np.zeros(6)
    viscous = np.diag([joint.friction.viscous for joint in chain.model.joints])
    d = chain.inverse_dynamics_derivatives(q, zero, zero)
    assert error(d.dqd, viscous) < 1e-14  # Coriolis forces are quadratic in velocities
    same(d, expected(chain, inverse_dynamics.inverse_dynamics, (q, zero, zero)))
    d = chain.forward_dynamics_derivatives(q, zero, zero)
    assert error(d.dqd, -np.linalg.solve(chain.mass_matrix(q), viscous)) < 1e-13
    assert not chain.joint_wrench_derivatives(q, zero, zero).dqd.any()  # friction acts inside the joint


def test_away_from_rest_coulomb_friction_changes_no_derivative(chain):
    state = random_states(chain.model, seed=6)
    smooth = [replace(joint, friction=Friction(joint.friction.viscous)) for joint in chain.model.joints]
    other = Robot(chain.model.replace(joints=tuple(smooth)), backend=chain.backend)
    same(chain.inverse_dynamics_derivatives(*state), list(other.inverse_dynamics_derivatives(*state)), 1e-14)


def test_a_body_on_a_ball_joint_has_the_derivatives_of_euler(backend):
    mass, arm, tensor = 2.0, np.array([0.3, -0.2, 0.5]), np.diag([0.3, 0.2, 0.4])
    links = [lissom.Link("base"), lissom.Link("body", lissom.Inertia(mass, arm, tensor))]
    robot = Robot(lissom.Model("ball", links, [lissom.Joint("ball", JointKind.SPHERICAL, "base", "body")]), backend=backend)
    about = tensor + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    q, w, dw = random_states(robot.model, seed=3)
    g = robot.link_pose(q, "body")[:3, :3].T @ robot.model.gravity
    # tau = I dw + w x I w - m c x g, where g = R' g0 turns by g x s when the body turns by s
    d = robot.inverse_dynamics_derivatives(q, w, dw)
    assert error(d.dq, -mass * skew(arm) @ skew(g)) < 1e-14
    assert error(d.dqd, skew(w) @ about - skew(about @ w)) < 1e-14
    assert error(d.dqdd, about) < 1e-14


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


# identities


@given(trees(every=True), seeds)
@settings(max_examples=25)
def test_forces_by_accelerations_are_the_mass_matrix_and_accelerations_by_forces_its_inverse(model, seed):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    loads = random_loads(model, seed, True)
    M = robot.mass_matrix(q)
    inverse = robot.inverse_dynamics_derivatives(q, qd, qdd, **loads)
    assert error(inverse.dqdd, M) < 1e-13
    forward = robot.forward_dynamics_derivatives(q, qd, robot.inverse_dynamics(q, qd, qdd, **loads), **loads)
    assert np.array_equal(forward.dtau, forward.dtau.T)
    unit, size = np.eye(model.nv), np.linalg.cond(M)
    assert np.abs(M @ forward.dtau - unit).max(initial=0) < 1e-14 * size
    # moving along the state while accelerations stay needs the forces that inverse dynamics say
    assert error(M @ forward.dq, -inverse.dq) < 1e-14 * size
    assert error(M @ forward.dqd, -inverse.dqd) < 1e-14 * size


@given(trees(every=True, drives=False), seeds)
@settings(max_examples=25)
def test_forces_of_a_robot_without_friction_are_quadratic_in_velocities(model, seed):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    push = random_loads(model, seed, False)["external"]
    d = robot.inverse_dynamics_derivatives(q, qd, qdd, external=push)
    still, slow = robot.gravity_torques(q, external=push), robot.bias_torques(q, qd, external=push)
    size = np.abs(robot.inverse_dynamics(q, qd, qdd, external=push)).max() + np.abs(still).max()
    assert np.abs(d.dqd @ qd - 2 * (slow - still)).max() < 1e-12 * size  # Euler's rule for a quadratic form
    assert np.abs(d.dqdd @ qdd + slow - robot.inverse_dynamics(q, qd, qdd, external=push)).max() < 1e-12 * size


@given(trees(drives=False, kinds=["revolute", "prismatic"], floating=False), seeds)
@settings(max_examples=25)
def test_with_joints_of_one_axis_christoffel_and_the_potential_give_the_derivatives(model, seed):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    d = robot.inverse_dynamics_derivatives(q, qd, qdd)
    assert np.abs(d.dqd - 2 * robot.coriolis_matrix(q, qd)).max() < 1e-12 * max(1, np.abs(d.dqd).max())
    stiffness = robot.inverse_dynamics_derivatives(q, 0 * qd, 0 * qdd).dq  # second derivatives of the potential
    assert np.abs(stiffness - stiffness.T).max() < 1e-12 * max(1, np.abs(stiffness).max())


@given(trees(every=True), seeds, st.sampled_from(WRENCH_AXES))
@settings(max_examples=25)
def test_along_a_motion_the_derivatives_add_up_to_the_rates(model, seed, axes):
    """`torque_rates` is a recursion of its own."""
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    qddd, push = np.random.default_rng(seed).normal(size=model.nv), random_loads(model, seed, False)["external"]
    still = {link: lissom.WrenchRate() for link in push}
    for derivatives, rates, told in (
        (robot.inverse_dynamics_derivatives, robot.torque_rates, {}),
        (robot.joint_wrench_derivatives, robot.joint_wrench_rates, {"axes": axes}),
    ):
        d = derivatives(q, qd, qdd, external=push, **told)
        theirs = rates(q, qd, qdd, qddd, external=push, external_rates=still, **told)
        terms = d.dq @ qd, d.dqd @ qdd, d.dqdd @ qddd
        size = max(np.abs(x).max(initial=1) for x in terms)
        assert np.abs(sum(terms) - theirs).max(initial=0) < 1e-12 * size


@given(trees(drives=False, springs=0.0, motors=0.0, kinds=["revolute", "prismatic"], floating=False, coupled=0.0), seeds)
@settings(max_examples=15)
def test_the_part_of_a_wrench_along_the_axis_changes_as_the_joint_force(model, seed):
    robot = Robot(model, backend="numpy")
    state, loads = random_states(model, seed=seed), random_loads(model, seed, True)
    joints = model.independent_joints
    axes = np.array([[*j.axis, 0, 0, 0] if j.kind is JointKind.PRISMATIC else [0, 0, 0, *j.axis] for j in joints])
    wrenches = robot.joint_wrench_derivatives(*state, **loads)
    along = [np.einsum("jc,jck->jk", axes, x) for x in wrenches]
    # a table may be zero but for rounding: sizes are those of the largest
    forces = list(robot.inverse_dynamics_derivatives(*state, **loads))
    size = max(np.abs(x).max() for x in (*wrenches, *forces))
    assert max(np.abs(a - b).max() for a, b in zip(along, forces, strict=True)) < 1e-12 * size


@given(trees(floating=True), seeds)
@settings(max_examples=25)
def test_moving_the_whole_robot_changes_forces_only_through_gravity(model, seed):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    d = robot.inverse_dynamics_derivatives(q, qd, qdd)
    size = np.abs(d.dq).max()
    assert np.abs(d.dq[:, :3]).max() < 1e-13 * size
    # a turn about the vertical, in the axes of the trunk
    vertical = robot.link_pose(q, "trunk")[:3, :3].T @ [0, 0, 1]
    assert np.abs(d.dq[:, 3:6] @ vertical).max() < 1e-12 * size
    # and so do wrenches, except that they are seen turned from the world
    wrenches = robot.joint_wrenches(q, qd, qdd, axes="world")
    turned = np.concatenate([np.cross([0, 0, 1], wrenches[:, :3]), np.cross([0, 0, 1], wrenches[:, 3:])], axis=1)
    change = robot.joint_wrench_derivatives(q, qd, qdd, axes="world").dq[..., 3:6] @ vertical
    assert np.abs(change - turned).max() < 1e-12 * np.abs(wrenches).max()
