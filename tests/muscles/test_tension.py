"""Tension: moment arms and wrenches of taut paths, beside derivatives of lengths, and OpenSim's."""

import numpy as np
import pytest

from lissom import Coupling, Joint, JointKind, Link, Model, Pose, Robot
from lissom.joints.function import Polynomial
from lissom.muscles import Moving, Muscle, Muscles, Path, Point, When, read_muscles
from muscles.test_paths import BODY, PATHS, SAMPLES, arm, muscle
from support.osim import published
from support.osim_judge import judge


def some(*names):
    return Muscles(arm(), [muscle(name, PATHS[name]) for name in names])


def test_taut_paths_that_are_as_short_as_they_can_be_have_the_derivatives_of_their_lengths():
    muscles = some("straight", "geodesic", "moving", "conditional")
    lengths, arms = muscles.lengths_and_arms(SAMPLES)
    assert np.allclose(lengths, muscles.lengths(SAMPLES), atol=1e-14)
    assert np.allclose(arms, muscles.moment_arms(SAMPLES), atol=1e-12)


@pytest.mark.slow
def test_around_other_surfaces_they_are_near():
    muscles = some("cylinder", "two")
    lengths, arms = muscles.lengths_and_arms(SAMPLES)
    assert np.allclose(lengths, muscles.lengths(SAMPLES), atol=1e-14)
    assert np.median(np.abs(arms - muscles.moment_arms(SAMPLES))) < 1e-4


def test_wrenches_of_tension_have_the_torques_of_its_moment_arms():
    muscles = some("straight", "cylinder", "two", "conditional")
    forces, still = np.random.default_rng(4).uniform(50, 300, (12, 4)), np.zeros((12, 2))
    loads = muscles.wrenches(SAMPLES, forces, taut=True)
    robot, arms = muscles.robot, muscles.lengths_and_arms(SAMPLES)[1]
    tau = robot.inverse_dynamics(SAMPLES, still, still, external=loads) - robot.inverse_dynamics(SAMPLES, still, still)
    assert np.allclose(-tau, np.einsum("kmv,km->kv", arms, forces), atol=1e-9)


def test_points_that_move_with_a_joint_that_follows_pull_on_its_leader():
    turn = {"origin": Pose(translation=(0.3, 0, 0)), "axis": (0, 0, 1)}
    joints = (
        Joint("a", JointKind.REVOLUTE, "base", "one", axis=(0, 0, 1)),
        Joint("b", JointKind.REVOLUTE, "one", "two", coupling=Coupling("a", -0.7, 0.1), **turn),
        Joint("c", JointKind.REVOLUTE, "two", "three", **turn),
    )
    robot = Robot(Model("chain", [Link("base"), *(Link(name, BODY) for name in ("one", "two", "three"))], joints))
    slide = Moving("b", Polynomial((0.02, 0.05, 0.01)))
    path = Path(
        (
            Point("base", (0.1, 0.05, 0.0)),
            Point("one", (0.2, 0.04, 0.0), When("b", -0.3, 0.2)),
            Point("two", (0.1, slide, 0.01)),
            Point("three", (0.1, 0.03, 0.0)),
        )
    )
    muscles = Muscles(robot, [Muscle("m", path, 800, 0.1, 0.2)])
    q = np.random.default_rng(0).uniform(-0.8, 0.8, (20, 2))
    assert np.allclose(muscles.lengths_and_arms(q)[1], muscles.moment_arms(q), atol=1e-12)


@pytest.mark.parametrize(
    "name", ["leg6dof9musc.osim", pytest.param("arm26.osim", marks=pytest.mark.slow), "gait10dof18musc/gait10dof18musc.osim"]
)
def test_moment_arms_by_tension_are_those_of_opensim(name):
    opensim = judge()
    path = published(name)
    muscles = read_muscles(path)
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(joint.name) for joint in muscles.robot.model.independent_joints]
    theirs = [model.getMuscles().get(name) for name in muscles.names]
    rng = np.random.default_rng(3)
    for _ in range(6):
        for own in coordinates:
            own.setValue(state, rng.uniform(max(own.getRangeMin(), -0.8), min(own.getRangeMax(), 0.8)), False)
        model.assemble(state)
        model.realizePosition(state)
        lengths, arms = muscles.lengths_and_arms([own.getValue(state) for own in coordinates])
        assert lengths == pytest.approx([muscle.getLength(state) for muscle in theirs], abs=1e-6)
        expected = [[muscle.computeMomentArm(state, own) for own in coordinates] for muscle in theirs]
        assert arms == pytest.approx(np.array(expected), abs=1e-6)
