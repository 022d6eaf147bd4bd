"""Coefficients and order of Radau's methods."""

import numpy as np
import pytest

from lissom import Robot
from lissom.manifold import configuration_difference
from lissom.robots import tree_model
from lissom.simulate.inputs import make_given
from lissom.simulate.newton import solve
from lissom.simulate.problem import Problem
from lissom.simulate.radau import radau
from lissom.simulate.stages import Stages
from lissom.simulate.state_jacobian import Slopes
from support.states import random_states

EVERY_KIND = {"n": 6, "floating": True, "seed": 3, "drives": False}
FLAT = {"n": 4, "seed": 1, "drives": False, "kinds": ["revolute", "prismatic"]}
BALLS = {"n": 2, "kinds": ["spherical"], "seed": 0, "drives": False}
STAGES = [3, 5, 7]


def test_three_stages_are_those_of_the_textbook():
    """Hairer and Wanner 1996, table IV.5.6."""
    r = np.sqrt(6.0)
    A = [
        [(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225],
        [(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225],
        [(16 - r) / 36, (16 + r) / 36, 1 / 9],
    ]
    method = radau(3)
    assert np.allclose(method.c, [(4 - r) / 10, (4 + r) / 10, 1.0], rtol=0, atol=1e-15)
    assert np.allclose(method.inverse @ A, np.eye(3), rtol=0, atol=1e-14)
    # the real eigenvalue, and the weights of the error, in closed form (IV.8)
    gamma = 1 / method.eigenvalues[0].real
    assert method.eigenvalues[0].real == pytest.approx(3 + 3 ** (2 / 3) - 3 ** (1 / 3), rel=1e-14)
    assert np.allclose(method.error, gamma / 3 * np.array([-13 - 7 * r, -13 + 7 * r, -1]), rtol=0, atol=1e-13)


@pytest.mark.parametrize("stages", STAGES)
def test_quadrature_and_stages_are_exact_for_polynomials(stages):
    method = radau(stages)
    A = np.linalg.inv(method.inverse)
    for k in range(1, 2 * stages):  # the order, 2 s - 1
        assert A[-1] @ method.c ** (k - 1) == pytest.approx(1 / k, abs=1e-14)
    for k in range(1, stages + 1):  # the order of the stages, s
        assert np.allclose(A @ method.c ** (k - 1), method.c**k / k, rtol=0, atol=1e-14)
    m = len(method.eigenvalues)
    apart = np.diag(method.eigenvalues) @ (method.into[:m] + 1j * method.into[m:])
    assert np.allclose(method.back @ np.concatenate([apart.real, apart.imag]), method.inverse, rtol=0, atol=1e-10)
    x = np.array([0.0, 0.37, method.c[1], 1.0])
    for k in range(1, stages + 1):
        assert np.allclose(method.between(x) @ method.c**k, x**k, rtol=0, atol=1e-13)


@pytest.mark.parametrize("stages", STAGES)
def test_swings_never_grow_and_unresolved_ones_die_away(stages):
    A = np.linalg.inv(radau(stages).inverse)

    def growth(z):
        return abs(1 + np.linalg.solve(np.eye(stages) - z * A, z * A @ np.ones(stages))[-1])

    for y in np.geomspace(1e-2, 1e6, 200):
        assert growth(1j * y) < 1 + 1e-12
        assert growth(-y) < 1
    assert growth(1e8j) < 1e-6 and growth(-1e8) < 1e-6


def fixed_steps(robot, q, qd, tau, duration, steps, stages, inexact=False):
    """State after equal steps, each solved to rounding."""
    tolerances = 1e-12, 1e-14
    given = make_given(tau, "torque", (), robot.nv, duration, None)
    problem = Problem(robot, q, qd, duration, given, "implicit", duration, *tolerances, duration, (), {}, (), None)
    method, slopes, at, here = radau(stages), Slopes(problem), Stages(problem, stages), Stages(problem, 1)
    y, h, nq = np.concatenate([q, qd])[None], duration / steps, robot.nq
    for k in range(steps):
        t = k * h
        assert slopes.update(t, y[:, :nq], y[:, nq:], here([t], y[None])[0, :, nq:])
        if inexact:
            slopes.by_q = slopes.by_q * 0.9
        Z, scale, matrices = np.zeros((stages, *y.shape)), 1e-12 + 1e-12 * np.abs(y), slopes.inverses(method, h)
        for _ in range(50):  # steps this long converge slowly, which a run would not wait for
            found = solve(method, at, t, h, y, Z, matrices, scale, 1e-3)
            Z = found.Z
            if found.converged:
                break
        assert found.converged
        y = y + found.Z[-1]
    return y[0, :nq], y[0, nq:]


@pytest.mark.sweep("balls")
@pytest.mark.parametrize(
    ("arguments", "duration", "stages", "order", "steps"),
    [
        (FLAT, 0.4, 3, 5, (8, 16, 32)),
        (EVERY_KIND, 0.4, 3, 5, (16, 24, 32)),
        (BALLS, 1.0, 3, 5, (16, 32, 48)),
        (BALLS, 1.0, 5, 9, (10, 16, 20)),
        (BALLS, 1.0, 7, 13, (8, 10, 12)),
    ],
    ids=["single axes, 3", "every kind, 3", "balls, 3", "balls, 5", "balls, 7"],
)
def test_error_shrinks_with_the_order_of_the_method(arguments, duration, stages, order, steps):
    robot = Robot(tree_model(**arguments))
    q, qd, _ = random_states(robot.model, seed=1 if arguments is BALLS else 2)
    exact = robot.simulate(q, qd, duration).end
    errors = []
    for n in steps:
        q_end, qd_end = fixed_steps(robot, q, qd, None, duration, n, stages)
        apart = configuration_difference(robot.model, q_end, exact.q), qd_end - exact.qd
        errors.append(np.abs(np.concatenate(apart)).max())
    slope = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(order, abs=0.15 + 0.05 * order)


def test_derivatives_that_are_not_exact_change_nothing_but_the_iterations():
    robot = Robot(tree_model(**FLAT))
    q, qd, _ = random_states(robot.model, seed=2)
    tau = np.linspace(-1, 1, robot.nv)
    a, b = (fixed_steps(robot, q, qd, tau, 0.2, 5, 5, inexact) for inexact in (False, True))
    assert np.abs(a[0] - b[0]).max() < 1e-13 and np.abs(a[1] - b[1]).max() < 1e-11
