"""What must be true of any robot: balance of every link, power, gravity as a gradient, forces linear in the acceleration."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import JointKind, Robot, Wrench
from lissom.robots import tree_model
from support.kinematics import Motion, energy, link_poses, momenta, rate_of_coordinates
from support.rotors import unfolded
from support.springs import spring_energy, undamped
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)
H = 1e-30  # complex steps lose no digits


def wrench_in_world(value, pose):
    """Return force and moment about the world's origin of a wrench in a frame."""
    R, p = pose
    force = R @ value[:3]
    return force, R @ value[3:] + np.cross(p, force)


@given(trees(every=True), seeds)
def test_every_rigid_group_of_links_is_in_balance(model, seed):
    """What comes through its joint, goes out through those that it carries, and gravity: together the change of momentum."""
    state, twin = random_states(model, seed=seed), unfolded(model)
    motion = Motion(twin, *state)
    rates = {name: (np.imag(a) / H, np.imag(b) / H) for name, (a, b) in momenta(motion, 1j * H).items()}
    poses, joints = link_poses(twin, state[0])
    wrenches = Robot(model, backend="numpy").joint_wrenches(*state)
    moving = [j for j in model.joints if j.kind is not JointKind.FIXED]
    through = {j.name: wrench_in_world(w, joints[j.name]) for j, w in zip(moving, wrenches, strict=True)}
    head = {model.base: None}  # the joint that carries the group of each link
    for joint in twin.joints:
        # rotors are part of the group that carries them: what drives them stays within it
        head[joint.child] = joint.name if joint.name in through else head[joint.parent]
    scale = max(np.abs(wrenches).max(), 1.0)
    for carrier in moving:
        force, moment = (np.array(x) for x in through[carrier.name])
        for joint in moving:
            if head[joint.parent] == carrier.name:
                force, moment = force - through[joint.name][0], moment - through[joint.name][1]
        for name, (linear, angular) in rates.items():
            if head[name] == carrier.name:
                inertia, (R, p) = twin.link(name).inertia, poses[name]
                weight = inertia.mass * np.array(model.gravity)
                force = force + weight - linear
                moment = moment + np.cross(p + R @ np.array(inertia.com), weight) - angular
        assert np.abs(force).max() < 1e-9 * scale
        assert np.abs(moment).max() < 1e-8 * scale


@given(trees(every=True), seeds)
def test_power_of_the_joint_forces_is_the_change_of_energy(model, seed):
    model = undamped(model.without_friction())
    q, qd, qdd = random_states(model, seed=seed)
    tau = Robot(model, backend="numpy").inverse_dynamics(q, qd, qdd)
    motion = Motion(unfolded(model), q, qd, qdd)
    power = np.imag(sum(energy(motion, 1j * H)) + spring_energy(model, motion.q(1j * H))) / H
    assert abs(tau @ qd - power) < 1e-9 * max(1.0, np.abs(tau * qd).sum())


@given(trees(every=True), seeds)
def test_gravity_forces_are_the_gradient_of_the_potential_and_of_springs(model, seed):
    (q, _, _), twin = random_states(model, seed=seed), unfolded(model)

    def potential(q):
        poses = link_poses(twin, q)[0]
        massive = [(link.inertia, poses[link.name]) for link in twin.links if link.inertia is not None]
        falling = sum(-i.mass * (p + R @ np.array(i.com)) @ np.array(model.gravity) for i, (R, p) in massive)
        return falling + spring_energy(model, q)

    gradient = [np.imag(potential(q + 1j * H * rate_of_coordinates(model, q, unit))) / H for unit in np.eye(model.nv)]
    assert error(Robot(model, backend="numpy").gravity_torques(q), np.array(gradient)) < 1e-12


@given(trees(every=True), seeds)
def test_forces_are_linear_in_the_acceleration_with_a_symmetric_positive_mass_matrix(model, seed):
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    bias = robot.bias_torques(q, qd)
    M = (robot.inverse_dynamics(q, qd, np.eye(model.nv)) - bias).T
    assert error(M @ qdd + bias, robot.inverse_dynamics(q, qd, qdd)) < 1e-11
    assert np.allclose(M, M.T, rtol=0, atol=1e-11 * np.abs(M).max())
    assert np.linalg.eigvalsh((M + M.T) / 2).min() > -1e-12 * np.abs(M).max()
    assert error(robot.inverse_dynamics(q, qd, 0 * qdd), bias) < 1e-13
    assert error(robot.bias_torques(q, 0 * qd), robot.gravity_torques(q)) < 1e-13


