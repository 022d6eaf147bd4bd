import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lissom import ModelError, Pose
from lissom.model.pose import IDENTITY, as_matrix3, as_vector3, rotation_about, rotation_from_quaternion, rotation_from_rpy, tidy

numbers = st.floats(-10, 10)
quaternions = st.tuples(numbers, numbers, numbers, numbers)


@st.composite
def poses(draw):
    q = draw(quaternions)
    assume(sum(x * x for x in q) > 1e-6)
    return Pose(rotation_from_quaternion(q), draw(st.tuples(numbers, numbers, numbers)))


@given(poses(), poses(), poses())
def test_poses_chain_like_matrices(a, b, c):
    left, right = (a @ b) @ c, a @ (b @ c)
    assert np.allclose(left.R, right.R, atol=1e-13)
    assert np.allclose(left.p, right.p, atol=1e-12)
    assert np.allclose((a @ b).R, a.R @ b.R, atol=1e-14)


@given(poses())
def test_a_pose_and_its_inverse_are_the_identity(a):
    for both in (a @ a.inverse(), a.inverse() @ a):
        assert np.allclose(both.R, np.eye(3), atol=1e-13)
        assert np.allclose(both.p, 0, atol=1e-12)
    assert a @ IDENTITY == IDENTITY @ a == a


@given(quaternions, st.floats(0.01, 100))
def test_only_the_direction_of_a_quaternion_counts(q, factor):
    assume(sum(x * x for x in q) > 1e-6)
    scaled = [-factor * x for x in q]
    assert np.allclose(rotation_from_quaternion(q), rotation_from_quaternion(scaled), atol=1e-13)


@given(st.floats(-7, 7))
def test_a_rotation_about_an_axis_is_that_of_its_quaternion(angle):
    axis = np.array([1.0, -2.0, 2.0]) / 3
    q = [*(math.sin(angle / 2) * axis), math.cos(angle / 2)]
    assert np.allclose(rotation_about(axis, angle), rotation_from_quaternion(q), atol=1e-14)


def test_quarter_turns_are_exact():
    assert rotation_about((0, 0, 1), math.pi / 2).tolist() == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert rotation_from_rpy(math.pi / 2, 0, -math.pi).tolist() == [[-1, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_fixed_axis_angles_turn_about_x_first():
    R = rotation_from_rpy(0.3, -0.4, 0.5)
    expected = rotation_about((0, 0, 1), 0.5) @ rotation_about((0, 1, 0), -0.4) @ rotation_about((1, 0, 0), 0.3)
    assert np.allclose(R, expected, atol=1e-15)


def test_tidy_rounds_only_what_is_nearly_exact():
    assert tidy(np.array([1e-16, 1 - 1e-16, -1 + 1e-16, 1e-14])).tolist() == [0.0, 1.0, -1.0, 1e-14]


def test_negative_zero_becomes_zero():
    assert math.copysign(1, as_vector3((-0.0, 1, 2), "x")[0]) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: as_vector3("abc", "com"), "com must be three numbers, got 'abc'"),
        (lambda: as_vector3((1, 2), "com"), "com must be three numbers, got 2"),
        (lambda: as_vector3((1, 2, math.nan), "com"), "com must be finite"),
        (lambda: as_vector3(None, "com"), "com must be three numbers"),
        (lambda: as_matrix3("abc", "inertia"), "inertia must be a 3x3 matrix, got 'abc'"),
        (lambda: as_matrix3(np.eye(2), "inertia"), r"inertia must be a 3x3 matrix, got shape \(2, 2\)"),
        (lambda: as_matrix3(np.full((3, 3), np.inf), "inertia"), "inertia must be finite"),
        (lambda: Pose(2 * np.eye(3)), r"rotation is not a proper orthogonal matrix \(R R' differs from the identity by 3"),
        (lambda: Pose([[1e200, 1e200, 0], [1e200, -1e200, 0], [0, 0, 1]]), "rotation is not a proper orthogonal matrix"),
        (lambda: Pose(np.diag([1.0, 1.0, -1.0])), "rotation is not a proper orthogonal matrix"),
        (lambda: Pose(translation=(0, 0)), "translation must be three numbers"),
        (lambda: rotation_from_quaternion((0, 0, 0, 0)), "a quaternion must not be zero"),
        (lambda: rotation_from_quaternion((0, 0, 0, math.nan)), "a quaternion must not be zero"),
    ],
)
def test_what_is_no_vector_matrix_or_rotation_is_refused(call, message):
    with pytest.raises(ModelError, match=message):
        call()
