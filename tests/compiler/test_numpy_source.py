"""NumPy source: the same numbers as the text that it was made from, at any number of samples."""

import numpy as np
import pytest

from lissom.compiler import numpy_source
from lissom.compiler.backend import Evaluation
from lissom.compiler.numpy_source import NumpySource
from lissom.compiler.program import Port
from lissom.compiler.task import Task
from lissom.compiler.trace import trace
from lissom.robots import hua_arm, stanford
from lissom.spatial.scalar import exp, guard, less, log, select, sign, sincos, sincos_plus, sqrt, tanh

N = 3


def every_operation(x, y):
    """A text with every instruction, results that are inputs, constants, negatives, and used by later ones."""
    s, c = sincos(x[0])
    s1, c1 = sincos_plus(y[1], 0.3)
    only_cosine = sincos(x[2])[1]
    a = x[0] * y[0] - 2.0 / (x[1] * x[1] + 1.0)
    b = select(less(x[1], y[2]), a, -sqrt(guard(y[0], 0.0)))
    d = exp(tanh(a)) + log(x[2] * x[2] + 1.0) * sign(y[2])
    return [[a, -a, x[1], 0.5, b, d], [s * c1 - c * s1, only_cosine, a * d, 0.0]]


PORTS = (Port("x", N), Port("y", N)), (Port("a", 6), Port("b", 4))


def inputs(n):
    rng = np.random.default_rng(n)
    return [rng.normal(size=(n, N)), rng.normal(size=(n, N))]


@pytest.mark.parametrize("n", [0, 1, 5, numpy_source.BLOCK + 1])
def test_source_has_the_numbers_of_the_text_to_the_last_bit(n):
    task = Task("every", *PORTS, [every_operation])
    outputs = [np.full((n, port.size), np.inf) for port in task.outputs]
    with np.errstate(all="ignore"):
        NumpySource(task.program("test")).run(inputs(n), outputs, n)
        for found, expected in zip(outputs, task.evaluate(inputs(n)), strict=True):
            assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("robot", [stanford(), hua_arm()])
@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives"])
def test_source_of_a_robot_has_the_numbers_of_its_text(robot, name):
    task = robot._task(robot.catalogue[name], {})
    rng = np.random.default_rng(1)
    states = [rng.normal(size=(7, port.size)) for port in task.inputs]
    outputs = [np.empty((7, port.size)) for port in task.outputs]
    assert not Evaluation(task).run(states, outputs, 7, single=False)
    for found, expected in zip(outputs, task.evaluate(states), strict=True):
        assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max()


def test_large_angles_keep_their_digits():
    task = Task("turned", (Port("x", 1),), (Port("s", 1),), [lambda x: [[sincos_plus(x[0], 0.25)[0]]]])
    found = np.empty((1, 1))
    NumpySource(task.program("test")).run([np.array([[1e15]])], [found], 1)
    assert found[0, 0] == pytest.approx(np.sin(1e15) * np.cos(0.25) + np.cos(1e15) * np.sin(0.25), abs=1e-15)


def test_long_programs_are_compiled_in_pieces(monkeypatch):
    monkeypatch.setattr(numpy_source, "_LINES", 3)
    task = Task("every", *PORTS, [every_operation])
    source = NumpySource(task.program("test"))
    assert len(source._codes) > 3
    outputs = [np.empty((4, port.size)) for port in task.outputs]
    source.run(inputs(4), outputs, 4)
    with np.errstate(all="ignore"):
        assert np.array_equal(outputs[1], task.evaluate(inputs(4))[1], equal_nan=True)


def test_names_are_used_again():
    def chain(x):
        for _ in range(50):
            x = [a * b + 0.5 for a, b in zip(x, x[1:] + x[:1], strict=True)]
        return [x]

    source = NumpySource(trace("chain", (Port("x", N),), (Port("y", N),), chain))
    assert len({line.split(" = ")[0] for line in source.text.splitlines() if line.startswith("v")}) < 12
