"""Moving bases (Khalil 2010, section 7): joints follow a wave, the base moves as it must."""

import numpy as np
import pytest

from lissom import Inertia, Joint, JointKind, Link, Model, Pose, Robot, StateError
from lissom.robots import tree_model
from support.states import random_states

LENGTH, JOINTS, FREQUENCY = 0.1, 6, 2 * np.pi
KNOWN = {"torque": "head", "acceleration": ...}


@pytest.fixture(scope="module")
def eel():
    inertia = Inertia(0.3, (LENGTH / 2, 0, 0), np.diag([1e-4, 4e-4, 5e-4]))
    links = [Link("water"), *(Link(f"link_{k}", inertia) for k in range(JOINTS + 1))]
    joints = [Joint("head", JointKind.FLOATING, "water", "link_0")]
    for k in range(JOINTS):
        joints.append(Joint(f"joint_{k}", JointKind.REVOLUTE, f"link_{k}", f"link_{k + 1}", Pose(translation=(LENGTH, 0, 0))))
    return Robot(Model("eel", tuple(links), tuple(joints), gravity=(0, 0, 0)))


def wave(t):
    """A traveling wave: angles, speeds and accelerations of the joints."""
    phase = FREQUENCY * np.asarray(t)[..., None] - np.arange(JOINTS)
    return 0.4 * np.sin(phase), 0.4 * FREQUENCY * np.cos(phase), -0.4 * FREQUENCY**2 * np.sin(phase)


def start():
    angles, speeds, _ = wave(0.0)
    return np.array([0, 0, 0, 0, 0, 0, 1, *angles]), np.array([0] * 6 + [*speeds])


def wanted(t, q, qd):
    return np.concatenate([np.zeros(6), wave(t)[2]])


@pytest.fixture(scope="module")
def swim(eel):
    return eel.simulate(*start(), 2.0, known=KNOWN, acceleration=wanted, sample=0.01)


def test_joints_follow_the_wave_and_the_base_bears_no_force(swim):
    angles, speeds, accelerations = wave(swim.t)
    assert np.allclose(swim.q[:, 7:], angles, rtol=0, atol=1e-10)
    assert np.allclose(swim.qd[:, 6:], speeds, rtol=0, atol=1e-10)
    assert np.allclose(swim.qdd[:, 6:], accelerations, rtol=0, atol=1e-12)
    assert (swim.tau[:, :6] == 0).all() and np.abs(swim.tau[:, 6:]).max() > 0.01
    assert np.abs(swim.q[:, :2]).max() > 0.01


def test_forward_dynamics_under_the_torques_found_moves_the_base_alike(eel, swim):
    qdd = eel.forward_dynamics(swim.q, swim.qd, swim.tau)
    assert np.allclose(qdd, swim.qdd, rtol=0, atol=1e-9 * np.abs(qdd).max())

    def torque(t, q, qd):
        return eel.hybrid_dynamics(q, qd, known=KNOWN, qdd=wanted(t, q, qd)).tau

    driven = eel.simulate(*start(), 0.5, torque, sample=0.01)
    assert np.allclose(driven.q, swim.q[: len(driven)], rtol=0, atol=1e-8)


def test_momentum_of_the_swimmer_stays_what_it_was(eel, swim):
    momentum = eel.momentum(swim.q, swim.qd)
    assert np.abs(momentum - momentum[0]).max() < 1e-9 * np.abs(momentum[0]).max()


def test_fixed_steps_hold_the_acceleration_and_find_the_same_torques(eel, swim):
    fixed = eel.simulate(*start(), 0.5, known=KNOWN, acceleration=wanted, method="rk4", dt=1e-3, sample=0.01)
    same = swim.tau[: len(fixed)]
    assert np.abs(fixed.tau - same).max() < 0.02 * np.abs(same).max()  # held over each step: order one in dt
    assert np.allclose(fixed.tau[0], same[0], rtol=1e-10, atol=1e-12)


def test_accelerations_take_every_form_that_torques_take(eel):
    class Wave:
        def acceleration(self, t, q, qd):
            return wanted(t, q, qd)

    by_object = eel.simulate(*start(), 0.1, known=KNOWN, acceleration=Wave())
    by_function = eel.simulate(*start(), 0.1, known=KNOWN, acceleration=wanted)
    assert np.array_equal(by_object.q, by_function.q)
    still = eel.simulate(*start(), 0.1, known=KNOWN)
    assert np.allclose(still.qd[:, 6:], still.qd[0, 6:], rtol=0, atol=1e-12)


def test_a_mistake_in_what_is_known_is_named(eel):
    with pytest.raises(StateError, match=r"name them with known=\{'acceleration': ...\}"):
        eel.simulate(*start(), 0.1, acceleration=wanted)
    with pytest.raises(StateError, match="neither the torque nor the acceleration of joint 'head' is known"):
        eel.simulate(*start(), 0.1, known={"acceleration": [f"joint_{k}" for k in range(JOINTS)]})


def test_coupled_joints_move_by_known_forces_as_by_torques():
    model = tree_model(3, seed=7, coupled=1.0, kinds=["revolute"])
    q, qd, _ = random_states(model)
    known, plain = (Robot(model).simulate(q, qd, 0.1, **given) for given in ({"known": {"torque": ...}}, {}))
    assert np.abs(known.q - plain.q).max() < 1e-10
