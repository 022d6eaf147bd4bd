"""The catalogue of functions: entries and methods agree, and an entry is enough for everything that a function has."""

import inspect

import numpy as np
import pytest

from lissom import BaseMotion, NameLookupError, Robot, StateError, Wrench
from lissom.algorithms.dynamics.rnea import rnea
from lissom.algorithms.loads import laid_out_task
from lissom.compiler.program import OperationCount, Port
from lissom.derivatives import Derivatives
from lissom.robot import options
from lissom.robot.catalogue import CATALOGUE
from lissom.robot.entry import Entry
from lissom.robots import hua_arm_model, panda_model, rr_model, tree_model
from lissom.spatial.scalar import add, mul
from support.states import error, random_states

REGROUPABLE = ("inverse_dynamics", "bias_torques", "gravity_torques", "torque_rates", "torques_and_rates")
METHODS = [name for name, entry in CATALOGUE.items() if entry.method]
WHOLE = [name for name in METHODS if CATALOGUE[name].shape is not None and name != "hybrid_dynamics"]  # what the task gives
SMOOTH = [name for name, entry in CATALOGUE.items() if entry.shape is not None and entry.smooth]
TREE = tree_model(3, seed=4, kinds=["revolute", "spherical", "prismatic"], drives=True)
FEW = tree_model(2, seed=1, kinds=["revolute"], drives=True)


def robot_of(entry, backend="numpy", model=TREE):
    """Return a small robot that has the function, `model` where any has."""
    if entry.robots:
        return Robot(hua_arm_model(), backend=backend)
    return Robot(rr_model() if "_dh_" in entry.name else model, backend=backend)


def state_of(robot, entry, lead=(2,)):
    """Return a random state."""
    rng, sizes = np.random.default_rng(1), {"q": robot.nq, "dt": 1}
    if entry.path:
        return [rng.normal(size=(*lead, robot.link_nv)) for _ in entry.state]
    given = {"q": random_states(robot.model, lead, seed=1)[0]}
    return [given.get(name, rng.normal(size=(*lead, sizes.get(name, robot.nv)))) for name in entry.state]


def numbers(x):
    """Return all numbers of a result, whatever a method made of it: arrays, their tuples, classes with names."""
    if isinstance(x, Derivatives):
        return np.stack(list(x), axis=1)
    if isinstance(x, tuple):
        return np.stack([numbers(part) for part in x], axis=1)
    if isinstance(x, np.ndarray | np.generic):
        return np.asarray(x)
    return np.concatenate([part.reshape(len(part), -1) for part in vars(x).values()], axis=1)


@pytest.mark.parametrize("name", [name for name in WHOLE if name in CATALOGUE])
def test_functions_are_evaluated_by_name(name):
    entry = CATALOGUE[name]
    robot = robot_of(entry)
    state, example = state_of(robot, entry), entry.example(robot)
    found = robot.evaluate(name, state, **example)
    assert found.shape == (2, *entry.shape(robot, entry.choose(robot, example).options))
    assert error(numbers(getattr(robot, name)(*state, **example)).ravel(), found.ravel()) < 1e-13
    into = np.empty_like(found)
    assert robot.evaluate(name, dict(zip(entry.state, state, strict=True)), out=into, **example) is into
    assert (into == found).all()


def mechanical_power(model, external=()):
    """The power of the joint torques of a motion, sum tau_j qd_j."""

    def text(s):
        tau = rnea(s.tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base).tau
        power = 0.0
        for torque, speed in zip(tau, s["qd"], strict=True):
            power = add(power, mul(torque, speed))
        return [power]

    sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    return laid_out_task("mechanical_power", model, sizes, Port("P", 1), text, external)


def test_an_entry_needs_no_method(monkeypatch, backend):
    own = Entry("mechanical_power", mechanical_power, ("q", "qd", "qdd"), lambda robot, options: (), (options.EXTERNAL,))
    monkeypatch.setattr(Robot, "catalogue", {**CATALOGUE, "mechanical_power": own})
    robot = Robot(FEW, backend=backend)
    q, qd, qdd = state = state_of(robot, own)
    external = {robot.link_names[-1]: Wrench((1, 2, 3), axes="world")}
    tau = robot.inverse_dynamics(q, qd, qdd, external=external)
    assert "mechanical_power" in robot.functions
    assert error(robot.evaluate("mechanical_power", state, external=external), (tau * qd).sum(axis=-1)) < 1e-13
    slopes = robot.derivatives("mechanical_power", state)
    assert error(slopes.dqdd, (robot.mass_matrix(q) @ qd[..., None])[..., 0]) < 1e-12
    assert error(robot.jvp("mechanical_power", state, {"qd": qdd}), (slopes.dqd * qdd).sum(axis=-1)) < 1e-12
    assert str(robot.operation_count("mechanical_power")) in robot.program("mechanical_power")


