"""Elastic joints in motion: energy goes to and fro between masses and springs, dampers take it, stiff springs hold."""

import dataclasses

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Model, Robot, Spring
from lissom.robots import planar_two_link_model, tree_model
from support.springs import stiffness_and_damping
from support.states import random_states

TREES = [{"n": 4, "kinds": ["revolute"]}, {"n": 6, "coupled": 0.3}, {"n": 5, "floating": True, "branching": 2}]


def with_spring(model, name, spring):
    return model.with_joints(lambda joint: dataclasses.replace(joint, spring=spring) if joint.name == name else joint)


@pytest.mark.sweep("'n': 4")
@pytest.mark.parametrize("arguments", TREES, ids=str)
def test_energy_of_an_undriven_tree_with_springs_is_kept_over_ten_seconds(arguments):
    model = tree_model(seed=1, drives=False, springs=0.7, **arguments)
    falls = any(joint.kind.nv > 1 for joint in model.joints)  # its speed would hide what springs do
    robot = Robot(model.replace(gravity=(0, 0, 0)) if falls else model)
    q, qd, _ = random_states(robot.model, seed=1)
    trajectory = robot.simulate(q, qd, 10.0)
    energy, size = trajectory.energy, np.abs(trajectory.kinetic_energy).max()
    assert np.abs(energy - energy[0]).max() < 1e-8 * size
    assert np.ptp(trajectory.spring_energy) > 0.01 * size


def test_dampers_and_drives_account_for_the_change_of_energy():
    model = with_spring(planar_two_link_model(), "elbow", Spring(40.0, 0.3, 0.8))
    robot = Robot(model)
    run = robot.simulate([0.3, 0.4], [0.0, 0.0], 1.0, lambda t, q, qd: np.array([3 * np.sin(5 * t), 0.0]), sample=1e-3)
    _, D = stiffness_and_damping(model)
    power = np.sum((run.tau - D * run.qd) * run.qd, axis=-1)
    # Simpson's rule: its error falls with the fourth power of the time between samples
    weights = np.r_[1, np.tile([4, 2], (len(power) - 3) // 2), 4, 1] * 1e-3 / 3
    assert run.energy[-1] - run.energy[0] == pytest.approx(weights @ power, abs=1e-8)
    assert run.energy[-1] < run.energy[0] + 1.0


@pytest.mark.parametrize(("kind", "inertia"), [("revolute", 0.5), ("prismatic", 2.0)])
def test_one_joint_swings_as_the_damped_oscillator_of_the_textbook(kind, inertia):
    K, rest, D = 30.0, 0.2, 0.6
    body = Link("body", Inertia(2.0, (0, 0, 0), np.eye(3) * 0.5))
    joint = Joint("spring", kind, "ground", "body", spring=Spring(K, rest, D))
    robot = Robot(Model("oscillator", (Link("ground"), body), (joint,), (0.0, 0.0, 0.0)))
    run = robot.simulate([1.0], [0.0], 5.0)
    decay = D / (2 * inertia)
    w = np.sqrt(K / inertia - decay**2)
    expected = rest + (1.0 - rest) * np.exp(-decay * run.t) * (np.cos(w * run.t) + decay / w * np.sin(w * run.t))
    assert np.abs(run.q[:, 0] - expected).max() < 1e-10


@pytest.mark.slow
def test_a_stiff_spring_tends_to_the_rigid_model_with_its_compliance():
    model = planar_two_link_model()
    start, tau = np.array([0.3, 0.4]), np.array([1.0, 0.0])
    rigid = Robot(model).locked({"elbow": start[1]}).simulate(start[:1], [0.0], 0.2, tau[:1]).end.q[0]
    apart = []
    for K in (1e4, 1e5, 1e6):
        soft = Robot(with_spring(model, "elbow", Spring(K, start[1])))
        end = soft.simulate(start, [0.0, 0.0], 0.2, tau, rtol=1e-10, atol=1e-13).end
        apart.append(max(abs(end.q[0] - rigid), abs(end.q[1] - start[1])))
    assert apart[0] < 1e-2
    assert apart[1] < 0.3 * apart[0] and apart[2] < 0.3 * apart[1] and apart[2] < 1e-4


def test_a_semi_implicit_step_keeps_a_stiff_spring_up_to_the_bound_of_its_frequency():
    model = with_spring(planar_two_link_model(), "elbow", Spring(1e6, 0.4)).replace(gravity=(0, 0, 0))
    robot, q = Robot(model), np.array([0.3, 0.4 + 1e-6])
    M, (K, _) = robot.mass_matrix(q), stiffness_and_damping(model)
    bound = 2 / np.sqrt(np.linalg.eigvals(np.linalg.solve(M, np.diag(K))).real.max())
    held = robot.simulate(q, [0.0, 0.0], 1000 * 0.9 * bound, method="semi_implicit", dt=0.9 * bound)
    assert np.abs(held.q - q).max() < 1e-4
    lost = robot.simulate(q, [0.0, 0.0], 200 * 1.1 * bound, method="semi_implicit", dt=1.1 * bound, throw=False)
    assert np.abs(lost.q - q).max() > 1e-2
