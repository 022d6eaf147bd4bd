import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lissom.model.pose import rotation_about, rotation_from_quaternion
from lissom.spatial.rotation import NO_TURN, TurnInSpace, TurnZ
from lissom.spatial.vector import Vector

V = Vector(0.3, -0.7, 1.1)


def matrix(turn):
    """Return the matrix that takes child axes to parent axes, checking that the way back is its transpose."""
    forth = np.array([list(turn.to_parent(Vector.of(e))) for e in np.eye(3)]).T
    back = np.array([list(turn.to_child(Vector.of(e))) for e in np.eye(3)]).T
    assert np.allclose(forth.T, back, atol=1e-15)
    return forth


def test_no_turn_is_none():
    assert NO_TURN.to_child(V) is V
    assert NO_TURN.to_parent(V) is V


@given(st.floats(-10, 10), st.floats(-7, 7) | st.sampled_from([k * math.pi / 2 for k in range(-5, 6)]))
def test_a_turn_about_z_is_by_angle_and_zero(angle, zero):
    assert np.allclose(matrix(TurnZ.by(angle, zero)), rotation_about((0, 0, 1), angle + zero), atol=3e-15)


def test_a_zero_of_quarter_turns_costs_nothing():
    s, c = math.sin(0.3), math.cos(0.3)
    for k, expected in enumerate([(s, c), (c, -s), (-s, -c), (-c, s)]):
        turn = TurnZ.by(0.3, k * math.pi / 2)
        assert (turn.s, turn.c) == expected


@given(st.tuples(*[st.floats(-2, 2)] * 4))
def test_a_quaternion_of_any_length_turns_in_space(q):
    assume(sum(x * x for x in q) > 1e-4)
    R = matrix(TurnInSpace.by(q))
    assert np.allclose(R, rotation_from_quaternion(q), atol=1e-13)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-13)


def test_batches_turn_row_by_row():
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(4, 5)), rng.normal(size=(3, 5))
    turned = np.array(list(TurnInSpace.by(q).to_parent(Vector(*v))))
    for k in range(5):
        assert np.allclose(turned[:, k], rotation_from_quaternion(q[:, k]) @ v[:, k])


@pytest.mark.parametrize("turn", [TurnZ.by(0.4), TurnInSpace.by((0.1, 0.2, 0.3, 0.9))])
def test_there_and_back_is_where_one_was(turn):
    assert np.allclose(list(turn.to_parent(turn.to_child(V))), list(V), atol=1e-15)
