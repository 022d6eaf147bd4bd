"""A task of a user's own, with every function and a choice: values and derivatives on both backends, one sample and batches."""

import mpmath
import numpy as np
import pytest

from lissom import Robot, StateError
from lissom.compiler.program import Port
from lissom.compiler.task import Task
from lissom.predict import Compiled, State
from lissom.robots import planar_two_link_model
from lissom.spatial.scalar import exp, less, log, select, sincos, sqrt, tanh


def text(q, qd):
    """A friction that saturates, a soft wall, and a root that is taken on one side only."""
    friction = tanh(10.0 * qd[0]) * (1.0 + 0.3 * exp(-qd[1] * qd[1]))
    wall = log(1.0 + exp(4.0 * (q[0] - 1.0)))
    root = select(less(q[1], 0.2), q[1] * 2.0, sqrt(q[1] - 0.1))
    return [[friction + wall, root * sincos(q[0])[0], select(less(qd[0], qd[1]), qd[0], qd[1])]]


def exact(x):
    """The same with many digits."""
    m = mpmath
    q, qd = x[:2], x[2:]
    root = q[1] * 2 if q[1] < mpmath.mpf(0.2) else m.sqrt(q[1] - mpmath.mpf(0.1))
    friction = m.tanh(10 * qd[0]) * (1 + mpmath.mpf(0.3) * m.exp(-(qd[1] ** 2)))
    return [friction + m.log(1 + m.exp(4 * (q[0] - 1))), root * m.sin(q[0]), min(qd)]


def own(model):
    return Task("own", (Port("q", 2), Port("qd", 2)), (Port("y", 3),), [text])


def samples(n):
    x = np.random.default_rng(4).normal(size=(n, 4))
    x[:, 1] = np.abs(x[:, 1]) + np.where(np.arange(n) % 2, 0.3, -1.5)  # both sides of the root, none near its end
    return x


@pytest.fixture
def quantity(backend):
    return Compiled(Robot(planar_two_link_model(), backend=backend), "own", ["a", "b", "c"], "", own)


@pytest.mark.parametrize("n", [1, 2, 19])
def test_values_and_derivatives_agree_with_many_digits(quantity, n):
    x = samples(n)
    weights = np.random.default_rng(5).normal(size=(n, 3))
    state = State((x[:, :2], x[:, 2:]))
    values, slopes, curvature = quantity.values(state), quantity.derivatives(state), quantity.curvature(state, weights)
    with mpmath.workdps(40):
        for k, row in enumerate(x):
            at = [mpmath.mpf(float(v)) for v in row]
            assert np.allclose(values[k], [float(v) for v in exact(at)], rtol=1e-14, atol=1e-15)

            def entry(i, at=at):
                return lambda *x: exact(x)[i]

            for i in range(3):
                for j in range(4):
                    order = [int(j == s) for s in range(4)]
                    expected = float(mpmath.diff(entry(i), tuple(at), tuple(order)))
                    assert slopes[j // 2, k, i, j % 2] == pytest.approx(expected, rel=1e-12, abs=1e-14)
            for j, s in ((0, 0), (1, 0), (1, 1), (2, 2), (2, 3), (3, 3), (0, 2)):
                order = tuple(int(j == i) + int(s == i) for i in range(4))
                expected = sum(w * float(mpmath.diff(entry(i), tuple(at), order)) for i, w in enumerate(weights[k]))
                assert curvature[k, j // 2, j % 2, s // 2, s % 2] == pytest.approx(expected, rel=1e-10, abs=1e-11)


def test_a_root_that_does_not_exist_says_so(backend):
    def maker(model):
        return Task("root", (Port("q", 2),), (Port("y", 1),), [lambda q: [[sqrt(q[0])]]])

    robot = Robot(planar_two_link_model(), backend=backend)
    function = robot._function(maker, (1,))
    assert function([[4.0, 0.0]])[0] == 2.0
    with pytest.raises(
        StateError, match=r"the result of sample \(1,\) is not finite: the square root of -1.0 is not a real number"
    ):
        function([[[4.0, 0.0], [-1.0, 0.0]]])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_inputs_that_a_choice_hides_are_checked(backend, bad):
    def maker(model):
        return Task("hidden", (Port("q", 2),), (Port("y", 1),), [lambda q: [[select(less(q[0], 0.0), 1.0, tanh(q[1]))]]])

    function = Robot(planar_two_link_model(), backend=backend)._function(maker, (1,))
    for q in ([bad, 0.0], [0.0, bad], [-1.0, bad]):
        with pytest.raises(StateError, match="every input must be finite"):
            function([q])
        with pytest.raises(StateError, match="every input must be finite"):
            function([np.array([[0.0, 0.0]] * 9 + [q])])


def test_a_choice_by_the_sine_of_a_large_angle_is_right(backend):
    """The fast sine returns NaN there, which must not pass for one side."""

    def maker(model):
        return Task("large", (Port("q", 2),), (Port("y", 1),), [lambda q: [[select(less(0.0, sincos(q[0])[0]), 1.0, 2.0)]]])

    q = np.array([[x, 0.0] for x in (1.0, -1.0, 1e10, 1e10 + 3, 1e15, 1e15 + 3, 1e22)])
    found = Robot(planar_two_link_model(), backend=backend)._function(maker, (1,))([q])
    assert found[:, 0].tolist() == np.where(np.sin(q[:, 0]) > 0, 1.0, 2.0).tolist()


def test_a_quantity_prints_as_a_line(quantity):
    assert repr(quantity) == "<Quantity 'own': 3 entries>"
