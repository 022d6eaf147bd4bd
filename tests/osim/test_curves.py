"""Curves of loads and rates of motions, beside splines through all rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import lissom.osim
from lissom.osim import Table
from lissom.osim.filtering import lowpass, rates
from lissom.osim.loads import Curves
from lissom.osim.motion import motion_of
from support.osim import LEG


@pytest.mark.parametrize("rows", [4, 5, 80])
def test_curves_are_natural_cubic_splines(rows):
    rng = np.random.default_rng(rows)
    times, values = np.sort(rng.uniform(0, 1, rows)), rng.normal(size=(rows, 3))
    at = np.linspace(times[0] - 0.01, times[-1] + 0.01, 57)
    expected = CubicSpline(times, values, bc_type="natural")(at)
    np.testing.assert_allclose(Curves(times, values)(at, [2, 0]), expected[:, [2, 0]], rtol=1e-9, atol=1e-9)


def test_times_of_rows_need_no_spline():
    times, values = np.arange(40) / 200, np.random.default_rng(0).normal(size=(40, 2))
    curves = Curves(times, values)
    np.testing.assert_allclose(curves(np.arange(20) / 100, [0, 1]), values[::2], atol=1e-12)
    assert "bends" not in vars(curves)
    np.testing.assert_allclose(
        curves(np.array([0.0, 0.0125]), [0, 1]), CubicSpline(times, values, bc_type="natural")([0, 0.0125])
    )


def test_few_rows_are_joined_by_lines():
    curves = Curves(np.array([0.0, 1.0, 3.0]), np.array([[0.0], [2.0], [0.0]]))
    np.testing.assert_allclose(curves(np.array([0.5, 2.0, 4.0]), [0])[:, 0], [1.0, 1.0, 0.0])


@pytest.mark.parametrize("cutoff", [None, 6.0, 60.0])
def test_rates_of_a_span_are_those_of_the_whole_motion(cutoff, tmp_path):
    (tmp_path / "leg.osim").write_text(LEG)
    model = lissom.osim.read(tmp_path / "leg.osim")
    t = np.arange(1000) / 100
    values = np.random.default_rng(1).normal(size=(1000, 2)).cumsum(axis=0) * 0.01
    table = Table(("hip_flexion", "knee_angle"), t, values)
    found = motion_of(model, table, cutoff, (0.0, 0.6))
    whole = table if cutoff is None else lowpass(table, cutoff)
    expected = rates(whole.times, whole.values)
    rows = np.searchsorted(whole.times, found.times - 1e-9)
    assert len(rows) == 61
    for ours, theirs in zip((found.q, found.qd, found.qdd), expected, strict=True):
        columns = [model.names.index(name) for name in table.names]
        np.testing.assert_allclose(ours[:, columns], theirs[rows], rtol=1e-9, atol=1e-9)
