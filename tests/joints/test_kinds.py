"""Helical, universal and custom joints: special cases, identities, and a Lagrangian by complex steps."""

import dataclasses

import numpy as np
import pytest

from lissom import Inertia, Joint, JointKind, Link, Model, ModelError, Pose, Robot
from lissom.manifold import integrate_configuration
from lissom.model import Motion, Polynomial, Spline
from lissom.model.lock import locked
from lissom.model.pose import rotation_about
from lissom.robots import tree_model
from lissom.write.chains import with_chains
from support.kinematics import Motion as Path
from support.kinematics import energy
from support.states import random_states

AXIS = (0.6, 0.0, 0.8)
IDENTITY = Polynomial((0.0, 1.0))
NEW = ["helical", "universal", "custom"]
STEP = 1e-6


def close(a, b, tolerance=1e-11):
    return np.abs(np.asarray(a) - b).max(initial=0.0) < tolerance * max(1.0, np.abs(b).max(initial=0.0))


def with_joint(kind, **own):
    """Return a tree of four joints whose second one is replaced."""
    model = tree_model(4, branching=1.0, seed=8, kinds=["revolute", "prismatic"], tails=1.0)
    joints = list(model.joints)
    axis = (0.0, 0.0, 1.0) if kind == "custom" else AXIS  # a custom joint takes none
    joints[1] = dataclasses.replace(joints[1], kind=kind, axis=axis, **own)
    return model.replace(joints=tuple(joints))


def everything(robot, q, qd, qdd, qddd):
    """Return all that a robot answers about a motion."""
    tip = robot.link_names[-1]
    return {
        "inverse_dynamics": robot.inverse_dynamics(q, qd, qdd),
        "mass_matrix": robot.mass_matrix(q),
        "coriolis_matrix": robot.coriolis_matrix(q, qd),
        "gravity_torques": robot.gravity_torques(q),
        "derivatives": np.concatenate([np.ravel(x) for x in robot.inverse_dynamics_derivatives(q, qd, qdd)]),
        "torque_rates": robot.torque_rates(q, qd, qdd, qddd),
        "joint_wrenches": robot.joint_wrenches(q, qd, qdd),
        "kinetic_energy": robot.kinetic_energy(q, qd),
        "momentum": robot.momentum(q, qd),
        "jacobian": robot.jacobian(q, tip),
        "link_acceleration": robot.link_acceleration(q, qd, qdd, tip),
        "link_jerk": robot.link_jerk(q, qd, qdd, qddd, tip),
        "forward_dynamics": robot.forward_dynamics(q, qd, qdd),
    }


SPECIAL = [
    ("revolute", {}, "custom", {"motion": Motion(rotations=((AXIS, IDENTITY),))}),
    ("prismatic", {}, "custom", {"motion": Motion(translations=((AXIS, IDENTITY),), unit="m")}),
    ("prismatic", {}, "custom", {"motion": Motion(translations=((AXIS, Spline((-1.0, 0.5, 2.0), (-1.0, 0.5, 2.0))),), unit="m")}),
    ("revolute", {}, "helical", {"pitch": 0.0}),
    (
        "helical",
        {"pitch": 0.2},
        "custom",
        {"motion": Motion(((AXIS, Polynomial((0.0, 0.2))),), ((AXIS, IDENTITY), ((1.0, 0.0, 0.0), Polynomial((0.0,)))))},
    ),
]


