"""Runs that fail near a pose where loops lose an equation: the pose is blamed only where it is to blame."""

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, SimulationError, StateError
from lissom.closed.run import ClosedAdaptive
from lissom.simulate import Status


@pytest.fixture(scope="module")
def parallelogram():
    model = lissom.robots.four_bar_model(crank=0.2, coupler=0.5, rocker=0.2, ground=0.5)
    posture = (("crank_joint", (1.0,)), ("coupler_joint", (-1.0,)), ("rocker_joint", (1.0,)))
    return ClosedRobot(model.replace(posture=posture))


@pytest.mark.parametrize("angle", [3e-5, 5e-6])
def test_what_a_controller_did_wrong_is_said_as_it_is_near_a_singular_pose(parallelogram, angle):
    """All bars lie in one line at 0, and the margin of the closure is below 1e-5 here."""

    def torque(t, q, qd):
        raise ZeroDivisionError("no gain")

    with pytest.raises(SimulationError, match="the torque function failed at t = 0 s: ZeroDivisionError: no gain") as caught:
        parallelogram.simulate([angle], [1.0], 1.0, torque)
    assert caught.value.status is Status.CONTROLLER_FAILED


def test_a_configuration_that_is_not_finite_is_not_searched_for_lost_equations(monkeypatch):
    def rates(self, t, y):
        self.looked_at = np.full(self.nq, np.nan)  # a trial step beyond all numbers
        raise StateError("the velocities of this configuration are not finite")

    monkeypatch.setattr(ClosedAdaptive, "_rates", rates)
    robot = lissom.robots.four_bar()
    with pytest.raises(SimulationError, match="the motion blew up at t = 0 s") as caught:
        robot.simulate(robot.home(), [1.0], 1.0)
    assert caught.value.status is Status.BLEW_UP
