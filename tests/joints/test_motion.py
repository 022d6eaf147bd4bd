"""Motions of joints against differences of their own displacements."""

import numpy as np
import pytest

from lissom import JointKind
from lissom.spatial.twist import along
from lissom.spatial.vector import Vector

MOVING = [kind for kind in JointKind if kind.traits.directions]  # the others are chains of these


def values(kind, seed=1):
    rng = np.random.default_rng(seed)
    return [[float(x) for x in rng.normal(size=n)] for n in (kind.nq, kind.nv, kind.nv)]


@pytest.mark.parametrize("kind", MOVING)
def test_forces_do_the_work_of_the_wrench(kind):
    """The power of a joint's forces on its velocities is the power of the wrench on the motion, for every velocity."""
    q, qd, qdd = values(kind)
    motion = kind.traits.motion(q, qd, qdd)
    f, m = (Vector.of(x) for x in np.random.default_rng(2).normal(size=(2, 3)))
    tau = [along(S, (f, m)) for S in kind.traits.directions]
    assert len(tau) == kind.nv
    assert np.isclose(np.dot(tau, qd), f.dot(motion.v) + m.dot(motion.w))
    assert np.isclose(np.dot(tau, qdd), f.dot(motion.a) + m.dot(motion.dw))


@pytest.mark.parametrize("kind", MOVING)
def test_velocity_is_linear_and_acceleration_alike(kind):
    q, qd, _ = values(kind)
    one, two = kind.traits.motion(q, qd, qd), kind.traits.motion(q, [2 * x for x in qd], qd)
    assert np.allclose(list(two.v), 2 * np.array(list(one.v)))
    assert np.allclose(list(two.w), 2 * np.array(list(one.w)))
    assert list(one.a) == list(one.v)
    assert list(one.dw) == list(one.w)


def test_a_zero_turns_a_revolute_joint():
    a, b = JointKind.REVOLUTE.traits.motion([0.3], [0.0], [0.0], zero=0.5), JointKind.REVOLUTE.traits.motion([0.8], [0.0], [0.0])
    assert np.allclose([a.turn.s, a.turn.c], [b.turn.s, b.turn.c])


def test_fixed_joints_have_no_motion():
    with pytest.raises(AssertionError, match="Fixed does not define motion"):
        JointKind.FIXED.traits.motion([], [], [])
