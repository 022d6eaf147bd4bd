import re
from pathlib import Path

import numpy as np
import pytest

import lissom.view.player
from lissom.view.camera import camera
from lissom.view.render import image
from lissom.view.render.pieces import THROUGH
from lissom.view.scene.forms import sphere
from lissom.view.scene.scene import Arrow, Lines, Part
from support.drawn import BLUE, GREEN, RED, cube, moved, still

SIZE = (160, 120)
BALL = {"scale": (0.2, 0.2, 0.2)}


def middle(*parts, arrows=()):
    """The color where the origin is seen, from the front."""
    scene = still(Part(0, cube(), "ghosts", (0, 0, 0, 0.0)), *parts, arrows=arrows)
    x, y = camera(scene, SIZE, "front").project([[0.0, 0.0, 0.0]], SIZE)[0, :2]
    return image(scene, size=SIZE, view="front", layers=sorted(THROUGH | {"visual", "paths"}), text=False)[int(y), int(x)].astype(
        int
    )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("layer", sorted(THROUGH))
def test_marks_inside_of_a_solid_are_seen_through_it(layer):
    box, ball = Part(0, cube(), "visual", BLUE), Part(0, sphere(), layer, RED, **BALL)
    line = Part(0, Lines(np.array([[[0.0, -0.4, 0.0], [0.0, 0.4, 0.0]]])), layer, RED)
    arrow = Arrow("f", layer, RED, "N", 1.0, np.array([[0.0, -0.3, 0.0]]), np.array([[0.0, 0.6, 0.0]]))
    alone, free = middle(box), middle(ball)
    for seen in (middle(box, ball), middle(box, line), middle(box, arrows=(arrow,))):
        assert alone[0] + 40 < seen[0] < free[0] and seen[2] > 40  # between both colors
    seen = middle(box, Part(0, sphere(), layer, (*RED[:3], 0.5), **BALL))  # clear ones as well, more faintly
    assert alone[0] + 15 < seen[0] < middle(box, ball)[0]


def test_other_layers_stay_hidden_inside_of_a_solid():
    box = Part(0, cube(), "visual", BLUE)
    assert (middle(box) == middle(box, Part(0, sphere(), "paths", RED, **BALL))).all()


def test_a_mark_in_front_of_another_hides_it():
    front = Part(0, sphere(), "com", GREEN, pose=moved(0.6), **BALL)
    assert (middle(front) == middle(front, Part(0, sphere(), "com", RED, **BALL))).all()


def test_pages_and_pictures_let_the_same_layers_shine_through():
    script = (Path(lissom.view.player.__file__).parent / "things.js").read_text()
    listed = re.search(r"THROUGH = new Set\(\[(.*?)\]\)", script, re.S)
    assert set(re.findall(r'"(\w+)"', listed.group(1))) == THROUGH
