"""Paths of robots with floating, spherical and planar joints: tasks beside the robot's own, derivatives beside complex steps."""

import numpy as np
import pytest

from lissom import Robot
from lissom.predict import State
from lissom.predict.quantities.compiled import OfRobot
from lissom.robots import tree_model
from lissom.wrench import Wrench
from support.complex_step import H, evaluate
from support.states import error

MODELS = {
    "floating": tree_model(5, branching=1.3, skew=0.5, seed=1, kinds=["floating", "revolute", "revolute", "prismatic"]),
    "mixed": tree_model(6, branching=1.4, skew=0.7, seed=2, kinds=["spherical", "planar", "revolute", "universal"]),
    "planar": tree_model(2, branching=1.0, skew=0.3, seed=3, kinds=["planar"]),
}


def motion(model, orders=4, count=5, seed=0):
    rng = np.random.default_rng(seed)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, model.nv)) for _ in range(orders)))


def quantity(robot, name, size, loads=((), {}), **options):
    return OfRobot(robot, name, [str(k) for k in range(size)], "", robot.path_task(name, **options), loads)


def expect_complex_steps(own, state, more=(), tolerance=1e-11):
    task, n = own._maker(own.robot.model, **own.options), own.n
    names = [port.name for port in task.inputs if port.name != "external"]
    expected = np.zeros((len(own.orders), len(state), own.size, n))
    for row in range(len(names)):
        for j in range(n):
            arguments = [
                *(rate.astype(complex) for rate in state.rates[: len(names)]),
                *(np.tile(x, (len(state), 1)) for x in more),
            ]
            arguments[row][:, j] += 1j * H
            expected[row, :, :, j] = np.imag(evaluate(task, arguments)) / H
    assert error(own.derivatives(state), expected) < tolerance


@pytest.mark.sweep("llvm-mixed", "numpy-floating", "numpy-planar")
@pytest.mark.parametrize("name", MODELS)
def test_a_path_gives_the_robots_state_and_torques(name, backend):
    robot = Robot(MODELS[name], backend=backend)
    state = motion(robot.model)
    q, qd, qdd = robot.path_state(state.rates)
    assert q.shape == (5, robot.nq) and qd.shape == qdd.shape == (5, robot.nv)
    # the robot's own step along qd leads where the path does
    h = 1e-5
    ahead, back = (robot.path_state([state.rates[0] + x * state.rates[1] + x * x / 2 * state.rates[2]] * 3)[0] for x in (h, -h))
    assert error(robot.difference(back, ahead) / (2 * h), qd) < 1e-8
    assert error(robot.path_torques(state.rates), robot.inverse_dynamics(q, qd, qdd)) == 0.0
    assert error(quantity(robot, "torque", robot.nv).values(state), robot.inverse_dynamics(q, qd, qdd)) < 1e-13
    assert error(robot.path_at(robot.path_state([0.5 * x for x in state.rates])[0]), 0.5 * state.rates[0]) < 1e-12
    rates = robot.path_torque_rates(state.rates)
    assert error(quantity(robot, "torque_rate", robot.nv).values(state), rates) < 1e-13


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", MODELS)
def test_derivatives_of_torques_are_those_of_complex_steps(name, backend):
    robot = Robot(MODELS[name], backend=backend)
    own = quantity(robot, "torque", robot.nv)
    expect_complex_steps(own, motion(robot.model))
    assert not own.derivatives(motion(robot.model))[:, :, ~own.depends].any()


@pytest.mark.slow
def test_torques_under_wrenches_are_differentiated_too():
    robot = Robot(MODELS["floating"])
    wrenches, told = robot._loads({robot.link_names[-1]: Wrench([1.0, -2.0, 0.5], [0.2, 0.3, -0.7], axes="world")}, None)
    expect_complex_steps(quantity(robot, "torque", robot.nv, (wrenches, told)), motion(robot.model), wrenches)


@pytest.mark.sweep("planar", "center_of_mass", "kinetic_energy-floating", "link_velocity-floating")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("what", ["torque_rate", "power", "kinetic_energy", "momentum", "center_of_mass", "link_velocity"])
def test_other_quantities_are_differentiated_through_their_columns(name, what):
    robot = Robot(MODELS[name])
    options = {"link": robot.link_names[-1], "point": (0.1, -0.2, 0.3)} if what == "link_velocity" else {}
    size = {"kinetic_energy": 1, "center_of_mass": 3, "momentum": 6, "link_velocity": 6}.get(what, robot.nv)
    expect_complex_steps(quantity(robot, what, size, **options), motion(robot.model), tolerance=1e-10)


@pytest.mark.sweep("planar")
@pytest.mark.parametrize("name", MODELS)
def test_second_derivatives_are_differences_of_the_first(name):
    robot, h = Robot(MODELS[name]), 1e-6
    own, state = quantity(robot, "torque", robot.nv), motion(robot.model)
    weights = np.random.default_rng(1).normal(size=(len(state), own.size))
    found = own.curvature(state, weights)
    assert error(found, found.transpose(0, 3, 4, 1, 2)) < 1e-12
    for row in range(3):
        for j in range(own.n):
            sides = []
            for sign in (h, -h):
                rates = [x.copy() for x in state.rates]
                rates[row][:, j] += sign
                sides.append(own.derivatives(State(tuple(rates))))
            slope = np.einsum("ks,rksn->krn", weights, (sides[0] - sides[1]) / (2 * h))
            assert np.abs(found[:, row, j] - slope).max() < 1e-7 * np.abs(found).max()
