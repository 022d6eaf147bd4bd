"""Every argument that cannot be is refused by name."""

import numpy as np
import pytest

from lissom import Inertia, Link, Model, Robot, StateError, Wrench
from lissom.robots import planar_two_link, tree_model

FIXED = {"method": "rk4", "dt": 0.01}


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"q0": [0.0] * 3}, r"q0 has size 3, expected 2 \(robot 'planar_two_link'\)"),
        ({"qd0": [0.0]}, "qd0 has size 1, expected 2"),
        ({"q0": 1.0}, "q0 is a single number, expected 2"),
        ({"q0": ["a", "b"]}, "q0 has dtype"),
        ({"q0": [0.0, np.nan]}, r"q0\[1\] \(joint 'elbow'\) is nan; every input must be finite"),
        ({"qd0": [np.inf, 0.0]}, r"qd0\[0\] \(joint 'shoulder'\) is inf"),
        ({"duration": 0.0}, r"duration is 0, expected a positive finite number \[s\]"),
        ({"duration": -1.0}, "duration is -1, expected a positive"),
        ({"duration": np.nan}, "duration is nan"),
        ({"duration": np.inf}, "duration is inf"),
        ({"duration": "long"}, "duration must be a number, got 'long'"),
        ({"method": "rk5"}, "no method 'rk5'; did you mean 'rk4'?"),
        ({"method": "implicit"}, "no method 'implicit'; did you mean 'semi_implicit'?"),
        ({"method": None}, "no method None; there is 'adaptive', 'rk4', 'semi_implicit'"),
        ({"method": "rk4"}, "method='rk4' needs a step: dt=1e-3"),
        ({"dt": 0.01}, "dt is the step of the fixed-step methods"),
        ({**FIXED, "dt": 0.0}, "dt is 0, expected a positive"),
        ({**FIXED, "dt": -0.1}, "dt is -0.1, expected a positive"),
        ({**FIXED, "dt": 2.0}, "dt is 2 s, longer than the duration of 1 s"),
        ({**FIXED, "sample": 0.015}, "sample is 0.015 s, expected a multiple of dt = 0.01 s"),
        ({"sample": 0.0}, "sample is 0, expected a positive"),
        ({"hold": 0.0}, "hold is 0, expected a positive"),
        ({"rtol": 0.0}, "rtol is 0, expected a positive finite number"),
        ({"rtol": -1e-6}, "rtol is -1e-06, expected a positive"),
        ({"atol": 0.0}, "atol is 0, expected a positive"),
        ({"rtol": 1e-16}, "rtol is 1e-16; float64 carries no more than 2.2e-14"),
        ({"q0": np.zeros((3, 2))}, r"method='adaptive' is for one state, and q0 holds \(3,\); use method='rk4' with a step dt"),
        ({"q0": np.zeros((3, 2)), "qd0": np.zeros((4, 2)), **FIXED}, r"the leading axes of q0 \(3, 2\), qd0 \(4, 2\) do not fit"),
        ({"q0": np.zeros((0, 2)), **FIXED}, r"there is no state to start from: the leading axes are \(0,\)"),
        ({"external": {"link_2": Wrench(np.zeros((4, 3)), frame="link")}}, r"external wrenches have leading axes \(4,\)"),
        ({"external": {"link_2": 3}}, "external wrench on 'link_2' must say its frame"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(robot, changes, message):
    arguments = {"q0": [0.1, 0.2], "qd0": [0.0, 0.0], "duration": 1.0} | changes
    with pytest.raises(StateError, match=message):
        robot.simulate(**arguments)


def test_a_zero_quaternion_is_refused():
    robot = Robot(tree_model(1, kinds=["spherical"]))
    with pytest.raises(StateError, match=r"the quaternion of joint 'joint_1' in q0 is zero \(no rotation is x y z w = 0 0 0 1\)"):
        robot.simulate(np.zeros(4), np.zeros(3), 1.0)


def test_a_robot_that_cannot_move_is_refused():
    rock = Robot(Model("rock", (Link("stone", Inertia(1.0, tensor=np.eye(3))),), ()))
    with pytest.raises(StateError, match="robot 'rock' has no joint that moves: there is nothing to simulate"):
        rock.simulate([], [], 1.0)


def test_more_samples_than_memory_are_refused(robot, monkeypatch):
    class Full:
        def empty(self, *_):
            raise MemoryError

    monkeypatch.setattr("lissom.simulate.record.np", Full())
    with pytest.raises(StateError, match=r"samples of 1 states take .* GB; store fewer: sample=..."):
        robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0)
