"""External wrenches in a simulation: what is stored agrees with them, and one wrench serves all states of a batch."""

import numpy as np
import pytest

from lissom import Robot, Wrench
from lissom.robots import planar_two_link, tree_model
from support.states import random_states

METHODS = [{}, {"method": "implicit"}, {"method": "rk4", "dt": 0.01}, {"method": "semi_implicit", "dt": 0.01}]
PUSH = {"link_2": Wrench((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), axes="world", point=(0.1, 0.2, 0.0))}


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_stored_accelerations_are_those_under_the_wrench(options):
    robot = planar_two_link()
    run = robot.simulate([0.3, 0.4], [0.0, 1.0], 0.2, [0.5, -0.2], external=PUSH, **options)
    assert np.abs(run.qdd - robot.forward_dynamics(run.q, run.qd, run.tau, external=PUSH)).max() < 1e-12
    assert np.abs(run.qdd - robot.forward_dynamics(run.q, run.qd, run.tau)).max() > 1.0


@pytest.mark.sweep("lead1-{'method': 'semi")
@pytest.mark.parametrize("options", METHODS[1:], ids=str)
@pytest.mark.parametrize("lead", [(5,), (2, 3)])
def test_one_wrench_pushes_every_state_of_a_batch(options, lead):
    robot = Robot(tree_model(3, seed=2, floating=True, drives=False))
    push = {robot.link_names[-1]: Wrench((3.0, -2.0, 1.0), axes="link", point=(0.1, 0.0, 0.2))}
    q, qd, _ = random_states(robot.model, lead, seed=3, size=0.5)
    many = robot.simulate(q, qd, 0.1, external=push, **options)
    for index in np.ndindex(*lead):
        one = robot.simulate(q[index], qd[index], 0.1, external=push)
        same = robot.simulate(q[index], qd[index], 0.1, external=push, **options)
        assert np.abs(many.end.qd[index] - same.end.qd).max() < (1e-5 if options["method"] == "implicit" else 1e-11)
        if options["method"] != "semi_implicit":
            assert np.abs(many.end.qd[index] - one.end.qd).max() < 1e-5
