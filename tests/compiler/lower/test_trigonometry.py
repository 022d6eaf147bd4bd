"""Sine and cosine against many digits, in every width."""

import math

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Model, Robot
from support.native import Native, program_of

mpmath = pytest.importorskip("mpmath")
BOUND = 1e-15


def angles():
    rng = np.random.default_rng(1)
    quarter = math.pi / 2
    k = np.concatenate([np.arange(-40, 41), rng.integers(-636619, 636619, 300)])
    near = np.concatenate([k * quarter, np.nextafter(k * quarter, np.inf), (k + 0.5) * quarter, k * quarter + 1e-9])
    spread = [rng.uniform(-s, s, 300) for s in (1e-300, 1e-8, 1.0, 10.0, 1e3, 1e6)]
    return np.concatenate([near, *spread, [0.0, -0.0, 1e6, -1e6]])


def exact(x, shift=0.0):
    with mpmath.workdps(60):
        total = [mpmath.mpf(float(v)) + mpmath.mpf(shift) for v in x]
        return total, [mpmath.sin(v) for v in total], [mpmath.cos(v) for v in total]


def errors(ours, theirs):
    with mpmath.workdps(60):
        return max(float(abs(mpmath.mpf(float(a)) - b)) for a, b in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_sine_and_cosine_are_good_to_1e_15_up_to_a_million(width):
    x = angles()
    flag, (y,) = Native(program_of(lambda x: [[x[0].sin(), x[0].cos()]], [1], [2]), width)(x[:, None])
    assert flag == 0
    _, sine, cosine = exact(x)
    assert errors(y[:, 0], sine) <= BOUND
    assert errors(y[:, 1], cosine) <= BOUND


@pytest.mark.parametrize("shift", [1e-3, 0.3, -0.7, math.pi / 4, 0.8, 2.0, 1e-12])
def test_sine_of_an_angle_and_a_constant_is_good_while_the_angle_is_small(shift):
    x = angles()
    x = x[np.abs(x) < 3]
    flag, (y,) = Native(program_of(lambda x: [[(x[0] + shift).sin(), (x[0] + shift).cos()]], [1], [2]), 2)(x[:, None])
    assert flag == 0
    _, sine, cosine = exact(x, shift)
    assert errors(y[:, 0], sine) <= BOUND
    assert errors(y[:, 1], cosine) <= BOUND


@pytest.mark.sweep(2)
@pytest.mark.parametrize("shift", [1e-3, 0.3, -0.7, math.pi / 4])
def test_sine_of_an_angle_and_a_small_constant_is_good_up_to_a_million(shift):
    x = angles()
    flag, (y,) = Native(program_of(lambda x: [[(x[0] + shift).sin(), (x[0] + shift).cos()]], [1], [2]), 4)(x[:, None])
    assert flag == 0
    _, sine, cosine = exact(x, shift)
    assert errors(y[:, 0], sine) <= BOUND
    assert errors(y[:, 1], cosine) <= BOUND


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_angles_beyond_the_fast_range_are_reported(width):
    native = Native(program_of(lambda x: [[x[0].sin(), x[0].cos()]], [1], [2]), width)
    assert native([[2.0**30], [-(2.0**30)]])[0] == 0
    for bad in (2.0**30 * (1 + 1e-15), 1e15, 1e300, math.inf, -math.inf, math.nan):
        x = np.zeros((11, 1))
        x[7] = bad
        flag, (y,) = native(x)
        assert flag == 1
        assert np.isnan(y[7]).all()
        assert np.isfinite(y[np.arange(11) != 7]).all()


@pytest.mark.parametrize("angle", [1e6, 1e9, 2e9, 1e15, 1e22, 1e300, -1e300, 5e-324, 1.7976931348623157e308])
def test_a_pendulum_at_any_angle_has_the_cosine_of_the_c_library(angle, backend):
    rod = Link("rod", Inertia(1.0, (1.0, 0.0, 0.0)))
    model = Model("pendulum", (Link("ground"), rod), (Joint("j", "continuous", "ground", "rod", axis=(0, -1, 0)),), (0, 0, -1))
    robot = Robot(model, backend=backend)
    for _ in range(2):  # by Python, then by the built-in function
        assert abs(robot.gravity_torques([angle])[0] - math.cos(angle)) <= BOUND
        assert abs(robot.gravity_torques(np.array([angle]))[0] - math.cos(angle)) <= BOUND
        assert abs(robot.gravity_torques(np.full((9, 1), angle))[8, 0] - math.cos(angle)) <= BOUND
        sine = robot.joint_wrenches([[angle]], [[0.0]], [[0.0]])[0, 0, 0]
        assert abs(sine - math.sin(angle)) <= BOUND
