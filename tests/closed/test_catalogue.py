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
    return lissom.ClosedRobot(lissom.robots.five_bar_model(), backend="numpy")


@pytest.fixture(scope="module")
def fast():
    return lissom.ClosedRobot(lissom.robots.five_bar_model())


def state_of(robot, name):
    rates = np.random.default_rng(3).normal(size=(4, 2))
    return [robot.home() + 0.1, *rates[: len(CATALOGUE[name].state) - 1]]


def value(robot, name, state, **options):
    """Return what a method gives, with an example of its required options, in one array."""
    if name == "hybrid_dynamics":  # what is given comes in two arguments
        both = robot.hybrid_dynamics(*state[:2], tau=state[2], **CATALOGUE[name].example(robot), **options)
        return np.concatenate([both.qdd, both.tau], axis=-1)
    found = getattr(robot, name)(*state, **CATALOGUE[name].example(robot), **options)
    if name == "tree_motion":
        return np.concatenate(found[1:])
    return np.stack(found) if name == "torques_and_rates" else found


@pytest.mark.parametrize("name", CATALOGUE)
def test_methods_and_entries_have_the_same_arguments(name):
    entry = CATALOGUE[name]
    found = list(inspect.signature(getattr(lissom.ClosedRobot, name)).parameters)[1:]
    if name == "hybrid_dynamics":  # what is given comes in two arguments
        assert set(found) - {"near", "tree_q", "qdd", "tau"} == {*entry.state[:2], *(option.name for option in entry.options)}
        return
    assert found[: len(entry.state)] == list(entry.state)
    assert set(found[len(entry.state) :]) - {"near", "tree_q", "out"} == {option.name for option in entry.options}


@pytest.mark.parametrize("name", CATALOGUE)
def test_methods_return_what_the_task_of_their_entry_gives(robot, name):
    entry, state = CATALOGUE[name], state_of(robot, name)
    example = entry.example(robot)
    q, found = robot.closure(state[0]), value(robot, name, state)
    chosen = entry.choose(robot, example).options
    expected = entry.maker(robot.model, robot.plan, **chosen).evaluate([x[None] for x in (q, *state[1:])])[0][0]
    assert np.shape(found) == entry.shape(robot, {})
    assert error(np.ravel(found), expected) < 1e-10
    count = robot.operation_count(name, **example)
    program = robot.program(name, **example)
    assert str(count) in program
    title = program.splitlines()[0]
    assert title.startswith(f"# {name}") and len(title) < 130  # without the plan, which is part of the key


@pytest.mark.parametrize("name", CATALOGUE)
def test_functions_are_evaluated_by_name(robot, name):
    state, example = state_of(robot, name), CATALOGUE[name].example(robot)
    found = robot.evaluate(name, state, **example)
    assert error(np.ravel(found), np.ravel(value(robot, name, state))) < 1e-13
    assert error(robot.evaluate(name, (None, *state[1:]), tree_q=robot.closure(state[0]), **example), found) < 1e-12


@pytest.mark.parametrize("name", CATALOGUE)
def test_derivatives_are_slopes(robot, name):
    state, h = state_of(robot, name), 1e-5
    example = CATALOGUE[name].example(robot)
    found = robot.derivatives(name, state, **example)
    for k, part in enumerate(found):
        ahead, back = (value(robot, name, [x + s * h * (j == k) for j, x in enumerate(state)]) for s in (1.0, -1.0))
        assert error(part.sum(axis=-1), (ahead - back) / (2 * h)) < 1e-6  # along all coordinates at once
    rng = np.random.default_rng(5)
    moves = [rng.normal(size=x.shape) for x in state]
    along = robot.jvp(name, state, moves, **example)
    assert error(along, sum(d @ v for d, v in zip(found, moves, strict=True))) < 1e-11
    weights = rng.normal(size=np.shape(along))
    for part, own in zip(found, robot.vjp(name, state, weights, **example), strict=True):
        assert error(own, np.tensordot(weights, part, np.ndim(weights))) < 1e-11


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name not in ("tree_motion", "hybrid_dynamics")])
def test_results_go_to_out_and_batches_are_samples(robot, name):
    state, example = state_of(robot, name), CATALOGUE[name].example(robot)
    one = value(robot, name, state)
    many = [np.stack([x, x + 0.05, x + 3.0 * (k == 0)]) for k, x in enumerate(state)]
    many[0][2] = state[0] + 0.9  # too far from home for one program
    shape = np.shape(one) if name != "torques_and_rates" else (2, 2)
    out = np.empty((3, *shape))
    found = getattr(robot, name)(*many, **example, out=out)
    assert np.shares_memory(found[0] if name == "torques_and_rates" else found, out)
    for k in range(3):
        assert error(out[k], value(robot, name, [x[k] for x in many])) < 1e-11
    near = value(robot, name, [None, *state[1:]], tree_q=robot.closure(state[0]))
    assert error(near, one) < 1e-11
    with pytest.raises(StateError, match="out has shape"):
        getattr(robot, name)(*state, **example, out=np.empty(77))


@pytest.mark.parametrize("name", CATALOGUE)
def test_machine_code_gives_the_same(fast, robot, name):
    state = state_of(robot, name)
    assert error(value(fast, name, state), value(robot, name, state)) < 1e-11
    with pytest.raises(StateError, match="expected nq = 2"):
        value(fast, name, [np.zeros(3), *state[1:]])


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", CATALOGUE)
def test_poses_in_which_loops_cannot_be_closed_are_refused(fast, robot, name):
    rates = state_of(robot, name)[1:]
    with pytest.raises(StateError, match="cannot be closed"):
        value(fast, name, [np.array([np.pi, 0.0]), *rates])


def test_options_are_part_of_the_program(robot):
    plain = robot.operation_count("inverse_dynamics").multiplications
    push = {"left_forearm": Wrench((1, 0, 0), axes="world")}
    assert robot.operation_count("inverse_dynamics", external=push).multiplications > plain
    along = robot.operation_count("joint_wrenches", axes="world").multiplications
    assert along != robot.operation_count("joint_wrenches").multiplications
    for name in ("inverse_dynamics", "gravity_torques", "bias_torques", "joint_wrenches", "torque_rates", "torques_and_rates"):
        with pytest.raises(StateError, match="this one has one drive per coordinate"):
            robot.operation_count(name, weights=[1, 2])
        with pytest.raises(StateError, match="this one has one drive per coordinate"):
            getattr(robot, name)(*state_of(robot, name), weights={"left": 2.0})
    with pytest.raises(StateError, match="no tangent is given: give one of q, qd, qdd"):
        robot.jvp("inverse_dynamics", state_of(robot, "inverse_dynamics"), {})
    with pytest.raises(StateError, match=r"weights have shape \(3,\), expected that of the result, \(..., 2\)"):
        robot.vjp("gravity_torques", (robot.home(),), np.ones(3))
    with pytest.raises(StateError, match="link_pose needs link=, the name of a link"):
        robot.derivatives("link_pose", (robot.home(),))
    with pytest.raises(NameLookupError, match="no function 'jacobi'"):
        robot.program("jacobi")
    with pytest.raises(StateError, match=r"state has 1 entries, expected 3: \(q, qd, qdd\)"):
        robot.derivatives("inverse_dynamics", (robot.home(),))
    assert WEIGHTS in CATALOGUE["joint_wrenches"].options
