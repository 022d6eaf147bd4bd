"""Reaching: palms end at the target, soles stay, the ground bears all, and what is too far is said before solving."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import tasks
from lissom.errors import NameLookupError, StateError
from lissom.spline import SplinePath
from lissom.tasks.body import flat_soles, person_of
from lissom.tasks.reach import EASY, waiting

TARGET = (0.6, 0.1, 0.4)


@pytest.fixture(scope="module")
def found():
    return tasks.reach(TARGET)


def test_who_waits_stands_flat_with_no_joint_at_its_end():
    person = person_of(1.75, 75.0, "male", None)
    q = waiting(person, 0.3)
    for name, at in flat_soles(person, 0.3).items():
        assert np.allclose(person.point_position(q, name), at, rtol=0, atol=1e-12)
    bent = [q[person.joint_names.index(f"{side}_knee_flexion")] for side in ("left", "right")]
    assert min(bent) >= EASY["knee_flexion"] - 1e-9
    inside = [
        min(q[person.joint_names.index(n)] - d.lower, d.upper - q[person.joint_names.index(n)])
        for n, d in person.strengths.items()
    ]
    assert min(inside) >= 0.0
    assert np.allclose(person.mirror(q), q, rtol=0, atol=1e-9)


@pytest.mark.slow
def test_the_palm_ends_at_the_target_and_soles_stay(found):
    t = np.linspace(0.0, found.duration, 61)
    q = found.prediction.coordinates(t)[0]
    assert found.prediction.success and np.allclose(found.person.point_position(q[-1], "right_hand"), TARGET, rtol=0, atol=1e-9)
    for name, at in flat_soles(found.person, 0.3).items():
        assert np.abs(found.person.point_position(q, name) - at).max() < 2e-3


@pytest.mark.slow
def test_the_ground_bears_the_person(found):
    t, step = np.linspace(0.01, found.duration - 0.01, 41), 1e-5
    after, before = (found.person.momentum(*found.prediction.coordinates(t + sign * step)[:2]) for sign in (1, -1))
    change = (after - before)[:, :3] / (2 * step)
    assert np.allclose(found.ground_force(t), change + [0, 0, 75.0 * 9.81], rtol=0, atol=1e-2)
    low, high = (end(list(flat_soles(found.person, 0.3).values()), axis=0)[:2] for end in (np.min, np.max))
    at = found.pressure(t)
    assert (at >= low - 4e-3).all() and (at <= high + 4e-3).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "hand", "load", "noise"),
    [(TARGET, "right", 0.0, 1), (TARGET, "right", 2.0, 0), ((0.5, 0.3, 0.2), "left", 0.0, 1), ((0.6, 0.4), "both", 0.0, 1)],
)
def test_reaches_settle_whatever_rounding_does(monkeypatch, target, hand, load, noise):
    # their iterates swing about the optimum: noise in the start stands for other processors
    first = SplinePath.between

    def rough(*arguments, **options):
        path = first(*arguments, **options)
        points = path.points * (1.0 + 1e-9 * np.random.default_rng(noise).standard_normal(path.points.shape))
        return replace(path, points=points)

    monkeypatch.setattr(SplinePath, "between", rough)
    found = tasks.reach(target, hand, load=load)
    assert found.prediction.success and found.prediction.iterations < 200
    assert found.prediction.solution.history[-1].violation < 1e-3


@pytest.mark.slow
def test_a_hand_goes_straight_with_one_peak_of_speed_as_hands_do(found):
    # Morasso (1981): hand paths are nearly straight, speeds rise and fall once; smoothest motions peak at 1.88 of the mean
    t = np.linspace(0.0, found.duration, 201)
    at = found.person.point_position(found.prediction.coordinates(t)[0], "right_hand")
    speed = np.linalg.norm(np.gradient(at, t, axis=0), axis=1)
    way = np.linalg.norm(np.diff(at, axis=0), axis=1).sum()
    assert way < 1.15 * np.linalg.norm(at[-1] - at[0])
    assert 1.5 < speed.max() * found.duration / way < 2.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": (2.0, 1.0)}, r"the target is out of reach by 0\.\d+ m for a stature of 1\.75 m, with both soles flat"),
        ({"target": 0.6}, r"target is 0\.6, expected \(x, height\) or \(x, y, height\)"),
        ({"duration": 0.0}, r"duration is 0\.0, expected 0\.3 to 30 s"),
        ({"load": -1.0}, r"load is -1\.0, expected 0 to 100 kg, in each hand"),
    ],
)
def test_what_is_impossible_is_said_before_solving(arguments, message):
    with pytest.raises(StateError, match=message):
        tasks.reach(**arguments)


def test_hands_have_names():
    with pytest.raises(NameLookupError, match="no hand 'foot' that reaches; expected one of 'left', 'right', 'both'"):
        tasks.reach(hand="foot")
