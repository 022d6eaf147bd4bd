"""Slopes and stairs: where feet stand, and grounds that nobody walks on."""

import numpy as np
import pytest

import lissom.gait
from lissom.errors import StateError
from lissom.gait.terrain import EDGE, Terrain, stages


def test_a_slope_rises_with_the_steps_and_turns_the_soles():
    hill = Terrain(slope=0.1)
    assert hill.rise(0.6) == pytest.approx(0.06) and hill.pitch == pytest.approx(np.arctan(0.1)) and not hill.level
    heel = np.array(hill.place(2, 0.6, 0.05))
    ball = np.array(hill.place(2, 0.6, 0.05, along=0.2))
    assert heel == pytest.approx([1.2, 0.05, 0.12]) and np.linalg.norm(ball - heel) == pytest.approx(0.2)
    surface = hill.surface(2, 0.6)
    for point in (heel, ball, np.zeros(3)):
        assert np.dot(surface.normal, point - surface.point) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("rise", "lands"), [(0.17, "sole"), (-0.17, "ball")])
def test_stairs_have_level_treads_and_edges_before_them(rise, lands):
    stairs = Terrain(stairs=(rise, 0.29))
    assert stairs.lands == lands and stairs.pitch == 0.0 and stairs.rise(0.29) == rise
    x, z = stairs.edge(1, 0.29)
    assert x == pytest.approx(0.29 - EDGE) and z == max(rise, 0.0)  # the upper of the treads that meet there
    assert stairs.place(3, 0.29, 0.0)[2] == pytest.approx(3 * rise)


def test_the_steps_of_a_walk_follow_each_other_on_the_other_foot():
    (one,) = stages(1)
    first, second = stages(2)
    assert (one.lead, first.lead, second.lead) == ("right", "right", "left") and second.number == 1
    assert second.names("stance") == ["left_stance"] and first.side == -second.side


@pytest.mark.parametrize(
    ("ground", "message"),
    [
        ({"slope": 10.0}, r"slope is 10.0, expected rise over run, -0.4 to 0.4 \(0.1 rises 10 m in 100 m\)"),
        ({"slope": "up"}, r"slope is 'up', expected rise over run"),
        ({"stairs": 0.17}, r"stairs are 0.17, expected rise and run of a step \[m\], such as \(0.17, 0.29\)"),
        ({"stairs": (0.6, 0.29)}, r"stairs are \(0.6, 0.29\), expected .* rises 0.05 to 0.25 m, negative downstairs"),
        ({"slope": 0.1, "stairs": (0.17, 0.29)}, r"slope= and stairs= are both given"),
        ({"stairs": (0.17, 0.29), "step_length": 0.6}, r"step_length is 0.6, but steps on stairs have their run, 0.29 m"),
        ({"stairs": (0.17, 0.29), "speed": 0.1}, r"speed is 0.1, .* 0.15 to 3 m/s"),
    ],
)
def test_grounds_that_nobody_walks_on_are_refused(ground, message):
    with pytest.raises(StateError, match=message):
        lissom.gait.predict(**ground)


def test_slopes_and_treads_are_drawn_where_soles_stand():
    assert Terrain().solids(0.6) == []
    (plate,) = Terrain(slope=0.1).solids(0.6)
    normal = np.array(plate.axes)[:, 2]
    for number in range(3):  # heels are on the upper face
        off = np.array(Terrain(slope=0.1).place(number, 0.6, 0.0)) - plate.center
        assert normal @ off == pytest.approx(plate.size[2] / 2)
    for rise in (0.17, -0.17):
        stairs = Terrain(stairs=(rise, 0.29))
        for number, tread in enumerate(stairs.solids(0.29), start=-1):
            heel = np.array(stairs.place(number, 0.29, 0.0)) - tread.center
            assert heel[2] == pytest.approx(0.17 / 2) and -0.145 < heel[0] < 0.145
