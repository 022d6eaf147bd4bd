"""Payloads and torques from outside."""

import numpy as np
import pytest

import lissom
from lissom import IdentificationError, Robot, StateError
from lissom.identify import Filtering, Measurement, MomentumObserver, identify_payload, observe
from lissom.robots import panda_model, puma560_model, rr_model
from support.recorded import recorded, sines


@pytest.fixture(scope="module")
def puma():
    return Robot(puma560_model(), backend="numpy")


@pytest.fixture(scope="module")
def arm():
    return Robot(rr_model(), backend="numpy")


def test_a_payload_is_found_with_its_center_and_inertia(puma):
    body = np.diag([0.01, 0.012, 0.008])
    true = puma.with_payload(2.0, (0.03, 0.0, 0.1), body, link="link_6")
    data = recorded(puma, Robot(true.model, backend="numpy"), noise=0.001, rates=True, rate=100.0)
    found = identify_payload(data, filtering=Filtering("none"))
    assert found.link == "link_6" and found.weight > 100
    assert found.inertia.mass == pytest.approx(2.0, rel=0.01)
    assert np.abs(np.array(found.inertia.com) - [0.03, 0.0, 0.1]).max() < 0.003
    assert np.abs(np.array(found.inertia.tensor) - body).max() < 0.003
    q, qd, qdd = (x[:20] for x in sines(6, seed=4)[1:])
    expected = true.inverse_dynamics(q, qd, qdd)
    assert np.abs(found.robot.inverse_dynamics(q, qd, qdd) - expected).max() < 0.01 * np.abs(expected).max()
    assert "kg at (0.0" in repr(found)
    assert not found.identification.weak  # beside the torques of the arm itself


def test_a_payload_of_which_a_motion_shows_little_is_weakly_excited(puma):
    true = Robot(puma.with_payload(2.0, (0.03, 0.0, 0.1), link="link_6").model, backend="numpy")
    found = identify_payload(recorded(puma, true, noise=0.5, rates=True, rate=20.0, T=1.0), filtering=Filtering("none"))
    assert found.identification.weak and "weakly excited" in " ".join(found.identification.doubts)


def test_no_payload_is_not_far_from_none(puma):
    found = identify_payload(recorded(puma, noise=0.01, rates=True, rate=100.0), "link_6", filtering=Filtering("none"))
    assert abs(found.weight) < 4.0 and found.inertia.mass < 0.2


def test_friction_may_be_estimated_with_a_payload_and_links_may_not(puma):
    true = Robot(puma.with_payload(1.0, (0.0, 0.0, 0.1), link="link_6").model, backend="numpy")
    data = recorded(puma, true, noise=0.002, rates=True, rate=100.0)
    found = identify_payload(data, "link_6", estimate="friction", filtering=Filtering("none"))
    assert any(name.endswith("viscous") for name in found.identification.names)
    assert found.inertia.mass == pytest.approx(1.0, rel=0.05)
    with pytest.raises(IdentificationError, match="not links"):
        identify_payload(data, "link_6", estimate="links")
    with pytest.raises(IdentificationError, match="does not move"):
        identify_payload(data, "base")
    with pytest.raises(IdentificationError, match="see robot.with_payload"):
        found.identification.model  # noqa: B018


