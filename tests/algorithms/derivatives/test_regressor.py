"""The regressor times the parameters is inverse dynamics, and its columns are what changed parameters change."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import BaseMotion, Inertia, Robot, StateError
from lissom.model import JointKind
from lissom.model.payload import placed, with_body
from lissom.robots import tree_model
from lissom.tree.lump import still_part
from support.states import error, random_states
from support.trees import trees

MOTION = BaseMotion((0.3, -0.5, 0.2, 0.8), (0.4, -1.0, 0.7), (1.0, 2.0, -3.0), (0.5, 0.1, -0.9))


@given(trees(every=True), st.integers(0, 1000), st.sampled_from([None, MOTION]))
def test_regressor_times_parameters_is_inverse_dynamics(model, seed, motion):
    robot, state = Robot(model, backend="numpy"), random_states(model, 5, seed=seed)
    Y, pi = robot.inverse_dynamics_regressor(*state, base_motion=motion), robot.inertial_parameters()
    assert Y.shape == (5, robot.nv, len(pi))
    assert error(Y @ pi, robot.inverse_dynamics(*state, base_motion=motion)) < 1e-12


@settings(max_examples=8)
@given(trees(every=True), st.integers(0, 1000))
def test_regressor_without_drives_leaves_out_friction_rotors_and_springs(model, seed):
    bare = model.with_joints(lambda j: dataclasses.replace(j, friction=lissom.Friction(), rotor_inertia=0.0, spring=None))
    # what is left of a motor is part of its link: all of it, or all but its spin
    links = {link.name: link for link in model.links}
    for motor in model.motors:
        links[motor.link] = with_body(links[motor.link], placed(still_part(motor), motor.origin))
    bare = bare.replace(links=tuple(links.values()), motors=())
    robot, state = Robot(model, backend="numpy"), random_states(model, 3, seed=seed)
    Y, pi = robot.inverse_dynamics_regressor(*state, drives=False), robot.inertial_parameters(drives=False)
    assert Y.shape == (3, robot.nv, 10 * len(model.links))
    parts = [x[:, :n] for x, n in zip(state, (bare.nq, bare.nv, bare.nv), strict=True)]
    assert error((Y @ pi)[:, : bare.nv], Robot(bare, backend="numpy").inverse_dynamics(*parts)) < 1e-12
    assert not np.any((Y @ pi)[:, bare.nv :])
    assert np.array_equal(Y, robot.inverse_dynamics_regressor(*state)[..., : Y.shape[-1]])
    assert np.array_equal(pi, robot.inertial_parameters()[: len(pi)])


@settings(max_examples=8)
@given(trees(every=True), st.integers(0, 1000), st.sampled_from([(), (1,), (2, 9)]))
def test_machine_code_has_the_regressor_of_numpy(model, seed, lead):
    state = random_states(model, lead, seed=seed)
    ours = Robot(model, backend="llvm").inverse_dynamics_regressor(*state, base_motion=MOTION)
    assert error(ours, Robot(model, backend="numpy").inverse_dynamics_regressor(*state, base_motion=MOTION)) < 1e-12


@pytest.fixture(scope="module")
def model():
    """Fixed links with and without mass, coupled joints, tails and drives."""
    return tree_model(6, seed=5, kinds=["revolute", "prismatic", "spherical"], fixed=0.6, coupled=0.5, tails=0.5)


def test_the_model_has_what_the_tests_below_are_about(model):
    assert any(joint.kind is JointKind.FIXED for joint in model.joints)
    assert any(joint.coupling for joint in model.joints)
    assert any(link.inertia is None for link in model.links[1:])


def changed(model, name, change):
    """Return the model with another inertia of one link."""
    links = [dataclasses.replace(link, inertia=change(link.inertia)) if link.name == name else link for link in model.links]
    return model.replace(links=tuple(links))


def test_columns_of_a_link_are_what_another_inertia_changes(model):
    # also of links without mass, and of links that are fixed to others: the model is built anew with a heavier link
    rng = np.random.default_rng(1)
    state, robot = random_states(model, 4, seed=1), Robot(model, backend="numpy")
    Y, tau = robot.inverse_dynamics_regressor(*state), robot.inverse_dynamics(*state)
    for k, link in enumerate(model.links):
        com, half = rng.normal(size=3), rng.normal(size=(3, 3))
        tensor = np.trace(half @ half.T) * np.eye(3) - half @ half.T
        new = changed(model, link.name, lambda _: Inertia(3.0, tuple(com), tensor))  # noqa: B023
        pi = Robot(new).inertial_parameters() - robot.inertial_parameters()
        assert np.flatnonzero(pi).tolist() == list(range(10 * k, 10 * k + 10))
        about_origin = tensor + 3.0 * (com @ com * np.eye(3) - np.outer(com, com))
        I = about_origin[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        assert np.allclose(Robot(new).inertial_parameters()[10 * k : 10 * k + 10], [3.0, *(3.0 * com), *I])
        assert np.allclose(
            Y @ pi, Robot(new, backend="numpy").inverse_dynamics(*state) - tau, rtol=0, atol=1e-10 * np.abs(tau).max()
        )


def test_columns_of_drives_are_their_accelerations_velocities_and_signs():
    model = tree_model(4, seed=8, kinds=["revolute", "prismatic"])
    q, qd, qdd = random_states(model, 3, seed=8)
    Y = Robot(model, backend="numpy").inverse_dynamics_regressor(q, qd, qdd)[..., 10 * len(model.links) :]
    for k in range(4):
        expected = np.zeros((3, 4, 3))
        expected[:, k] = np.stack([qdd[:, k], qd[:, k], np.sign(qd[:, k])], axis=-1)
        assert np.array_equal(Y[..., 3 * k : 3 * k + 3], expected)


def test_a_point_mass_on_one_joint_is_the_closed_form():
    # mass m at distance r of a horizontal axis: tau = m r^2 qdd + m g r cos(q)
    links = (lissom.Link("base"), lissom.Link("arm", Inertia(1.0, (1, 0, 0))))
    model = lissom.Model("pendulum", links, (lissom.Joint("hinge", "revolute", "base", "arm", axis=(0, -1, 0)),))
    robot, q, qd, qdd = Robot(model), 0.7, 1.3, -2.1
    Y = dict(zip(robot.inertial_parameter_names, robot.inverse_dynamics_regressor([q], [qd], [qdd])[0], strict=True))
    expected = {"arm.mx": 9.81 * np.cos(q), "arm.mz": -9.81 * np.sin(q), "arm.Iyy": qdd}
    expected |= {"hinge.rotor_inertia": qdd, "hinge.viscous": qd, "hinge.coulomb": 1.0}
    for name, column in Y.items():
        assert column == pytest.approx(expected.get(name, 0.0), abs=1e-14), name


def test_names_say_link_and_parameter(model):
    names = Robot(model).inertial_parameter_names
    assert len(names) == len(set(names)) == len(Robot(model).inertial_parameters())
    assert names[:3] == ("ground.mass", "ground.mx", "ground.my")
    assert names[10 * len(model.links) :][:3] == tuple(f"joint_1.{x}" for x in ("rotor_inertia", "viscous", "coulomb"))


def test_out_is_filled_also_with_gaps_and_over_old_numbers(model, backend):
    robot, state = Robot(model, backend=backend), random_states(model, 3, seed=2)
    expected = robot.inverse_dynamics_regressor(*state)
    for out in (np.full(expected.shape, 7.0), np.full((*expected.shape, 2), 7.0)[..., 0]):
        assert robot.inverse_dynamics_regressor(*state, out=out) is out
        assert np.array_equal(out, expected)


def test_empty_batches_and_robots_that_cannot_move_have_empty_regressors(backend):
    robot = Robot(tree_model(2, seed=1, kinds=["revolute"]), backend=backend)
    none = np.zeros((0, 2))
    assert robot.inverse_dynamics_regressor(none, none, none).shape == (0, 2, 36)
    assert robot.inverse_dynamics_geometry_derivatives(none, none, none).shape == (0, 2, 2, 6)
    still = Robot(lissom.Model("stone", (lissom.Link("base"),), ()), backend=backend)
    assert still.inverse_dynamics_regressor([], [], []).shape == (0, 10)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"qd": np.zeros(3)}, "qd has size 3, expected nv = 2"),
        ({"q": [0.0, np.nan]}, r"q\[1\] \(joint 'joint_2'\) is nan"),
        ({"drives": "no"}, "drives must be True or False, got 'no'"),
        ({"base_motion": 3}, "base_motion must be a lissom.BaseMotion, got int"),
        ({"out": [1.0]}, "out must be a NumPy array, got list"),
        ({"out": np.zeros((2, 36), dtype=np.float32)}, "out has dtype float32, expected float64"),
        ({"out": np.zeros((2, 35))}, r"out has shape \(2, 35\), expected \(2, 36\)"),
        ({"out": np.broadcast_to(np.zeros(36), (2, 36))}, "out is read-only"),
    ],
)
def test_wrong_arguments_are_named(arguments, text, backend):
    robot = Robot(tree_model(2, seed=1, kinds=["revolute"]), backend=backend)
    with pytest.raises(StateError, match=text):
        robot.inverse_dynamics_regressor(**{"q": [0, 0], "qd": [0, 0], "qdd": [0, 0], **arguments})


def test_programs_of_the_regressor_can_be_counted_and_read():
    robot = lissom.robots.planar_two_link()
    assert robot.operation_count("inverse_dynamics_regressor").trigonometric == 4
    assert "Y[0] = " in robot.program("inverse_dynamics_regressor")
