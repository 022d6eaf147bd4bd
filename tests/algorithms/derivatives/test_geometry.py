"""Derivatives by the geometry are what robots built anew with displaced frames or other tables have."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import lissom
from lissom import BaseMotion, ModelError, Pose, Robot, StateError
from lissom.model.dh import dh_convention
from lissom.read.yaml import parse_yaml
from lissom.robots import planar_two_link, puma560, stanford, tree_model
from lissom.robots.dh_chain import Row, dh_chain
from support.states import error, random_states
from support.trees import trees

MOTION = BaseMotion((0.3, -0.5, 0.2, 0.8), (0.4, -1.0, 0.7), (1.0, 2.0, -3.0), (0.5, 0.1, -0.9))


def slope(f, h=1e-2):
    """Return f'(0) from central differences, their errors of second, fourth and sixth order taken away (Richardson)."""
    table = [(f(h / 2**k) - f(-h / 2**k)) / (2 * h / 2**k) for k in range(4)]
    for order in (4, 16, 64):
        table = [(order * fine - rough) / (order - 1) for rough, fine in zip(table, table[1:], strict=False)]
    return table[0]


def direction(size, seed=1):
    """Return a general direction of length one: the slope along it has the derivatives by all entries."""
    chosen = np.random.default_rng(seed).normal(size=size)
    return chosen / np.linalg.norm(chosen)


def displaced(model, name, part, twist):
    """Return the model with the origin or tail of a joint moved by a small twist in its own axes."""
    small = Pose(Rotation.from_rotvec(twist[3:]).as_matrix(), twist[:3])
    return model.with_joints(
        lambda j: dataclasses.replace(j, **{part: getattr(j, part) @ small}) if j.name == name else j  # noqa: B023
    )


@settings(max_examples=40)
@given(trees(), st.sampled_from(["origin", "tail"]), st.integers(0, 1000), st.sampled_from([None, MOTION]))
def test_derivatives_by_displacements_are_those_of_robots_built_anew(model, part, seed, motion):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours = robot.inverse_dynamics_geometry_derivatives(*state, part=part, base_motion=motion)
    joint, twist = robot.moving_joint_names[seed % len(robot.moving_joint_names)], direction(6, seed)

    def forces(h):
        return Robot(displaced(model, joint, part, h * twist), backend="numpy").inverse_dynamics(*state, base_motion=motion)

    theirs, found = slope(forces), ours[:, robot.moving_joint_names.index(joint)]
    scale = np.abs(robot.inverse_dynamics(*state, base_motion=motion)).max() + np.abs(found).max()
    assert np.allclose(found @ twist, theirs, rtol=0, atol=1e-9 * scale)


@settings(max_examples=6)
@given(trees(n=3), st.sampled_from(["origin", "tail"]), st.sampled_from([(), (1,), (2, 9)]))
def test_machine_code_has_the_derivatives_of_numpy(model, part, lead):
    state = random_states(model, lead, seed=3)
    ours = Robot(model, backend="llvm").inverse_dynamics_geometry_derivatives(*state, part=part, base_motion=MOTION)
    theirs = Robot(model, backend="numpy").inverse_dynamics_geometry_derivatives(*state, part=part, base_motion=MOTION)
    assert error(ours, theirs) < 1e-12


def test_joints_of_different_branches_have_nothing_to_do_with_each_other():
    model = tree_model(2, branching=2, seed=1, kinds=["revolute"])
    ours = Robot(model).inverse_dynamics_geometry_derivatives(*random_states(model, seed=1))
    assert not ours[[0, 1], [1, 0]].any()
    assert ours[[0, 1], [0, 1]].any(axis=-1).all()