@given(trees(drives=False, springs=0.0, motors=0.0, coupled=0.0), seeds)
def test_joint_forces_are_the_projections_of_joint_wrenches(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    tau, wrenches = robot.inverse_dynamics(*state), robot.joint_wrenches(*state)
    start = 0
    for joint, wrench in zip((j for j in model.joints if j.kind.nv), wrenches, strict=True):
        own = tau[start : start + joint.kind.nv]
        start += joint.kind.nv
        axis = np.array(joint.axis)
        if joint.kind is JointKind.PRISMATIC:
            expected = [axis @ wrench[:3]]
        elif joint.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS):
            expected = [axis @ wrench[3:]]
        elif joint.kind is JointKind.PLANAR:
            own, expected = own[2:], [axis @ wrench[3:]]
        elif joint.kind is JointKind.UNIVERSAL:
            own, expected = own[1:], [np.array(joint.second_axis) @ wrench[3:]]
        else:
            expected = wrench[-joint.kind.nv :]
        assert np.allclose(own, expected, rtol=0, atol=1e-11 * max(1, np.abs(wrenches).max()))


@given(trees(every=True), seeds)
def test_wrenches_in_every_frame_are_one_wrench(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    poses, joints = link_poses(model, state[0])
    by_axes = {axes: robot.joint_wrenches(*state, axes=axes) for axes in ("joint", "link", "parent", "world")}
    for k, joint in enumerate(j for j in model.joints if j.kind is not JointKind.FIXED):
        origin = joints[joint.name][1]
        places = {
            "joint": joints[joint.name],
            "link": poses[joint.child],
            "parent": (poses[joint.parent][0], origin),
            "world": (np.eye(3), origin),
        }
        force, moment = wrench_in_world(by_axes["joint"][k], places["joint"])
        for axes, place in places.items():
            f, m = wrench_in_world(by_axes[axes][k], place)
            assert np.allclose(f, force, rtol=0, atol=1e-10 * max(1, np.abs(force).max()))
            assert np.allclose(m, moment, rtol=0, atol=1e-10 * max(1, np.abs(moment).max()))


@given(trees(every=True, drives=False), seeds)
def test_external_wrenches_do_the_work_of_their_power(model, seed):
    """Pulling at a point costs the joints the power of the pull: tau' qd changes by -force . velocity - moment . turning."""
    q, qd, qdd = random_states(model, seed=seed)
    rng = np.random.default_rng(seed)
    link = model.links[rng.integers(1, len(model.links))].name
    force, moment, point = rng.normal(size=(3, 3))
    robot = Robot(model, backend="numpy")
    poses = link_poses(model, q + 1j * H * rate_of_coordinates(model, q, qd))[0]
    R, p = poses[link]
    velocity = np.imag(p + R @ point) / H
    W = np.imag(R) / H @ np.real(R).T
    turning = np.array([W[2, 1], W[0, 2], W[1, 0]])
    for axes in ("world", "link"):
        turn = np.real(R) if axes == "link" else np.eye(3)
        change = robot.inverse_dynamics(
            q, qd, qdd, external={link: Wrench(force, moment, axes=axes, point=point)}
        ) - robot.inverse_dynamics(q, qd, qdd)
        power = (turn @ force) @ velocity + (turn @ moment) @ turning
        assert abs(change @ qd + power) < 1e-10 * max(1.0, np.abs(change * qd).sum())


@given(trees(every=True), st.floats(1e-3, 1e3), seeds)
def test_length_of_quaternions_does_not_matter(model, factor, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    scaled, start = q.copy(), 0
    for joint in model.independent_joints:
        start += joint.kind.nq
        if joint.kind.nq > joint.kind.nv:
            scaled[start - 4 : start] *= -factor
    assert error(robot.inverse_dynamics(scaled, qd, qdd), robot.inverse_dynamics(q, qd, qdd)) < 1e-12


@settings(max_examples=10)
@given(st.integers(0, 100))
def test_a_free_body_without_forces_keeps_its_momentum(seed):
    model = tree_model(1, kinds=["floating"], seed=seed).replace(gravity=(0, 0, 0))
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    bias = robot.bias_torques(q, qd)
    M = (robot.inverse_dynamics(q, qd, np.eye(6)) - bias).T
    motion = Motion(model, q, qd, np.linalg.solve(M, -bias))
    ((linear, angular),) = momenta(motion, 1j * H).values()
    assert np.allclose(np.imag(linear) / H, 0, atol=1e-8)
    assert np.allclose(np.imag(angular) / H, 0, atol=1e-8)


def test_slider_that_lifts_two_kilograms(tmp_path):
    """The first joint of a modified table slides upward: 2 kg need 19.62 N to hold, and 2 N more for each m/s^2."""
    file = tmp_path / "lift.yaml"
    file.write_text(
        "lissom: 1\nkind: dh\nconvention: modified\nname: lift\njoints:\n  - {kind: prismatic, mass: 2, com: [0.1, 0, 0.2]}\n"
    )
    robot = lissom.load(file)
    tau = robot.inverse_dynamics(np.zeros((3, 1)), np.zeros((3, 1)), [[0.0], [1.0], [5.0]])
    assert np.allclose(tau[:, 0], [19.62, 21.62, 29.62], rtol=0, atol=1e-12)
    assert np.allclose(robot.joint_wrenches([0.3], [0], [5.0]), [[0, 0, 29.62, 0, -2.962, 0]], atol=1e-12)
