"""Muscles in formulas: the same torques as by moment arms, and a motion whose torques come from activations."""

import importlib.util

import numpy as np
import pytest

import lissom
from lissom import StateError
from lissom.muscles import Muscle, Muscles, Path, Point, muscle_torques
from muscles.test_paths import PATHS, SAMPLES, arm


def test_torques_in_a_formula_are_those_of_forces_and_moment_arms():
    names = ("straight", "cylinder", "two", "moving")
    muscles = Muscles(arm(), [Muscle(name, PATHS[name], 400, 0.1, 0.12) for name in names])
    rng = np.random.default_rng(0)
    qd, a = rng.normal(size=(12, 2)), rng.uniform(0, 1, (12, 4))
    found = np.array(muscle_torques(muscles, list(SAMPLES.T), list(qd.T), list(a.T))).T
    assert np.allclose(found, muscles.torques(SAMPLES, muscles.forces(SAMPLES, qd, a)), atol=1e-9)


def test_wrong_input_is_refused():
    muscles = Muscles(arm(), [Muscle("straight", PATHS["straight"], 400, 0.1, 0.12)])
    with pytest.raises(StateError, match="activations has 2 values, expected 1"):
        muscle_torques(muscles, [0.0, 0.0], [0.0, 0.0], [0.1, 0.1])
    links = (lissom.Link("base"), lissom.Link("body", lissom.Inertia(1, (0, 0, 0), np.eye(3))))
    ball = lissom.Robot(lissom.Model("ball", links, (lissom.Joint("j", "spherical", "base", "body"),)))
    turning = Muscles(ball, [Muscle("m", Path((Point("base", (0, 0, 0)), Point("body", (1, 0, 0)))), 400, 0.1, 0.12)])
    with pytest.raises(StateError, match="robot 'ball' has quaternions"):
        muscle_torques(turning, [0.0] * 4, [0.0] * 3, [0.1])


@pytest.mark.slow
def test_activations_move_an_arm():
    if importlib.util.find_spec("casadi") is None:  # not imported, since OpenSim may be in this process
        pytest.skip("casadi, the extra predict, is not installed")
    links = (lissom.Link("upper"), lissom.Link("lower", lissom.Inertia(1.5, (0.12, 0, 0), np.diag([0.001, 0.02, 0.02]))))
    joint = lissom.Joint("elbow", "revolute", "upper", "lower", lissom.Pose(translation=(0.3, 0, 0)), axis=(0, 0, 1))
    robot = lissom.Robot(lissom.Model("elbow", links, (joint,), gravity=(0, -9.81, 0)))
    flexor = Path((Point("upper", (0.05, 0.02, 0)), Point("lower", (0.04, 0.02, 0))))
    extensor = Path((Point("upper", (0.05, -0.04, 0)), Point("upper", (0.31, -0.04, 0)), Point("lower", (0.03, -0.03, 0))))
    muscles = Muscles(robot, [Muscle("flexor", flexor, 900, 0.12, 0.15), Muscle("extensor", extensor, 700, 0.1, 0.2)])

    def missing(robot, q, qd, qdd, activation):
        own = muscle_torques(muscles, q, qd, activation)
        return [tau - made for tau, made in zip(robot.get("torque"), own, strict=True)]

    problem = lissom.MotionProblem(robot, control_points=10, duration=0.8).channel("activation", ["flexor", "extensor"])
    gap = lissom.predict.quantity(robot, missing, "elbow", "N m", channels={"activation": 2})
    knots = np.linspace(0, 1, problem.basis.spans + 1)
    problem = problem.start([0.3]).end([1.2]).limit(gap, 0, 0, at=knots).limit("activation", 0.01, 1.0)
    found = problem.minimize("integral", 1.0, "activation").solve()
    assert found.success
    t = 0.8 * knots
    q, qd, qdd, _ = found.path.states(t)
    a = found.channel("activation", t)
    made = muscles.torques(q, muscles.forces(q, qd, a))
    assert np.allclose(made, robot.inverse_dynamics(q, qd, qdd), atol=1e-4)
    assert a.min() > 0.009 and a.max() < 1.001
