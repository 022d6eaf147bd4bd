"""Running: the predicted step flies, its ground carries it, and it is near to how people run; others are refused."""

import numpy as np
import pytest

import lissom.gait
from lissom.errors import StateError
from lissom.gait.running import running_problem, running_style
from lissom.robots import human


def test_a_run_has_a_flight_between_its_supports():
    style = running_style(3.0)
    assert sum(style.phases.values()) == pytest.approx(1.0) and style.phases["flight"] == pytest.approx(0.3)
    assert running_style(5.0).phases["flight"] > style.phases["flight"]
    problem = running_problem(human(active="walking"), 3.0, 1.1, style)
    stands = problem.quantities.ground.stands
    assert [len(own) for own in stands] == [1, 1, 0] and stands[0][0].link == "right_foot"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"speed": 1.0}, r"speed is 1.0, expected one at which people run, 2 to 5.5 m/s"),
        ({"speed": "fast"}, r"speed is 'fast', expected one at which people run"),
        ({"speed": 3.0, "step_length": 2.5}, r"step_length is 2.5, expected up to 1.93 m, the longest for a stature of 1.75 m"),
        ({"speed": 3.0, "step_length": -1.0}, r"step_length is -1.0, expected up to 1.93 m"),
    ],
)
def test_runs_that_nobody_runs_are_refused(asked, message):
    with pytest.raises(StateError, match=message):
        lissom.gait.run(**asked)


@pytest.mark.slow
def test_a_run_flies_lands_and_repeats_mirrored(tmp_path):
    run = lissom.gait.run(3.0)
    found, person = run.prediction, run.person
    weight, T = person.total_mass * 9.81, run.step_time
    assert found.success and run.steps == 1
    assert run.flight == pytest.approx(0.3) and run.stance == pytest.approx(0.35) and run.double_support == 0.0
    # nothing pushes in flight but for a rest of the splines; on the ground all that the motion needs
    t = np.linspace(0.0, T, 401)
    flies = t > 0.6999 * T
    left = np.abs(found.imbalance(t)[:, :3]).max(axis=1)
    assert left[~flies].max() < 1e-8 * weight and left[flies].max() < 0.15 * weight
    force = found.contact_forces(t, axes="world")["right_foot"][:, 0]
    assert np.abs(force[flies]).max() == 0.0
    assert np.trapezoid(force[:, 2], t) / T == pytest.approx(weight, rel=0.02)
    assert np.trapezoid(force[:, 0], t) / T == pytest.approx(0.0, abs=0.02 * weight)
    q, qd, _, _ = (x[[0, -1]] for x in found.states(t))
    shift = run.step_length * (np.arange(person.nv) == person.joint_names.index("pelvis_x"))
    np.testing.assert_allclose(person.mirror(q[0]) + shift, q[1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(person.mirror(qd[0]), qd[1], rtol=0, atol=1e-9)
    for foot in ("left", "right"):
        for part in ("heel", "ball", "toe"):
            assert person.point_position(found.coordinates(t)[0], f"{foot}_{part}")[:, 2].min() > -4e-3
    # people: about twice the weight or more (Clark and others 2014), a knee that yields, and one that bends as it swings
    cycle = run.cycle(101)
    knee, stands = cycle["knee_flexion"], cycle["cycle_percent"] < 34.0
    assert 1.6 < cycle["vertical_force"].max() < 3.0
    assert knee[stands].max() > knee[0] + 10.0 and knee[~stands].max() > 50.0
    assert cycle["fore_aft_force"][stands].min() < -0.2 and cycle["fore_aft_force"][stands].max() > 0.2
    page = run.report(tmp_path / "run.html").read_text(encoding="utf-8")
    assert "no foot is on the ground for 30 % of the cycle" in page and "Winter" not in page
    assert "flight" in run._repr_html_()
