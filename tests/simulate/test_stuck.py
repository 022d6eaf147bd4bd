"""Runs of the adaptive method that would never end."""

import numpy as np
import pytest

from lissom import Friction, Inertia, Joint, Link, Model, Robot
from lissom.errors import SimulationError, StateError
from lissom.robots import planar_two_link
from lissom.simulate import Status

EYE = ((0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1))


def test_friction_that_holds_a_joint_stops_the_adaptive_method_with_advice():
    links = (Link("base"), Link("arm", Inertia(1.0, (0, 0, 0), EYE)))
    robot = Robot(Model("brake", links, (Joint("hinge", "revolute", "base", "arm", friction=Friction(0.0, 0.5)),)))
    with pytest.raises(SimulationError, match="hardly gets on at t = .*joint 'hinge'.*Coulomb friction") as caught:
        robot.simulate([0.0], [1.0], 10.0)
    assert caught.value.status is Status.STUCK
    # it came to rest where a constant deceleration of 5 rad/s^2 brings it
    assert np.isclose(caught.value.time, 0.2, atol=1e-3)
    assert caught.value.trajectory.t[-1] <= caught.value.time
    assert robot.simulate([0.0], [1.0], 1.0, method="rk4", dt=1e-3).status is Status.FINISHED


def test_a_controller_that_drives_the_motion_out_of_bounds_stops_the_adaptive_method():
    with pytest.raises(SimulationError, match="hardly gets on|blew up"):
        planar_two_link().simulate([0.1, 0.2], [0.1, 0.1], 5.0, lambda t, q, qd: 1e4 * qd)


def test_what_is_no_name_is_refused_as_known():
    robot = planar_two_link()
    with pytest.raises(StateError, match=r"known\['force'\] must be names of joints or ..., got 5"):
        robot.hybrid_dynamics([0, 0], [0, 0], known={"force": 5})
