import numpy as np

from lissom.spatial.turning import Turning
from lissom.spatial.turning_rate import TurningRate
from lissom.spatial.vector import Matrix, Vector

H = 1e-30


def numbers(matrix):
    return np.array([list(row) for row in matrix.rows])


def test_it_is_the_derivative_of_the_matrix_and_of_the_moment():
    w, dw, ddw, *k = np.random.default_rng(1).normal(size=(6, 3))
    K = Matrix.of(np.array(k) + np.array(k).T)
    ahead = Turning(Vector(*(w + 1j * H * dw)), Vector(*(dw + 1j * H * ddw)))
    change = TurningRate(Turning(Vector(*w), Vector(*dw)), Vector(*ddw))
    assert np.allclose(numbers(change.U), np.imag(numbers(ahead.U)) / H, rtol=0, atol=1e-14)
    assert np.allclose(list(change.squares), np.imag(list(ahead.squares)) / H, rtol=0, atol=1e-14)
    assert np.allclose(list(change.euler_moment(K)), np.imag(list(ahead.euler_moment(K))) / H, rtol=0, atol=1e-13)
