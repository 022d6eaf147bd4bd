"""Tasks with several outputs: a tuple of arrays, in every backend, for one sample and for batches, in threads too."""

import numpy as np
import pytest

import lissom
from lissom import Robot, StateError
from lissom.compiler.program import Port
from lissom.compiler.run import Function
from lissom.compiler.task import Task
from lissom.compiler.threads import SPLIT
from lissom.errors import CompilerError
from lissom.robots import rr_model

SHAPES = ((2,), (2, 2), ())


def task(model=None):
    def text(q, v):
        return [[q[0] + v[0], q[1] * v[1]], [q[0], q[1], v[0], v[1]], [q[0] / v[0]]]

    return Task("three", (Port("q", 2), Port("v", 2)), (Port("a", 2), Port("b", 4), Port("c", 1)), [text])


def expected(q, v):
    a = np.stack([q[..., 0] + v[..., 0], q[..., 1] * v[..., 1]], axis=-1)
    b = np.stack([q, v], axis=-2)
    return a, b, q[..., 0] / v[..., 0]


def function(backend, shape=SHAPES):
    return Function(rr_model(), task(), shape, backend, lambda name, entry: f"entry {entry}")


@pytest.mark.parametrize("lead", [(), (1,), (5,), (3, 4), (0,), (SPLIT // 4,)])
def test_every_output_gets_memory(backend, lead):
    q, v = np.random.default_rng(1).uniform(1.0, 2.0, (2, *lead, 2))
    before = lissom.get_threads()
    lissom.set_threads(2)
    try:
        found = function(backend)([q, v])
    finally:
        lissom.set_threads(before)
    assert isinstance(found, tuple)
    for x, y in zip(found, expected(q, v), strict=True):
        assert x.shape == y.shape
        assert np.allclose(x, y, rtol=1e-15)


def test_results_go_to_the_arrays_that_are_given(backend):
    q, v = np.random.default_rng(2).uniform(1.0, 2.0, (2, 7, 2))
    gaps = np.empty((7, 4))[:, ::2]
    out = (gaps, np.empty((7, 2, 2)), np.empty(7))
    found = function(backend)([q, v], out)
    assert all(x is y for x, y in zip(found, out, strict=True))
    assert all(np.allclose(x, y) for x, y in zip(found, expected(q, v), strict=True))


def test_flat_shapes_are_those_of_the_ports(backend):
    found = function(backend, ())([np.ones(2), np.ones(2)])
    assert [x.shape for x in found] == [(2,), (4,), (1,)]


def test_wrong_arrays_for_results_are_refused(backend):
    three, q = function(backend), np.ones((7, 2))
    with pytest.raises(StateError, match=r"out must be a tuple of 3 arrays \(a, b, c\), got ndarray"):
        three([q, q], np.empty((7, 2)))
    with pytest.raises(StateError, match="out must be a tuple of 3 arrays"):
        three([q, q], (np.empty((7, 2)),))
    with pytest.raises(StateError, match=r"out has shape \(7, 3\), expected \(7, 2\)"):
        three([q, q], (np.empty((7, 3)), np.empty((7, 2, 2)), np.empty(7)))
    shared = np.empty(28)
    with pytest.raises(StateError, match="two arrays of out share memory"):
        three([q, q], (shared[:14].reshape(7, 2), shared.reshape(7, 2, 2), np.empty(7)))


def test_what_is_not_finite_is_named(backend):
    q, v = np.ones((2, 7, 2))
    v[3, 0] = 0.0
    with pytest.raises(StateError, match=r"the result of sample \(3,\) is not finite: float division by zero"):
        function(backend)([q, v])
    q[2, 1] = np.nan
    with pytest.raises(StateError, match=r"q\[2, 1\] \(entry 1\) is nan"):
        function(backend)([q, v])


@pytest.mark.parametrize("shape", [(2,), ((2,), (4,)), ((2,), (3,), ()), ((2,), 4, ())])
def test_shapes_that_do_not_fit_the_outputs_are_refused(shape):
    with pytest.raises(CompilerError, match="outputs and needs a tuple of as many shapes|do not fill the shape"):
        function("numpy", shape)


def test_a_robot_evaluates_such_tasks():
    robot = Robot(rr_model(), backend="llvm")
    q, v = np.full((2, 5, 2), 2.0)
    for evaluate in (lambda: robot._function(three, SHAPES)((q, v)), lambda: robot._quick(three, SHAPES)(q, v)):
        assert all(np.array_equal(x, y) for x, y in zip(evaluate(), expected(q, v), strict=True))


def three(model):
    """Make the task."""
    return task()
