"""Fatigue: the model's balance, its endurance times beside published ones, recovery, and what is refused."""

import numpy as np
import pytest

from lissom import NameLookupError, StateError
from lissom.fatigue import ENDURANCE, JOINTS, Compartments, endurance_time, of_joint

TIMES = np.arange(0.0, 121.0)


def test_motor_units_are_never_lost():
    course = of_joint("elbow").course(TIMES, np.full((121, 3), [0.2, 0.5, 0.9]))
    assert np.allclose(course.active + course.fatigued + course.resting, 1.0)
    assert (course.active >= 0).all() and (course.fatigued >= 0).all() and (course.resting > -1e-4).all()


def test_the_load_is_held_until_the_endurance_time_and_not_beyond():
    model = of_joint("shoulder")
    end = float(model.endurance(0.5))
    course = model.course(np.linspace(0, 2 * end, 401), np.full(401, 0.5))
    held = course.active > 0.495  # the controller leaves F / L of the load
    last = np.linspace(0, 2 * end, 401)[held][-1]
    assert last == pytest.approx(end, rel=0.03)
    assert course.active[-1] < 0.45


def test_without_recovery_the_endurance_time_is_that_of_fatigue_alone():
    # M_F = F T t until 1 - T
    assert Compartments(0.01, 1e-9).endurance(0.4) == pytest.approx(0.6 / (0.01 * 0.4))


def test_small_loads_are_held_for_ever():
    model = of_joint("knee")
    # in balance F T = R (1 - T)
    least = model.R / (model.F + model.R)
    assert np.isinf(model.endurance(0.99 * least)) and np.isfinite(model.endurance(1.01 * least))


def test_endurance_times_have_the_published_order():
    # Frey Law and Avin 2010: from the ankle, the most resistant, to the shoulder
    times = [float(endurance_time(joint, 0.5)) for joint in ("ankle", "trunk", "hand", "elbow", "knee", "shoulder")]
    assert times == sorted(times, reverse=True)
    assert endurance_time("ankle", 0.5) == pytest.approx(144.7, abs=0.1)
    assert endurance_time("shoulder", 0.25) == pytest.approx(187.9, abs=0.2)


@pytest.mark.parametrize("joint", JOINTS)
def test_the_model_has_the_published_endurance_times(joint):
    x = np.arange(0.1, 0.65, 0.1)
    ratio = of_joint(joint).endurance(x) / endurance_time(joint, x)
    assert (np.abs(np.log(ratio)) < np.log(1.45)).all()  # the spread of the studies is larger


def test_parameters_of_joints_span_the_published_range():
    # Frey-Law 2012: F from 0.00589 (ankle) to 0.0182 (shoulder), R from 0.00058 to 0.00168
    assert (min(x.F for x in JOINTS.values()), max(x.F for x in JOINTS.values())) == (0.00589, 0.0182)
    assert (min(x.R for x in JOINTS.values()), max(x.R for x in JOINTS.values())) == (0.00058, 0.00168)
    assert set(JOINTS) == set(ENDURANCE)


def test_recovery_at_rest_is_faster_by_its_factor():
    load = np.where(TIMES < 60, 0.6, 0.0)
    tired = [Compartments(0.01, 0.001, r).course(TIMES, load).fatigued for r in (1.0, 15.0)]
    assert tired[0][60] == pytest.approx(tired[1][60], rel=1e-3)
    assert tired[1][120] == pytest.approx(tired[1][61] * np.exp(-0.015 * 59), rel=0.02)
    assert tired[0][120] > 2 * tired[1][120]


def test_a_task_with_pauses_tires_less():
    model, work = of_joint("elbow"), np.full(121, 0.5)
    paused = np.where(np.arange(121) % 10 < 5, 0.5, 0.0)
    assert model.course(TIMES, paused).capacity[-1] > model.course(TIMES, work).capacity[-1] + 0.1


def test_wrong_input_is_refused():
    with pytest.raises(StateError, match="F of a fatigue model is -1"):
        Compartments(-1, 0.1)
    model = of_joint("knee")
    with pytest.raises(StateError, match="times must be two numbers"):
        model.course([0.0, 0.0], [0.1, 0.1])
    with pytest.raises(StateError, match=r"targets have shape \(3,\), expected one row for each of the 2"):
        model.course([0.0, 1.0], [0.1, 0.1, 0.1])
    with pytest.raises(StateError, match="targets go from 0.1 to 1.5"):
        model.course([0.0, 1.0], [0.1, 1.5])
    with pytest.raises(StateError, match="expected shares of the maximum above 0"):
        model.endurance(0.0)
    with pytest.raises(NameLookupError, match="no joint 'hip'"):
        endurance_time("hip", 0.5)