@pytest.mark.parametrize(("kind", "own", "other", "general"), SPECIAL)
def test_special_cases_are_the_simpler_joints(kind, own, other, general):
    one, two = Robot(with_joint(kind, **own), backend="numpy"), Robot(with_joint(other, **general), backend="numpy")
    state = np.random.default_rng(1).normal(size=(4, 4))
    ours, theirs = everything(two, *state), everything(one, *state)
    for name, value in theirs.items():
        assert close(ours[name], value), name


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_robot_is_the_same_with_chains_in_place_of_helical_and_universal_joints(seed):
    model = tree_model(6, seed=seed, kinds=["helical", "universal", "revolute"], floating=seed == 2, tails=0.5)
    one, two = Robot(model, backend="numpy"), Robot(with_chains(model), backend="numpy")
    q, qd, qdd = random_states(model, seed=seed)
    qddd = np.random.default_rng(seed).normal(size=model.nv)
    ours, theirs = everything(one, q, qd, qdd, qddd), everything(two, q, qd, qdd, qddd)
    names = [joint.name for joint in with_chains(model).joints]
    outer = {joint.name: joint for joint in model.joints}
    for name, value in theirs.items():
        if name == "joint_wrenches":
            # a joint passes on the wrench of its last part
            last = [k for k, other in enumerate(names) if other in outer and outer[other].kind is not JointKind.HELICAL]
            last += [k for k, other in enumerate(names) if other.endswith(("_2", "_slide")) and other not in outer]
            assert close(np.sort(np.linalg.norm(ours[name], axis=1)), np.sort(np.linalg.norm(value[sorted(last)], axis=1)))
        elif name not in ("jacobian", "link_acceleration", "link_jerk"):  # the last link is another one there
            assert close(ours[name], value, 1e-9 if name == "forward_dynamics" else 1e-11), name


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", NEW)
def test_the_power_of_the_torques_is_the_rate_of_the_energy(kind, seed):
    model = tree_model(3, seed=seed, kinds=[kind], drives=False, tails=0.5, coupled=0.4)
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    path = Path(model, q, qd, qdd)
    h = 1e-20
    power = sum(energy(path, 1j * h)).imag / h
    assert close(robot.inverse_dynamics(q, qd, qdd) @ qd, power, 1e-8)
    assert close(0.5 * qd @ robot.mass_matrix(q) @ qd, energy(path, 0.0)[0], 1e-8)
    assert close(robot.potential_energy(q), energy(path, 0.0)[1], 1e-8)


@pytest.fixture(scope="module", params=NEW)
def drawn(request):
    model = tree_model(5, seed=3, kinds=[request.param, request.param, "revolute"], springs=0.4, coupled=0.3, floating=True)
    return Robot(model, backend="numpy"), random_states(model, seed=5)


def test_machine_code_says_what_numpy_says():
    model = tree_model(4, seed=3, kinds=[*NEW, "revolute"], springs=0.4, tails=0.5)
    q, qd, qdd = random_states(model, seed=5)
    qddd = np.random.default_rng(1).normal(size=model.nv)
    ours, theirs = (everything(Robot(model, backend=backend), q, qd, qdd, qddd) for backend in ("llvm", "numpy"))
    for name, value in theirs.items():
        assert close(ours[name], value), name


def test_forces_and_accelerations_undo_one_another(drawn):
    robot, (q, qd, qdd) = drawn
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert close(robot.forward_dynamics(q, qd, tau), qdd, 1e-9)
    known = robot.joint_names[1]
    found = robot.hybrid_dynamics(q, qd, known={"acceleration": known, "torque": ...}, qdd=qdd, tau=tau)
    assert close(found.qdd, qdd, 1e-9)
    assert close(found.tau, tau, 1e-9)


def test_the_coriolis_matrix_makes_the_bias_and_is_skew_beside_the_mass_matrix(drawn):
    robot, (q, qd, _) = drawn
    smooth = Robot(robot.model.without_friction().with_joints(lambda j: dataclasses.replace(j, spring=None)), backend="numpy")
    C = robot.coriolis_matrix(q, qd)
    assert close(C @ qd + smooth.gravity_torques(q), smooth.bias_torques(q, qd))
    ahead, back = (integrate_configuration(robot.model, q, qd, h) for h in (STEP, -STEP))
    N = (robot.mass_matrix(ahead) - robot.mass_matrix(back)) / (2 * STEP) - 2 * C
    assert close(N + N.T, 0 * N, 1e-7)


def test_derivatives_are_those_of_differences(drawn):
    robot, (q, qd, qdd) = drawn
    found = list(robot.inverse_dynamics_derivatives(q, qd, qdd))
    many = np.tile(q, (robot.nv, 1)), np.tile(qd, (robot.nv, 1)), np.tile(qdd, (robot.nv, 1))
    sides = []
    for h in (STEP, -STEP):
        moved = integrate_configuration(robot.model, many[0], np.eye(robot.nv), h)
        faster = qd + h * np.eye(robot.nv)
        sides.append(
            (
                robot.inverse_dynamics(moved, *many[1:]).T,
                robot.inverse_dynamics(many[0], faster, many[2]).T,
                robot.joint_wrenches(moved, *many[1:]).reshape(robot.nv, -1).T,
            )
        )
    by_q, by_qd, wrenches = ((a - b) / (2 * STEP) for a, b in zip(*sides, strict=True))
    assert close(found[0], by_q, 1e-7)
    assert close(found[1], by_qd, 1e-7)
    assert close(found[2], robot.mass_matrix(q))
    ours = list(robot.joint_wrench_derivatives(q, qd, qdd))[0]
    assert close(np.reshape(ours, wrenches.shape), wrenches, 1e-7)


