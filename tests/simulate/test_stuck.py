"""Runs of the adaptive method that would never end."""

import numpy as np
import pytest

from lissom import Friction, Inertia, Joint, Link, Model, Robot
from lissom.errors import SimulationError, StateError
from lissom.robots import planar_two_link, puma560
from lissom.simulate import Status

EYE = ((0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1))


def test_friction_that_holds_a_joint_stops_the_adaptive_method_with_advice():
    links = (Link("base"), Link("arm", Inertia(1.0, (0, 0, 0), EYE)))
    robot = Robot(Model("brake", links, (Joint("hinge", "revolute", "base", "arm", friction=Friction(0.0, 0.5)),)))
    with pytest.raises(SimulationError, match="hardly advances at t = .*joint 'hinge'.*Coulomb friction") as caught:
        robot.simulate([0.0], [1.0], 10.0)
    assert caught.value.status is Status.STUCK
    # it came to rest where a constant deceleration of 5 rad/s^2 brings it
    assert np.isclose(caught.value.time, 0.2, atol=1e-3)
    assert caught.value.trajectory.t[-1] <= caught.value.time
    assert robot.simulate([0.0], [1.0], 1.0, method="rk4", dt=1e-3).status is Status.FINISHED


def test_a_controller_that_drives_the_motion_out_of_bounds_stops_the_adaptive_method():
    with pytest.raises(SimulationError, match="hardly advances|blew up"):
        planar_two_link().simulate([0.1, 0.2], [0.1, 0.1], 5.0, lambda t, q, qd: 1e4 * qd)


def test_what_is_no_name_is_refused_as_known():
    robot = planar_two_link()
    with pytest.raises(StateError, match=r"known\['torque'\] must be names of joints or ..., got 5"):
        robot.hybrid_dynamics([0, 0], [0, 0], known={"torque": 5})


@pytest.mark.slow
def test_a_short_run_that_hardly_advances_ends_too(monkeypatch):
    """Friction that holds, in a run so short that steps of 1e-10 s are a fair share of it."""
    monkeypatch.setattr("lissom.simulate.variable_steps.PATIENCE", 200)
    robot = puma560().locked({"joint_4": 1.59394e-6})

    def torque(t, q, qd):
        if torque.calls > 50_000:
            pytest.fail(f"still at t = {t}")
        torque.calls += 1
        return hold - 300 * q - 40 * qd

    torque.calls, hold = 0, robot.gravity_torques(np.zeros(5))
    run = robot.simulate(np.zeros(5), np.zeros(5), 1e-4, torque, method="implicit", rtol=1e-4, atol=1e-4, throw=False)
    assert run.status is Status.STUCK
