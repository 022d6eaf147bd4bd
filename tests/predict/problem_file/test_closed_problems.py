"""Built-in problems of closed robots: a simulation with the predicted torques returns the motion."""

import numpy as np
import pytest

from support.builtin_problems import solved


@pytest.mark.slow
@pytest.mark.parametrize("name", ["five_bar_pick", "hexapod_path"])
def test_predicted_torques_move_a_closed_robot_as_predicted(name):
    found = solved(name)
    q0, qd0, _ = found.coordinates(0.0)
    run = found.robot.simulate(q0, qd0, found.duration, lambda t, q, qd: found.torques(t), rtol=1e-12, atol=1e-12)
    assert found.success and np.abs(run.q - found.coordinates(run.t)[0]).max() < 1e-6
