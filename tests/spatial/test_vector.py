import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lissom.spatial.vector import Matrix, Vector

numbers = st.sampled_from([0.0, 1.0, -1.0]) | st.floats(-10, 10)
vectors = st.tuples(numbers, numbers, numbers)
matrices = st.tuples(vectors, vectors, vectors)


@given(vectors, vectors, numbers)
def test_vectors_are_those_of_numpy(a, b, factor):
    u, v = Vector.of(a), Vector.of(b)
    assert np.allclose(list(u + v), np.add(a, b))
    assert np.allclose(list(u - v), np.subtract(a, b))
    assert np.allclose(list(u * factor), np.multiply(a, factor))
    assert np.allclose(list(u.cross(v)), np.cross(a, b))
    assert np.isclose(u.dot(v), np.dot(a, b))


@given(matrices, vectors)
def test_matrices_are_those_of_numpy(A, b):
    M = Matrix.of(A)
    assert np.allclose(list(M @ Vector.of(b)), np.array(A) @ b)
    assert np.allclose(list(M.T @ Vector.of(b)), np.array(A).T @ b)


def test_entries_may_be_arrays():
    a, b = np.random.default_rng(1).normal(size=(2, 3, 5))
    assert np.allclose(list(Vector(*a).cross(Vector(*b))), np.cross(a.T, b.T).T)
