from dataclasses import replace

import numpy as np
import pytest

from lissom.view.render import image
from lissom.view.scene.combine import beside, over
from lissom.view.scene.data import bounds
from lissom.view.scene.forms import cylinder
from lissom.view.scene.scene import Lines, Part
from support.drawn import BLUE, RED, cube, moved, still

OBSTACLE = Part(0, cube(), "obstacles", BLUE, "wall", pose=moved(3.0, 2.0), scale=(1.0, 4.0, 2.5))
PATH = Part(0, Lines(np.array([[[-4.0, -3.0, 0.0], [0.0, 0.0, 1.0]]])), "paths", BLUE, "path")


def placed_turn(angle):
    pose = np.eye(4)
    pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return pose


def own_box(scene, name):
    """The corners (2, 3) of the box around the parts of one of two scenes."""
    from dataclasses import replace

    parts = tuple(part for part in scene.parts if part.name.startswith(f"{name}: "))
    return np.array(bounds(replace(scene, parts=parts), frozenset({"ground"})))


@pytest.mark.parametrize("names", [("slow", "fast"), ("arm", "arm")])
def test_two_scenes_beside_each_other_share_no_place_and_have_names_above_them(names):
    first, second = (still(Part(0, cube(), "visual", RED, "link"), OBSTACLE, PATH, name=name) for name in names)
    scene = beside(first, second)
    shown = [text for text, _ in scene.labels]
    assert shown == (["slow", "fast"] if names[0] != names[1] else ["arm 1", "arm 2"])
    one, two = (own_box(scene, name) for name in shown)
    apart = (two[0] > one[1]) | (one[0] > two[1])
    assert apart.any()
    for (_, point), box in zip(scene.labels, (one, two), strict=True):
        np.testing.assert_allclose(point, [*box.mean(axis=0)[:2], box[1, 2]])


def test_one_scene_over_another_has_no_labels_above():
    assert over(still(name="a"), still(name="b")).labels == ()


def test_a_scene_over_another_is_in_another_color_also_where_surfaces_have_their_own():
    colored = replace(cube(), colors=np.zeros((8, 3)))  # black, as meshes of files may be
    first, second = (still(Part(0, colored, "visual", RED, "link"), Part(0, colored, "ghosts", RED), name=name) for name in "ab")
    scene = over(first, second)
    assert scene.name == "a, and b in orange"
    own, tinted = ([part for part in scene.parts if part.name.startswith(name)] for name in "ab")
    assert own[0].form is colored and own[0].color == RED
    r, g, b = tinted[0].form.colors.T
    assert (r > g).all() and (g > b).all() and tinted[0].color[3] < 1
    assert len({id(part.form) for part in scene.parts if part.layer in ("visual", "ghosts")}) == 2  # each form once


def test_surfaces_of_two_scenes_in_one_place_do_not_flicker():
    turned = [placed_turn(angle) for angle in (0.0, 0.05, 0.9)]  # of facets of the same surface; the last is beside it
    turned[2][0, 3] = 1.5
    tank, wall = (
        Part(0, cylinder(), "visual", RED, "tank"),
        Part(0, cube(), "obstacles", BLUE, scale=(8.0, 0.1, 8.0), pose=moved(0, 4)),
    )
    seen = []
    for pose in turned:
        scene = over(still(tank, wall, name="a"), still(replace(tank, pose=pose), name="b"))
        r, g, b = np.moveaxis(image(scene, text=False, size=(200, 200)).astype(int), -1, 0)
        seen.append(int(((r > 100) & (g > b + 25)).sum()))
    assert max(seen[:2]) < 8 and seen[2] > 100, seen


def test_labels_are_written_into_pictures_as_text():
    first, second = (still(Part(0, cube(), "visual", RED, "link"), name=name) for name in ("slow", "fast\x1b[31m <b>"))
    scene = beside(first, second)
    with_text, without = (image(scene, size=(400, 300), text=text).astype(int) for text in (True, False))
    rows, columns = np.nonzero(np.abs(with_text - without).sum(axis=-1) > 100)
    below_title = rows > 30
    assert (columns[below_title] < 200).any() and (columns[below_title] > 200).any()
