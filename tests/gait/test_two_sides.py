"""Walks whose left and right differ: two steps that balance and repeat as they are, with legs that keep apart."""

import numpy as np
import pytest

import lissom.gait


@pytest.fixture(scope="module")
def walk():
    """Return a walk with a stiff left knee."""
    return lissom.gait.predict(1.2, 0.62, stiff={"left_knee": (60.0, 0.1)})


@pytest.mark.slow
def test_two_steps_balance_and_repeat_as_they_are(walk):
    found, person = walk.prediction, walk.person
    assert found.success and walk.steps == 2 and walk.step_time == pytest.approx(0.62 / 1.2)
    t = np.linspace(0.0, found.duration, 121)
    assert np.abs(found.imbalance(t)).max() < 1e-9
    state, loads = found.coordinates(t), found._external(t)
    np.testing.assert_allclose(person.inverse_dynamics(*state, external=loads)[:, 6:], found.torques(t)[:, 6:], rtol=0, atol=1e-9)
    q, qd, qdd, _ = (x[[0, -1]] for x in found.states(t))
    shift = 2 * 0.62 * (np.arange(person.nv) == person.joint_names.index("pelvis_x"))
    for first, last in ((q[0] + shift, q[1]), (qd[0], qd[1]), (qdd[0], qdd[1])):
        np.testing.assert_allclose(first, last, rtol=0, atol=1e-9)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        heel = sign * person.point_position(state[0], f"{side}_heel")[:, 1]
        assert heel.min() > -2e-3  # on its own side


@pytest.mark.slow
def test_curves_of_both_sides_are_their_own(walk):
    left, right = (walk.cycle(101, side) for side in ("left", "right"))
    assert left["knee_flexion"].max() < right["knee_flexion"].max() - 10.0
    for side, cycle in (("left", left), ("right", right)):
        swings = (cycle["cycle_percent"] > 65.0) & (cycle["cycle_percent"] < 99.5)
        assert np.abs(cycle["vertical_force"][swings]).max() == 0.0 and cycle["vertical_force"].max() > 1.0, side
        ends = [abs(curve[0] - curve[-1]) for name, curve in cycle.items() if name in ("hip_flexion", "knee_flexion")]
        assert max(ends) < 1e-6
    spring = left["knee_spring_moment"]
    assert spring == pytest.approx(60.0 * (np.deg2rad(left["knee_flexion"]) - 0.1) / walk.person.body.mass, abs=1e-9)
    assert "knee_spring_moment" not in right


@pytest.mark.slow
def test_two_steps_whose_phases_are_free_may_have_different_times(tmp_path):
    """Who walks with a prosthesis stands longer on the sound leg (Adamczyk and Kuo 2015)."""
    person = {"prosthesis": {"left": 400.0}}
    usual, walk = (lissom.gait.predict(1.2, 0.62, phases=phases, **person) for phases in ("fixed", "free"))
    found = walk.prediction
    assert found.objective < usual.prediction.objective and found.duration == pytest.approx(2 * 0.62 / 1.2)
    assert usual.strike == pytest.approx(usual.step_time)
    assert walk.strike > 1.03 * walk.step_time  # the right leg's step takes longer
    left, right = (walk.cycle(101, side) for side in ("left", "right"))
    for cycle in (left, right):  # from strike to strike
        assert abs(cycle["knee_flexion"][0] - cycle["knee_flexion"][-1]) < 1e-6
        assert cycle["vertical_force"][0] < 0.05 and cycle["vertical_force"][8] > 0.3
    assert np.abs(found.imbalance(found.times(101))).max() < 1e-9
    assert "left heel strikes" in walk.report(tmp_path / "walk.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_report_shows_both_sides(walk, tmp_path):
    norm = {f"{name}_mean": y for name, y in walk.cycle().items() if "flexion" in name}
    page = walk.report(tmp_path / "walk.html", norm | {"cycle_percent": np.linspace(0, 100, 51)}).read_text(encoding="utf-8")
    for part in (
        "Angles of both sides",
        "Pressure under the left foot",
        "Pressure under the right foot",
        "left: rms",
        "right: rms",
    ):
        assert part in page
    assert "begin with the left heel's strike" in page.replace("&#x27;", "'").replace("&#39;", "'")
