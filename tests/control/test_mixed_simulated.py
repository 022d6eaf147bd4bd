"""The mixed controller in closed loop: V falls at its rate, errors stay below the bound, one arm or a thousand, held or not."""

import numpy as np
import pytest

from lissom import Wrench
from lissom.control import MixedControl, Sine
from lissom.robots import hua_arm
from lissom.spline import SplinePath
from support.control import ARMS, along, bound, differences, rate_along

RUNS = {"hua": (1.5, 2.5e-3), "chain": (1.0, 2.5e-3), "panda": (0.4, 1e-3)}  # arm: duration and time between samples [s]


@pytest.fixture(scope="module", params=["hua", *(pytest.param(name, marks=pytest.mark.slow) for name in ("chain", "panda"))])
def run(request):
    """A controller, and an arm that starts beside its reference, at rest."""
    duration, sample = RUNS[request.param]
    robot = ARMS[request.param]()
    rng = np.random.default_rng(5)
    n = robot.link_nv
    reference = Sine(0.3, 2.0, rng.uniform(-1, 1, n), rng.uniform(-0.5, 0.5, n))
    q0 = robot.at_rest(reference.derivatives(0.0, 0)[0] + rng.uniform(-0.2, 0.2, n))
    damping = 20.0 * np.diag(robot.mass_matrix(q0))  # everything settles within tenths of a second
    control = MixedControl(robot, reference, 10.0, damping[:n], 10.0, damping[n:])
    return control, robot.simulate(q0, np.zeros(robot.nv), duration, control, sample=sample, rtol=1e-10, atol=1e-12)


@pytest.mark.sweep(1)
def test_the_lyapunov_function_falls_at_its_rate(run):
    control, way = run
    V, fall = along(way, control.lyapunov), along(way, control.lyapunov_rate)
    assert V[0] > 0.1 and (np.diff(V) < 0).all()
    assert np.abs(differences(V, way.t[1]) - fall[4:-4]).max() < 1e-6 * np.abs(fall).max()


def test_errors_stay_below_the_bound(run):
    """V <= V0 exp(-integral of the decay), and e' Lambda K_D e is a part of V."""
    control, way = run
    n = control.robot.link_nv
    V, limit = along(way, control.lyapunov), bound(control.lyapunov(0.0, way.q[0], way.qd[0]), control.decay(way.q), way.t)
    told = limit > 1e-12 * V[0]  # below that errors are those of the integrator
    assert (V / limit)[told].max() < 1 + 1e-6
    assert limit[-1] < 0.3 * limit[0]
    e = along(way, lambda t, q, qd: control.reference.derivatives(t, 0)[0] - q[:n])
    assert (np.sum(control.slope * control.damping * e * e, axis=-1) / limit)[told].max() < 1 + 1e-6


def test_desired_motor_motion_is_one_motion(run):
    """theta_d' and theta_d'' are rates of theta_d along the closed loop, and motors end up on it."""
    control, way = run
    theta = along(way, control.motor_reference)
    for k in (0, 1):
        size = np.abs(theta[:, k + 1]).max()
        assert np.abs(differences(theta[:, k], way.t[1]) - theta[4:-4, k + 1]).max() < 2e-6 * size
    gap = np.abs(theta[:, 0] - way.q[:, control.robot.link_nv :])
    assert gap[-1].max() < 0.5 * gap.max()


def test_loads_that_it_knows_of_do_not_disturb():
    robot, load = hua_arm(), {"tip": Wrench((0, 0, -3.0), axes="world")}
    control = MixedControl(robot, Sine(0.5, 0.5 * np.pi, n=3), (13, 13, 3.4), (30, 30, 10), external=load)
    q0 = robot.at_rest([0.0, 0.0, -0.4], external=load)
    way = robot.simulate(q0, np.zeros(4), 1.0, control, external=load, sample=0.02, rtol=1e-9, atol=1e-11)
    V = along(way, control.lyapunov)
    assert (V / bound(V[0], control.decay(way.q), way.t)).max() < 1 + 1e-6


