"""Motors beside Lagrange's equations, differentiated from the positions of all links and rotors (`support/lagrangian.py`)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Inertia, Joint, Link, Model, Motor, Pose, Robot, Spring
from lissom.robots import tree_model
from support import lagrangian
from support.dual import E1, E2, E3, Dual
from support.motors import PLACES, RATIOS, motor_trees, single_axis_trees, smooth, with_motors
from support.peer import Peer
from support.states import error, random_states
from support.trees import SINGLE

seeds = st.integers(0, 1000)
TOLERANCE = 1e-10


def test_mixed_derivatives_of_dual_numbers_are_those_of_calculus():
    x = Dual.of(one=[0.7], e1=[2.0], e2=[-3.0], e3=[0.5])
    s, c = x.sine_cosine()
    f = s * s * c * x
    h = [np.cos(k * 0.7) for k in (1, 3)], [np.sin(k * 0.7) for k in (1, 3)]
    # sin^2 x cos x = (cos x - cos 3x) / 4
    g, dg, ddg, dddg = ((h[i][0] * a - h[i][1] * b) / 4 for i, a, b in ((0, 1, 1), (1, -1, -3), (0, -1, -9), (1, 1, 27)))
    assert f.parts[0, 0] == pytest.approx(0.7 * g, rel=1e-14)
    assert f.parts[E1, 0] == pytest.approx(2 * (g + 0.7 * dg), rel=1e-14)
    assert f.parts[E1 | E2, 0] == pytest.approx(-6 * (2 * dg + 0.7 * ddg), rel=1e-14)
    assert f.parts[E1 | E2 | E3, 0] == pytest.approx(-3 * (3 * ddg + 0.7 * dddg), rel=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_lagrange_without_motors_is_pinocchio(seed):
    model = tree_model(6, 1.6, seed=seed, kinds=SINGLE, fixed=0.3, coupled=0.3, tails=0.3)
    state, peer = random_states(model, seed=seed), Peer(model)
    assert error(lagrangian.inverse_dynamics(model, *state), peer.tau(*state) + peer.friction(state[1])) < 1e-12


@given(single_axis_trees(), seeds)
@settings(max_examples=60)
def test_inverse_dynamics_are_lagranges_equations(model, seed):
    state = random_states(model, seed=seed)
    tau = lagrangian.inverse_dynamics(model, *state)
    assert error(Robot(model, backend="numpy").inverse_dynamics(*state), tau) < TOLERANCE


@given(single_axis_trees({"rotor": ("full", "reflected")}), seeds)
@settings(max_examples=20)
def test_forward_dynamics_undo_lagranges_equations(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    tau = lagrangian.inverse_dynamics(model, q, qd, qdd)
    assert error(robot.inverse_dynamics(q, qd, qdd), tau) < TOLERANCE
    # an error of tau at rounding is one of M^-1 times that: forces are compared, not accelerations that cond(M) spoils
    found = robot.forward_dynamics(q, qd, tau)
    assert error(lagrangian.inverse_dynamics(model, q, qd, found), tau) < TOLERANCE
    assert error(found, qdd) < 1e-14 * np.linalg.cond(robot.mass_matrix(q)) + TOLERANCE


@pytest.mark.sweep("base-numpy-rigid", "parent-numpy-elastic", "remote-llvm-elastic")
@pytest.mark.parametrize("elastic", [0.0, 1.0], ids=["rigid", "elastic"])
@pytest.mark.parametrize(("place", "backend"), [*((place, "numpy") for place in PLACES), ("remote", "llvm")])
def test_a_chain_with_all_its_motors_at_one_kind_of_place(place, elastic, backend):
    model = tree_model(6, 1.0, 1.2, seed=3, kinds=SINGLE)
    for ratio in RATIOS if backend == "numpy" else RATIOS[-1:]:  # compiling takes longer than it tells more
        driven = with_motors(model, 1, share=1.0, elastic=elastic, places=(place,), ratios=(ratio,))
        assert len(driven.motors) == 6 and driven.nv == 6 + 6 * elastic
        state = random_states(driven, seed=2)
        robot = Robot(driven, backend=backend)
        tau = lagrangian.inverse_dynamics(driven, *state)
        assert error(robot.inverse_dynamics(*state), tau) < TOLERANCE
        q, qd, qdd = state
        assert error(robot.forward_dynamics(q, qd, tau), qdd) < TOLERANCE * 100


@given(single_axis_trees({"rotor": ("full", "reflected")}), seeds)
@settings(max_examples=15)
def test_energies_are_lagranges(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    kinetic, potential = lagrangian.energies(model, q, qd)
    assert robot.kinetic_energy(q, qd) == pytest.approx(kinetic, rel=1e-11)
    # what is fixed to the base has potential energy that never changes, and lissom does not count it
    _, at_zero = lagrangian.energies(model, 0 * q, 0 * qd)
    ours = robot.potential_energy(q) + robot.spring_energy(q) - robot.potential_energy(0 * q) - robot.spring_energy(0 * q)
    assert ours == pytest.approx(potential - at_zero, rel=1e-11, abs=1e-11 * (1 + abs(potential)))


@given(motor_trees({"rotor": ("full", "reflected")}), seeds)
@settings(max_examples=20)
def test_power_of_forces_is_the_change_of_energy_for_every_kind_of_joint(model, seed):
    model = smooth(model)
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    tau = robot.inverse_dynamics(q, qd, qdd)
    T = robot.kinetic_energy_derivatives(q, qd)
    change = (T.dq + robot.potential_energy_derivatives(q).dq + robot.spring_energy_derivatives(q).dq) @ qd + T.dqd @ qdd
    assert abs(tau @ qd - change) < 1e-11 * max(1.0, np.abs(tau * qd).sum())


def test_a_motor_across_a_turning_arm_feels_its_gyroscopic_moment():
    """A wheel of spin H = I s, its axle along x, on an arm that turns at w about z, resists with w H about y.

    The joint about y, which carries the motor, has to supply it; that about z feels nothing.
    """
    I, s, w = 0.02, 50.0, 3.0
    arm = Link("arm", Inertia(1.0, (0, 0, 0), np.eye(3)))
    head = Link("head", Inertia(1.0, (0, 0, 0), np.eye(3)))
    wheel = Link("wheel", Inertia(1e-9, (0, 0, 0), 1e-9 * np.eye(3)))
    joints = (
        Joint("yaw", "continuous", "ground", "arm", axis=(0, 0, 1)),
        Joint("pitch", "continuous", "arm", "head", axis=(0, 1, 0)),
        Joint("work", "continuous", "head", "wheel", axis=(1, 0, 0)),
    )
    x_axis = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # columns: z of the motor along x of the head
    rotor = Inertia(0.5, (0, 0, 0), np.diag([0.01, 0.01, I]))
    motor = Motor("m", "work", "head", 10.0, rotor, Pose(x_axis), Spring(1.0))
    model = Model("gyroscope", (Link("ground"), arm, head, wheel), joints, (0, 0, 0), (motor,))
    full, approximate = Robot(model), Robot(model.with_motors(lambda m: replace(m, rotor="reflected")))
    qd = np.array([w, 0.0, 0.0, s / 10.0])
    difference = full.inverse_dynamics(np.zeros(4), qd, np.zeros(4)) - approximate.inverse_dynamics(np.zeros(4), qd, np.zeros(4))
    assert np.allclose(difference, [0.0, w * I * s, 0.0, 0.0], rtol=0, atol=1e-12)
