"""Controllers asked about states that cannot be, and controllers that travel to other processes."""

import copy
import pickle

import numpy as np
import pytest

from lissom import StateError, Wrench
from lissom.control import ComputedTorque, ElasticFeedback, MixedControl, PDGravity, Sine, load_scenario
from lissom.robots import hua_arm, panda
from lissom.spline import SplinePath
from support.elastic_arms import one_joint

LOAD = {"tip": Wrench((0, 0, -3.0), axes="world")}
PATH = SplinePath.between(np.zeros(3), [0.4, 0.3, -0.2], 0.5, count=14, degree=7, rest=4)
MAKERS = {
    "computed torque": lambda: ComputedTorque(panda(), Sine(0.3, 2.0, n=7), 100.0),
    "pd": lambda: PDGravity(hua_arm(), [0.1, 0.2, 0.3], 200.0, 20.0),
    "mixed": lambda: MixedControl(hua_arm(), PATH, (13, 13, 3.4), (30, 30, 10), external=LOAD),
    "elastic feedback": lambda: ElasticFeedback(one_joint(), np.zeros(1), 20.0),
}


@pytest.fixture(scope="module", params=MAKERS)
def control(request):
    return MAKERS[request.param]()


@pytest.mark.parametrize("method", ["torque", "lyapunov", "lyapunov_rate"])
def test_states_of_the_wrong_kind_are_named(control, method):
    ask, nq, nv = getattr(control, method), control.robot.nq, control.robot.nv
    right = np.zeros(nv)
    with pytest.raises(StateError, match=f"q has size {nq - 1}, expected nq = {nq}"):
        ask(0.0, np.zeros(nq - 1), right)
    with pytest.raises(StateError, match=f"qd has size {nv + 1}, expected nv = {nv}"):
        ask(0.0, np.zeros(nq), np.zeros(nv + 1))
    with pytest.raises(StateError, match="q has dtype <U2, expected real numbers"):
        ask(0.0, "up", right)


@pytest.mark.parametrize("method", ["torque", "lyapunov", "lyapunov_rate"])
def test_leading_axes_broadcast(control, method):
    ask, rng = getattr(control, method), np.random.default_rng(0)
    q, qd = rng.uniform(-0.5, 0.5, (3, 1, control.robot.nq)), rng.uniform(-0.5, 0.5, control.robot.nv)
    many = ask(0.1, q, qd)
    assert many.shape[:2] == (3, 1)
    assert np.allclose(many[1, 0], ask(0.1, q[1, 0], qd), rtol=1e-12, atol=1e-12)
    assert np.array_equal(many, ask(0.1, q.tolist(), qd.tolist()))


@pytest.mark.parametrize("way", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy], ids=["pickle", "copy"])
def test_copies_do_the_same(control, way):
    other, rng = way(control), np.random.default_rng(1)
    q, qd = rng.uniform(-0.5, 0.5, control.robot.nq), rng.uniform(-0.5, 0.5, control.robot.nv)
    assert type(other) is type(control) and other is not control
    assert np.array_equal(other.torque(0.2, q, qd), control.torque(0.2, q, qd))
    assert other.lyapunov(0.2, q, qd) == control.lyapunov(0.2, q, qd)


def test_scenarios_travel_too():
    scenario = load_scenario("hua_arm_payload")
    other = pickle.loads(pickle.dumps(scenario))
    assert np.array_equal(other.run(duration=0.1).q, scenario.run(duration=0.1).q)


def test_controllers_print_as_a_line():
    arm = panda()
    gains = np.linspace(10.0, 40.0, 7)
    assert repr(PDGravity(arm, np.zeros(7), gains, 5.0)) == "<PDGravity of 'panda': kp 10 .. 40, kd 5>"
    assert repr(ComputedTorque(arm, np.zeros(7), 100.0)) == "<ComputedTorque of 'panda': kp 100, kd 20>"
    assert repr(MixedControl(arm, np.zeros(7), 4.0, gains)) == "<MixedControl of 'panda': slope 4, damping 10 .. 40>"
    joint = one_joint()
    found = repr(ElasticFeedback(joint, np.zeros(1), 10.0))
    assert found == f"<ElasticFeedback of {joint.name!r}: k0 1e+04, k1 4000, k2 600, k3 40>"
