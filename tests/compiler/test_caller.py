"""The built-in function behind a robot's methods: counts of references, memory, and calls that it must hand over."""

import contextlib
import gc
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

from lissom import Robot, StateError
from lissom.compiler import caller
from lissom.compiler.run import Function
from lissom.robots import tree_model
from support.states import random_states


@pytest.fixture(scope="module")
def robot():
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    for lead in ((), (3,)):
        q, qd, qdd = random_states(robot.model, lead)
        robot.inverse_dynamics(q, qd, qdd)
        robot.bias_torques(q, qd)
        robot.gravity_torques(q)
        robot.kinetic_energy(q, qd)
    return robot


def test_plain_calls_are_built_in(robot):
    for name in ("inverse_dynamics", "bias_torques", "gravity_torques"):
        assert type(getattr(robot, name)) is type(len)
        assert getattr(robot, name).__name__ == name


def test_every_plain_call_is_that_of_numpy(robot):
    definition = Robot(robot.model, backend="numpy")
    for lead in ((), (1,), (3,), (300,)):
        q, qd, qdd = random_states(robot.model, lead, seed=3)
        assert np.allclose(robot.inverse_dynamics(q, qd, qdd), definition.inverse_dynamics(q, qd, qdd), rtol=1e-12, atol=1e-11)
        assert np.allclose(robot.bias_torques(q, qd), definition.bias_torques(q, qd), rtol=1e-12, atol=1e-11)
        assert np.allclose(robot.gravity_torques(q), definition.gravity_torques(q), rtol=1e-12, atol=1e-11)


def good_calls(robot, lead):
    state = random_states(robot.model, lead, seed=1)
    out, energy = np.empty((*lead, robot.nv)), np.empty(lead)
    return [*state, out, energy], [
        lambda: robot.kinetic_energy(*state[:2]),
        lambda: robot.kinetic_energy(*state[:2], out=energy),
        lambda: robot.inverse_dynamics(*state, external=None, out=out, base_motion=None),
        lambda: robot.inverse_dynamics(*state),
        lambda: robot.inverse_dynamics(*state, out=out),
        lambda: robot.inverse_dynamics(*state, out=None),
        lambda: robot.inverse_dynamics(*state, external=None),
        lambda: robot.inverse_dynamics(q=state[0], qd=state[1], qdd=state[2]),
        lambda: robot.gravity_torques(state[0]),
        lambda: robot.bias_torques(state[0], state[1], out=out),
    ]


def bad_calls(robot, lead):
    state = random_states(robot.model, lead, seed=1)
    nan = state[0].copy()
    nan[..., 0] = np.nan
    out, short = np.empty((*lead, robot.nv)), np.empty((*lead, robot.nv - 1))
    return [*state, nan, out, short], [
        (StateError, lambda: robot.inverse_dynamics(nan, *state[1:])),
        (StateError, lambda: robot.inverse_dynamics(nan, *state[1:], out=out)),
        (StateError, lambda: robot.inverse_dynamics(*state, out=short)),
        (StateError, lambda: robot.inverse_dynamics(state[0], short, state[2])),
        (TypeError, lambda: robot.inverse_dynamics(*state, wrong=out)),
        (TypeError, lambda: robot.inverse_dynamics(*state, external=None, wrong=None)),
        (StateError, lambda: robot.kinetic_energy(nan, state[1])),
        (StateError, lambda: robot.kinetic_energy(*state[:2], out=short)),
        (TypeError, lambda: robot.inverse_dynamics(*state[:2])),
        (StateError, lambda: robot.inverse_dynamics(*state, out="text")),
    ]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lead", [(), (3,), (300,)])
