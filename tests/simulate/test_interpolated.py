"""Joint forces between the rows of a table: curves where there are some, straight lines where there are none."""

import numpy as np
import pytest

import lissom
from lissom import StateError
from lissom.robots import planar_two_link
from lissom.simulate import Held, Interpolated
from lissom.simulate.interpolated import Curve

FINE = np.linspace(0.0, 1.0, 2001)


def sampled(curve):
    return np.array([curve.at(t) for t in FINE])


def error(f, rows):
    t = np.linspace(0.0, 1.0, rows)
    return np.abs(sampled(Curve(t, f(t)[:, None]))[:, 0] - f(FINE)).max()


def test_a_smooth_curve_is_followed_with_the_sixth_power_of_the_time_between_rows():
    errors = [error(lambda t: np.sin(7 * t) + t, rows) for rows in (41, 81, 161)]
    assert errors[-1] < 1e-9 and all(40 < a / b < 100 for a, b in zip(errors[:-1], errors[1:], strict=True))


def test_kinks_at_rows_are_kept():
    """As the torques of a spline have them at its knots; one cubic spline through all rows is a million times worse."""

    def kinked(t):
        return np.abs(t - 0.5) * np.cos(3 * t) + 0.3 * np.abs(t - 0.25)

    from scipy.interpolate import CubicSpline

    t = np.linspace(0.0, 1.0, 81)
    assert error(kinked, 81) < 1e-6 * np.abs(CubicSpline(t, kinked(t))(FINE) - kinked(FINE)).max()


def test_jumps_are_straight_lines_and_nothing_swings_around_them():
    """Full force one way and then the other: never more than that, and constant outside the interval of the jump."""
    t = np.linspace(0.0, 1.0, 51)
    tau = np.where(t < 0.37, 10.0, -10.0)
    found = sampled(Curve(t, tau[:, None]))[:, 0]
    k = int(np.argmax(tau < 0))
    assert np.abs(found).max() == 10.0
    assert (found[t[k - 1] >= FINE] == 10.0).all() and (found[t[k] <= FINE] == -10.0).all()
    inside = (t[k - 1] < FINE) & (t[k] > FINE)
    assert np.abs(found[inside] - np.interp(FINE[inside], t, tau)).max() < 1e-12


@pytest.mark.parametrize("rows", [[3.0], [1.0, 2.0], [0.0, 0.0, 5.0], [0.0, 0.0, 5.0, 5.0], [0, 0, 0, 1, 0, 0, 0, 0]])
def test_few_rows_and_a_short_pulse_are_straight_lines(rows):
    t = np.linspace(0.0, 1.0, len(rows))
    found = sampled(Curve(t, np.array(rows, dtype=float)[:, None]))[:, 0]
    assert np.abs(found - np.interp(FINE, t, rows)).max() < 1e-12


@pytest.mark.parametrize("kind", ["noise", "pulses"])
def test_what_is_no_curve_does_not_swing_beyond_its_rows(kind):
    rng = np.random.default_rng(3)
    tau = rng.normal(size=(200, 4))
    if kind == "pulses":
        tau = np.repeat(rng.integers(-1, 2, (200, 4)), rng.integers(3, 8, 200), axis=0)[:200].astype(float)
    found = sampled(Curve(np.linspace(0, 1, 200), tau))
    assert (found.max(axis=0) <= 1.1 * tau.max(axis=0)).all() and (found.min(axis=0) >= 1.1 * tau.min(axis=0)).all()
    straight = np.stack([np.interp(FINE, np.linspace(0, 1, 200), x) for x in tau.T], axis=1)
    assert np.abs(found - straight).max() < 0.25 * np.abs(np.diff(tau, axis=0)).max()


def test_rows_need_not_be_equally_far_apart_and_each_joint_has_its_own_curve():
    t = np.sort(np.random.default_rng(0).uniform(0.0, 1.0, 150))
    t[0], t[-1] = 0.0, 1.0
    found = sampled(Curve(t, np.stack([np.sin(5 * t), np.where(t < 0.5, 0.0, 1.0)], axis=1)))
    assert np.abs(found[:, 0] - np.sin(5 * FINE)).max() < 1e-6
    assert found[:, 1].min() == 0.0 and found[:, 1].max() == 1.0


