"""Backends: by name, as objects, and one of a user's own; samples without a result."""

import pickle
from collections import Counter

import numpy as np
import pytest

import lissom
from lissom import Robot, StateError
from lissom.compiler.backend import BACKENDS, Backend, find_backend
from lissom.compiler.program import Port
from lissom.compiler.replay import replay
from lissom.compiler.task import Task
from lissom.robots import five_bar_model, planar_two_link_model, tree_model
from lissom.spatial.scalar import sincos, sqrt
from support.states import error, random_states


class Replayed:
    """A task whose traced program is replayed, instruction by instruction."""

    kernel = None

    def __init__(self, task, calls):
        self.program, self.calls = task.program("replayed"), calls

    def run(self, rows, tables, n, single):
        self.calls["single" if single else "batch"] += 1
        with np.errstate(all="ignore"):
            for table, values in zip(tables, replay(self.program, [list(a.T) for a in rows]), strict=True):
                for k, x in enumerate(values):
                    table[:, k] = x
        return not all(np.isfinite(a).all() for a in (*rows, *tables))


class OwnBackend:
    """A backend as a user may write it."""

    name = "own"
    machine_code = False
    forms = {"length": lambda program: f"{len(program.code)} instructions"}
    calls = Counter()

    def check(self):
        pass

    def prepare(self, model, task):
        return Replayed(task, self.calls)


def test_backends_are_found_by_name_and_as_objects():
    for name, backend in BACKENDS.items():
        assert isinstance(backend, Backend)
        assert find_backend(name) is find_backend(backend) is backend
        assert str(backend) == backend.name == name
        assert pickle.loads(pickle.dumps(backend)) == backend
        assert Robot(planar_two_link_model(), backend=backend).backend is backend
    assert find_backend(None) is BACKENDS["llvm"]
    for wrong in ("lvm", 3, OwnBackend, ["llvm"]):
        with pytest.raises(StateError, match="no backend"):
            Robot(planar_two_link_model(), backend=wrong)


def test_a_backend_of_ones_own_serves_a_robot():
    model = tree_model(4, seed=3)
    own, definition = Robot(model, backend=OwnBackend()), Robot(model, backend="numpy")
    state = random_states(model, 5, seed=1)
    before = OwnBackend.calls.copy()
    assert error(own.inverse_dynamics(*state), definition.inverse_dynamics(*state)) < 1e-12
    assert own.inverse_dynamics(*(x[0] for x in state)) == pytest.approx(definition.inverse_dynamics(*state)[0], rel=1e-11)
    assert OwnBackend.calls - before == Counter(single=1, batch=1)
    assert "instructions" in own.program("inverse_dynamics", form="length")
    assert "define" in own.program("inverse_dynamics", form="llvm")
    with pytest.raises(StateError, match="no form 'lenght'; did you mean 'length'"):
        own.program("inverse_dynamics", form="lenght")
    with pytest.raises(StateError, match="no form 'length'"):
        definition.program("inverse_dynamics", form="length")
    state[1][3, 1] = np.nan
    with pytest.raises(StateError, match=r"qd\[3, 1\].*is nan; every input must be finite"):
        own.inverse_dynamics(*state)
    assert isinstance(pickle.loads(pickle.dumps(own)).backend, OwnBackend)


def test_a_backend_of_ones_own_serves_simulation_timing_and_loops():
    own, definition = (Robot(planar_two_link_model(), backend=backend) for backend in (OwnBackend(), "numpy"))
    runs = [robot.simulate([0.3, -0.2], [0.1, 0.0], duration=0.05, dt=0.01, method="rk4") for robot in (own, definition)]
    assert np.allclose(runs[0].q, runs[1].q, rtol=1e-13)
    loops = [lissom.ClosedRobot(five_bar_model(), backend=backend) for backend in (OwnBackend(), "numpy")]
    q = loops[1].home() + 0.05
    one, other = (robot.inverse_dynamics(q, [0.1, 0.2], [0.3, -0.1]) for robot in loops)
    assert np.allclose(one, other, rtol=1e-10)


def root(model):
    return Task("root of sine", (Port("q", 1),), (Port("y", 1), Port("z", 2)), [lambda q: _root(q[0])])


def _root(x):
    s = sincos(x)[0]
    return [[sqrt(s)], [x, s]]


Q = np.array([[1.0], [-1.0], [2.0], [np.nan], [np.inf], [1e10], [1e10 + 3.0], [0.5]])


def test_samples_without_a_result_may_be_nan(backend):
    function = Robot(planar_two_link_model(), backend=backend)._function(root, ())
    with np.errstate(all="ignore"):
        lost = ~(np.sin(Q[:, 0]) >= 0)
    assert lost.any()
    y, z = function([Q], missing="nan")
    assert np.isnan(y[lost]).all()
    assert np.isnan(z[lost]).all()
    expected = np.column_stack([np.sqrt(np.sin(Q[~lost])), Q[~lost], np.sin(Q[~lost])])
    assert np.allclose(np.column_stack([y, z])[~lost], expected, rtol=1e-14)
    with pytest.raises(StateError, match="every input must be finite"):
        function([Q])
    with pytest.raises(StateError, match=r"sample \(1,\) is not finite: the square root of -0.84"):
        function([Q[:3]])
    y, z = function([[-1.0]], missing="nan")
    assert np.isnan([*y, *z]).all()
    with pytest.raises(StateError, match="q has size 2, expected nq = 1"):
        function([[1.0, 2.0]], missing="nan")


def test_a_built_in_function_may_leave_nan(backend):
    def maker(model):
        return Task("root", (Port("q", 1),), (Port("y", 1),), [lambda q: [[sqrt(q[0])]]])

    function = Robot(planar_two_link_model(), backend=backend)._function(maker, (1,))
    quick = function.built_in("root", "root(q)", function.call_or_nan) or function.call_or_nan
    for _ in range(2):  # by Python, then by machine code
        assert quick(np.array([4.0]))[0] == 2.0
        assert np.isnan(quick(np.array([-4.0]))[0])
        assert np.array_equal(quick(np.array([[4.0], [-4.0], [9.0]])), [[2.0], [np.nan], [3.0]], equal_nan=True)
        out = np.empty((1, 1))
        assert quick(np.array([[-1.0]]), out=out) is out
        assert np.isnan(out[0, 0])
