"""Sensitivities of closed robots beside differences of fourth order."""

import numpy as np
import pytest

import lissom
from support.states import error


def slope(function, x, h=1e-3):
    """Return the derivatives of a function by every entry of x."""
    columns = []
    for e in np.eye(len(x)):
        d1 = function(x + h * e) - function(x - h * e)
        d2 = function(x + 2 * h * e) - function(x - 2 * h * e)
        columns.append((8 * d1 - d2) / (12 * h))
    return np.stack(columns, axis=-1)


@pytest.mark.sweep("bar")
@pytest.mark.parametrize("name", ["four_bar", "five_bar", "delta"])
def test_derivatives_by_coordinates_rates_and_forces(name):
    robot = getattr(lissom.robots, name)()
    rng = np.random.default_rng(0)
    q, (qd, qdd) = robot.home() + 0.05, rng.normal(size=(2, robot.nq))
    d = robot.inverse_dynamics_derivatives(q, qd, qdd)
    assert error(d.dq, slope(lambda x: robot.inverse_dynamics(x, qd, qdd), q)) < 1e-7
    assert error(d.dqd, slope(lambda x: robot.inverse_dynamics(q, x, qdd), qd)) < 1e-7
    assert error(d.dqdd, robot.mass_matrix(q)) < 1e-12
    tau = robot.inverse_dynamics(q, qd, qdd)
    d = robot.forward_dynamics_derivatives(q, qd, tau)
    assert error(d.dq, slope(lambda x: robot.forward_dynamics(x, qd, tau), q)) < 1e-7
    assert error(d.dqd, slope(lambda x: robot.forward_dynamics(q, x, tau), qd)) < 1e-7
    assert error(d.dtau, np.linalg.inv(robot.mass_matrix(q))) < 1e-10


def test_derivatives_of_wrenches():
    robot = lissom.robots.slider_crank()
    q, qd, qdd = robot.home(), np.array([2.0]), np.array([1.0])
    d = robot.joint_wrench_derivatives(q, qd, qdd, axes="world")
    assert d.dq.shape == (4, 6, 1)
    assert error(d.dq, slope(lambda x: robot.joint_wrenches(x, qd, qdd, axes="world"), q)) < 1e-7
    assert error(d.dqdd, slope(lambda x: robot.joint_wrenches(q, qd, x, axes="world"), qdd)) < 1e-9


def test_redundant_drives_have_derivatives_too():
    model = lissom.robots.five_bar_model(gravity=(0.0, -9.81, 0.0)).replace(active=("left", "right", "left_elbow"))
    robot = lissom.ClosedRobot(model, backend="numpy")
    q, qd, qdd = robot.home(), np.ones(2), np.ones(2)
    d = robot.inverse_dynamics_derivatives(q, qd, qdd)
    assert d.dq.shape == (3, 2)
    assert error(d.dq, slope(lambda x: robot.inverse_dynamics(x, qd, qdd), q)) < 1e-7


@pytest.mark.slow
def test_derivatives_of_a_platform():
    robot = lissom.robots.gough_stewart()
    rng = np.random.default_rng(0)
    q, (qd, qdd) = robot.home() + 0.05, rng.normal(size=(2, 6))
    d = robot.inverse_dynamics_derivatives(q, qd, qdd)
    assert error(d.dq, slope(lambda x: robot.inverse_dynamics(x, qd, qdd), q)) < 1e-7
    assert error(d.dqd, slope(lambda x: robot.inverse_dynamics(q, x, qdd), qd)) < 1e-7