@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")  # link 3 of the robot, each time that it is built anew
def test_a_base_that_is_moved_along_changes_nothing_and_turned_is_turned_gravity(backend):
    # displace the first joint of an arm: translations have no effect; turns are those of gravity the other way
    model = puma560(friction=False).model
    state = random_states(model, seed=2)
    ours = Robot(model, backend=backend).inverse_dynamics_geometry_derivatives(*state)[:, 0]
    assert np.abs(ours[:, :3]).max() < 1e-12
    R = model.joints[0].origin.R
    for k in range(3):
        turn = np.cross(R[:, k], model.gravity)

        def forces(h, turn=turn):
            # exact: tau is linear in gravity
            return Robot(model.replace(gravity=np.array(model.gravity) - h * turn), backend="numpy").inverse_dynamics(*state)

        assert np.allclose(ours[:, 3 + k], (forces(1.0) - forces(-1.0)) / 2, rtol=0, atol=1e-10)


ROWS = (
    Row(theta=0.3, d=0.4, a=0.2, alpha=1.1),
    Row(theta=-0.5, d=0.1, a=-0.3, alpha=-0.7, kind=lissom.JointKind.PRISMATIC),
    Row(theta=0.2, d=-0.2, a=0.25, alpha=0.4),
    Row(theta=1.2, d=0.3, a=0.15, alpha=-1.3),
)
BODY = lissom.Inertia(2.0, (0.1, -0.2, 0.15), ((0.2, 0.01, 0.02), (0.01, 0.25, -0.03), (0.02, -0.03, 0.3)))
DRIVES = [{"rotor_inertia": 0.1, "friction": lissom.Friction(0.3, 0.2)}] * 4


def arm(convention, rows=ROWS):
    return dh_chain("arm", rows, [BODY] * len(rows), convention, drives=DRIVES)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_derivatives_by_table_entries_are_those_of_tables_built_anew(convention, backend):
    robot, state = Robot(arm(convention), backend=backend), random_states(arm(convention), 2, seed=3)
    ours = robot.inverse_dynamics_dh_derivatives(*state)
    assert ours.shape == (2, 4, 4, 4)
    for j, row in enumerate(ROWS):
        along = direction(4, j)

        def forces(h, j=j, row=row, along=along):
            moved = {name: getattr(row, name) + h * x for name, x in zip(("theta", "d", "a", "alpha"), along, strict=True)}
            rows = [*ROWS[:j], dataclasses.replace(row, **moved), *ROWS[j + 1 :]]
            return Robot(arm(convention, rows), backend="numpy").inverse_dynamics(*state)

        assert np.allclose(ours[:, :, j] @ along, slope(forces), rtol=0, atol=1e-9 * np.abs(ours).max())


YAML = """
lissom: 1
kind: dh
convention: {convention}
name: from a file
joints:
  - {{theta: {0}, {z}: {1}, {x}: {2}, alpha: {3}, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.2, 0.25, 0.3, 0.01, 0.02, 0.03]}}
  - {{kind: fixed, theta: 0.4, {x}: 0.1, alpha: 0.3, mass: 1, com: [0.1, 0, 0], inertia: [0.02, 0.03, 0.02, 0, 0, 0]}}
  - {{kind: prismatic, theta: {4}, {z}: {5}, {x}: {6}, alpha: {7}, mass: 2, com: [0.1, 0.2, 0.3], inertia: [2, 2, 2, 0, 0, 0]}}
  - {{theta: 0.3, {x}: 0.2, alpha: 1, mass: 1, com: [0.1, 0.2, 0], inertia: [0.2, 0.25, 0.3, 0, 0, 0]}}
tool: {{xyz: [0.1, 0, 0.2]}}
"""
ENTRIES = (0.3, 0.4, 0.2, 1.1, -0.5, 0.1, -0.3, -0.7)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_derivatives_by_entries_of_files_are_those_of_files_read_anew(convention):
    letters = {"z": "d", "x": "a"} if convention == "standard" else {"z": "r", "x": "d"}

    def model(entries):
        return parse_yaml(YAML.format(*entries, convention=convention, **letters))

    robot, state = Robot(model(ENTRIES), backend="numpy"), random_states(model(ENTRIES), seed=5)
    ours = robot.inverse_dynamics_dh_derivatives(*state)[:, :2].reshape(3, 8)
    for along in (direction(8), direction(8, 2)):

        def forces(h, along=along):
            return Robot(model(np.array(ENTRIES) + h * along), backend="numpy").inverse_dynamics(*state)

        assert np.allclose(ours @ along, slope(forces), rtol=0, atol=1e-9 * np.abs(ours).max())