def swung(robot, force=None, dt=1e-3, N=1500):
    """Return t, q, qd and the torques of drives along a given motion, with a force on the last link in the second third."""
    t = dt * np.arange(N)
    w = np.linspace(1.0, 2.0, robot.nv)
    q, qd, qdd = 0.5 * np.sin(np.outer(t, w)), 0.5 * w * np.cos(np.outer(t, w)), -0.5 * w**2 * np.sin(np.outer(t, w))
    tau = robot.inverse_dynamics(q, qd, qdd)
    felt = np.zeros_like(tau)
    if force is not None:
        third = slice(N // 3, 2 * N // 3)
        load = {robot.link_names[-1]: lissom.Wrench(force, (0, 0, 0), axes="world")}
        felt[third] = tau[third] - robot.inverse_dynamics(q[third], qd[third], qdd[third], external=load)
    return t, q, qd, tau - felt, felt


def test_without_contact_nothing_is_felt(arm):
    t, q, qd, tau, _ = swung(arm)
    assert np.abs(observe(arm, t, q, qd, tau, 50.0).residual).max() < 1e-3 * np.abs(tau).max()


def test_torques_from_outside_are_felt_with_the_time_constant_of_the_gain(arm):
    t, q, qd, tau, felt = swung(arm, force=(0.0, 5.0, 0.0))
    gain = 40.0
    seen = observe(arm, t, q, qd, tau, gain)
    N = len(t)
    settled = slice(N // 3 + int(8 / gain / 1e-3), 2 * N // 3)
    lag = np.gradient(felt[settled], 1e-3, axis=0) / gain  # a first-order filter follows a ramp that much later
    assert np.abs(seen.residual[settled] - (felt[settled] - lag)).max() < 0.01 * np.abs(felt).max()
    rise = N // 3 + int(1 / gain / 1e-3)
    assert seen.residual[rise, 0] / felt[rise, 0] == pytest.approx(1 - np.exp(-1), abs=0.03)
    (hit,) = seen.collisions(0.3 * np.abs(felt).max(axis=0))
    assert hit.start == pytest.approx(t[N // 3], abs=0.03) and hit.end == pytest.approx(t[2 * N // 3], abs=0.06)
    assert hit.joint in arm.velocity_names and abs(hit.torque) > 0
    assert seen.collisions(1e3) == [] and "1500 samples" in repr(seen)
    with pytest.raises(StateError, match="threshold must be positive"):
        seen.collisions(0.0)


def test_the_wrench_on_a_link_follows_from_what_is_felt():
    robot = Robot(panda_model(), backend="numpy")
    force = np.array([3.0, -4.0, 5.0])
    rng = np.random.default_rng(0)
    q = np.deg2rad([0, -45, 0, -135, 0, 90, 45]) + 0.1 * rng.normal(size=(20, 7))
    load = {"flange": lissom.Wrench(force, (0.0, 0.0, 0.0), axes="world")}
    felt = robot.gravity_torques(q) - robot.gravity_torques(q, external=load)
    found = lissom.identify.Observation(robot, np.arange(20.0), q, felt).wrench("flange")
    assert np.abs(found[:, :3] - force).max() < 1e-9 and np.abs(found[:, 3:]).max() < 1e-9


def test_the_first_sample_begins_anew(arm):
    observer = MomentumObserver(arm, [20.0, 30.0], 0.01)
    _, q, qd, tau, _ = swung(arm, force=(1.0, 1.0, 0.0), N=30)
    one = [observer.step(*row) for row in zip(q, qd, tau, strict=True)]
    observer.reset()
    assert np.array_equal(one, [observer.step(*row) for row in zip(q, qd, tau, strict=True)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda arm: MomentumObserver("rr", 10.0, 0.01), "needs a Robot"),
        (lambda arm: MomentumObserver(arm, 10.0, 0.0), "dt must be a positive time"),
        (lambda arm: MomentumObserver(arm, 200.0, 0.01), "below 1/dt = 100"),
        (lambda arm: observe(arm, [0.0, 0.1], [[0, 0]], [[0, 0]], [[0, 0]], 1.0), "of as many rows"),
        (lambda arm: observe(arm, [0.0, 0.1, 0.5, 0.6, 0.7], *[np.zeros((5, 2))] * 3, 1.0), "equal steps"),
    ],
)
def test_wrong_numbers_are_refused(arm, make, message):
    with pytest.raises(StateError, match=message):
        make(arm)


def test_functions_of_observers_are_exported(arm, tmp_path):
    arm.export(["momentum_observer", "generalized_momentum"], tmp_path, language="python", name="observer")
    observer = {}
    exec((tmp_path / "observer.py").read_text(), observer)
    q, qd = np.array([0.3, -0.4]), np.array([0.5, 0.6])
    assert np.abs(observer["generalized_momentum"](q, qd) - arm.mass_matrix(q) @ qd).max() < 1e-14


def test_data_that_are_not_those_of_a_robot_are_doubted(arm):
    t, q, qd, qdd = sines(2, T=5.0, rate=100.0, harmonics=5)
    tau = arm.inverse_dynamics(q, qd, qdd)
    drifting = tau + 0.3 * np.abs(tau).max() * np.sin(0.7 * t)[:, None]
    found = lissom.identify.identify(Measurement(arm, t, q, drifting), consistent=False)
    assert any("follow one another" in one for one in found.doubts) and "doubtful" in str(found)
