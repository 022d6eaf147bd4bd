"""Pictures of closed robots, and what is up in them."""

import numpy as np
import pytest
from PIL import Image

import lissom
from lissom.view.stick import best_plane, space, sticks, up_of


@pytest.fixture(scope="module")
def motion():
    five = lissom.robots.five_bar()
    problem = lissom.MotionProblem(five, control_points=10, duration=(0.1, 2.0))
    return problem.start(five.home()).end(five.home() + [0.5, 0.4]).limit("torque", -8, 8).minimize("time").solve()


def test_the_whole_mechanism_is_drawn(motion):
    closed = motion.robot
    q = motion.coordinates(motion.times(5))[0]
    drawn = sticks(closed, q)
    assert drawn.lines.shape == (5, 5, 4, 3)  # four joints and the cut one
    poses = closed.link_poses(q)
    place = {name: k for k, name in enumerate(closed.link_names)}
    for k, joint in enumerate(closed.model.joints):
        assert np.allclose(drawn.lines[:, k, 3], poses[:, place[joint.child], :3, 3], atol=1e-12)
    # the cut joint is where its two links meet
    assert np.allclose(drawn.lines[:, 4, 1], drawn.lines[:, 4, 2], atol=1e-12)
    assert np.ptp(drawn.points, axis=0).max() > 0.3


def test_wrenches_carry_the_names_of_joints_and_cut_joints(motion):
    figure = motion.plot()
    (axis,) = [a for a in figure.axes if a.get_title(loc="left").startswith("joint reaction forces")]
    names = [text.get_text() for text in axis.get_legend().get_texts()]
    assert names == ["left", "left_elbow", "right", "right_elbow", "pin"]
    sizes = np.linalg.norm(motion.robot.joint_wrenches(*motion.states(motion.times(201))[:3])[..., :3], axis=-1)
    assert np.allclose(np.stack([line.get_ydata() for line in axis.lines[:5]], axis=1), sizes)


def test_an_animation_shows_more_than_a_dot(motion, tmp_path):
    with Image.open(motion.animate(tmp_path / "five.gif", frames=5)) as gif:
        gif.seek(3)
        pixels = np.asarray(gif.convert("RGB")).astype(int)
    blue = (pixels[..., 2] - pixels[..., 0] > 60).nonzero()
    assert np.ptp(blue[0]) > 60 and np.ptp(blue[1]) > 60


def test_up_is_against_gravity():
    model = lissom.robots.rr().model
    pulls = {(0, -9.81, 0): (0, 1, 0), (0, 0, -1.62): (0, 0, 1), (0, 0, 0): (0, 0, 1), (3.0, 0, 0): (-1, 0, 0)}
    for gravity, up in pulls.items():
        found = up_of(model.replace(gravity=gravity))
        assert np.allclose(found, up)
        room = space(found)
        assert np.allclose(room.axes @ room.axes.T, np.eye(3)) and np.linalg.det(room.axes) > 0.99
        assert np.allclose(room.project(np.array(up, dtype=float)), [0, 0, 1])
    points = np.random.default_rng(0).normal(size=(40, 3))
    for flat, gravity_up, labels in (
        ((0.0, 1.0, 1.0), (0.0, 1.0, 0.0), ("z [m]", "y [m]")),
        ((1.0, 1.0, 0.0), (0.0, 1.0, 0.0), ("x [m]", "y [m]")),
        ((1.0, 1.0, 0.0), (1.0, 0.0, 0.0), ("y [m]", "x [m]")),
        ((1.0, 0.0, 1.0), (0.0, 0.0, -1.0), ("x [m]", "-z [m]")),
        ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0), ("x [m]", "z [m]")),
        ((0.0, 1.0, 1.0), (0.0, 0.0, 1.0), ("y [m]", "z [m]")),
    ):
        assert best_plane(points * flat, np.array(gravity_up)).labels == labels
    # a plane that is nobody's: up as far as it can be
    c, s = np.cos(0.5), np.sin(0.5)
    turned = points * [1.0, 1.0, 0.0] @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    assert best_plane(turned, np.array([0.0, 1.0, 0.0])).labels[1] == "y [m]"


def test_a_robot_whose_up_is_y_stands_upright():
    """An arm that swings in the plane of y and z, gravity along -y: raising it goes up in the picture."""
    arm = lissom.Link("arm", lissom.Inertia(1.0, (0.0, 0.0, 0.5), np.diag([0.1, 0.1, 0.01])))
    joint = lissom.Joint("shoulder", "revolute", "base", "arm", axis=(-1.0, 0.0, 0.0))
    model = lissom.Model("y_up", (lissom.Link("base"), arm), (joint,), gravity=(0.0, -9.81, 0.0))
    problem = lissom.MotionProblem(lissom.Robot(model), control_points=8, duration=1.0)
    motion = problem.start([0.0]).end([1.2]).minimize("integral", 1.0, "jerk").solve()
    axis = motion.plot().axes[-1]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("z [m]", "y [m]")
    way = axis.lines[-1].get_ydata()
    assert way[-1] - way[0] > 0.4
