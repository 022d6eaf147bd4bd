import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lissom.spatial.turning import Turning
from lissom.spatial.vector import Matrix, Vector

numbers = st.sampled_from([0.0, 1.0]) | st.floats(-5, 5)
vectors = st.tuples(numbers, numbers, numbers)


def cross(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


@given(vectors, vectors, vectors)
def test_points_of_a_turning_body_accelerate_by_U(w, dw, r):
    turning = Turning(Vector.of(w), Vector.of(dw))
    expected = np.cross(dw, r) + np.cross(w, np.cross(w, r))
    assert np.allclose(list(turning.U @ Vector.of(r)), expected, atol=1e-12)


@given(vectors, vectors, st.lists(numbers, min_size=6, max_size=6))
def test_euler_moment_is_that_of_the_inertia(w, dw, entries):
    a, b, c, d, e, f = entries
    J = np.array([[a, d, e], [d, b, f], [e, f, c]])
    K = np.trace(J) / 2 * np.eye(3) - J
    moment = Turning(Vector.of(w), Vector.of(dw)).euler_moment(Matrix.of(K))
    assert np.allclose(list(moment), J @ dw + np.cross(w, J @ w), atol=1e-10)