@pytest.mark.parametrize(
    ("times", "values"),
    [
        ([0.0, 1e-300, 1e-200, 1e-100, 0.5, 0.6, 1.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ([0.0, 0.1, 0.1 + 2e-17, 0.3, 0.4, 0.5, 1e300], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (np.linspace(0, 1, 9), [1e308, -1e308, 1e308, 1e-308, 0.0, 5e-324, 1.0, -1e308, 1e308]),
    ],
)
def test_rows_at_odd_distances_and_of_odd_sizes_do_no_harm(times, values):
    times = np.unique(times)
    curve = Curve(times, np.array(values[: len(times)])[:, None])
    with np.errstate(all="ignore"):
        assert all(not np.isfinite(x) or abs(x) <= 1.3 * np.abs(values).max() for x in sampled(curve)[:, 0])


def test_long_tables_are_worked_at_in_pieces():
    t = np.linspace(0.0, 1.0, 30_001)
    curve = Curve(t, np.sin(50 * t)[:, None])
    assert np.abs(sampled(curve)[:, 0] - np.sin(50 * FINE)).max() < 1e-12


def test_means_are_integrals():
    t = np.linspace(0.2, 0.8, 41)
    curve = Curve(t, np.stack([np.sin(5 * t), t**3], axis=1))
    for a, b in ((0.3, 0.31), (0.3, 0.7), (0.2, 0.8)):
        assert curve.mean(a, b) == pytest.approx([(np.cos(5 * a) - np.cos(5 * b)) / 5 / (b - a), (b**4 - a**4) / 4 / (b - a)])
    # the ends hold before and after
    assert curve.mean(0.0, 0.2) == pytest.approx(curve.at(0.1)) and curve.at(0.1) == pytest.approx([np.sin(1.0), 0.008])
    assert curve.mean(0.8, 9.0) == pytest.approx(curve.at(5.0)) and curve.at(5.0) == pytest.approx([np.sin(4.0), 0.512])


@pytest.mark.parametrize("method", [{}, {"method": "implicit", "rtol": 1e-10, "atol": 1e-10}], ids=str)
def test_sampled_forces_of_a_motion_make_the_motion_again(method):
    """From rows of inverse dynamics: interpolated, not held."""
    robot = planar_two_link()
    t = np.linspace(0.0, 1.0, 101)

    def motion(t):
        s, c = np.sin(3 * t)[..., None], np.cos(3 * t)[..., None]
        size = np.array([0.8, -0.5])
        return size * s, 3 * size * c, -9 * size * s

    q, qd, qdd = motion(t)
    tau = robot.inverse_dynamics(q, qd, qdd)
    found = robot.simulate(q[0], qd[0], 1.0, Interpolated(t, tau), sample=0.05, **method)
    held = robot.simulate(q[0], qd[0], 1.0, Held(t, tau), sample=0.05, **method)
    assert np.abs(found.q - motion(found.t)[0]).max() < 1e-7 < 1e-3 < np.abs(held.q - motion(held.t)[0]).max()
    assert np.abs(found.tau - tau[::5]).max() < 1e-9


def test_fixed_steps_hold_the_mean_of_each_step_and_so_keep_their_second_order():
    robot = planar_two_link()
    t = np.linspace(0.0, 1.0, 101)
    forces = Interpolated(t, np.stack([3 * np.sin(9 * t), np.cos(5 * t)], axis=1))
    exact = robot.simulate([0.1, 0.2], [0, 0], 1.0, forces).end.q
    errors = [
        np.abs(robot.simulate([0.1, 0.2], [0, 0], 1.0, forces, method="rk4", dt=dt).end.q - exact).max() for dt in (0.02, 0.01)
    ]
    assert 3 < errors[0] / errors[1] < 5 and errors[1] < 3e-4


def test_many_states_have_rows_of_their_own_or_share_them():
    robot = planar_two_link()
    t = np.linspace(0.0, 0.2, 21)
    own = np.random.default_rng(1).normal(size=(21, 3, 2))
    options = {"method": "rk4", "dt": 0.01}
    many = robot.simulate(np.zeros((3, 2)), np.zeros(2), 0.2, Interpolated(t, own), **options)
    for k in range(3):
        one = robot.simulate([0, 0], [0, 0], 0.2, Interpolated(t, own[:, k]), **options)
        assert np.abs(many.q[:, k] - one.q).max() < 1e-12
    shared = robot.simulate(np.zeros((3, 2)), np.zeros(2), 0.2, Interpolated(t, own[:, 1]), **options)
    assert np.abs(shared.q - many.q[:, 1:2]).max() < 1e-12


def test_accelerations_can_be_interpolated_too():
    robot = planar_two_link()
    t = np.linspace(0.0, 1.0, 51)
    rows = Interpolated(t, np.stack([np.cos(t), np.zeros(51)], axis=1))
    for more in ({}, {"method": "rk4", "dt": 0.01}):
        run = robot.simulate([0, 0], [0, 0], 1.0, known={"acceleration": "shoulder", "torque": ...}, acceleration=rows, **more)
        assert run.end.qd[0] == pytest.approx(np.sin(1.0), abs=1e-9)


@pytest.mark.parametrize(
    ("times", "values", "message"),
    [
        ([0, 1], [[1.0, 2.0]], r"interpolated values have shape \(1, 2\), expected \(K, ..., nv\) for times of shape \(2,\)"),
        ([0, 0], [[1.0, 2.0]] * 2, "the times of interpolated values must be finite and increase"),
        ([0, np.inf], [[1.0, 2.0]] * 2, "the times of interpolated values must be finite and increase"),
        ([0, 1], [[1.0, 2.0], [np.nan, 0]], "torque is not finite in row 1"),
        ([0, 1], [[1.0, 2.0, 3.0]] * 2, r"torque has shape \(2, 3\), expected \(K, 2\): K rows to be interpolated"),
        ([], np.empty((0, 2)), "interpolated values have shape"),
        ([0, 1], "abc", "must be arrays of numbers"),
    ],
)
def test_rows_that_cannot_be_are_refused(times, values, message):
    with pytest.raises(StateError, match=message):
        lissom.robots.planar_two_link().simulate([0, 0], [0, 0], 1.0, Interpolated(times, values))