def test_a_thousand_arms_move_as_each_would_alone():
    robot, rng = hua_arm(), np.random.default_rng(2)
    q0 = robot.at_rest(rng.uniform(-0.5, 0.5, (1024, 3)))
    reference = Sine(rng.uniform(-0.5, 0.5, (1024, 3)), 1.5)
    control = MixedControl(robot, reference, 8.0, 15.0)
    tau = control.torque(0.1, q0, np.zeros(4))
    assert tau.shape == (1024, 4) and control.motor_reference(0.1, q0, np.zeros(4)).shape == (3, 1024, 1)
    assert control.lyapunov(0.1, q0, np.zeros(4)).shape == control.decay(q0).shape == (1024,)
    options = {"method": "rk4", "dt": 1e-3, "sample": 0.02}
    way = robot.simulate(q0, np.zeros(4), 0.04, control, **options)
    for k in (0, 511, 1023):
        alone = MixedControl(robot, Sine(reference.amplitude[k], 1.5), 8.0, 15.0)
        assert np.allclose(alone.torque(0.1, q0[k], np.zeros(4)), tau[k], rtol=1e-12, atol=1e-12)
        one = robot.simulate(q0[k], np.zeros(4), 0.04, alone, **options)
        assert np.allclose(one.q, way.q[:, k], rtol=0, atol=1e-13)
        assert np.allclose(one.tau, way.tau[:, k], rtol=1e-11, atol=1e-11)


def test_a_digital_controller_is_as_good_as_its_rate():
    robot = hua_arm()
    control = MixedControl(robot, Sine(0.5, 1.5, n=3), 8.0, 15.0)
    q0, options = robot.at_rest([0.1, -0.1, 0.2]), {"sample": 1e-3, "rtol": 1e-9, "atol": 1e-11}
    smooth = robot.simulate(q0, np.zeros(4), 0.2, control, **options)
    gaps = []
    for hold in (4e-3, 2e-3):
        held = robot.simulate(q0, np.zeros(4), 0.2, control, hold=hold, **options)
        every = round(hold / 1e-3)
        assert np.array_equal(held.tau[:every], np.tile(held.tau[0], (every, 1)))
        assert not np.array_equal(held.tau[0], held.tau[every])
        gaps.append(np.abs(held.q - smooth.q).max())
    assert gaps[0] < 0.02 and 1.5 < gaps[0] / gaps[1] < 2.5  # first order in the time that torques are held


def test_a_spline_is_followed_to_its_end_and_held_there():
    path = SplinePath.between([0.0, 0.0, 0.0], [0.4, 0.3, -0.2], 0.5, count=14, degree=7, rest=4)
    robot = hua_arm()
    control = MixedControl(robot, path, 10.0, 20.0)
    way = robot.simulate(robot.at_rest(np.zeros(3)), np.zeros(4), 0.7, control, sample=0.1, rtol=1e-9, atol=1e-11)
    for t, q in zip(way.t, way.q, strict=True):
        assert np.abs(q[:3] - path.at(min(t, 0.5))).max() < 1e-7
    assert np.abs(way.q[-1] - robot.at_rest([0.4, 0.3, -0.2])).max() < 1e-6


def test_a_wrong_model_is_seen_by_the_lyapunov_function():
    """Of a payload that the controller does not know of, V tells: it does not fall as the rate says."""
    robot, load = hua_arm(), {"tip": Wrench((0, 0, -3.0), axes="world")}
    control = MixedControl(robot, [0.1, 0.2, 0.3], 8.0, 15.0)
    q = robot.at_rest([0.1, 0.2, 0.3])[None]
    assert control.lyapunov(0.0, q, np.zeros(4))[0] < 1e-20
    moving = np.full(4, 0.1)
    right, wrong = (rate_along(control, control.lyapunov, 0.0, q, moving, x) for x in (None, load))
    assert np.allclose(right, control.lyapunov_rate(0.0, q, moving), rtol=1e-7)
    assert np.abs(wrong - right) > 0.1
