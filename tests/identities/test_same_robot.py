"""One robot told in several ways has one dynamics: Denavit-Hartenberg forms, URDF, other frames, regrouped inertias."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom import Robot, robots
from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.robots import tree_model
from support.published import ROBOTS
from support.states import error, random_states
from support.trees import trees

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")


@pytest.mark.parametrize("about", ["com", "origin"])
def test_stanford_arm_is_the_same_in_both_conventions(backend, about):
    modified, standard = (Robot(robots.stanford_model(c, about), backend=backend) for c in ("modified", "standard"))
    state = random_states(modified.model, 9, seed=1)
    assert error(standard.inverse_dynamics(*state), modified.inverse_dynamics(*state)) < 1e-12
    assert error(standard.gravity_torques(state[0]), modified.gravity_torques(state[0])) < 1e-12


ROWS = [(0.3, 0.1, 0.2, 0.5), (-0.4, 0.2, 0.3, -1.1), (0.7, -0.3, 0.1, 0.9)]  # theta, d, a, alpha
DRIVE = "friction: {viscous: 0.2, coulomb: 0.1}"


def dh(convention, kinds):
    """Return the same three joints as a standard table, or as a modified one whose last frame is at the last joint.

    The bodies are point masses at the joints' own frames in either table: modified frame j is the standard frame j-1, moved.
    """
    lines = [f"lissom: 1\nkind: dh\nconvention: {convention}\nname: arm\njoints:"]
    alpha0 = a0 = 0.0
    for kind, (theta, d, a, alpha) in zip(kinds, ROWS, strict=True):
        if convention == "standard":
            # standard frame j sees modified frame j at -a along its x, turned back by alpha: com (a point on x) is the same there
            lines.append(
                f"  - {{kind: {kind}, theta: {theta}, d: {d}, a: {a}, alpha: {alpha}, mass: 2, com: [{0.05 - a}, 0, 0], {DRIVE}}}"
            )
        else:
            lines.append(
                f"  - {{kind: {kind}, alpha: {alpha0}, d: {a0}, theta: {theta}, r: {d}, mass: 2, com: [0.05, 0, 0], {DRIVE}}}"
            )
        alpha0, a0 = alpha, a
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "kinds", [("revolute",) * 3, ("prismatic", "revolute", "revolute"), ("revolute", "prismatic", "prismatic")]
)
def test_standard_and_modified_tables_are_the_same_robot(tmp_path, kinds, backend):
    forces = []
    for convention in ("standard", "modified"):
        file = tmp_path / f"{convention}.yaml"
        file.write_text(dh(convention, kinds))
        robot = Robot(lissom.load(file).model, backend=backend)
        forces.append(robot.inverse_dynamics(*random_states(robot.model, 9, seed=2)))
    assert error(*forces) < 1e-12


def test_table_written_as_urdf_is_the_same_robot(tmp_path):
    (tmp_path / "table.yaml").write_text(dh("modified", ("prismatic", "revolute", "continuous")))
    for model in (robots.stanford_model("modified"), robots.planar_two_link_model(), lissom.load(tmp_path / "table.yaml").model):
        model = model.with_joints(lambda j: dataclasses.replace(j, rotor_inertia=0.0))  # URDF has none
        robot = Robot(model)
        robot.save(tmp_path / "robot.urdf")
        read = lissom.load(tmp_path / "robot.urdf", friction=True)
        state = random_states(model, 9, seed=3)
        assert read.joint_names == robot.joint_names
        assert error(read.inverse_dynamics(*state), robot.inverse_dynamics(*state)) < 1e-12


@pytest.mark.parametrize("name", ["ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf"])
def test_published_robot_written_as_yaml_is_the_same_robot(tmp_path, name):
    robot = lissom.load(ROBOTS / name)
    file = tmp_path / "robot.yaml"
    robot.save(file)
    state = random_states(robot.model, 9, seed=3)
    assert np.array_equal(lissom.load(file).inverse_dynamics(*state), robot.inverse_dynamics(*state))


@given(trees(), st.integers(0, 100))
def test_regrouped_inertias_give_the_same_forces(model, seed):
    state = random_states(model, 3, seed=seed)
    for make, arguments in ((tasks.inverse_dynamics, state), (tasks.bias_torques, state[:2]), (tasks.gravity_torques, state[:1])):
        (regrouped,), (full,) = (make(model, regrouped=r).evaluate(arguments) for r in (True, False))
        assert error(regrouped, full) < 1e-12


@given(trees(), st.integers(0, 100))
def test_every_layout_of_the_frames_gives_the_same_results(model, seed):
    state = random_states(model, 3, seed=seed)
    for task in (tasks.inverse_dynamics(model), tasks.inverse_dynamics(model, regrouped=False), tasks.joint_wrenches(model)):
        columns = [[x[:, k] for k in range(x.shape[1])] for x in state]
        results = [np.array([np.broadcast_to(v, 3) for v in text(*columns)[0]]) for text in task.texts]
        for other in results[1:]:
            assert error(other, results[0]) < 1e-12


def test_planar_arm_has_the_forces_of_its_closed_form(backend):
    robot = Robot(robots.planar_two_link_model(), backend=backend)
    state = random_states(robot.model, (3, 4), seed=4)
    assert error(robot.inverse_dynamics(*state), robots.planar_two_link_closed_form(*state)) < 1e-13


@pytest.mark.sweep("1e-07", "0.2")
@pytest.mark.parametrize("skew", [0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.05, 0.1, 0.2])
def test_nearly_parallel_axes_cost_no_digits(skew):
    model = tree_model(12, branching=1, skew=skew, seed=5, kinds=["revolute"])
    state = random_states(model, 9, seed=5)
    assert (
        error(Robot(model, backend="llvm").inverse_dynamics(*state), Robot(model, backend="numpy").inverse_dynamics(*state))
        < 1e-12
    )


def test_order_of_joints_and_links_in_a_model_does_not_matter():
    model = tree_model(6, branching=1, seed=6)
    turned = lissom.Model(model.name, model.links[::-1], model.joints[::-1], model.gravity)
    state = random_states(model, 3, seed=6)
    assert turned.joints == model.joints
    assert np.array_equal(Robot(turned).inverse_dynamics(*state), Robot(model).inverse_dynamics(*state))
