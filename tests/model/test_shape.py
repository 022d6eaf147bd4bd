"""Shapes: their checks, and their place in a model."""

import copy
import math
import pickle

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, ModelError, NameLookupError, Pose, Robot
from lissom.model import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere
from lissom.model.lock import locked
from lissom.model.payload import with_payload
from lissom.model.pose import rotation_from_rpy
from lissom.model.show import shapes_of

LINKS = (Link("base"), Link("arm", Inertia(1.0, (0, 0, 0.1))))
JOINTS = (Joint("j", JointKind.REVOLUTE, "base", "arm"),)
BALL = Shape("arm", Sphere(0.1), color=(1, 0, 0, 1), role="both", name="ball")
PLAIN, DRAWN = Model("m", LINKS, JOINTS), Model("m", LINKS, JOINTS, shapes=(BALL,))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Box((1, 2, 0)), "the size of a box must be positive, got"),
        (lambda: Box((1, 2)), "size of a box must be three numbers, got 2"),
        (lambda: Sphere(-1), "the radius of a sphere must be positive, got -1"),
        (lambda: Sphere(math.inf), "the radius of a sphere must be positive, got inf"),
        (lambda: Sphere("big"), "radius of a sphere must be a number, got 'big'"),
        (lambda: Ellipsoid((1, 1, -1)), "the radii of an ellipsoid must be positive"),
        (lambda: Cylinder(1, math.nan), "the length of a cylinder must be positive, got nan"),
        (lambda: Capsule(0, 1), "the radius of a capsule must be positive, got 0"),
        (lambda: Mesh("x.stl", scale=(1, 0, 1)), "the scale of a mesh must not be zero"),
        (lambda: Mesh(3), "the source of a mesh must be text, got 3"),
        (lambda: Shape("arm", "box"), "the geometry of a shape of 'arm' must be Box, Sphere, ..., Mesh, got 'box'"),
        (lambda: Shape("arm", Sphere(1), role="visible"), "the role of a shape of 'arm' is 'visible'; did you mean 'visual'"),
        (lambda: Shape("arm", Sphere(1), color=(1, 0, 0)), "must be four numbers from 0 to 1, got"),
        (lambda: Shape("arm", Sphere(1), color=(255, 0, 0, 1)), "must be four numbers from 0 to 1, got"),
        (lambda: Shape("arm", Sphere(1), color=3), "must be four numbers from 0 to 1, got 3"),
        (lambda: Shape("arm", Sphere(1), origin=(0, 0, 1)), "the origin of a shape of 'arm' must be a Pose"),
        (lambda: Model("m", LINKS, JOINTS, shapes=(Sphere(1),)), "the shapes of a model must be a sequence of Shape"),
    ],
)
def test_impossible_shapes_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_shape_needs_a_link_of_the_model():
    with pytest.raises(NameLookupError, match=r"no link 'arn' \(of a shape, sphere ''\); did you mean 'arm'"):
        PLAIN.replace(shapes=(Shape("arn", Sphere(1)),))


def test_lists_of_shapes_become_tuples():
    assert PLAIN.replace(shapes=[BALL]).shapes == (BALL,)


def test_models_that_differ_only_in_shapes_are_equal_and_share_their_compiled_code():
    assert PLAIN == DRAWN
    assert hash(PLAIN) == hash(DRAWN)
    assert PLAIN.fingerprint == DRAWN.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        lambda m: locked(m, {"j": 0.5}),
        lambda m: with_payload(m, 1.0, (0, 0, 0.2)),
        Model.without_friction,
        Model.without_loops,
        Model.with_rigid_drives,
        lambda m: m.with_joints(lambda joint: joint),
        lambda m: m.replace(name="other"),
    ],
)
def test_shapes_stay_on_their_links_in_changed_models(change):
    assert change(DRAWN).shapes == (BALL,)


def test_shapes_of_a_locked_robot_are_where_they_are_with_the_joint_at_that_position():
    free = lissom.robots.puma560_model()
    rng = np.random.default_rng(3)
    poses = [Pose(rotation_from_rpy(*rng.normal(size=3)), rng.normal(size=3)) for _ in free.links]
    free = free.replace(shapes=[Shape(link.name, Sphere(0.1), pose) for link, pose in zip(free.links, poses, strict=True)])
    q = rng.normal(size=6)
    names = [joint.name for joint in free.independent_joints]
    held = locked(free, {names[1]: q[1], names[4]: q[4]})
    robots = (Robot(free, backend="numpy"), q), (Robot(held, backend="numpy"), np.delete(q, [1, 4]))
    one, two = (
        [robot.link_pose(at, shape.link)[:3] @ np.append(shape.origin.p, 1.0) for shape in robot.model.shapes]
        for robot, at in robots
    )
    assert np.allclose(one, two, rtol=0, atol=1e-13)


def test_robots_with_shapes_can_be_pickled_and_copied():
    robot = Robot(DRAWN, backend="numpy")
    assert pickle.loads(pickle.dumps(robot)).model.shapes == copy.deepcopy(robot).model.shapes == (BALL,)


def test_the_text_of_a_model_counts_shapes_and_meshes_that_were_not_found():
    assert repr(DRAWN) == "<Model 'm': 2 links, 1 joint, 1 shape, nq = 1, nv = 1>"
    lost = [Shape("arm", Mesh("a.stl")), Shape("arm", Mesh("a.stl")), Shape("arm", Mesh("b.stl", "/b.stl"))]
    assert shapes_of(PLAIN.replace(shapes=lost)) == "3 shapes (1 mesh file not found)"
    assert shapes_of(DRAWN) == "1 shape"
