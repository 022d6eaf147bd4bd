import math
import re
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom import StateError
from lissom.view.camera import BAR, FIELD, FILLED, NARROW, SHARE, VIEWS, camera
from lissom.view.scene.data import bounds
from lissom.view.scene.scene import Part, Scene
from support.drawn import CUBE, RED, cube, moved, sliding, still

SIZE = (640, 480)
SIGHTS = ["default", "front", "side", "top", "iso", (30.0, -50.0)]


def by_angles(points, seen, size):
    """Columns and rows of points by the angles under which the eye sees them."""
    right, up, back = seen.pose[:3, :3].T
    way = points - seen.pose[:3, 3]
    ahead = -way @ back
    half = math.tan(FIELD / 2)
    column = size[0] / 2 + (way @ right) / ahead / half * size[1] / 2
    return np.stack([column, size[1] / 2 - (way @ up) / ahead / half * size[1] / 2], axis=-1)


@pytest.mark.parametrize("view", SIGHTS)
@pytest.mark.parametrize("size", [SIZE, (300, 700)])
def test_every_corner_of_the_motion_is_in_the_picture_and_one_is_near_its_edge(view, size):
    scene = sliding()
    points = np.concatenate([CUBE + [x, 0, 0] for x in (0.0, 1.0, 2.0)])
    places = camera(scene, size, view).project(points, size)
    share = np.abs(places[:, :2] / size - 0.5).max(axis=0) * 2
    assert share.max() == pytest.approx(FILLED, abs=1e-9)
    assert (places[:, 2] > 0).all()


@pytest.mark.parametrize("view", SIGHTS)
@pytest.mark.parametrize(("size", "bar"), [((390, 700), 92), ((390, 340), 68), ((390, 300), 0), ((600, 900), 0)])
def test_a_narrow_picture_has_the_motion_below_its_title(view, size, bar):
    scene = sliding()
    scene = Scene(scene.name, scene.bodies, scene.poses * np.array([[0.2], [1.0], [2.0], [1.0]]), scene.times, scene.parts)
    points = np.stack(np.meshgrid(*np.stack(bounds(scene)).T, indexing="ij"), axis=-1).reshape(-1, 3)
    x, y = camera(scene, size, view).project(points, size)[:, :2].T
    assert y.min() >= bar and y.max() <= size[1] and x.min() >= 0 and x.max() <= size[0]
    free = size[1] - bar
    aside = np.abs(x / size[0] - 0.5).max() * 2
    along = np.abs((y - bar) / free - 0.5).max() * 2
    assert max(aside, along) == pytest.approx(FILLED, abs=1e-9)


@pytest.mark.parametrize("view", SIGHTS)
def test_a_projection_is_what_the_angles_of_sight_say(view):
    points = np.random.default_rng(1).normal(size=(20, 3)) * 0.3
    seen = camera(still(Part(0, cube(), "visual", RED)), SIZE, view)
    assert np.allclose(seen.project(points, SIZE)[:, :2], by_angles(points, seen, SIZE))


@pytest.mark.parametrize(
    ("view", "right", "up"), [("front", (0, 1, 0), (0, 0, 1)), ("side", (1, 0, 0), (0, 0, 1)), ("top", (1, 0, 0), (0, 1, 0))]
)
def test_named_views_look_along_the_axes_of_the_world(view, right, up):
    pose = camera(sliding(), SIZE, view).pose
    assert np.allclose(pose[:3, 0], right) and np.allclose(pose[:3, 1], up)


@pytest.mark.parametrize("up", [(0, 0, 1.0), (0, 1.0, 0), (-1.0, 0, 0), (0.6, 0, 0.8)])
def test_up_is_upwards_in_the_picture_for_any_up(up):
    scene = sliding()
    scene = Scene(scene.name, scene.bodies, scene.poses, scene.times, scene.parts, up=np.array(up))
    seen = camera(scene, SIZE)
    low, high = seen.project([[1.0, 0, 0], np.array([1.0, 0, 0]) + 0.1 * np.array(up)], SIZE)
    assert high[1] < low[1] and high[0] == pytest.approx(low[0], abs=1.0)
    assert np.allclose(seen.pose[:3, :3].T @ seen.pose[:3, :3], np.eye(3)) and np.linalg.det(seen.pose[:3, :3]) > 0


def test_a_pose_of_the_camera_is_taken_as_it_is():
    pose = moved(0.3, 0.2, 7.0)
    assert np.array_equal(camera(sliding(), SIZE, pose).pose, pose)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("sid", "view is 'sid'.*'side'"),
        ((1.0, 2.0, 3.0), r"view is \(1.0, 2.0, 3.0\), expected one of 'default', 'front'"),
        ((math.nan, 0.0), "azimuth, elevation"),
        (np.zeros((4, 4)), "a 4x4 pose"),
        (None, "view is None"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "a 4x4 pose"),
    ],
)
def test_other_views_are_refused(view, message):
    with pytest.raises(StateError, match=message):
        camera(sliding(), SIZE, view)


def test_the_player_looks_from_the_same_place():
    script = (Path(lissom.__file__).parent / "view/player/camera.js").read_text()
    field, fill, azimuth, elevation = (
        float(re.search(pattern, script)[1])
        for pattern in (r"FIELD = ([\d.]+)", r"FILL = ([\d.]+)", r"azimuth: (-[\d.]+)", r"elevation: ([\d.]+)")
    )
    assert (field, fill, (azimuth, elevation)) == (FIELD, FILLED, VIEWS["default"])
    narrow, bar, share = (float(re.search(rf"{name} = ([\d.]+)", script)[1]) for name in ("NARROW", "BAR", "SHARE"))
    assert (narrow, bar, share) == (NARROW, BAR, SHARE)