def test_rates_are_those_of_differences(drawn):
    robot, (q, qd, qdd) = drawn
    qddd = np.random.default_rng(7).normal(size=robot.nv)

    def ahead(h):
        return integrate_configuration(robot.model, q, qd + h / 2 * qdd, h), qd + h * qdd, qdd + h * qddd

    for name in ("inverse_dynamics", "joint_wrenches"):
        rate = (getattr(robot, name)(*ahead(STEP)) - getattr(robot, name)(*ahead(-STEP))) / (2 * STEP)
        ours = robot.torque_rates if name == "inverse_dynamics" else robot.joint_wrench_rates
        assert close(ours(q, qd, qdd, qddd), rate, 1e-6), name


def test_the_regressor_times_the_parameters_is_the_torque(drawn):
    robot, (q, qd, qdd) = drawn
    assert close(robot.inverse_dynamics_regressor(q, qd, qdd) @ robot.inertial_parameters(), robot.inverse_dynamics(q, qd, qdd))


def test_jacobians_give_velocities_and_accelerations(drawn):
    robot, (q, qd, qdd) = drawn
    for link in robot.link_names[1:]:
        J = robot.jacobian(q, link)
        assert close(J @ qd, robot.link_velocity(q, qd, link))
        assert close(J @ qdd + robot.jacobian_rate_product(q, qd, link), robot.link_acceleration(q, qd, qdd, link))


def test_motions_keep_their_energy():
    robot = Robot(tree_model(3, seed=2, kinds=NEW, drives=False))
    run = robot.simulate(robot.neutral(), np.zeros(robot.nv), 0.5, rtol=1e-10, atol=1e-10)
    whole = robot.kinetic_energy(run.q, run.qd) + robot.potential_energy(run.q)
    assert np.ptp(whole) < 1e-7 * max(1.0, np.abs(whole).max())


def test_inverse_kinematics_finds_a_pose_that_was_taken():
    robot = Robot(tree_model(6, branching=1.0, seed=4, kinds=NEW), backend="numpy")
    q = robot.random_configuration(3)
    tip = robot.link_names[-1]
    found = robot.inverse_kinematics(tip, pose=robot.link_pose(q, tip), q0=q + 0.02)
    assert close(robot.link_pose(found.q, tip), robot.link_pose(q, tip), 1e-6)


def test_nassers_method_refuses_parts_that_move_together():
    for kind in ("helical", "custom"):
        robot = Robot(tree_model(2, seed=1, kinds=[kind]))
        with pytest.raises(ModelError, match="'joint_1' has parts that move with one velocity; use method='articulated_body'"):
            robot.forward_dynamics(*np.zeros((3, 2)), method="nasser")
    robot = Robot(tree_model(3, seed=1, kinds=["universal"]))
    q, qd, tau = np.random.default_rng(1).normal(size=(3, 6))
    one, two = (robot.forward_dynamics(q, qd, tau, method=method) for method in ("nasser", "mass_matrix"))
    assert close(one, two, 1e-9)


def test_a_drive_of_a_custom_joint_counts_by_its_coordinate():
    inertia = Inertia(1.0, (0.1, 0.0, 0.0), np.eye(3).tolist())
    law = Motion(rotations=((AXIS, Polynomial((0.0, 0.5, 0.3))),))
    joint = Joint("knee", "custom", "a", "b", Pose(), rotor_inertia=0.7, motion=law)
    joints = dataclasses.replace(joint, rotor_inertia=0.0), joint
    plain, driven = (Model("knee", (Link("a"), Link("b", inertia)), (j,)) for j in joints)
    q, qd, qdd = np.array([[0.4], [0.5], [0.6]])
    more = Robot(driven).inverse_dynamics(q, qd, qdd) - Robot(plain).inverse_dynamics(q, qd, qdd)
    assert np.allclose(more, 0.7 * qdd)
    assert np.allclose(Robot(driven).mass_matrix(q) - Robot(plain).mass_matrix(q), 0.7)
    assert Robot(driven).kinetic_energy(q, qd) - Robot(plain).kinetic_energy(q, qd) == pytest.approx(0.35 * 0.25)


