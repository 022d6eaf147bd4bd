"""The controller for rigid and elastic joints, eqs (37)-(52) of Hua 2024, state by state."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh

from lissom import Robot, Wrench
from lissom.control import Hold, MixedControl, Sine
from lissom.robots import hua_arm, hua_arm_model, planar_two_link, tree_model
from support.control import ARMS, mixed_chain, rate_along, states
from support.elastic import elastic_trees
from support.states import error

seeds = st.integers(0, 1000)


def sine(n, seed=0):
    rng = np.random.default_rng(seed)
    return Sine(rng.uniform(-0.5, 0.5, n), rng.uniform(0.5, 2.0, n), rng.uniform(-3, 3, n), rng.uniform(-0.5, 0.5, n))


def gains(robot, seed=0):
    """Return slope, damping, motor_slope and motor_damping at random."""
    rng, n, e = np.random.default_rng(seed), robot.link_nv, robot.n_elastic
    found = rng.uniform(2, 8, n), rng.uniform(3, 20, n), rng.uniform(2, 8, e), rng.uniform(3, 20, e)
    return found if e else found[:2]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ARMS)
def test_rates_of_the_lyapunov_function_and_of_desired_motor_motion(name):
    robot = ARMS[name]()
    control = MixedControl(robot, sine(robot.link_nv), *gains(robot))
    _check_rates(control, 0.4, *states(robot))


@pytest.mark.slow
def test_rates_under_loads():
    robot = mixed_chain()
    parts = (5.0, -7.0, 9.0), (1.0, 2.0, 3.0)
    external = {
        name: Wrench(*parts, axes=axes, point=(0.1, 0.2, -0.3)) for name, axes in (("link_4", "link"), ("link_5", "world"))
    }
    control = MixedControl(robot, sine(robot.link_nv), *gains(robot), external=external)
    _check_rates(control, 0.4, *states(robot), external)


@pytest.mark.slow
@given(elastic_trees(n=3, branching=1), seeds)
@settings(max_examples=4)
def test_rates_of_random_trees(model, seed):
    robot = Robot(model, backend="numpy")
    control = MixedControl(robot, sine(robot.link_nv, seed), *gains(robot, seed))
    _check_rates(control, 0.4, *states(robot, seed=seed))


def _check_rates(control, t, q, qd, external=None):
    V_rate = rate_along(control, control.lyapunov, t, q, qd, external)
    theta_rates = rate_along(control, control.motor_reference, t, q, qd, external)
    assert error(control.lyapunov_rate(t, q, qd), V_rate) < 1e-7
    theta = control.motor_reference(t, q, qd)
    assert error(theta[1], theta_rates[0]) < 1e-7
    assert error(theta[2], theta_rates[1]) < 1e-7
    assert (control.lyapunov(t, q, qd) > 0).all()
    # the bound of exponential decay
    assert (control.lyapunov_rate(t, q, qd) <= -control.decay(q) * control.lyapunov(t, q, qd)).all()


def test_no_decay_faster_than_told_holds_for_joints():
    """Of rigid joints V and -V' are quadratic forms of (e, e'); the least ratio of the two is the rate of decay."""
    robot, n = planar_two_link(), 2
    q, slope, damping = np.array([0.3, 0.7]), np.array([3.0, 5.0]), np.array([4.0, 2.0])

    def forms(x):
        control = MixedControl(robot, q + x[:n], slope, damping)
        return np.array([control.lyapunov(0.0, q, -x[n:]), -control.lyapunov_rate(0.0, q, -x[n:])])

    units = np.eye(2 * n)
    V, fall = np.moveaxis([[(forms(a + b) - forms(a - b)) / 4 for a in units] for b in units], -1, 0)
    assert MixedControl(robot, q, slope, damping).decay(q) == pytest.approx(eigh(fall, V, eigvals_only=True)[0], rel=1e-9)


def test_no_decay_faster_than_told_holds_for_motors():
    """With the joints where they should be, errors of the motor alone fall at 2 Lambda, and its sigma at 2 K_D / B."""
    robot = hua_arm()
    target = np.array([0.1, 0.2, 0.3])
    there, B = robot.at_rest(target), 10.0**2 * 0.004
    for motor_slope, motor_damping, told in ((0.2, 50.0, 0.4), (50.0, 0.2, 0.4 / B)):
        control = MixedControl(robot, target, 20.0, 100.0, motor_slope, motor_damping)
        assert control.decay(there) == pytest.approx(told, rel=1e-12)
        q, qd = there.copy(), np.zeros(4)
        if motor_slope < 1:
            q[3] += 0.1
            # sigma is zero where the motor moves to its place at Lambda times the error, beside the theta_d' that this causes
            for _ in range(3):
                _, theta_rate, _ = control.motor_reference(0.0, q, qd)
                qd[3] = theta_rate[0] - motor_slope * 0.1
        else:
            qd[3] = 0.1
        assert control.lyapunov_rate(0.0, q, qd) / control.lyapunov(0.0, q, qd) == pytest.approx(-told, rel=1e-9)


@pytest.mark.slow
def test_the_law_is_that_of_the_paper():
    """(39), (43) and (49), made of the parts of (30), with accelerations as the closed loop has them."""
    robot = mixed_chain("numpy", friction=False)
    n, t = robot.link_nv, 0.7
    slope, damping, motor_slope, motor_damping = gains(robot)
    control = MixedControl(robot, sine(n), slope, damping, motor_slope, motor_damping)
    springs = [motor.spring for motor in robot.model.elastic_motors]
    K, rest = np.array([(s.stiffness, s.rest) for s in springs]).T
    driven = [robot.joint_names.index(motor.joint) for motor in robot.model.elastic_motors]
    rigid = [k for k in range(n) if k not in driven]
    for q, qd in zip(*states(robot), strict=True):
        tau = control.torque(t, q, qd)
        qdd = robot.forward_dynamics(q, qd, tau)
        blocks = robot.elastic_blocks(q, qd)
        assert np.abs(blocks.S).max() > 0.01 and np.abs(blocks.C1).max() > 1e-4  # rotors are felt
        q_d, qd_d, qdd_d = sine(n).derivatives(t, 2)
        e, de = q_d - q[:n], qd_d - qd[:n]
        sigma, qd_r, qdd_r = de + slope * e, qd_d + slope * e, qdd_d + slope * de
        law = blocks.M @ qdd_r + blocks.S @ qdd[n:] + blocks.C @ qd_r + blocks.C1 @ qd[n:] + blocks.G + damping * sigma
        assert error(tau[rigid], law[rigid]) < 1e-10
        assert (tau[driven] == 0).all()
        theta_d = law[driven] / K + q[driven] + rest
        desired = control.motor_reference(t, q, qd)
        assert error(desired[0], theta_d) < 1e-11
        e_m, de_m = theta_d - q[n:], desired[1] - qd[n:]
        sigma_m = de_m + motor_slope * e_m + sigma[driven]
        theta_rr = desired[2] + motor_slope * de_m + (qdd_r - qdd[:n])[driven]
        motors = blocks.S.T @ qdd[:n] + blocks.B @ theta_rr + blocks.C2 @ qd[:n]
        assert error(tau[n:], motors + K * (theta_d - q[driven] - rest) + motor_damping * sigma_m) < 1e-10
        V = 0.5 * sigma @ blocks.M @ sigma + e @ (slope * damping * e)
        V += 0.5 * sigma_m @ blocks.B @ sigma_m + 0.5 * e_m @ (K * e_m)
        assert control.lyapunov(t, q, qd) == pytest.approx(V, rel=1e-11)


@pytest.mark.parametrize("make", [planar_two_link, lambda: Robot(tree_model(4, 1.5, seed=3, kinds=["revolute"], coupled=0.4))])
def test_for_rigid_robots_it_is_slotine_and_li(make):
    robot = make()
    n, rng = robot.nv, np.random.default_rng(1)
    control = MixedControl(robot, sine(n), 4.0, 9.0)
    q, qd = rng.normal(size=(2, n))
    q_d, qd_d, qdd_d = sine(n).derivatives(0.3, 2)
    qd_r, qdd_r = qd_d + 4 * (q_d - q), qdd_d + 4 * (qd_d - qd)
    C = robot.coriolis_matrix(q, qd)
    law = robot.mass_matrix(q) @ qdd_r + C @ (qd_r - qd) + robot.bias_torques(q, qd) + 9 * (qd_r - qd)
    assert error(control.torque(0.3, q, qd), law) < 1e-12
    assert control.motor_reference(0.3, q, qd).shape == (3, 0)
    _check_rates(MixedControl(Robot(robot.model.without_friction()), sine(n), 4.0, 9.0), 0.3, q, qd)


def test_a_stiff_arm_is_controlled_as_a_rigid_one():
    """Where motor 3 is at its desired place and speed, the law tends to that of the rigid arm, dampings added up, as 1 / K.

    On Hua's arm no rotor behind a spring is felt by the joints before it: S = 0.
    """
    slope, damping, motor_damping = np.array([6.0, 5.0, 4.0]), np.array([9.0, 8.0, 7.0]), 5.0
    rng = np.random.default_rng(3)
    q, qd = rng.uniform(-0.5, 0.5, (2, 3))
    with pytest.warns(UserWarning, match="triangle inequality"):
        rigid = Robot(hua_arm_model().with_rigid_drives())
    expected = MixedControl(rigid, sine(3), slope, damping + [0, 0, motor_damping]).torque(0.2, q, qd)
    errors = []
    for stiffness in (1e4, 1e5, 1e6):
        control = MixedControl(hua_arm(stiffness=stiffness), sine(3), slope, damping, 5.0, motor_damping)
        x, v = np.append(q, 0.0), np.append(qd, 0.0)
        x[3] = control.motor_reference(0.2, x, v)[0, 0]
        v[3] = control.motor_reference(0.2, x, v)[1, 0]
        errors.append(np.abs(control.torque(0.2, x, v)[[0, 1, 3]] - expected).max())
    assert errors[-1] < 1e-3 * np.abs(expected).max()
    assert np.allclose(np.array(errors[:-1]) / errors[1:], 10, rtol=0.05)


def test_motors_take_the_gains_of_their_joints():
    robot = hua_arm()
    q, qd = states(robot, 1)
    given = MixedControl(robot, np.zeros(3), (13, 13, 3.4), (30, 30, 10), 3.4, 10.0)
    assert np.array_equal(
        MixedControl(robot, Hold([0, 0, 0]), (13, 13, 3.4), (30, 30, 10)).torque(0, q, qd), given.torque(0, q, qd)
    )
    assert np.array_equal(
        MixedControl(robot, np.zeros(3), np.diag([13, 13, 3.4]), np.diag([30, 30, 10])).torque(0, q, qd), given.torque(0, q, qd)
    )
    assert np.array_equal(given.motor_slope, [3.4]) and np.array_equal(given.motor_damping, [10.0])


@pytest.mark.slow
def test_machine_code_and_numpy_agree():
    ours, theirs = (MixedControl(mixed_chain(backend), sine(5), 4.0, 9.0) for backend in ("llvm", "numpy"))
    state = states(ours.robot, 5)
    for name in ("torque", "motor_reference", "lyapunov", "lyapunov_rate"):
        assert error(getattr(ours, name)(0.1, *state), getattr(theirs, name)(0.1, *state)) < 1e-11, name
