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
        ({"method": "implicite"}, "no method 'implicite'; did you mean 'implicit' or 'semi_implicit'?"),
        ({"method": "automatic"}, "no method 'automatic'; did you mean 'auto'?"),
        ({"method": None}, "no method None; expected one of 'adaptive', 'implicit', 'auto', 'rk4', 'semi_implicit'"),
        ({"method": "rk4"}, "method='rk4' needs a step: dt=1e-3"),
        ({"dt": 0.01}, "dt is the step of the fixed-step methods"),
        ({"method": "implicit", "dt": 0.01}, "dt is the step of the fixed-step methods .* and method='implicit' chooses its own"),
        ({"method": "implicit", "rtol": -1e-6}, "rtol is -1e-06, expected a positive finite number"),
        ({"method": "implicit", "atol": 0.0}, "atol is 0, expected a positive finite number"),
        ({"method": "auto", "rtol": 1e-16}, "rtol is 1e-16; expected at least 2.2e-14"),
        ({"method": "auto", "dt": 0.01}, "method='auto' chooses its own"),
        ({**FIXED, "dt": 0.0}, "dt is 0, expected a positive"),
        ({**FIXED, "dt": -0.1}, "dt is -0.1, expected a positive"),
        ({**FIXED, "dt": 2.0}, "dt is 2 s, longer than the duration of 1 s"),
        ({**FIXED, "sample": 0.015}, "sample is 0.015 s, expected a multiple of dt = 0.01 s"),
        ({"sample": 0.0}, "sample is 0, expected a positive"),
        ({"hold": 0.0}, "hold is 0, expected a positive"),
        ({"rtol": 0.0}, "rtol is 0, expected a positive finite number"),
        ({"rtol": -1e-6}, "rtol is -1e-06, expected a positive"),
        (
            {**FIXED, "rtol": 1e-6},
            "rtol and atol are the tolerances of method='adaptive' and 'implicit'; 'rk4' has a step instead, dt",
        ),
        ({**FIXED, "atol": 1e-6}, "rtol and atol are the tolerances"),
        ({"atol": 0.0}, "atol is 0, expected a positive"),
        ({"rtol": 1e-16}, "rtol is 1e-16; expected at least 2.2e-14"),
        ({"q0": np.zeros((3, 2))}, r"method='adaptive' is for one state, and q0 holds \(3,\); use method='rk4' with a step dt"),
        ({"q0": np.zeros((3, 2)), "qd0": np.zeros((4, 2)), **FIXED}, r"the leading axes of q0 \(3, 2\), qd0 \(4, 2\) do not fit"),
        ({"q0": np.zeros((0, 2)), **FIXED}, r"there is no state to start from: the leading axes are \(0,\)"),
        ({"external": {"link_2": Wrench(np.zeros((4, 3)), axes="link")}}, r"external wrenches have leading axes \(4,\)"),
        ({"external": {"link_2": 3}}, "external wrench on 'link_2' must say its axes"),
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
    with pytest.raises(StateError, match="not enough memory for 501 samples; store fewer: a longer sample="):
        robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0)


@pytest.mark.parametrize("method", ["rk4", "semi_implicit"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": 1e-300}, r"with dt = 1e-300 s takes 1e\+300 steps for 1 s, more than 1e\+12; take a longer step"),
        ({"dt": 5e-324, "sample": 0.1}, "takes inf steps for 1 s"),
        ({"dt": 1e-11}, r"1e\+11 samples would take 7.2e\+03 GB, and this machine has .* GB of memory; store fewer: a longer"),
        ({"dt": 2.0}, "dt is 2 s, longer than the duration of 1 s; take a shorter step"),
        ({"dt": np.nan}, "dt is nan, expected a positive finite number"),
        ({"dt": np.inf}, "dt is inf, expected a positive finite number"),
        ({"dt": 0.1, "hold": 1e-300}, r"hold is 1e-300 s: the function would be called 1e\+300 times in 1 s, more than 1e\+08"),
    ],
    ids=str,
)
def test_absurd_steps_are_refused_before_anything_is_made(robot, method, options, message):
    with pytest.raises(StateError, match=message):
        robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0, method=method, **options)


def test_absurd_samples_of_an_adaptive_run_are_refused(robot):
    with pytest.raises(StateError, match=r"1e\+300 samples would take 7.2e\+292 GB"):
        robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0, sample=1e-300)


def test_the_states_of_a_batch_count_in_what_is_stored(robot, monkeypatch):
    # 101 samples of 1000 states, of 8 numbers each, and the times
    monkeypatch.setattr("lissom.memory.memory", lambda: 6_000_000)
    with pytest.raises(StateError, match=r"101 samples of 1000 states would take 0.00646 GB, and this machine has 0.006 GB"):
        robot.simulate(np.zeros((1000, 2)), np.zeros(2), 1.0, method="rk4", dt=0.01)
    monkeypatch.setattr("lissom.memory.memory", lambda: 8_000_000)
    assert len(robot.simulate(np.zeros((1000, 2)), np.zeros(2), 1.0, method="rk4", dt=0.01)) == 101
