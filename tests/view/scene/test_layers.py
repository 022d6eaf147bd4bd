"""What is drawn on a robot stands where the mechanics says: centers of mass, axes, motors, springs, paths, ghosts, ground."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom.errors import NameLookupError, StateError
from lissom.model import JointKind, PointSpring, Spring
from lissom.robots.tree import KINDS
from lissom.view.scene.build import motion_scene, robot_scene
from lissom.view.scene.world import Obstacle, Target
from support.scenes import matrices, placed_points, read_back

T = np.linspace(0.0, 2.0, 21)


def swing(robot):
    """Return a motion (K, nq) of a robot with joints of one axis."""
    return 0.5 * np.sin(T[:, None] + np.arange(robot.nq))


def parts_of(data, layer, name=None):
    return [part for part in data["parts"] if part["layer"] == layer and name in (None, part["name"])]


@given(st.integers(0, 10_000))
def test_the_center_of_mass_is_drawn_where_the_robot_has_it(seed):
    robot = lissom.Robot(
        lissom.robots.tree_model(5, seed=seed, kinds=KINDS, floating=bool(seed % 2), fixed=0.3, motors=0.5), backend="numpy"
    )
    q = robot.random_configuration(seed, size=3)
    data = read_back(motion_scene(robot, np.arange(3.0), q))
    (part,) = [part for part in parts_of(data, "com") if part["name"].startswith("center of mass: ")]
    at = data["poses"][:, part["body"], :3]
    np.testing.assert_allclose(at, robot.center_of_mass(q), atol=1e-5)


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_a_joint_turns_about_its_drawn_axis_and_slides_along_it(seed):
    robot = lissom.robots.tree(4, seed=seed, kinds=("revolute", "continuous", "prismatic", "helical"), tails=0.5)
    q = robot.random_configuration(seed)
    for k, joint in enumerate(robot.model.independent_joints):
        one, two = (read_back(robot_scene(robot, q + step * np.eye(robot.nq)[k])) for step in (0.0, 0.4))
        (rod, *_) = parts_of(one, "axes", joint.name)
        ends = placed_points(one, rod)
        drawn = ends - ends.mean(axis=0)
        direction = np.linalg.svd(drawn)[2][0]
        child = one["bodies"].index(joint.child)
        points = np.eye(4)
        before, after = ((matrices(data["poses"][0, child]) @ points)[:3, 3] for data in (one, two))
        moved = after - before
        if joint.kind is JointKind.PRISMATIC:
            np.testing.assert_allclose(np.cross(moved, direction), 0.0, atol=1e-5)
        else:  # the distance from the axis stays
            distance = [np.linalg.norm(np.cross(p - ends.mean(axis=0), direction)) for p in (before, after)]
            assert distance[0] == pytest.approx(distance[1], abs=2e-4)


def test_axes_of_many_joints_are_short():
    def longest(robot):
        data = read_back(robot_scene(robot, robot.neutral()))
        names = [joint.name for joint in robot.model.joints if joint.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS)]
        ends = [placed_points(data, parts_of(data, "axes", name)[0]) for name in names]
        return max(float(np.linalg.norm(np.ptp(points, axis=0))) for points in ends)

    assert 0.02 < longest(lissom.robots.human()) < 0.15  # of a person of 1.75 m
    assert longest(lissom.robots.panda()) > 0.1


def test_a_motor_is_drawn_on_the_link_that_carries_it():
    robot = lissom.robots.hua_arm()
    q = np.array([0.3, 0.4, -0.5, 0.1])
    data = read_back(robot_scene(robot, q))
    for motor in robot.model.motors:
        (part,) = parts_of(data, "motors", motor.name)
        points = placed_points(data, part)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        pose = robot.link_pose(q, motor.link)
        np.testing.assert_allclose(middle, pose[:3, :3] @ motor.origin.p + pose[:3, 3], atol=1e-6)


def test_springs_end_at_their_points():
    model = lissom.robots.rr_model()
    links = [link.name for link in model.links]
    spring = PointSpring("rope", links[0], (0.1, 0.2, 0.3), links[-1], (0.05, -0.1, 0.0), 100.0)
    robot = lissom.Robot(model.replace(force_elements=(spring,)))
    data = read_back(motion_scene(robot, T, swing(robot)))
    (span,) = [span for span in data["spans"] if span["layer"] == "springs"]
    assert span["name"] == "rope" and span["coils"] > 0
    drawn = matrices(data["poses"])
    for body, point, link, expected in (
        (span["first"], span["first_point"], links[0], spring.point_a),
        (span["second"], span["second_point"], links[-1], spring.point_b),
    ):
        pose = robot.link_pose(swing(robot), link)
        found = drawn[:, body, :3, :3] @ np.array(point) + drawn[:, body, :3, 3]
        np.testing.assert_allclose(found, pose[:, :3, :3] @ np.array(expected) + pose[:, :3, 3], atol=1e-6)


def test_springs_of_joints_and_drives_are_drawn_beside_them():
    model = lissom.robots.rp_model()
    sprung = model.with_joints(lambda j: j if j.kind is JointKind.FIXED else dataclasses.replace(j, spring=Spring(10.0)))
    data = read_back(robot_scene(lissom.Robot(sprung), [0.1, 0.2]))
    names = {thing["name"] for thing in (*data["spans"], *data["parts"]) if thing["layer"] == "springs"}
    assert names == {f"spring of {joint.name}" for joint in sprung.joints if joint.spring}
    elastic = read_back(robot_scene(lissom.robots.hua_arm(), np.zeros(4)))
    assert [part["name"] for part in parts_of(elastic, "springs")] == ["spring of motor_3"]


def test_paths_follow_points_of_links():
    robot = lissom.robots.rr()
    link = robot.link_names[-1]
    data = read_back(motion_scene(robot, T, swing(robot), paths=[link, (link, [0.1, 0.0, 0.2])]))
    pose = robot.link_pose(swing(robot), link)
    for part, point in zip(parts_of(data, "paths"), ([0, 0, 0], [0.1, 0, 0.2]), strict=True):
        way = pose[:, :3, :3] @ np.array(point) + pose[:, :3, 3]
        drawn = placed_points(data, part).reshape(-1, 2, 3)
        np.testing.assert_allclose(drawn[:, 0], way[:-1], atol=1e-6)
        np.testing.assert_allclose(drawn[:, 1], way[1:], atol=1e-6)


def test_tips_leave_paths_unless_there_are_many_or_none_is_wanted():
    robot = lissom.robots.panda()
    assert parts_of(read_back(motion_scene(robot, T, swing(robot))), "paths")
    assert not parts_of(read_back(motion_scene(robot, T, swing(robot), paths=False)), "paths")
    bush = lissom.robots.tree(20, branching=8, kinds=("revolute",))
    assert not parts_of(read_back(motion_scene(bush, T, swing(bush))), "paths")
    assert len(parts_of(read_back(motion_scene(bush, T, swing(bush), paths=True)), "paths")) > 6


def test_ghosts_stand_where_the_robot_was():
    robot = lissom.robots.stanford()
    data = read_back(motion_scene(robot, T, swing(robot), ghosts=[0.0, 1.0]))
    solid, ghosts = parts_of(data, "visual"), parts_of(data, "ghosts")
    assert len(ghosts) == 2 * len(solid)
    for frame, some in ((0, ghosts[: len(solid)]), (10, ghosts[len(solid) :])):
        for part, ghost in zip(solid, some, strict=True):
            assert ghost["form"] == part["form"] and ghost["color"][3] < part["color"][3]
            np.testing.assert_allclose(placed_points(data, ghost), placed_points(data, part, frame), atol=2e-6)


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (0, -9.81, 0), (3.0, 4.0, 0.0), (0, 0, 0)])
def test_the_ground_is_level_against_gravity(gravity):
    robot = lissom.Robot(lissom.robots.puma560_model().replace(gravity=gravity))
    data = read_back(robot_scene(robot, robot.neutral()))
    (grid,) = parts_of(data, "ground")
    up = np.array(data["up"])
    heights = placed_points(data, grid) @ up
    np.testing.assert_allclose(heights, heights[0], atol=1e-6)
    if np.any(gravity):
        np.testing.assert_allclose(up, -np.array(gravity) / np.linalg.norm(gravity))


def test_the_ground_is_at_the_feet_of_a_robot_without_a_fixed_base():
    robot = lissom.robots.tree(3, floating=True)
    q = robot.neutral()
    q[2] = -3.0
    data = read_back(robot_scene(robot, q))
    heights = placed_points(data, parts_of(data, "ground")[0])[:, 2]
    np.testing.assert_allclose(heights, data["low"][2], atol=1e-6)


def test_obstacles_and_targets_stand_in_the_world_or_on_a_link():
    from lissom.view.scene.build import SceneMotion, scene_of

    robot = lissom.robots.rr()
    link, q = robot.link_names[-1], np.array([[0.3, 0.4]])
    R = robot.link_pose(q[0], link)[:3, :3]
    marks = {"obstacles": (Obstacle((1.0, 2.0, 3.0), 0.2, "ball"), Obstacle((0.1, 0.0, 0.0), 0.1, "on it", link))}
    data = read_back(scene_of(SceneMotion(robot, T[:1], q, targets=(Target(np.ones(3), R, "goal"),), **marks)))
    ball, carried = parts_of(data, "obstacles")
    points = placed_points(data, ball) - np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.2, atol=1e-5)
    pose = robot.link_pose(q[0], link)
    points = placed_points(data, carried) - (pose[:3, :3] @ [0.1, 0.0, 0.0] + pose[:3, 3])
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.1, atol=1e-5)
    place, axes = parts_of(data, "targets", "goal")
    np.testing.assert_allclose(matrices(axes["pose"])[:3, :3], R, atol=1e-6)
    np.testing.assert_allclose(place["pose"][:3], 1.0)


def test_layers_are_chosen_by_name():
    robot = lissom.robots.rr()

    def shown(layers):
        data = read_back(robot_scene(robot, [0.1, 0.2], layers=layers))
        return {layer["key"] for layer in data["layers"] if layer["shown"]}

    assert shown(None) == {"visual", "ground"}
    assert shown(["visual", "com"]) == shown({"visual", "com"}) == {"visual", "com"}
    assert shown({"com": True, "ground": False}) == {"visual", "com"}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"layers": ["visul"]}, "no layer 'visul'; did you mean 'visual'"),
        ({"layers": "visual"}, r"layers is 'visual', expected a list of layers, or \{layer: True or False\}"),
        ({"layers": 3}, "layers is 3, expected a list"),
        ({"paths": "tip"}, r"paths is 'tip', expected a list of links or of \(link, \[x, y, z\]\)"),
        ({"paths": [3]}, "paths has 3, expected the name of a link"),
        ({"paths": [("link_2", [1, 2])]}, r"paths has the point \[1, 2\] of link 'link_2', expected three numbers"),
        ({"paths": [("link_2", "abc")]}, "paths has the point 'abc' of link 'link_2', expected three numbers"),
        ({"ghosts": -1}, "ghosts is -1, expected a number from 0 to 200"),
        ({"ghosts": True}, "ghosts is True, expected a number of poses, or a list of times"),
        ({"ghosts": [9.0]}, r"ghosts has times \[9.0\] s, expected times between 0 and 2 s"),
        ({"ghosts": "all"}, "ghosts is 'all', expected a number of poses, or a list of times"),
    ],
)
def test_options_that_make_no_sense_are_explained(options, message):
    robot = lissom.robots.rr()
    with pytest.raises(StateError, match=message):
        motion_scene(robot, T, swing(robot), **options)


def test_a_path_of_an_unknown_link_names_the_known_ones():
    robot = lissom.robots.rr()
    with pytest.raises(NameLookupError, match=r"nowhere.* \(of paths\)"):
        motion_scene(robot, T, swing(robot), paths=["nowhere"])


def test_links_without_their_meshes_are_drawn_as_stand_ins_and_a_warning_names_these(tmp_path):
    from lissom.errors import ModelWarning
    from lissom.model import Shape
    from lissom.model.shape import Box, Mesh

    model = lissom.robots.rr_model()
    links = [link.name for link in model.links]
    broken = tmp_path / "broken.stl"
    broken.write_bytes(b"nothing")
    shapes = (
        Shape(links[0], Box((0.1, 0.1, 0.1))),
        Shape(links[1], Mesh("package://arm/one.stl")),
        Shape(links[2], Mesh("broken.stl", str(broken))),
    )
    robot = lissom.Robot(model.replace(shapes=shapes))
    with pytest.warns(ModelWarning) as said:
        data = read_back(robot_scene(robot, [0.1, 0.2]))
    assert "'barman_rr' is drawn without 1 of its meshes, which were not found: 'package://arm/one.stl'; give" in str(
        said[-1].message
    )
    assert said[-1].filename == __file__
    assert "broken.stl" in str(said[0].message)
    drawn = {data["bodies"][part["body"]] for part in parts_of(data, "visual")}
    assert drawn == set(links[:3])


def test_a_robot_with_collision_shapes_alone_is_drawn_with_them():
    from lissom.model import Shape
    from lissom.model.shape import Box

    model = lissom.robots.rr_model()
    shape = Shape(model.links[1].name, Box((0.1, 0.2, 0.3)), role="collision", name="hull")
    data = read_back(robot_scene(lissom.Robot(model.replace(shapes=(shape,))), [0.1, 0.2]))
    (one,), (two,) = parts_of(data, "visual"), parts_of(data, "collision")
    assert one["form"] == two["form"] and one["name"] == f"{model.links[1].name}: hull"


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e5])
def test_robots_of_any_size_are_drawn_alike(size):
    from lissom.model import Inertia, Joint, Link, Model, Pose

    links = (Link("base"), Link("arm", Inertia(1.0, (size / 2, 0.0, 0.0), np.diag([0.0, 1.0, 1.0]) * size**2 / 12)), Link("tip"))
    joints = (
        Joint("turn", JointKind.REVOLUTE, "base", "arm"),
        Joint("end", JointKind.FIXED, "arm", "tip", Pose(translation=(size, 0.0, 0.0))),
    )
    data = read_back(robot_scene(lissom.Robot(Model("arm", links, joints)), [0.3]))
    reach = np.array(data["high"]) - np.array(data["low"])
    assert 0.9 < np.linalg.norm(reach) / size < 2.5
    grid = np.ptp(placed_points(data, parts_of(data, "ground")[0]), axis=0)
    assert 1.0 < grid[:2].max() / size < 6.0


def test_a_robot_without_joints_is_drawn():
    from lissom.model import Link, Model

    data = read_back(robot_scene(lissom.Robot(Model("stone", (Link("stone"),), ())), []))
    assert data["bodies"] == ["world", "stone"]
