"""Feedback linearization of elastic robots: every joint follows its reference as a chain of four integrators does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Motor, Robot, Spring, StateError, Wrench
from lissom.control import ElasticFeedback, Sine
from lissom.errors import ModelError
from lissom.robots import hua_arm, panda, tree_model
from support.control import along, bound, differences, elastic_panda, linear, rate_along, states
from support.elastic import untangled
from support.motors import random_rotor, with_motors
from support.states import error

seeds = st.integers(0, 1000)


def elastic_chain(seed, n=3, backend="numpy"):
    """All joints elastic: motors on the base spin, those that would entangle are reflected."""
    model = tree_model(n, 1.0, 1.0, seed=seed, kinds=["revolute", "prismatic"])
    return Robot(untangled(with_motors(model, seed, share=1.0, elastic=1.0, ratios=(5.0, -3.0))), backend=backend)


def companion(k):
    A = np.diag(np.ones(3), 1)
    A[3] = -np.asarray(k)
    return A


@pytest.fixture(scope="module")
def run():
    """A Panda that starts at rest beside its reference, with two kinds of gains."""
    robot = elastic_panda()
    reference = Sine(0.3, 2.0, np.arange(7.0), [0, 0, 0, -1.5, 0, 1.5, 0])
    w = np.linspace(15.0, 25.0, 7)
    gains = np.array([w**4, 4 * w**3, 6 * w**2, 4 * w]) * [[1.0], [1.1], [1.2], [1.1]]
    control = ElasticFeedback(robot, reference, gains=gains)
    q0 = robot.at_rest(reference.derivatives(0.0, 0)[0] + np.linspace(-0.2, 0.2, 7))
    return control, robot.simulate(q0, np.zeros(14), 0.6, control, sample=2e-3, rtol=1e-11, atol=1e-13)


def test_errors_follow_their_linear_law(run):
    """e'''' + k3 e''' + k2 e'' + k1 e' + k0 e = 0, from a start at rest: there links neither accelerate nor jerk."""
    control, way = run
    start = control.reference.derivatives(0.0, 3)
    start[0] -= way.q[0, :7]
    e = along(way, lambda t, q, qd: control.reference.derivatives(t, 1) - [q[:7], qd[:7]])
    for k in range(7):
        x = linear(companion(control.gains[:, k]), start[:, k], way.t)
        assert np.abs(x[:, 0] - e[:, 0, k]).max() < 1e-8
        assert np.abs(x[:, 1] - e[:, 1, k]).max() < 1e-7


def test_the_lyapunov_function_falls_at_its_rate_and_below_its_bound(run):
    control, way = run
    V, fall = along(way, control.lyapunov), along(way, control.lyapunov_rate)
    assert np.abs(differences(V, way.t[1]) - fall[4:-4]).max() < 1e-6 * np.abs(fall).max()
    assert (V / bound(V[0], control.decay, way.t)).max() < 1 + 1e-6
    assert V[-1] < 1e-3 * V[0]


@pytest.mark.slow
@given(seeds, st.sampled_from([None, "link", "world"]))
@settings(max_examples=6)
def test_rates_of_random_arms_under_loads(seed, axes):
    robot = elastic_chain(seed)
    force, moment, point = np.random.default_rng(seed).normal(size=(3, 3))
    external = None if axes is None else {robot.link_names[-1]: Wrench(5 * force, moment, axes=axes, point=point)}
    rng = np.random.default_rng(seed)
    reference = Sine(rng.uniform(-0.5, 0.5, 3), rng.uniform(0.5, 2.0, 3), rng.uniform(-3, 3, 3))
    control = ElasticFeedback(robot, reference, bandwidth=rng.uniform(3, 8, 3), external=external)
    q, qd = states(robot, seed=seed)
    assert error(control.lyapunov_rate(0.4, q, qd), rate_along(control, control.lyapunov, 0.4, q, qd, external)) < 1e-7
    assert (control.lyapunov_rate(0.4, q, qd) <= -control.decay * control.lyapunov(0.4, q, qd) * (1 - 1e-12)).all()
    assert (control.torque(0.4, q, qd)[..., :3] == 0.0).all()


