"""Curves as data: thinned without losing peaks, limits, noise."""

import base64

import numpy as np
import pytest

from lissom.view.curves.panel import Bound, Group, Line, Panel, thinned
from lissom.view.curves.write import MOST, curve_data, curves


def unpack(array):
    return np.frombuffer(base64.b64decode(array["data"]), {"f32": "<f4", "f64": "<f8"}[array["type"]])


def test_thinning_keeps_every_peak_and_both_ends():
    t = np.linspace(0.0, 9.0, 100_001)
    y, z = np.sin(40 * t), np.zeros_like(t)
    z[[7, 54_321, 99_999]] = 5.0, -3.0, 2.0
    few = thinned(Panel("", "", t, [Line("y", y), Line("z", z)]), 10_000)
    assert len(few.t) * 2 <= 10_050 and few.t[0] == t[0] and few.t[-1] == t[-1] and (np.diff(few.t) > 0).all()
    assert {t[7], t[54_321], t[99_999]} <= set(few.t)
    tops = np.flatnonzero((np.abs(y[1:-1]) >= np.abs(y[:-2])) & (np.abs(y[1:-1]) >= np.abs(y[2:]))) + 1
    assert len(tops) > 100 and np.isin(t[tops], few.t).all()
    for line, whole in zip(few.lines, (y, z), strict=True):
        assert np.array_equal(line.y, whole[np.searchsorted(t, few.t)])


def test_thinning_leaves_short_panels_alone_and_keeps_gaps():
    t = np.arange(5.0)
    panel = Panel("", "", t, [Line("y", t)])
    assert thinned(panel, 10) is panel
    y = np.where(np.arange(1000) % 2, np.nan, 1.0)
    assert np.isfinite(thinned(Panel("", "", np.arange(1000.0), [Line("y", y)]), 90).lines[0].y).any()


def test_a_page_has_a_bounded_number_of_values():
    t = np.linspace(0.0, 1.0, 100_000)
    group = Group("a", [Panel(str(k), "m", t, [Line("y", np.sin(t * k * 100))]) for k in range(20)])
    data = curve_data([group])
    count = sum(panel["lines"][0]["y"]["shape"][0] for panel in data["groups"][0]["panels"])
    assert MOST / 4 < count <= 1.05 * MOST


def test_times_are_stored_once_and_limits_without_a_bound_are_left_out():
    t = np.linspace(0.0, 1.0, 11)
    panels = [Panel("a", "m", t, [Line("y", t)], [Bound(-np.inf, np.inf), Bound(-np.inf, 2.0, (0.5,))])]
    panels.append(Panel("b", "m", t.copy(), [Line("y", 1e-12 * t)]))
    data = curve_data([Group("g", panels)], [(0.25, "<b>")])
    assert len(data["times"]) == 1 and np.array_equal(unpack(data["times"][0]), t)
    one, two = data["groups"][0]["panels"]
    assert one["limits"] == [{"low": None, "high": 2.0, "at": [0.5], "motor": False}] and two["limits"] == []
    assert one["least"] == two["least"] == pytest.approx(1e-9) and data["events"] == [[0.25, "<b>"]]


def test_groups_without_panels_are_left_out():
    assert '"groups":[]' in curves([Group("empty", [])])
