"""Base parameters: how many there are, that they carry the joint forces, and that nothing more can be identified."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import Inertia, Joint, Link, Model, Robot, StateError
from lissom.read import load_model
from lissom.robots import planar_two_link, puma560, stanford, tree_model
from lissom.robots.dh_chain import Row, dh_chain
from support.published import FILES
from support.states import error, random_states
from support.trees import trees

pytestmark = pytest.mark.filterwarnings("ignore::lissom.ModelWarning")


def published(name):
    return Robot(load_model(next(file for file in FILES if file.name == name)))


@settings(max_examples=25)
@given(trees(every=True), st.integers(0, 1000), st.booleans())
def test_joint_forces_follow_from_base_parameters(model, seed, drives):
    robot, state = Robot(model, backend="numpy"), random_states(model, 5, seed=seed)
    base = robot.base_parameters(drives=drives)
    Y, pi = robot.inverse_dynamics_regressor(*state, drives=drives), robot.inertial_parameters(drives=drives)
    # the whole matrix, not only the forces of this robot: any other inertias give the same forces by base parameters
    assert error(Y[..., base.columns] @ base.matrix, Y) < 1e-9
    assert error(Y[..., base.columns] @ base.values, Y @ pi) < 1e-9
    assert np.allclose(base.values, base.matrix @ pi)
    assert np.array_equal(base.matrix[:, base.columns], np.eye(len(base)))


@settings(max_examples=10)
@given(trees(every=True), st.integers(0, 1000))
def test_there_are_as_many_as_a_motion_can_identify(model, seed):
    # the rank of regressors at other states than those looked at, by singular values
    robot = Robot(model, backend="numpy")
    base = robot.base_parameters()
    Y = robot.inverse_dynamics_regressor(*random_states(model, 400, seed=seed, size=3.0)).reshape(-1, len(base.names))
    assert np.linalg.matrix_rank(Y / np.maximum(np.linalg.norm(Y, axis=0), 1e-9), tol=1e-7) == len(base)


# Mayeda, Yoshida and Osuka 1990: 7 n - 4 b for n rotary joints, the first b of them parallel; less 2 if these are along gravity;
# rotors add one each, but for the first two joints, whose rotors turn as a link's inertia about the axis does
@pytest.mark.parametrize("name", ["puma560", "ur5_robot.urdf", "ur10_robot.urdf"])
def test_arms_of_six_rotary_joints_have_36_and_40_with_rotors(name):
    robot = puma560() if name == "puma560" else published(name)
    assert len(robot.base_parameters(drives=False)) == 7 * 6 - 4 - 2 == 36
    base = robot.base_parameters()
    friction = [name for name in base.names if name.endswith(("viscous", "coulomb"))]
    assert len(base) == 40 + len(friction)


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize(("gravity", "less"), [((0, 0, -9.81), 2), ((0, -9.81, 0), 0)])
def test_planar_arms_have_three_a_joint(n, gravity, less):
    arm = dh_chain("arm", [Row(a=0.3)] * n, [Inertia(1.0)] * n, "standard", gravity)
    assert len(Robot(arm).base_parameters(drives=False)) == 3 * n - less


def chain(kinds, gravity=(0.3, -0.4, -9.8)):
    """Return a chain with general geometry."""
    links, joints, draw = [Link("base")], [], tree_model(len(kinds), 1, skew=1.1, seed=4, kinds=["revolute"])
    for kind, joint, link in zip(kinds, draw.joints, draw.links[1:], strict=True):
        joints.append(Joint(joint.name, kind, links[-1].name, link.name, joint.origin, joint.axis))
        links.append(link)
    return Robot(Model("chain", tuple(links), tuple(joints), gravity))


@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_general_rotary_chains_have_seven_a_joint_but_four(n):
    # Mayeda, Yoshida and Osuka: 7 n - 4; gravity along no axis. The first link is felt by mx, my and Izz about its axis alone
    assert len(chain(["revolute"] * n).base_parameters(drives=False)) == 7 * n - 4


def test_one_joint_knows_what_its_axis_sees():
    links = (Link("base"), Link("arm", Inertia(1.0, (0.5, 0.2, 0.1), 0.1 * np.eye(3))))
    upright = Model("door", links, (Joint("hinge", "revolute", "base", "arm"),))
    door = Robot(upright).base_parameters(drives=False)
    assert door.expressions == ("arm.Izz",)  # gravity along the axis: only the inertia about it
    assert len(door.without_effect) == 19
    flap = Robot(upright.replace(gravity=(0, -9.81, 0))).base_parameters(drives=False)
    assert set(flap.expressions) == {"arm.Izz", "arm.mx", "arm.my"}
    slider = Robot(Model("slider", links, (Joint("rail", "prismatic", "base", "arm"),))).base_parameters()
    # gravity has to be borne, a rotor not: so they can be told apart
    assert set(slider.expressions) == {"arm.mass", "rail.rotor_inertia", "rail.viscous", "rail.coulomb"}
    free = Robot(Model("stone", links, (Joint("free", "floating", "base", "arm"),))).base_parameters()
    assert len(free) == 10


def test_a_planar_arm_has_its_textbook_parameters():
    # two links of length l1, turning about parallel axes in gravity: I1 + m2 l1^2, mx1 + m2 l1, my1, and I2, mx2, my2
    robot = planar_two_link()
    base = robot.base_parameters(drives=False)
    assert len(base) == 6
    l1 = np.linalg.norm(robot.model.joints[1].origin.p)
    second = robot.model.joints[1].child
    column = {name: base.matrix[:, k] for k, name in enumerate(base.names)}
    assert sorted(column[f"{second}.mass"].round(12).tolist()) == sorted([0, 0, 0, 0, round(l1, 12), round(l1**2, 12)])


def test_links_fixed_to_others_are_grouped_with_them():
    model = puma560().model
    tool = model.replace(
        links=(*model.links, Link("gripper")), joints=(*model.joints, Joint("bolts", "fixed", "link_6", "gripper"))
    )
    base = Robot(tool).base_parameters(drives=False)
    assert len(base) == 36
    own = {name.split(".")[1]: base.matrix[:, k] for k, name in enumerate(base.names) if name.startswith("gripper.")}
    theirs = {name.split(".")[1]: base.matrix[:, k] for k, name in enumerate(base.names) if name.startswith("link_6.")}
    for name, column in own.items():
        assert np.allclose(column, theirs[name], atol=1e-10)


def test_parameters_are_recovered_from_noisy_forces():
    robot = stanford()
    base, state = robot.base_parameters(drives=False), random_states(robot.model, 400, seed=1, size=2.0)
    Y = robot.inverse_dynamics_regressor(*state, drives=False)[..., base.columns].reshape(-1, len(base))
    noise = 1e-3 * np.random.default_rng(1).normal(size=len(Y))
    found = np.linalg.lstsq(Y, robot.inverse_dynamics(*state).ravel() + noise, rcond=None)[0]
    spread = 1e-3 * np.sqrt(np.diag(np.linalg.inv(Y.T @ Y)))
    assert (np.abs(found - base.values) < 5 * spread).all()
    assert error(Y @ found, Y @ base.values) < 1e-3


def test_the_margin_tells_how_certain_the_rank_is():
    least, most = puma560().base_parameters().margin
    assert most < 1e-12 < 1e-2 < least


def test_the_table_lists_every_base_parameter_and_what_has_no_effect():
    base = puma560().base_parameters(drives=False)
    text = str(base).splitlines()
    assert text[0] == "puma560: 36 base parameters from 70 parameters (15 grouped with others, 19 without effect)"
    assert text[-2].startswith("without effect: base.mass base.mx")
    assert sum(line[:4].strip().isdigit() for line in text[1:-2]) == 36 == len(base)
    assert max(map(len, text)) <= 120
    assert "link_4.mz - link_5.my" in base.expressions
    assert repr(base) == "<BaseParameters of 'puma560': 36 from 70 parameters>"


def test_results_do_not_depend_on_the_seed():
    a, b = (puma560().base_parameters(seed=seed) for seed in (0, 7))
    assert np.array_equal(a.columns, b.columns)
    assert np.allclose(a.matrix, b.matrix, rtol=0, atol=1e-9)


def test_a_robot_that_cannot_move_has_none():
    base = Robot(Model("stone", (Link("base", Inertia(1.0)),), ())).base_parameters()
    assert len(base) == 0
    assert base.matrix.shape == (0, 10)
    assert "0 base parameters from 10 parameters" in str(base)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"tolerance": 0}, "tolerance must be a number between 0 and 1, got 0"),
        ({"tolerance": "small"}, "tolerance must be a number between 0 and 1, got 'small'"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"drives": 2}, "drives must be True or False, got 2"),
    ],
)
def test_wrong_arguments_are_named(arguments, text):
    with pytest.raises(StateError, match=text):
        lissom.robots.puma560().base_parameters(**arguments)
    if "drives" in arguments:
        with pytest.raises(StateError, match=text):
            lissom.robots.puma560().inertial_parameters(**arguments)


def test_parameters_of_a_model_are_those_of_its_links_and_drives():
    model = tree_model(3, seed=2, kinds=["revolute"])
    heavier = dataclasses.replace(model.links[1], inertia=Inertia(5.0, (0.1, 0.2, 0.3), np.diag([1.0, 2.0, 2.5])))
    pi = Robot(model.replace(links=(model.links[0], heavier, *model.links[2:]))).inertial_parameters()
    steiner = 5.0 * np.array([0.13, -0.02, 0.10, -0.03, -0.06, 0.05])
    assert np.allclose(pi[10:20], [5.0, 0.5, 1.0, 1.5, *(np.array([1.0, 0, 2.0, 0, 0, 2.5]) + steiner)])
    drive = model.joints[2]
    assert pi[-3:].tolist() == [drive.rotor_inertia, drive.friction.viscous, drive.friction.coulomb]