def test_the_length_of_a_planar_arm_has_its_closed_form():
    # one link of length a, a point mass m at its end: tau = m a^2 qdd + m g a cos q
    body = lissom.Inertia(2.0)
    model = dh_chain("rod", [Row(a=0.7)], [body], "standard", gravity=(0.0, -9.81, 0.0))
    q, qd, qdd = [0.4], [1.3], [-2.0]
    d_theta, d_d, d_a, _ = Robot(model).inverse_dynamics_dh_derivatives(q, qd, qdd)[0, 0]
    assert d_a == pytest.approx(2 * (2 * 0.7 * -2.0 + 9.81 * math.cos(0.4)))
    assert d_theta == pytest.approx(-2 * 9.81 * 0.7 * math.sin(0.4))
    assert d_d == pytest.approx(0.0, abs=1e-12)


def test_conventions_are_told_from_frames():
    assert dh_convention(puma560().model) == "standard"
    assert dh_convention(stanford().model) == dh_convention(stanford("modified").model) == "modified"
    assert dh_convention(stanford("standard").model) == "standard"
    flat = dh_chain("flat", [Row(theta=1.0, d=0.5)], [BODY], "standard")
    assert dh_convention(flat, "modified") == "modified"
    with pytest.raises(ModelError, match="both conventions, since every a and alpha is zero; give convention='standard'"):
        Robot(flat).inverse_dynamics_dh_derivatives([0], [0], [0])


TILTED = np.array([0, 0, 0, 0, 0.1, 0])
UPRIGHT = planar_two_link().model.with_joints(lambda j: dataclasses.replace(j, axis=(0, 1, 0)))


@pytest.mark.parametrize(
    ("model", "convention", "text"),
    [
        (tree_model(1, seed=1, kinds=["spherical"]), None, "not standard, because joint 'joint_1' is spherical; not modified"),
        (
            arm("standard"),
            "modified",
            "not a modified Denavit-Hartenberg table: joint 'joint_1' does not have its link's frame at",
        ),
        (
            arm("modified"),
            "standard",
            "'joint_1' is placed in the previous link by more than a screw about z; inverse_dynamics_geom",
        ),
        (arm("modified"), "craig", "no convention 'craig'; expected one of 'standard', 'modified'"),
        (UPRIGHT, None, "axis of joint '.*' is not z"),
        (displaced(arm("modified"), "joint_2", "origin", TILTED), None, "not modified, because joint 'joint_2'"),
        (displaced(arm("standard"), "joint_2", "tail", TILTED), None, "'joint_2' places its link's frame by"),
    ],
)
def test_robots_that_are_no_tables_are_told_why(model, convention, text):
    zero = np.zeros(model.nv)
    with pytest.raises(ModelError, match=text):
        Robot(model).inverse_dynamics_dh_derivatives(np.zeros(model.nq), zero, zero, convention=convention)


def test_wrong_arguments_are_named():
    robot = puma560()
    zero = np.zeros(6)
    with pytest.raises(StateError, match="no part 'origins' of a joint; did you mean 'origin'"):
        robot.inverse_dynamics_geometry_derivatives(zero, zero, zero, part="origins")
    with pytest.raises(StateError, match="qdd has size 5, expected nv = 6"):
        robot.inverse_dynamics_geometry_derivatives(zero, zero, np.zeros(5))
    with pytest.raises(StateError, match=r"out has shape \(6, 6, 6\), expected \(6, 6, 4\)"):
        robot.inverse_dynamics_dh_derivatives(zero, zero, zero, out=np.zeros((6, 6, 6)))


def test_programs_can_be_counted():
    robot = puma560()
    assert robot.operation_count("inverse_dynamics_geometry_derivatives").trigonometric == 12
    # no entry of a standard table tilts the first axis against gravity, so its angle is of no importance
    assert robot.operation_count("inverse_dynamics_dh_derivatives").trigonometric == 10