def test_on_its_reference_it_is_inverse_dynamics():
    robot = elastic_chain(3)
    control = ElasticFeedback(robot, Sine([0.3, 0.4, 0.5], 1.5), bandwidth=(5.0, 6.0, 7.0))
    path = control.reference.derivatives(0.7, 4)
    found = robot.elastic_inverse_dynamics(*path)
    q, qd = np.concatenate([path[0], found.theta]), np.concatenate([path[1], found.theta_rate])
    assert error(control.torque(0.7, q, qd), found.tau) < 1e-10
    assert control.lyapunov(0.7, q, qd) < 1e-18


def test_many_arms_at_once():
    robot = elastic_chain(4, 2, None)
    control = ElasticFeedback(robot, [0.1, 0.2], 6.0)
    q, qd = states(robot, 1024)
    tau, V = control.torque(0.0, q, qd), control.lyapunov(0.0, q, qd)
    assert tau.shape == (1024, 4) and V.shape == control.lyapunov_rate(0.0, q, qd).shape == (1024,)
    for k in (0, 700, 1023):
        assert np.allclose(control.torque(0.0, q[k], qd[k]), tau[k], rtol=1e-12, atol=1e-12)
        assert control.lyapunov(0.0, q[k], qd[k]) == pytest.approx(V[k], rel=1e-12)


def test_one_bandwidth_puts_all_roots_at_one_place():
    control = ElasticFeedback(elastic_chain(4, 2), [0.1, 0.2], (6.0, 9.0))
    for k, w in enumerate((6.0, 9.0)):
        assert np.allclose(np.poly([-w] * 4)[1:], control.gains[::-1, k])


def test_unstable_gains_are_refused():
    robot = elastic_chain(4, 2)
    # s^4 + s^3 + s^2 + s + 1: fifth roots of one, real parts up to cos 72 degrees
    with pytest.raises(
        StateError, match="the gains of 'joint_1' are not stable: .* has a root with real part 0.309; give a bandwidth"
    ):
        ElasticFeedback(robot, [0, 0], gains=[1, 1, 1, 1])
    with pytest.raises(StateError, match="the gains of 'joint_2' are not stable"):
        ElasticFeedback(robot, [0, 0], gains=[[81, 1], [108, 1], [54, 1], [12, 1]])
    with pytest.raises(StateError, match="k2 of 'joint_1' must be positive, got -1"):
        ElasticFeedback(robot, [0, 0], gains=[1, 4, -1, 4])
    with pytest.raises(StateError, match="give either bandwidth or gains"):
        ElasticFeedback(robot, [0, 0])
    with pytest.raises(StateError, match="give either bandwidth or gains"):
        ElasticFeedback(robot, [0, 0], 5.0, gains=[1, 4, 6, 4])
    for wrong, got in (([1, 2, 3], "got 3"), (5.0, "got one number")):
        with pytest.raises(StateError, match=f"expected four gains k0, k1, k2, k3, each one number or 2; {got}"):
            ElasticFeedback(robot, [0, 0], gains=wrong)
    with pytest.raises(StateError, match=r"bandwidth has shape \(3,\), expected one number, or 2: joint_1, joint_2"):
        ElasticFeedback(robot, [0, 0], [1, 2, 3])


def test_robots_with_rigid_joints_are_refused():
    for robot, joint, n in ((hua_arm(), "q1", 3), (panda(), "joint_1", 7)):
        with pytest.raises(ModelError, match=f"joint '{joint}' has no spring between motor and link: .*control.MixedControl"):
            ElasticFeedback(robot, np.zeros(n), 5.0)
    model = tree_model(2, 1.0, 1.0, seed=1, kinds=["revolute"], drives=False)
    rotor = random_rotor(np.random.default_rng(1))
    motors = tuple(Motor(f"m{k}", j.name, None, 10.0, rotor, spring=Spring(90.0)) for k, j in enumerate(model.joints))
    with pytest.raises(ModelError, match="motor 'm1' spins on link 'link_1', which joint 'joint_1' turns behind the spring"):
        ElasticFeedback(Robot(model.replace(motors=motors)), [0, 0], 5.0)
