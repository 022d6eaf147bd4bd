"""Fixed steps on a card, which is pretended here, are those of the processor."""

import numpy as np
import pytest

import lissom
from lissom import Robot, SimulationError, Wrench, control
from lissom.compiler.cuda.arrays import DeviceArray
from lissom.robots import planar_two_link_model, tree_model
from lissom.simulate import Held, Interpolated, card_steps
from support import elastic_arms
from support.fake_cuda import pretend
from support.states import random_states

MODEL = planar_two_link_model()
OPTIONS = {"method": "rk4", "dt": 2e-3, "sample": 6e-3}


@pytest.fixture
def fake(monkeypatch, tmp_path):
    return pretend(monkeypatch, tmp_path)


def both(model=MODEL):
    return Robot(model, backend="cuda"), Robot(model, backend="numpy")


class Foreign:
    """An array of another library."""

    def __init__(self, array, stream):
        self.array, self.stream, self.shape = array, stream, array.shape

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__ | {"stream": self.stream}


def agree(ours, theirs, least=1e-12):
    assert ours.status is theirs.status
    for name in ("t", "q", "qd", "qdd", "tau"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= least * max(1.0, np.abs(b).max()), name


@pytest.mark.parametrize("lead", [(), (5,), (2, 3)], ids=str)
@pytest.mark.parametrize("method", ["rk4", "semi_implicit"])
def test_given_torques(fake, method, lead):
    card, definition = both()
    q, qd, tau = random_states(MODEL, lead, seed=3)
    rows = np.stack([tau, -tau, 2 * tau])
    curve = Interpolated([0.0, 0.01, 0.03], rows)
    for torque in (None, [0.3, -0.2], rows, Held([0.0, 0.004], rows[:2]), curve):
        given = (q, qd, 0.021, torque)
        options = {**OPTIONS, "method": method}
        agree(card.simulate(*given, **options), definition.simulate(*given, **options))
    calls = fake.calls.count("cuLaunchKernel")
    card.simulate(q, qd, 0.02, dt=1e-3, method=method)
    assert fake.calls.count("cuLaunchKernel") - calls >= 21


def test_loads_floating_bases_and_known_accelerations(fake):
    model = tree_model(2, seed=7, floating=True)
    card, definition = both(model)
    q, qd, x = random_states(model, 4, seed=2, size=0.3)
    push = {model.links[-1].name: Wrench((1.0, 2.0, 3.0), axes="world")}
    agree(*(r.simulate(q, qd, 0.01, x[0], external=push, **OPTIONS) for r in (card, definition)), 1e-11)
    known = {"torque": [definition.joint_names[0]], "acceleration": ...}
    options = {"known": known, "acceleration": lambda t, q, qd: 0.1 * qd, **OPTIONS}
    agree(*(r.simulate(q, qd, 0.01, x[0], **options) for r in (card, definition)), 1e-11)


def test_functions_get_arrays_of_numpy_or_of_the_card(fake):
    card, definition = both()
    q, qd, tau = random_states(MODEL, 4, seed=3)
    asked = []

    def torque(t, q, qd):
        asked.append(type(q))
        return tau - 0.1 * np.asarray(q) if t else np.array([0.1, 0.2])

    expected = definition.simulate(q, qd, 0.02, torque, **OPTIONS)
    agree(card.simulate(q, qd, 0.02, torque, **OPTIONS), expected)
    assert set(asked) == {np.ndarray}
    asked.clear()
    there = card.backend.array(q)
    agree(card.simulate(there, qd, 0.02, torque, **OPTIONS), expected)
    assert set(asked) == {DeviceArray}
    held = {"hold": 5e-3, **OPTIONS}
    agree(card.simulate(there, qd, 0.02, torque, **held), definition.simulate(q, qd, 0.02, torque, **held))
    # of another library, on a stream of its own
    asked.clear()
    agree(card.simulate(Foreign(there, 12), Foreign(card.backend.array(qd), 12), 0.02, torque, **OPTIONS), expected)
    assert set(asked) == {DeviceArray}
    # what stays on the card
    compute = lambda t, q, qd: card.inverse_dynamics(q, qd, tau)  # noqa: E731
    expected = definition.simulate(q, qd, 0.02, lambda t, q, qd: definition.inverse_dynamics(q, qd, tau), **OPTIONS)
    agree(card.simulate(there, qd, 0.02, compute, **OPTIONS), expected)


@pytest.mark.parametrize("kind", ["computed torque", "gravity", "many references"])
def test_controllers_are_part_of_the_step(fake, kind, monkeypatch):
    monkeypatch.setattr(card_steps, "HALVES", 4)
    monkeypatch.setattr(card_steps, "AHEAD", 3)
    card, definition = both()
    q, qd, _ = random_states(MODEL, 5, seed=3)

    def controller(robot):
        if kind == "gravity":
            return control.PDGravity(robot, [0.2, 0.3], 50.0, [5.0, 6.0])
        reference = control.Hold(0.5 * q) if kind == "many references" else control.Sine([0.1, 0.2], 3.0)
        return control.ComputedTorque(robot, reference, [100.0, 80.0])

    expected = definition.simulate(q, qd, 0.025, controller(definition), **OPTIONS)
    law = controller(card)
    before = fake.calls.count("cuMemcpyHtoDAsync_v2")
    agree(card.simulate(q, qd, 0.025, law, **OPTIONS), expected)
    assert fake.calls.count("cuMemcpyHtoDAsync_v2") - before < 20  # not at every step
    import pickle

    assert np.allclose(pickle.loads(pickle.dumps(law)).torque(0.0, q, qd), law.torque(0.0, q, qd))


def test_controllers_of_elastic_robots(fake):
    definition = elastic_arms.chain(backend="numpy")
    card = Robot(definition.model, backend="cuda")
    q, qd, _ = random_states(definition.model, 3, seed=1, size=0.05)
    runs = []
    for robot in (card, definition):
        law = control.MixedControl(robot, np.zeros(robot.link_nv), 5.0, 10.0)
        runs.append(robot.simulate(q, qd, 2e-3, law, method="rk4", dt=1e-3))
    agree(*runs, 1e-10)


def test_single_precision(fake):
    card, definition = Robot(MODEL, backend=lissom.CUDA("single")), Robot(MODEL, backend="numpy")
    q, qd, tau = random_states(MODEL, 4, seed=3)
    agree(*(r.simulate(q, qd, 0.02, tau[0], **OPTIONS) for r in (card, definition)), 1e-4)


def test_failures_keep_the_samples_before(fake):
    card, _ = both()
    q, qd = np.zeros((3, 2)), np.ones((3, 2))
    with pytest.raises(SimulationError, match=r"the motion blew up between t = .* s and t = .* s, two samples") as failed:
        card.simulate(q, qd, 0.5, lambda t, q, qd: 1e60 * (1 + qd * qd), **OPTIONS)
    assert len(failed.value.trajectory) >= 1
    for x in (failed.value.trajectory.q, failed.value.trajectory.qdd):
        assert np.isfinite(x).all()
    with pytest.raises(SimulationError, match=r"the torque of joint .* is nan at t = 0.004 s"):
        card.simulate(q, qd, 0.01, lambda t, q, qd: [np.nan, 0] if t > 3e-3 else [0, 0], **OPTIONS)
    there = card.backend.array(q)
    with pytest.raises(SimulationError, match=r"the torque function returned shape \(3,\) at t = 0 s"):
        card.simulate(there, qd, 0.01, lambda t, q, qd: card.kinetic_energy(q, qd), **OPTIONS)
    with pytest.raises(SimulationError, match=r"at t = 0 s the value of the function has dtype float32"):
        single = lissom.CUDA("single").array(q)
        card.simulate(there, qd, 0.01, lambda t, q, qd: single, **OPTIONS)


def test_events_are_found_on_the_processor(fake):
    card, definition = both()
    event = lissom.simulate.Event(lambda t, q, qd: q[0] - 0.01, required=False)
    runs = [r.simulate([0.0, 0.0], [1.0, 0.0], 0.02, method="rk4", dt=5e-3, events=event) for r in (card, definition)]
    agree(*runs, 1e-10)
    assert runs[0].events[0].t == pytest.approx(runs[1].events[0].t)
