"""Poses before a task: soles and palms are where they have to be, balance and strengths hold, and what is impossible is said."""

import numpy as np
import pytest

from lissom.errors import StateError
from lissom.tasks import lift
from lissom.tasks.body import SIDES, flat_soles, person_of
from lissom.tasks.pose import Stand, stand_pose


@pytest.fixture(scope="module")
def person():
    return person_of(1.75, 75.0, "male", None)


def palms(x, z, half=0.2):
    return {side: np.array([x, out * half, z]) for side, out in zip(SIDES, (1.0, -1.0), strict=True)}


def test_soles_and_palms_are_where_they_have_to_be(person):
    pose = stand_pose(Stand(person, 0.3, palms(0.4, 0.15), 5.0))
    assert pose.gap < 1e-12
    for name, at in flat_soles(person, 0.3).items():
        assert np.allclose(person.point_position(pose.q, name), at, rtol=0, atol=1e-12)
    assert np.allclose(person.point_position(pose.q, "left_hand"), [0.4, 0.2, 0.15], rtol=0, atol=1e-12)
    assert np.allclose(person.mirror(pose.q), pose.q, rtol=0, atol=1e-9)


def test_the_ground_balances_a_pose(person):
    stand = Stand(person, 0.3, palms(0.4, 1.2), 5.0)
    pose = stand_pose(stand)
    _, at = stand.loads(pose.q[None])
    # moments of all weights about the point of pressure vanish
    about = 75.0 * (person.center_of_mass(pose.q)[0] - at[0, 0]) + 10.0 * (0.4 - at[0, 0])
    assert abs(about) < 1e-9 and max(abs(x) for x in pose.load.values()) < 1.0 and pose.beyond < 1e-3


def test_bent_knees_are_kept(person):
    pose = stand_pose(Stand(person, 0.3, palms(0.4, 0.15), 5.0, np.deg2rad(100)))
    assert pose.q[list(person.joint_names).index("left_knee_flexion")] >= np.deg2rad(100) - 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"destination": (0.4, 2.3)}, r"the destination is out of reach by 0\.3\d* m for a stature of 1\.75 m"),
        pytest.param({"mass": 80.0}, r"80 kg is too heavy at the origin: holding it takes .* times", marks=pytest.mark.slow),
        ({"origin": (0.4, -0.1)}, r"the height of the origin is -0\.1 m, expected 0"),
        ({"origin": 0.4}, r"origin is 0\.4, expected \(x, height\) or \(x, y, height\)"),
        ({"mass": 0.0}, r"mass is 0\.0, expected 0\.1 to 500 kg"),
        ({"stance": "wide"}, r"stance is 'wide', expected 0\.1 to 1 m"),
        ({"destination": (1.1, 1.0)}, r"no posture at the destination keeps"),
    ],
)
def test_what_is_impossible_is_said_before_solving(arguments, message):
    with pytest.raises(StateError, match=message):
        lift(**arguments)