def test_references_are_given_back(robot, lead):
    watched, calls = good_calls(robot, lead)
    more, failing = bad_calls(robot, lead)
    objects = [*watched, *more, robot, np.empty, np.ndarray]  # not the float64 type: some NumPys' own `empty` never lets go of it
    gc.collect()
    before = [sys.getrefcount(x) for x in objects]
    for _ in range(2000):
        for call in calls:
            call()
    for _ in range(200):
        for kind, call in failing:
            with pytest.raises(kind):
                call()
    gc.collect()
    for x, count in zip(objects, before, strict=True):
        assert abs(sys.getrefcount(x) - count) < 20, type(x)


def test_result_belongs_to_the_caller_alone(robot):
    state = random_states(robot.model, seed=1)
    tau = robot.inverse_dynamics(*state)
    assert sys.getrefcount(tau) == 2
    out = np.empty(robot.nv)
    same = robot.inverse_dynamics(*state, out=out)
    assert same is out
    assert sys.getrefcount(out) == 3


@pytest.mark.slow
@pytest.mark.parametrize("lead", [(), (9,)])
def test_memory_stays_flat(robot, lead):
    _, calls = good_calls(robot, lead)
    _, failing = bad_calls(robot, lead)

    def once(times):
        for _ in range(times):
            for call in calls:
                call()
        for _ in range(times // 50):
            for kind, call in failing:
                with contextlib.suppress(kind):
                    call()

    tracemalloc.start()
    once(200)
    gc.collect()
    start, _ = tracemalloc.get_traced_memory()
    once(1000)
    gc.collect()
    stop, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stop - start < 20_000


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_hundred_thousand_calls_take_no_more_memory(robot):
    q, qd, qdd = random_states(robot.model, seed=1)
    batch = random_states(robot.model, 50, seed=1)
    for _ in range(1000):
        robot.inverse_dynamics(q, qd, qdd)
    gc.collect()
    before = resident()
    for _ in range(100_000):
        robot.inverse_dynamics(q, qd, qdd)
    for _ in range(5_000):
        robot.inverse_dynamics(*batch)
    gc.collect()
    assert resident() - before < 4 * 2**20


def test_robots_leave_memory_with_their_last_reference():
    model = tree_model(3, seed=5)
    gone = []
    for _ in range(3):
        robot = Robot(model, backend="llvm")
        robot.inverse_dynamics(*random_states(model))
        robot.inverse_dynamics(*random_states(model, 5))
        gone.append(weakref.ref(robot))
        del robot
    gc.collect()
    assert [ref() for ref in gone] == [None] * 3


def test_a_method_kept_outlives_its_robot():
    model = tree_model(3, seed=5)
    robot = Robot(model, backend="llvm")
    state = random_states(model)
    expected = robot.inverse_dynamics(*state)
    method = robot.inverse_dynamics
    del robot
    gc.collect()
    for _ in range(100):
        assert np.array_equal(method(*state), expected)
    with pytest.raises(StateError, match="qd has size 0"):
        method(state[0], [], state[2])


def test_arrays_of_three_axes_and_zero_samples_are_handed_over(robot):
    q, qd, qdd = random_states(robot.model, (2, 3))
    assert robot.inverse_dynamics(q, qd, qdd).shape == (2, 3, robot.nv)
    assert robot.inverse_dynamics(q[:0, 0], qd[:0, 0], qdd[:0, 0]).shape == (0, robot.nv)


def test_a_single_row_and_a_single_state_are_different_shapes(robot):
    q, qd, qdd = random_states(robot.model, 1)
    assert robot.inverse_dynamics(q, qd, qdd).shape == (1, robot.nv)
    assert robot.inverse_dynamics(q[0], qd[0], qdd[0]).shape == (robot.nv,)
    assert robot.inverse_dynamics(q[0], qd, qdd[0]).shape == (1, robot.nv)
    with pytest.raises(StateError, match="out has shape"):
        robot.inverse_dynamics(q[0], qd[0], qdd[0], out=np.empty((1, robot.nv)))


def test_bytes_that_look_like_an_array_do_no_harm(robot):
    for thing in (None, 3, "text", b"bytes", [], object(), np.float64(1.0), np.ndarray, iter([])):
        with pytest.raises(StateError):
            robot.inverse_dynamics(thing, thing, thing)


def test_without_a_known_layout_python_serves(monkeypatch):
    monkeypatch.setattr(caller, "_layout_is_known", lambda: False)
    model = tree_model(3, seed=5)
    robot, state = Robot(model, backend="llvm"), random_states(model, 5)
    first = robot.inverse_dynamics(*state)
    assert np.array_equal(robot.inverse_dynamics(*state), first)
    assert type(robot.inverse_dynamics) is not type(len)


NAMES = (
    "inverse_dynamics",
    "bias_torques",
    "gravity_torques",
    "joint_wrenches",
    "torque_rates",
    "forward_dynamics",
    "mass_matrix",
    "kinetic_energy",
    "potential_energy",
    "spring_energy",
)


def arguments(robot, name, lead):
    q, qd, qdd = random_states(robot.model, lead, seed=4)
    counts = {"bias_torques": 2, "gravity_torques": 1, "mass_matrix": 1, "torque_rates": 4}
    counts |= {"kinetic_energy": 2, "potential_energy": 1, "spring_energy": 1}
    return (q, qd, qdd, qdd)[: counts.get(name, 3)]


@pytest.mark.parametrize("name", NAMES)
def test_plain_calls_of_a_method_taken_before_the_first_stay_in_machine_code(name, monkeypatch):
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    early = getattr(robot, name)
    assert early is getattr(robot, name)
    calls = [arguments(robot, name, lead) for lead in ((), (1,), (3,), (300,))]
    definition = Robot(robot.model, backend="numpy")
    for call in calls:
        early(*call)  # compiles
    with monkeypatch.context() as patch:
        patch.setattr(Robot, "_call", None)
        found = [early(*call) for call in calls]
    for call, x in zip(calls, found, strict=True):
        expected = getattr(definition, name)(*call)
        assert x.shape == expected.shape
        assert np.allclose(x, expected, rtol=1e-10, atol=1e-10)


def test_keywords_at_their_defaults_stay_in_machine_code(monkeypatch):
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    q, qd, qdd = random_states(robot.model)
    out = np.empty((3, 6))
    named = {"external": None, "out": out}
    calls = [
        lambda: robot.joint_wrenches(q, qd, qdd),
        lambda: robot.joint_wrenches(q, qd, qdd, out=None),
        lambda: robot.joint_wrenches(q, qd, qdd, axes="joint", external=None, base_motion=None),
        lambda: robot.joint_wrenches(q, qd, qdd, base_motion=None, out=out, axes="joint"),
        lambda: robot.joint_wrenches(q, qd, qdd, **named),
    ]
    wanted = calls[0]()
    world = robot.joint_wrenches(q, qd, qdd, axes="world")
    with monkeypatch.context() as patch:
        patch.setattr(Robot, "_call", None)
        for call in calls:
            assert np.array_equal(call(), wanted)
        assert calls[-1]() is out
        # equal but another word, and any other value, is left to Python
        for chosen in ({"axes": "".join(["jo", "int"])}, {"axes": "world"}, {"external": {}}, {"out": out, "axes": "world"}):
            with pytest.raises(TypeError, match="'NoneType' object is not callable"):
                robot.joint_wrenches(q, qd, qdd, **chosen)
    assert np.array_equal(robot.joint_wrenches(q, qd, qdd, axes="".join(["jo", "int"])), wanted)
    assert np.array_equal(robot.joint_wrenches(q, qd, qdd, axes="world", out=out), world)


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_an_energy_of_one_state_is_a_number_and_of_many_an_array(backend):
    robot = Robot(tree_model(3, seed=5), backend=backend)
    q, qd, _ = random_states(robot.model, (4,))
    for call in (robot.kinetic_energy, robot.kinetic_energy):
        assert [type(call(*state)) for state in ((q[0], qd[0]), (list(q[0]), qd[0]), (q, qd))] == [np.float64] * 2 + [np.ndarray]
        assert np.allclose([call(*state) for state in zip(q, qd, strict=True)], call(q, qd), rtol=1e-12, atol=0)
        single, many = np.empty(()), np.empty(4)
        assert call(q[0], qd[0], out=single) is single
        assert call(q, qd, out=many) is many
        assert single == pytest.approx(many[0], rel=1e-12)
        assert call(np.zeros((0, robot.nq)), qd[:0]).shape == (0,)
        with pytest.raises(StateError, match=r"out has shape \(1,\), expected \(\)"):
            call(q[0], qd[0], out=np.empty(1))
        with pytest.raises(StateError, match=r"out has shape \(\), expected \(4,\)"):
            call(q, qd, out=single)
        single.flags.writeable = False
        with pytest.raises(StateError, match="out is read-only"):
            call(q[0], qd[0], out=single)


def test_results_of_four_axes_and_packed_entries_need_no_python_for_their_numbers(monkeypatch):
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    for lead in ((), (3,)):
        state = random_states(robot.model, lead)
        for name in ("joint_wrench_derivatives", "inverse_dynamics_regressor", "inverse_dynamics_geometry_derivatives"):
            first = getattr(robot, name)(*state)
            with monkeypatch.context() as patch:
                patch.setattr(Function, "__call__", None)
                again = getattr(robot, name)(*state)
            if not isinstance(first, np.ndarray):
                first, again = np.stack(list(first)), np.stack(list(again))
            assert np.array_equal(first, again)


def test_the_method_of_a_class_is_a_plain_function():
    assert type(Robot.inverse_dynamics) is type(arguments)
    assert "joint torques" in Robot.inverse_dynamics.__doc__


def test_methods_that_override_go_on_being_called():
    class Twice(Robot):
        def inverse_dynamics(self, *state, **options):
            return 2 * super().inverse_dynamics(*state, **options)

    model = tree_model(3, seed=5)
    robot, plain = Twice(model, backend="llvm"), Robot(model, backend="llvm")
    for lead in ((), (), (4,), (4,)):
        state = random_states(model, lead)
        assert np.array_equal(robot.inverse_dynamics(*state), 2 * plain.inverse_dynamics(*state))
    assert type(robot.inverse_dynamics) is not type(len)
    assert type(robot.gravity_torques) is type(len)


def test_a_method_of_numpy_is_a_method(monkeypatch):
    robot = Robot(tree_model(3, seed=5), backend="numpy")
    assert type(robot.inverse_dynamics).__name__ == "method"
    assert np.isfinite(robot.inverse_dynamics(*random_states(robot.model))).all()


def test_results_of_batches_of_any_number_of_axes_are_allocated_by_the_built_in_function():
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    state = random_states(robot.model, (5,))
    for _ in range(2):
        assert robot.mass_matrix(state[0]).shape == (5, robot.nv, robot.nv)
        assert robot.joint_wrenches(*state).shape == (5, 3, 6)
        result = robot.inverse_dynamics(*state)
        assert sys.getrefcount(result) == 2
        assert result.flags.owndata


def test_a_python_without_a_global_lock_is_served_by_python(monkeypatch):
    monkeypatch.setattr(caller.sysconfig, "get_config_var", lambda name: 1 if name == "Py_GIL_DISABLED" else None)
    caller._layout_is_known.cache_clear()
    try:
        model = tree_model(3, seed=5)
        robot, state = Robot(model, backend="llvm"), random_states(model, 5)
        expected = Robot(model, backend="numpy").inverse_dynamics(*state)
        assert np.allclose(robot.inverse_dynamics(*state), expected, rtol=1e-12, atol=1e-11)
        assert type(robot.inverse_dynamics).__name__ == "method"
    finally:
        caller._layout_is_known.cache_clear()
