"""Filtering: rates without delay, and limits of cutoffs."""

import numpy as np
import pytest

from lissom import IdentificationError, Robot, StateError
from lissom.identify import Filtering, Measurement
from lissom.identify.filtering import apply, lowpass, motion_cutoff
from lissom.robots import rr_model, tree_model
from support.recorded import sines


@pytest.fixture(scope="module")
def arm():
    return Robot(rr_model(), backend="numpy")


def recording(robot, noise=0.0, **motion):
    t, q, qd, qdd = sines(2, **motion)
    noisy = q + noise * np.random.default_rng(0).normal(size=q.shape)
    return Measurement(robot, t, noisy, np.zeros_like(q)), (q, qd, qdd)


@pytest.mark.parametrize("method", ["butterworth", "spline"])
def test_rates_are_those_of_the_motion_without_delay(arm, method):
    data, exact = recording(arm, harmonics=5)
    found = apply(Filtering(method, cutoff=10.0), data)
    for x, y in zip((found.q, found.qd, found.qdd), exact, strict=True):
        assert np.abs((x - y)[found.keep]).max() < 2e-3 * np.abs(y).max()


@pytest.mark.parametrize("method", ["butterworth", "spline"])
def test_noise_of_encoders_is_far_less_in_accelerations_than_by_differences(arm, method):
    data, (_, _, qdd) = recording(arm, noise=1e-4)
    found = apply(Filtering(method), data)
    plain = np.gradient(np.gradient(data.q, data.step, axis=0), data.step, axis=0)
    assert np.std((found.qdd - qdd)[found.keep]) < 0.05 * np.std(plain - qdd)


def test_a_filter_both_ways_is_half_an_amplitude_at_its_cutoff_and_has_no_delay():
    t = np.arange(0, 20, 0.01)
    wave = np.sin(2 * np.pi * 5.0 * t)
    after = lowpass(wave[:, None], 100.0, 5.0, 4)[500:-500, 0]
    inner = wave[500:-500]
    assert after @ inner / (inner @ inner) == pytest.approx(0.5, abs=0.005)
    assert abs(after @ np.cos(2 * np.pi * 5.0 * t[500:-500])) / (inner @ inner) < 1e-3


def test_the_cutoff_follows_the_fastest_part_of_the_motion(arm):
    slow, _ = recording(arm, harmonics=3, noise=1e-5)
    fast, _ = recording(arm, harmonics=12, noise=1e-5)
    assert 1.0 < motion_cutoff(slow) < motion_cutoff(fast) < 10.0


def test_ends_are_cut_and_samples_are_thinned_to_two_per_cutoff(arm):
    data, _ = recording(arm)
    found = apply(Filtering(cutoff=5.0, torque_cutoff=2.0), data)
    assert found.t[0] == pytest.approx(1.0) and np.diff(found.t) == pytest.approx(0.25)
    assert (np.diff(apply(Filtering(cutoff=5.0, decimate=False), data).keep) == 1).all()
    unfiltered = apply(Filtering(cutoff=5.0, torque_cutoff=0.0), data)
    assert np.array_equal(unfiltered.sides(data.tau), data.tau[unfiltered.keep])


def test_quaternions_keep_length_one_and_may_change_their_sign():
    robot = Robot(tree_model(1, seed=3, floating=True, kinds=["revolute"]), backend="numpy")
    t = np.arange(0, 4, 0.01)
    qd = np.zeros((len(t), robot.nv))
    qd[:, 5], qd[:, 6] = np.cos(t), np.sin(2 * t)
    q = [robot.neutral()]
    for k in range(len(t) - 1):
        q.append(robot.integrate(q[-1], 0.01 * (qd[k] + qd[k + 1]) / 2))
    q = np.array(q)
    q[200:, 3:7] *= -1.0
    found = apply(Filtering(cutoff=10.0), Measurement(robot, t, q, np.zeros_like(qd)))
    assert np.abs(np.linalg.norm(found.q[:, 3:7], axis=1) - 1).max() < 1e-12
    assert np.abs((found.qd - qd)[found.keep]).max() < 2e-3
    with pytest.raises(IdentificationError, match="choose 'butterworth'"):
        apply(Filtering("spline", cutoff=10.0), Measurement(robot, t, q, np.zeros_like(qd)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "median"}, "no method 'median'"),
        ({"cutoff": 0.0}, "cutoff must be a frequency"),
        ({"torque_cutoff": -1.0}, "torque_cutoff must be a frequency"),
        ({"order": 0}, "order must be a whole number from 1 to 10"),
    ],
)
def test_wrong_filters_are_refused(options, message):
    with pytest.raises(StateError, match=message):
        Filtering(**options)


def test_filters_that_do_not_fit_the_samples_are_refused(arm):
    data, _ = recording(arm)
    with pytest.raises(IdentificationError, match="which allows 80 Hz at most"):
        apply(Filtering(cutoff=90.0), data)
    with pytest.raises(IdentificationError, match="record longer, or raise the cutoff"):
        apply(Filtering(cutoff=0.2), data)
    with pytest.raises(IdentificationError, match="more knots than there are samples"):
        apply(Filtering("spline", cutoff=78.0), data.part(slice(0, 22)))
    with pytest.raises(IdentificationError, match="needs measured qd and qdd"):
        apply(Filtering("none"), data)
