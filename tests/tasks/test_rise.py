"""Standing up and sitting down: seat and soles together bear the body, and the seat nothing once it is left."""

import numpy as np
import pytest

from lissom import tasks
from lissom.errors import StateError
from lissom.tasks.body import person_of
from lissom.tasks.rise import UNDER, bones, seated_pose

EARTH = 9.81


@pytest.fixture(scope="module")
def person():
    return person_of(1.75, 75.0, "male", None)


def test_who_sits_has_soles_on_the_floor_and_bones_on_the_seat(person):
    q = seated_pose(person, 0.45, 100.0)
    for name in ("left_heel", "right_ball_outer"):
        assert np.allclose(person.point_position(q, name), person.point_position(person.neutral(), name), rtol=0, atol=1e-12)
    T = person.link_pose(q, "pelvis")
    for at in bones(person).values():
        assert np.isclose((T[:3, :3] @ at + T[:3, 3])[2], 0.45, rtol=0, atol=1e-12)
    assert np.allclose(T[:3, :3], np.eye(3)) and UNDER > 0


def test_seats_that_do_not_fit_the_legs_are_refused_with_those_that_do():
    with pytest.raises(
        StateError, match=r"seat is 0\.9 m: with knees at 100 deg .* a person of 1\.75 m sits at 0\.\d+ to 0\.\d+ m"
    ):
        tasks.stand_up(0.9)
    with pytest.raises(StateError, match=r"knees is 20, expected 60 to 130 deg"):
        tasks.sit_down(knees=20)


@pytest.fixture(scope="module")
def found():
    return tasks.stand_up()


@pytest.mark.slow
def test_seat_and_soles_bear_the_body(found):
    t = np.linspace(0.01, found.duration - 0.01, 60)
    t = t[np.abs(t - 0.9) > 0.01]  # where the seat is left accelerations jump
    seat = found.prediction.contact_forces(t, axes="world")["seat"].sum(axis=-2)
    step = 1e-5
    after, before = (found.person.momentum(*found.prediction.coordinates(t + sign * step)[:2]) for sign in (1, -1))
    change = (after - before)[:, :3] / (2 * step)
    assert np.allclose(found.ground_force(t) + seat, change + [0, 0, 75.0 * EARTH], rtol=0, atol=1e-2)
    assert (seat[t > 0.91] == 0.0).all() and (seat[t < 0.85, 2] > 0.0).all()


@pytest.mark.slow
def test_bones_stay_on_the_seat_until_it_is_left(found):
    t = np.linspace(0.0, 0.9, 40)
    T = found.person.link_pose(found.prediction.coordinates(t)[0], "pelvis")
    for at in bones(found.person).values():
        place = T[:, :3, :3] @ at + T[:, :3, 3]
        assert np.abs(place - place[0]).max() < 2e-3 and abs(place[0, 2] - 0.45) < 1e-9


@pytest.mark.slow
def test_moments_are_within_those_of_people(found):
    # Yoshioka and others (2007), 85 rises and their variations: hip 0.24 to 1.92, knee 0.51 to 1.97 N m/kg
    scores = found.scores
    assert 0.24 < scores["peak_hip_extension_moment"].value < 1.92
    assert 0.51 < scores["peak_knee_extension_moment"].value < 1.97
    assert scores["largest_share_of_strength"].value <= 1.0


@pytest.mark.slow
def test_sitting_down_takes_about_the_moments_of_standing_up(found):
    down = tasks.sit_down()
    for name in ("peak_hip_extension_moment", "peak_knee_extension_moment"):
        assert np.isclose(down.scores[name].value, found.scores[name].value, rtol=0.05)