def test_a_joint_that_is_held_stands_where_it_would_move():
    for kind in ("helical", "custom"):
        model = tree_model(3, branching=1.0, seed=6, kinds=[kind], tails=1.0)
        q = np.array([0.3, -0.4, 0.5])
        name = model.joints[1].name
        held = Robot(locked(model, {name: q[1]}), backend="numpy")
        for link in held.link_names:
            assert close(held.link_pose(q[[0, 2]], link), Robot(model, backend="numpy").link_pose(q, link))


@pytest.mark.sweep("helical-origin", "custom-tail")
@pytest.mark.parametrize("part", ["origin", "tail"])
def test_derivatives_by_displaced_frames_are_those_of_differences(drawn, part):
    robot, state = drawn
    found = robot.inverse_dynamics_geometry_derivatives(*state, part=part)
    for k, name in enumerate(robot.moving_joint_names):
        # along a twist in a general direction, which has all six entries
        twist, sides = np.random.default_rng(k).normal(size=6), []
        angle = np.linalg.norm(twist[3:])
        for step in (1e-5, -1e-5):
            small = Pose(rotation_about(twist[3:] / angle, step * angle), step * twist[:3])
            moved = robot.model.with_joints(
                lambda j, small=small, name=name: (
                    dataclasses.replace(j, **{part: getattr(j, part) @ small}) if j.name == name else j
                )
            )
            sides.append(Robot(moved, backend="numpy").inverse_dynamics(*state))
        assert close(found[:, k] @ twist, (sides[0] - sides[1]) / 2e-5, 1e-5), name


def test_wrench_derivatives_of_some_joints_are_those_among_all(drawn):
    robot, state = drawn
    names = robot.moving_joint_names[::-2]
    some = robot.joint_wrench_derivatives(*state, joints=names, components=["fz", "mx"])
    every = robot.joint_wrench_derivatives(*state)
    rows = [robot.moving_joint_names.index(name) for name in names]
    for a, b in zip(some, every, strict=True):
        assert close(a, b[rows][:, [2, 3]])


@pytest.mark.parametrize("kind", [kind for kind in JointKind if kind is not JointKind.FIXED], ids=lambda kind: kind.value)
def test_a_kind_says_all_that_pictures_and_files_ask(kind):
    """Markers, axes and own fields fit the motion that the kind defines."""
    traits = kind.traits
    assert traits.marker in ("cylinder", "box", "ball")
    assert set(traits.own) <= {field.name for field in dataclasses.fields(Joint)}
    model = tree_model(1, seed=3, kinds=[kind])
    joint, robot = model.joints[0], Robot(model, backend="numpy")
    assert all(getattr(joint, name) is not None for name in traits.own)
    axes = traits.axes(joint)
    assert all(abs(np.linalg.norm(axis.direction) - 1.0) < 1e-12 for axis in axes)
    assert (traits.marker == "ball") or len(axes) == 1
    # what its own motion does, by the velocity of the child in the axes of the moved joint frame
    q, turn = robot.random_configuration(2), joint.tail.R
    columns = robot.jacobian(q, joint.child, point=joint.tail.inverse().p)
    pose = robot.link_pose(q, joint.child)[:3, :3]
    v, w = (turn @ pose.T @ part for part in (columns[:3], columns[3:]))
    if not traits.loose:
        assert (np.abs(v).max() > 1e-9) == traits.slides
    if traits.ball:
        assert np.allclose(w, np.eye(3))
    if len(axes) == kind.nv:
        before = turn @ pose.T @ robot.link_pose(q, joint.parent)[:3, :3] @ joint.origin.R
        for k, axis in enumerate(axes):
            along = np.array(axis.direction) if axis.moved else before @ np.array(axis.direction)
            assert np.allclose(w[:, k], along if axis.turns else 0.0, atol=1e-12)
            assert np.allclose(np.cross(v[:, k], along), 0.0, atol=1e-12)
            assert (v[:, k] @ along * (-1 if axis.left_handed else 1) > 1e-9) == axis.slides


def test_a_field_that_only_one_kind_has_is_refused_elsewhere():
    for kind in JointKind:
        for name in kind.traits.own:
            given = {name: getattr(tree_model(1, seed=1, kinds=[kind]).joints[0], name)}
            with pytest.raises(ModelError, match=f"{name!r} belongs to a {kind.value} joint, not to a revolute one"):
                Joint("a", "revolute", "base", "link", **given)
