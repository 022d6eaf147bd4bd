"""Bases of studies: motion problems, scenarios and walks, changed by parameters, give what they give without a study."""

import numpy as np
import pytest

import lissom
from lissom import StateError
from lissom.predict import load as load_problem
from lissom.study import Study, gait, motion, of_quantity, peak, scenario
from lissom.study.bases.base import Ran
from lissom.study.bases.document import place, spelled
from lissom.study.job import motion_bytes
from lissom.study.responses import Response, number_of

WHOLE = ("duration", "objective", "iterations", "violation")


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    pytest.importorskip("casadi")
    study = Study(
        motion("rr", {"limits[0].within": "torque", "solve.refine": "0"}),
        {"torque": [8.0, 10.0]},
        [
            *WHOLE,
            peak("torque"),
            of_quantity("integral", "power", "joint_1"),
            peak("link_position", link="link_2", of="link_2.x"),
        ],
    )
    return study.run(tmp_path_factory.mktemp("arm"), workers=1)


def test_a_motion_problem_has_the_results_that_it_has_alone(arm):
    alone = load_problem("rr").solve(refine=0)
    row = arm[1]
    assert row.success and [row.responses[name] for name in WHOLE] == [getattr(alone, name) for name in WHOLE]
    t = alone.times(401)
    assert row.responses["peak torque"] == np.abs(alone.torques(t)).max()
    power = alone.torques(t)[:, 0] * alone.states(t)[1][:, 0]
    assert row.responses["integral power of joint_1"] == pytest.approx(np.trapezoid(power, t), abs=1e-9)
    assert row.responses["duration"] < arm[0].responses["duration"]


def test_motions_are_kept_and_the_same_motion_has_the_same_bytes(arm, tmp_path):
    again = arm.study.run(tmp_path, workers=2)
    assert [row.motion for row in again] == [row.motion for row in arm] and all(row.motion for row in arm)
    kept = arm.motion(1)
    assert isinstance(kept, lissom.Prediction) and kept.duration == arm[1].responses["duration"]
    assert motion_bytes(Ran({"y": 1.0})) == b""


def test_a_scenario_is_simulated_with_what_parameters_write(tmp_path):
    base = scenario("five_bar", {"duration": "t"})
    found = Study(base, {"t": [0.05, 0.1]}, ["duration", "tracking_error", peak("torque"), of_quantity("final", "energy")])
    rows = found.run(tmp_path, workers=1)
    assert rows.counts == {"finished": 2}, [row.reason for row in rows]
    assert rows.column("duration").tolist() == pytest.approx([0.05, 0.1])
    run = rows.motion(1)
    assert np.abs(run.tau).max() == rows[1].responses["peak torque"]


def test_a_walk_takes_arguments_and_refuses_others():
    base = gait({"speed": "v"}, stature=1.8)
    made = base._read(base.changed({"v": 1.25}))
    assert made["walk"] is lissom.gait.predict and made["speed"] == 1.25 and made["stature"] == 1.8
    with pytest.raises(lissom.FileError, match="unknown key 'sped' .*did you mean 'speed'"):
        gait({"sped": "v"}, stature=1.8)._read(gait({"sped": "v"}, stature=1.8).changed({"v": 1.0}))


@pytest.mark.slow
def test_a_walk_is_predicted(tmp_path):
    pytest.importorskip("casadi")
    responses = ["cost_of_transport", "step_length", "cadence", "duration", peak("torque", of="right_knee_flexion")]
    found = Study(gait({"speed": "v"}), {"v": [1.2]}, responses).run(tmp_path, workers=1)
    assert found[0].success and 0.4 < found[0].responses["step_length"] < 0.8


def test_places_are_read_and_spelled():
    for text in ("limits[0].within", "a.b[10][2].c", "x"):
        assert spelled(place(text)) == text
    for text in ("", "[0]", "a[", "a[x]", ".a", "a..b", "a[0]b"):
        with pytest.raises(StateError, match="is no place in a file"):
            place(text)


def test_what_results_do_not_have_is_named(arm):
    prediction = arm.motion(1)
    with pytest.raises(StateError, match="quantities of a prediction from a file are not known"):
        peak("torque")(Ran(prediction))
    with pytest.raises(StateError, match="no quantity 'torqe'.*did you mean 'torque'"):
        peak("torqe")(Ran(prediction.trajectory()))
    with pytest.raises(StateError, match="over time is a response of motions; the function returned numbers"):
        peak("torque")(Ran({"y": 1.0}))
    with pytest.raises(lissom.NameLookupError, match="no entry of torque 'elbow'"):
        peak("torque", of="elbow")(Ran(prediction.trajectory()))
    with pytest.raises(lissom.NameLookupError, match="no number returned by the function: 'z'"):
        number_of(Ran({"y": 1.0}), "z")
    with pytest.raises(StateError, match="a Prediction has no 'cadence'"):
        number_of(Ran(prediction), "cadence")
    with pytest.raises(StateError, match="tracking_error is a response of scenarios"):
        number_of(Ran(prediction.trajectory()), "tracking_error")
    with pytest.raises(StateError, match="no statistic 'meen'; did you mean 'mean'"):
        of_quantity("meen", "torque")
    with pytest.raises(StateError, match="no quantity 'torqe'.*did you mean 'torque'"):
        Study(arm.study.base, {"torque": [8.0]}, [peak("torqe")])
    with pytest.raises(lissom.NameLookupError, match="no entry of torque 'elbow'"):
        Study(arm.study.base, {"torque": [8.0]}, [peak("torque", of="elbow")])
    with pytest.raises(StateError, match="the study has no responses; name one at least"):
        Study(arm.study.base, {"torque": [8.0]})
    assert Response("duration", "duration")(Ran(prediction.trajectory())) == prediction.duration


def test_statistics_of_a_curve_are_those_of_its_times():
    t = np.linspace(0.0, 2.0, 201)
    robot = lissom.robots.rr()
    q = np.stack([np.sin(t), 0 * t], axis=1)
    run = robot.as_trajectory(t, q, np.gradient(q, t, axis=0), 0 * q, 0 * q)
    of = {what: of_quantity(what, "position", "joint_1")(Ran(run)) for what in ("peak", "smallest", "mean", "rms", "final")}
    assert of["peak"] == pytest.approx(1.0, abs=1e-4) and of["smallest"] == 0.0 and of["final"] == np.sin(2.0)
    assert of["mean"] == pytest.approx((1 - np.cos(2)) / 2, rel=1e-4)
    assert of["rms"] == pytest.approx(np.sqrt(0.5 - np.sin(4) / 8), rel=1e-4)
    assert of_quantity("integral", "position")(Ran(run)) == pytest.approx(1 - np.cos(2), rel=1e-4)
