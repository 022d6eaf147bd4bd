"""A lift: the box obeys Newton, the ground bears all, left and right share the load; a squat loads the spine more."""

import numpy as np
import pytest

from lissom import tasks
from lissom.predict import Prediction

pytestmark = pytest.mark.slow
MASS, EARTH = 10.5, 9.81


@pytest.fixture(scope="module")
def found():
    return tasks.lift(MASS, (0.4, 0.05), (0.4, 1.2))


@pytest.fixture(scope="module")
def t(found):
    return np.linspace(0.0, found.duration, 101)


def test_the_box_begins_and_ends_where_it_has_to(found):
    q = found.prediction.coordinates(np.array([0.0, found.duration]))[0]
    middle = [found.person.link_pose(x, "box")[:3, 3] for x in q]
    assert np.allclose(middle, [[0.4, 0.0, 0.175], [0.4, 0.0, 1.325]], rtol=0, atol=1e-9)


def test_hands_give_the_weight_and_the_inertia_of_the_box(found, t):
    q, qd, qdd = found.prediction.coordinates(t)
    a = found.person.link_acceleration(q, qd, qdd, "box")[:, :3]
    force = sum(found.hand_forces(t).values())
    assert np.allclose(force, MASS * (a + [0, 0, EARTH]), rtol=0, atol=1e-2)


def test_the_ground_bears_person_and_box(found, t):
    step = 1e-5
    inner = t[2:-2]
    rates = [found.prediction.coordinates(inner + sign * step)[:2] for sign in (1, -1)]
    change = (found.person.momentum(*rates[0]) - found.person.momentum(*rates[1])) / (2 * step)
    weight = (75.0 + MASS) * EARTH
    assert np.allclose(found.ground_force(inner), change[:, :3] + [0, 0, weight], rtol=0, atol=1e-3)


def test_torques_are_those_of_plain_inverse_dynamics(found, t):
    q, qd, qdd = found.prediction.coordinates(t)
    tau = found.person.inverse_dynamics(q, qd, qdd, external=found.prediction._external(t))
    names = found.person.velocity_names
    driven = [names.index(name) for name in found.person.strengths]
    assert np.allclose(tau[:, driven], found.prediction.torques(t)[:, driven], rtol=0, atol=1e-9)
    root = [names.index(name) for name in found.person.global_joints]
    assert np.abs(tau[:, root]).max() < 1e-8
    # rows of the box: hands leave their line through its center by fractions of a millimeter between knots
    assert np.abs(np.delete(tau, driven + root, axis=1)).max() < 0.3


def test_left_and_right_share_the_load(found, t):
    # the problem is even, but its solution only as far as the solver goes, by a path that rounding decides: with starts that
    # differ by 1e-9, moments differ by 3 to 7 N m, and the point of pressure goes 4 to 10 mm aside, of 200 mm to the soles' edges
    moments = found.moments(t)
    pairs = [(moments[f"left_{name}"], moments[f"right_{name}"]) for name in ("hip_flexion", "knee_flexion", "elbow_flexion")]
    assert max(np.abs(left - right).max() for left, right in pairs) < 15.0
    assert np.abs(found.pressure(t)[:, 1]).max() < 0.02


def test_strengths_and_soles_are_kept(found, t):
    assert max(x.max() for x in found.strength_used(t).values()) <= 1.0 + 1e-3
    low, high = np.min(list(found_soles(found)), axis=0), np.max(list(found_soles(found)), axis=0)
    at = found.pressure(t)
    assert (at >= low - 1e-3).all() and (at <= high + 1e-3).all()


def found_soles(found):
    from lissom.tasks.body import flat_soles

    return [at[:2] for at in flat_soles(found.person, 0.3).values()]


def test_scores_pages_and_files_say_the_same(found, tmp_path):
    scores = found.scores
    assert 0.9 * 9.81 * MASS / 2 < scores["peak_hand_force"].value < 200 and scores["effort"].value > 0
    assert scores["peak_disc_compression"].value > scores["peak_L5S1_compression"].value
    page = found.report(tmp_path / "lift.html").read_text(encoding="utf-8")
    assert "L5/S1" in page and "NIOSH" in page and "peak hand force" in found._repr_html_()
    again = tasks.Task("lift", found.person, Prediction.load(found.prediction.save(tmp_path / "lift.npz"), found.person))
    assert again.scores["effort"].value == pytest.approx(scores["effort"].value, rel=1e-9)


def test_a_squat_from_the_floor_presses_the_disc_more(found):
    # Kingma and others (2004), 10.5 kg from 0.05 m: compression of a squat 17 % (SD 13) higher than of a stoop
    squat = tasks.lift(MASS, (0.4, 0.05), (0.4, 1.2), knees=100.0)
    assert 1.0 < squat.scores["peak_disc_compression"].value / found.scores["peak_disc_compression"].value < 1.43


def test_the_front_trades_effort_for_balance():
    front = tasks.lift_front([0.99, 0.7, 0.4], mass=MASS, origin=(0.4, 0.05))
    assert front.best.all() and (np.diff(front.values[:, 0]) > 0).all() and (np.diff(front.values[:, 1]) < 0).all()
