"""The catalogue of closed robots: entries agree with methods, and give programs, counts and derivatives."""

import inspect

import numpy as np
import pytest

import lissom
from lissom import NameLookupError, StateError, Wrench
from lissom.closed.catalogue import CATALOGUE, WEIGHTS
from support.states import error


@pytest.fixture(scope="module")
def robot():
    return lissom.ClosedRobot(lissom.robots.five_bar_model(), "numpy")


def state_of(robot, name):
    rates = np.random.default_rng(3).normal(size=(4, 2))
    return [robot.home() + 0.1, *rates[: len(CATALOGUE[name].state) - 1]]


@pytest.mark.parametrize("name", CATALOGUE)
def test_methods_and_entries_have_the_same_arguments(name):
    entry = CATALOGUE[name]
    found = list(inspect.signature(getattr(lissom.ClosedRobot, name)).parameters)[1:]
    assert found[: len(entry.state)] == list(entry.state)
    assert set(found[len(entry.state) :]) - {"near", "tree_q", "out"} == {option.name for option in entry.options}


@pytest.mark.parametrize("name", CATALOGUE)
def test_methods_return_what_the_task_of_their_entry_gives(robot, name):
    entry, state = CATALOGUE[name], state_of(robot, name)
    q = robot.closure(state[0])
    found = getattr(robot, name)(*state)
    found = np.concatenate(found[1:]) if name == "tree_motion" else found
    expected = entry.maker(robot.model, robot.plan).evaluate([x[None] for x in (q, *state[1:])])[0][0]
    assert found.shape == entry.shape(robot, {})
    assert error(found.ravel(), expected) < 1e-10
    count = robot.operation_count(name)
    assert str(count) in robot.program(name)


@pytest.mark.parametrize("name", CATALOGUE)
def test_derivatives_are_slopes(robot, name):
    state, h = state_of(robot, name), 1e-5

    def at(k, step):
        moved = [x + step * (j == k) for j, x in enumerate(state)]
        found = getattr(robot, name)(*moved)
        return np.concatenate(found[1:]) if name == "tree_motion" else found

    for k, part in enumerate(robot.derivatives(name, state)):
        slope = (at(k, h) - at(k, -h)) / (2 * h)  # along all coordinates at once
        assert error(part.sum(axis=-1), slope) < 1e-6


def test_options_are_part_of_the_program(robot):
    plain = robot.operation_count("inverse_dynamics").multiplications
    push = {"left_forearm": Wrench((1, 0, 0), axes="world")}
    assert robot.operation_count("inverse_dynamics", external=push).multiplications > plain
    along = robot.operation_count("joint_wrenches", axes="world").multiplications
    assert along != robot.operation_count("joint_wrenches").multiplications
    with pytest.raises(StateError, match="this one has one drive per coordinate"):
        robot.operation_count("inverse_dynamics", weights=[1, 2])
    with pytest.raises(NameLookupError, match="no function 'jacobi'"):
        robot.program("jacobi")
    with pytest.raises(StateError, match=r"state has 1 entries, expected 3: \(q, qd, qdd\)"):
        robot.derivatives("inverse_dynamics", (robot.home(),))
    assert WEIGHTS in CATALOGUE["joint_wrenches"].options
