"""Rates of the forces of drives along a motion, beside differences of fourth order of the forces themselves."""

from math import factorial

import numpy as np
import pytest

import lissom
from support.states import error


def path(robot, t, seed=1, degree=4):
    """Return a polynomial motion from home, and its derivatives up to the third, at time t."""
    c = 0.1 * np.random.default_rng(seed).normal(size=(degree + 1, robot.nq))
    c[0] = robot.home()
    return [sum(c[k] * t ** (k - d) / factorial(k - d) for k in range(d, degree + 1)) for d in range(4)]


@pytest.mark.sweep("bar", "crank")
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "five_bar", "delta", "gough_stewart"])
def test_rates_of_drives_are_the_slopes_of_their_forces(name):
    robot, h = getattr(lissom.robots, name)(), 1e-3
    load = {robot.link_names[-1]: lissom.Wrench(force=(3.0, -2.0, 5.0), moment=(0.1, 0.2, -0.3), axes="world")}
    for external in (None, load):
        f = [robot.inverse_dynamics(*path(robot, 0.3 + k * h)[:3], external=external) for k in (-2, -1, 1, 2)]
        slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
        assert error(robot.torque_rates(*path(robot, 0.3), external=external), slope) < 1e-7


def test_rates_of_redundant_drives_and_of_batches():
    model = lissom.robots.five_bar_model(gravity=(0.0, -9.81, 0.0)).replace(active=("left", "right", "left_elbow"))
    robot, h, weights = lissom.ClosedRobot(model, backend="numpy"), 1e-3, [1.0, 2.0, 5.0]
    f = [robot.inverse_dynamics(*path(robot, 0.2 + k * h)[:3], weights=weights) for k in (-2, -1, 1, 2)]
    slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
    assert error(robot.torque_rates(*path(robot, 0.2), weights=weights), slope) < 1e-7
    many = [np.stack(x) for x in zip(*(path(robot, t) for t in (0.1, 0.2, 0.3)), strict=True)]
    assert error(robot.torque_rates(*many)[1], robot.torque_rates(*path(robot, 0.2))) < 1e-12