def test_evaluate_refuses_functions_of_several_results_and_incomplete_states():
    robot = Robot(FEW, backend="numpy")
    with pytest.raises(NameLookupError, match="with one array as its result"):
        robot.evaluate("rk4_step", (np.zeros(2), np.zeros(2), np.zeros(2), 0.1))
    with pytest.raises(StateError, match="state has 1 entries, expected 2"):
        robot.evaluate("bias_torques", (np.zeros(2),))


@pytest.mark.parametrize("name", METHODS)
def test_methods_and_entries_have_the_same_arguments(name):
    entry, method = CATALOGUE[name], getattr(Robot, name)
    found = dict(list(inspect.signature(method).parameters.items())[1:])
    found.pop("out", None)
    if name == "hybrid_dynamics":  # what is given comes in two arguments, and wrenches are another function
        own = {x for x in found if x not in ("qdd", "tau", "wrenches", "axes")}
        assert own == {*entry.state[:2], *(option.name for option in entry.options)}
        return
    positional = [x for x, p in found.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional == [*entry.state, *(option.name for option in entry.options if option.default is options.REQUIRED)]
    wanted = [option for option in entry.options if option.of_method and option.default is not options.REQUIRED]
    assert {x for x in found if x not in positional} == {option.name for option in wanted}
    for option in wanted:
        parameter = found[option.name]
        assert parameter.kind is parameter.KEYWORD_ONLY
        assert parameter.default == option.default
    assert method.__doc__


def test_every_entry_is_found_under_its_name_and_needs_no_option_that_has_no_example():
    robot = Robot(TREE, backend="numpy")
    for name, entry in CATALOGUE.items():
        assert entry.name == name
        required = {option.name for option in entry.options if option.default is options.REQUIRED}
        assert required == set(entry.example(robot))
        parameters = inspect.signature(entry.maker).parameters
        other = ("external_rates", "known", "weights", "tangents", "integral", "gain")
        assert all(option.name in parameters for option in entry.options if option.name not in other)
    assert [name for name, entry in CATALOGUE.items() if options.REGROUPED in entry.options] == [
        name for name in CATALOGUE if name in REGROUPABLE
    ]


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("name", WHOLE)
def test_methods_return_what_the_task_of_their_entry_gives(name, backend):
    entry = CATALOGUE[name]
    robot = robot_of(entry, backend)
    state, chosen = state_of(robot, entry), entry.example(robot)
    found = numbers(getattr(robot, name)(*state, **chosen))
    read = entry.choose(robot, chosen)
    task = entry.maker(robot.model, **read.options)
    more = [read.arguments[port.name] for port in task.inputs[len(state) :]]
    expected = task.evaluate([*state, *(np.broadcast_to(x, (2, len(x))) for x in more)])[0]
    if entry.places is not None:
        shape, where = entry.places(robot, {})
        assert found.shape == (2, *shape)
        found = found.reshape(2, -1)[:, where]
    else:
        shape = entry.shape(robot, read.options)
        assert found.shape[1:] == shape or (name.startswith("elastic_") and found[0].size == np.prod(shape))
    assert error(found.reshape(expected.shape), expected) < 1e-11


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_function_has_a_program_and_a_count(name):
    entry = CATALOGUE[name]
    robot = robot_of(entry, model=FEW)
    chosen = entry.example(robot)
    count = robot.operation_count(name, **chosen)
    once = next(line for line in robot.program(name, **chosen).splitlines() if " mul, " in line)
    if entry.runs(robot) == 1:
        assert str(count) in once
    else:
        assert f"{count.multiplications // robot.nv} mul" in once and count.multiplications % robot.nv == 0


@pytest.mark.parametrize("name", SMOOTH)
def test_every_function_has_derivatives(name):
    entry = CATALOGUE[name]
    robot = robot_of(entry, model=FEW)
    state, chosen = state_of(robot, entry), entry.example(robot)
    d = robot.derivatives(name, state, **chosen)
    along = [np.random.default_rng(k).normal(size=(2, entry.width(robot))) for k in range(len(entry.state))]
    moved = robot.jvp(name, state, along, **chosen)
    sums = sum(
        (part @ v.reshape(2, *[1] * (part.ndim - 3), -1, 1))[..., 0] if part.ndim > 2 else (part * v).sum(-1)
        for part, v in zip(d, along, strict=True)
    )
    assert error(moved, sums) < 1e-10
    weights = np.random.default_rng(7).normal(size=moved.shape)
    found = robot.vjp(name, state, weights, **chosen)
    ours = sum((a * v).sum(axis=-1) for a, v in zip(found, along, strict=True))
    theirs = (weights * moved).reshape(2, -1)
    assert np.abs(ours - theirs.sum(axis=-1)).max() < 1e-10 * max(1.0, np.abs(theirs).sum())


def test_options_are_part_of_the_program():
    robot = Robot(panda_model(), backend="numpy")
    link, push = "panda_hand" if "panda_hand" in robot.link_names else robot.link_names[-1], Wrench((1, 0, 0), axes="world")
    whole = robot.operation_count("jacobian", link=link).multiplications
    assert robot.operation_count("jacobian", link=robot.link_names[2]).multiplications < whole
    assert robot.operation_count("jacobian", link=link, axes="link").multiplications != whole
    assert robot.operation_count("jacobian", link=link, point=(0, 0, 0.1)).multiplications > whole
    plain = robot.operation_count("inverse_dynamics").multiplications
    assert robot.operation_count("inverse_dynamics", external={link: push}).multiplications > plain
    assert robot.operation_count("inverse_dynamics", base_motion=BaseMotion()).multiplications > plain
    assert "external" in robot.program("inverse_dynamics", external={link: push})
    some = robot.operation_count("hybrid_dynamics", known={"torque": robot.joint_names[:1], "acceleration": ...})
    assert some.multiplications < robot.operation_count("hybrid_dynamics", known={"torque": ...}).multiplications
    assert robot.operation_count("joint_wrench_derivatives", joints=robot.joint_names[-1], components="mz").additions < 500


def test_weights_and_tangents_need_not_be_given_for_a_program():
    robot = Robot(TREE, backend="numpy")
    whole, part = (robot.operation_count("inverse_dynamics_hvp", **x) for x in ({}, {"tangents": {"q": np.ones(robot.nv)}}))
    assert part.multiplications < whole.multiplications
    assert robot.operation_count("inverse_dynamics_hvp", weights=np.zeros(robot.nv)) == whole
    columns = robot.operation_count("inverse_dynamics_hessian").multiplications
    assert robot.nv * part.multiplications < columns < 2 * robot.nv * part.multiplications
    for name in ("inverse_dynamics_hvp", "inverse_dynamics_hessian"):
        with pytest.raises(NameLookupError, match=f"no function '{name}' that can be differentiated"):
            robot.derivatives(name, state_of(robot, CATALOGUE[name]))


def test_operations_of_several_evaluations_add_up():
    assert OperationCount(1, 2, 3, 4, 5, 6, 7) * 3 == OperationCount(3, 6, 9, 12, 15, 18, 21)


def test_unknown_and_missing_options_are_named():
    robot = Robot(TREE, backend="numpy")
    for call in (robot.operation_count, robot.program):
        with pytest.raises(StateError, match="jacobian needs link=, the name of a link"):
            call("jacobian")
        with pytest.raises(StateError, match="hybrid_dynamics needs known=, which joints have their torque known"):
            call("hybrid_dynamics")
        with pytest.raises(StateError, match="mass_matrix has no option 'external'; .*'packed'"):
            call("mass_matrix", external=None)
        with pytest.raises(StateError, match="forward_dynamics has no option 'regrouped'"):
            call("forward_dynamics", regrouped=False)
        with pytest.raises(StateError, match="the first argument is the name of a function"):
            call(["inverse_dynamics"])
        with pytest.raises(NameLookupError, match="no function 'jacobain'; did you mean 'jacobian'"):
            call("jacobain")
        with pytest.raises(NameLookupError, match="no function 'elastic_blocks'"):
            call("elastic_blocks")


def test_a_robot_lists_its_functions():
    rigid, elastic = Robot(TREE, backend="numpy"), Robot(hua_arm_model(), backend="numpy")
    assert "jacobian" in rigid.functions and "drive_deflections" not in rigid.functions
    assert set(elastic.functions) == set(CATALOGUE)
