"""Sensitivities of paths against complex steps through another representation: SciPy's polynomials between the knots."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline, PPoly

import lissom
from lissom import SplinePath

STEP = 1e-40


def rates(points, duration, degree, s):
    """Return q, qd, qdd, qddd (4, N, n) at s (N,), any of these complex, in the span that the real part of s lies in."""
    m = len(points)
    knots = np.clip(np.arange(-degree, m + 1), 0, m - degree) / (m - degree)
    pieces = np.clip(np.searchsorted(knots, s.real, side="right") - 1, degree, m - 1)
    x = (s - knots[pieces])[:, None]
    real, imag = (
        np.stack([PPoly.from_spline(BSpline(knots, joint.copy(), degree)).c[:, pieces] for joint in part.T], axis=-1)
        for part in (points.real, points.imag)
    )
    result = []
    for r in range(4):
        total = 0.0
        for k in range(r, degree + 1):  # coefficients begin with the highest power
            total = total + math.perm(k, r) * (real + 1j * imag)[degree - k] * x ** (k - r)
        result.append(total / duration**r + np.zeros((len(s), points.shape[1])))
    return np.stack(result)


@st.composite
def cases(draw):
    degree = draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    path = SplinePath(rng.normal(size=(degree + draw(st.integers(1, 9)), 2)), draw(st.floats(0.1, 10)), degree)
    return path, np.append(rng.uniform(0, 1, 5), [0.0, 1.0])


def near(found, wanted):
    for r in range(4):
        size = max(1.0, np.abs(wanted[r]).max())
        np.testing.assert_allclose(found[r] / size, wanted[r] / size, rtol=0, atol=1e-10, err_msg=f"r = {r}")


@given(cases())
def test_by_duration_while_the_grid_stretches(case):
    path, s = case
    T = path.duration * (1 + 1j * STEP)
    wanted = rates(path.points + 0j, T, path.degree, s + 0j).imag / (path.duration * STEP)
    near(path.sensitivities(s=s).by_duration_fixed_s, wanted)


@given(cases())
def test_by_duration_while_times_stay(case):
    path, s = case
    T = path.duration * (1 + 1j * STEP)
    wanted = rates(path.points + 0j, T, path.degree, s * path.duration / T).imag / (path.duration * STEP)
    near(path.sensitivities(s=s).by_duration_fixed_t, wanted)


@given(cases())
def test_by_control_points(case):
    path, s = case
    found = path.sensitivities(s=s)
    for i in range(len(path.points)):
        points = path.points + 0j
        points[i, 1] += 1j * STEP
        wanted = rates(points, path.duration, path.degree, s + 0j).imag[..., 1] / STEP
        place = i - found.first
        inside = (place >= 0) & (place <= path.degree)
        mine = np.where(inside, found.by_points[:, np.arange(len(s)), np.clip(place, 0, path.degree)], 0.0)
        near(mine, wanted)


@given(cases())
def test_times_and_normalized_times_give_the_same(case):
    path, s = case
    by_s, by_t = path.sensitivities(s=s), path.sensitivities(s * path.duration)
    for name in ("first", "by_points", "by_duration_fixed_s", "by_duration_fixed_t"):
        a, b = getattr(by_s, name), getattr(by_t, name)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9 * max(1, np.abs(a).max()), err_msg=name)


def test_forces_change_with_control_points_and_duration_by_the_chain_rule():
    """(4.15) of the thesis, and its counterpart for T that it lacks: exact derivatives against differences of order four."""
    robot, h = lissom.robots.rr(), 1e-4
    path = SplinePath(np.random.default_rng(5).normal(size=(7, 2)), 0.6)
    s = path.basis.grid(4)
    found = path.sensitivities(s=s)

    def forces(points, duration):
        return robot.inverse_dynamics(*SplinePath(points, duration).states(s * duration)[:3])

    def differences(function):
        return (8 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12 * h)

    def along(tangents):
        return robot.jvp("inverse_dynamics", path.states(s * 0.6)[:3], tuple(tangents[:3]))

    def near(mine, wanted):
        np.testing.assert_allclose(mine, wanted, rtol=0, atol=1e-8 * np.abs(wanted).max())

    near(along(found.by_duration_fixed_s), differences(lambda x: forces(path.points, 0.6 + x)))
    for i in range(7):
        unit = np.zeros((7, 2))
        unit[i, 1] = 1.0
        tangents = np.zeros((4, len(s), 2))
        for a in range(4):
            tangents[..., 1] += np.where(found.first + a == i, found.by_points[..., a], 0.0)
        near(along(tangents), differences(lambda x, unit=unit: forces(path.points + x * unit, 0.6)))
