"""Outlines of obstacles in flat pictures."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem
from lissom.predict import Box, Capsule
from lissom.view.outline import outline
from lissom.view.scene.world import Obstacle
from lissom.view.stick import Plane

FRONT = Plane(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), ("x", "z"), True)


def area(corners):
    x, y = corners.T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize(
    ("obstacle", "expected"),
    [
        (Obstacle((1.0, 2.0, 3.0), 0.2, "ball"), np.pi * 0.2**2),
        (Obstacle((0.0, 0.0, 0.0), 0.1, "lying", end=(0.5, 0.7, 0.0)), np.pi * 0.1**2 + 0.5 * 0.2),  # 0.5 m across the view
        (Obstacle((0.0, 0.0, 0.0), 0.1, "along the view", end=(0.0, 0.7, 0.0)), np.pi * 0.1**2),
        (Obstacle((1.0, 2.0, 3.0), 0.0, "box", size=(0.4, 0.9, 0.2)), 0.4 * 0.2),
    ],
)
def test_an_outline_has_the_area_of_the_shadow(obstacle, expected):
    found = outline(obstacle, FRONT, np.eye(4))
    assert area(found) == pytest.approx(expected, rel=3e-3)
    pose = np.eye(4)
    pose[:3, 3] = (0.3, -5.0, 0.7)
    away = outline(obstacle, FRONT, pose)
    for side in (np.min, np.max):
        assert side(away, axis=0) == pytest.approx(side(found, axis=0) + [0.3, 0.7])


def test_a_turned_box_is_drawn_turned():
    turn = np.array([[np.cos(0.3), 0, np.sin(0.3)], [0, 1, 0], [-np.sin(0.3), 0, np.cos(0.3)]])
    box = Obstacle((0.0, 0.0, 0.0), 0.0, "box", size=(0.4, 0.9, 0.2), axes=tuple(map(tuple, turn)))
    expected = [FRONT.project(turn @ [x, 0.0, z]) for x in (-0.2, 0.2) for z in (-0.1, 0.1)]
    found = outline(box, FRONT, np.eye(4))
    assert len(found) == 4 and np.array(sorted(found.tolist())) == pytest.approx(np.array(sorted(x.tolist() for x in expected)))


def test_the_strobe_picture_shows_obstacles_in_the_world_and_on_links():
    arm = lissom.robots.rr()
    problem = MotionProblem(arm, control_points=10, duration=0.6).start([0, -2]).end([1, -1])
    problem.avoid("link_2", Capsule([2.0, 0.0, -1.0], [2.0, 0.0, 1.0], 0.1), capsules=Capsule([0, 0, 0], [0.3, 0, 0], 0.02))
    problem.avoid("link_2", Box([0.0, 0.0, 0.5], [0.1, 0.1, 0.1]), other="link_1", capsules=Capsule([0, 0, 0], [0.3, 0, 0], 0.02))
    found = problem.minimize("integral", 1.0, "torque").solve(restart=False)
    post, box = (patch.get_xy() for patch in found.plot().axes[-1].patches)
    assert np.linalg.norm(post - [2.0, 0.0], axis=1) == pytest.approx(0.1)
    pose = arm.link_pose(found.states(found.duration)[0], "link_1")
    corners = [(pose @ [x, y, 0.5, 1.0])[:2] for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
    assert all(np.linalg.norm(box - corner, axis=1).min() < 1e-9 for corner in corners)
