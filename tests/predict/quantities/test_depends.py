"""Columns that quantities depend on, from the tree, against derivatives at random states."""

import numpy as np
import pytest

import lissom
from lissom import Joint, JointKind, Link, Model, MotionProblem, Robot
from lissom.model import Coupling, Inertia
from lissom.predict import Capsule, State
from lissom.robots import tree_model

POINT = (0.1, -0.2, 0.3)


def branched():
    """A trunk of two joints with two arms of two joints each; the last joint of one follows the first of the other."""
    links = [Link("base")]
    joints = []
    for name, parent, axis, coupling in [
        ("trunk", "base", (0, 0, 1), None),
        ("chest", "trunk", (0, 1, 0), None),
        ("left", "chest", (1, 0, 0), None),
        ("left_hand", "left", (0, 1, 0), None),
        ("right", "chest", (1, 0, 0), None),
        ("right_hand", "right", (0, 1, 0), Coupling("to_left", 0.5, 0.1)),
    ]:
        links.append(Link(name, Inertia(1.0, (0.1, 0.0, 0.2), np.diag([0.1, 0.2, 0.15]))))
        place = lissom.Pose(translation=(0.2, 0.1 if "left" in name else -0.1, 0.3))
        joints.append(Joint(f"to_{name}", JointKind.REVOLUTE, parent, name, origin=place, axis=axis, coupling=coupling))
    return Robot(Model("branched", tuple(links), tuple(joints)))


def slopes(quantity, n, seed):
    rng = np.random.default_rng(seed)
    found = np.zeros((quantity.size, n), dtype=bool)
    for _ in range(3):
        state = State(tuple(rng.uniform(-1.0, 1.0, (4, n)) for _ in range(6)))
        found |= (np.abs(quantity.derivatives(state)) > 1e-12).any(axis=(0, 1))
    return found


CASES = [
    ("link_position", {"link": "right_hand", "point": POINT}, [0, 1, 2, 4]),
    ("link_rotation", {"link": "left"}, [0, 1, 2]),
    ("orientation", {"link": "left_hand", "target": np.eye(3)}, [0, 1, 2, 3]),
    ("tilt", {"link": "chest"}, [0, 1]),
    ("link_velocity", {"link": "right", "point": POINT}, [0, 1, 4]),
    ("speed_squared", {"link": "left_hand", "point": POINT}, [0, 1, 2, 3]),
    ("link_acceleration", {"link": "right_hand", "point": POINT}, [0, 1, 2, 4]),
    ("distance_squared", {"link": "left_hand", "point": POINT, "center": (1.0, 0.0, 0.0)}, [0, 1, 2, 3]),
    ("distance_squared", {"link": "left_hand", "point": POINT, "other": "right_hand", "center": POINT}, [2, 3, 4]),
    ("distance_squared", {"link": "left_hand", "point": POINT, "other": "left", "center": POINT}, [3]),
]


@pytest.mark.parametrize(("name", "options", "columns"), CASES)
def test_a_link_depends_on_the_joints_that_carry_it(name, options, columns):
    robot = branched()
    quantity = MotionProblem(robot).quantities.get(name, **options)
    assert np.flatnonzero(quantity.depends.any(axis=0)).tolist() == columns
    assert not slopes(quantity, robot.nv, 0)[~quantity.depends].any()
    assert slopes(quantity, robot.nv, 0).any(axis=0).tolist() == quantity.depends.any(axis=0).tolist()  # none too many


@pytest.mark.slow
@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(3))
def test_no_derivative_is_left_out_in_random_trees(seed):
    robot = Robot(tree_model(8, seed=seed, kinds=("revolute", "prismatic")))
    rng = np.random.default_rng(seed)
    one, two = rng.choice(robot.link_names[1:], 2, replace=False).tolist()
    get = MotionProblem(robot).quantities.get
    for quantity in [
        get("link_acceleration", link=one, point=POINT),
        get("distance_squared", link=one, point=POINT, other=two, center=POINT),
        get("power"),
        get("torque_rate"),
        get("torque"),
    ]:
        assert not slopes(quantity, robot.nv, seed)[~quantity.depends].any(), quantity


def test_obstacles_and_links_depend_on_what_lies_between():
    robot = branched()
    body = Capsule([0.0, 0.0, 0.0], [0.1, 0.0, 0.0], radius=0.01)
    problem = MotionProblem(robot).avoid("left", Capsule([3.0, 0.0, 0.0], [3.0, 0.0, 1.0], radius=0.1), capsules=body)
    (limit,) = problem.parts.limits
    assert np.flatnonzero(limit.quantity.depends[0]).tolist() == [0, 1, 2]
    assert not slopes(limit.quantity, robot.nv, 0)[~limit.quantity.depends].any()


def test_one_program_serves_all_targets_of_an_orientation(tmp_path, monkeypatch):
    robot = lissom.robots.puma560()
    get = MotionProblem(robot).quantities.get
    state = State(tuple(np.random.default_rng(0).uniform(-1.0, 1.0, (3, 6)) for _ in range(4)))
    for seed in range(3):
        R = lissom.model.pose.rotation_from_quaternion(np.random.default_rng(seed).normal(size=4).tolist())
        quantity = get("orientation", link=robot.link_names[-1], target=R)
        turn = R.T @ robot.link_pose(state.rates[0], robot.link_names[-1])[:, :3, :3]
        cosine = (np.trace(turn, axis1=1, axis2=2) - 1) / 2
        expected = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1)
        assert quantity.values(state) == pytest.approx(expected / np.sqrt(2 + 2 * cosine)[:, None], abs=1e-12)
        assert np.array_equal(quantity.options["target"], R)
        if seed == 0:
            monkeypatch.setenv("LISSOM_DUMP", str(tmp_path))
    assert not list(tmp_path.iterdir())  # nothing was compiled after the first target
