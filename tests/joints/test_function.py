"""Functions of custom joints against SciPy."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from lissom.joints.function import Composed, Polyline, Polynomial, Spline
from lissom.spatial.series import Series

AT, VALUES = (-2.0, -1.5, 0.0, 0.3, 1.0, 2.5), (0.1, 0.4, -0.2, 0.3, 0.25, -0.6)


def forsythe(at, values):
    """Return SciPy's spline with the third derivatives of the cubics through the four points at each end."""
    thirds = [6 * np.polyfit(at[part], values[part], 3)[0] for part in (slice(0, 4), slice(-4, None))]

    # the third derivative at an end is the slope of the curvature there: solved for the curvatures at the ends
    def miss(curvatures):
        spline = CubicSpline(at, values, bc_type=((2, curvatures[0]), (2, curvatures[1])))
        return np.array([spline(at[0], 3), spline(at[-1], 3)]) - thirds

    origin, columns = miss([0.0, 0.0]), [miss(axis) for axis in np.eye(2)]
    found = np.linalg.solve(np.array([column - origin for column in columns]).T, -origin)
    return CubicSpline(at, values, bc_type=((2, found[0]), (2, found[1])))


@pytest.mark.parametrize("ends", ["natural", "cubic"])
def test_a_spline_and_its_derivatives_are_those_of_scipy(ends):
    at, values = np.array(AT), np.array(VALUES)
    theirs = CubicSpline(at, values, bc_type="natural") if ends == "natural" else forsythe(at, values)
    x = np.linspace(-1.99, 2.49, 101)
    ours = Spline(AT, VALUES, ends).derivatives(x, 3)
    for order in range(4):
        assert np.allclose(ours[order], theirs(x, order), rtol=0, atol=1e-11), order


def test_a_spline_goes_through_its_points_and_straight_on_beyond_them():
    spline = Spline(AT, VALUES)
    for x, y in zip(AT, VALUES, strict=True):
        assert spline.derivatives(x, 0)[0] == pytest.approx(y, abs=1e-15)
    for end, beyond in ((AT[0], -5.0), (AT[-1], 7.0)):
        value, slope = spline.derivatives(end, 1)
        assert spline.derivatives(beyond, 2)[:2] == pytest.approx([value + (beyond - end) * slope, slope])
        assert spline.derivatives(beyond, 3)[2:] == [0.0, 0.0]


BENT = Composed(Spline(AT, VALUES), Composed(Polynomial((0.1, 0.3, 0.05)), Spline(AT, VALUES, "cubic")))


@pytest.mark.parametrize("function", [Spline(AT, VALUES), Polynomial((0.1, -0.2, 0.3, 0.4, -0.5)), Polyline(AT, VALUES), BENT])
def test_numbers_batches_series_and_complex_steps_agree(function):
    x = np.linspace(-3.0, 3.0, 41)
    batch = [np.broadcast_to(y, x.shape) for y in function.derivatives(x, 3)]
    for k, number in enumerate(x):
        assert np.allclose(function.derivatives(float(number), 3), [y[k] for y in batch], rtol=0, atol=1e-15)
    h = 1e-20
    assert np.allclose(function.derivatives(x + 1j * h, 0)[0].imag / h, batch[1], rtol=0, atol=1e-13)
    moving = function.derivatives(Series([x, np.ones_like(x), np.zeros_like(x)]), 0)[0]
    for ours, term in zip(batch, moving.terms, strict=False):
        assert np.allclose(ours, term, rtol=0, atol=1e-13)


def test_constants_are_seen():
    assert Polynomial((3.0,)).constant == Polynomial((3.0, 0.0)).constant == Spline((0, 1), (3.0, 3.0)).constant == 3.0
    assert Polynomial((3.0, 1.0)).constant is None and Spline((0, 1), (3.0, 4.0)).constant is None


def test_a_polyline_is_that_of_numpy_and_goes_straight_on():
    line = Polyline(AT, VALUES)
    x = np.linspace(-1.99, 2.49, 50)
    value, slope, bend = line.derivatives(x, 2)
    assert np.allclose(value, np.interp(x, AT, VALUES), rtol=0, atol=1e-15) and not np.any(bend)
    assert line.derivatives(-3.0, 1) == pytest.approx([0.1 - 0.6, 0.6])
    assert line.derivatives(3.5, 1) == pytest.approx([-0.6 - 0.85 / 1.5, -0.85 / 1.5])
    assert np.allclose(slope[x > 1.0], -0.85 / 1.5)


def test_splines_of_two_and_three_points_are_a_line_and_a_parabola():
    assert Spline((0.0, 2.0), (1.0, 5.0)).derivatives(0.5, 2) == pytest.approx([2.0, 2.0, 0.0])
    parabola = Spline((0.0, 1.0, 3.0), (0.0, 1.0, 9.0), "cubic")
    assert parabola.derivatives(2.5, 3) == pytest.approx([6.25, 5.0, 2.0, 0.0], abs=1e-14)


def test_constants_of_composed_functions_are_seen():
    assert Composed(Polynomial((0.5, 2.0)), Polynomial((3.0,))).constant == 6.5
    assert Composed(Polynomial((0.5,)), Spline(AT, VALUES)).constant == 0.5
    assert Polyline(AT, (1.0,) * len(AT)).constant == 1.0 and Polyline(AT, VALUES).constant is None and BENT.constant is None
