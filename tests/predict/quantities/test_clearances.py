"""Distances of capsules of links: values beside the links' poses, derivatives beside complex steps and differences."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.predict import Capsule, Sphere, State
from lissom.predict.quantities.clearances import Clearances, Meeting
from lissom.robots import tree_model
from support.complex_step import H, evaluate
from support.states import error

MODEL = tree_model(4, branching=1.4, skew=0.7, seed=4, kinds=["revolute", "prismatic", "revolute"])
TIP, SIDE = MODEL.links[-1].name, MODEL.links[2].name
OWN = Capsule([0.1, -0.2, 0.3], [0.4, 0.1, -0.3], 0.05)
MEETINGS = (
    Meeting(TIP, OWN, None, Capsule([0.5, 0.4, -0.3], [-0.8, 0.2, 0.9], 0.1), "capsule"),
    Meeting(TIP, OWN, None, Sphere([0.5, 0.4, -0.3], 0.1), "sphere"),
    Meeting(TIP, Sphere([0.1, 0.1, 0.0], 0.1), SIDE, Capsule([0.2, 0.0, 0.0], [0.0, 0.3, 0.1], 0.02), "itself"),
)


@pytest.fixture(scope="module")
def quantity():
    return Clearances(Robot(MODEL), MEETINGS)


def random_state(n, count=6):
    rng = np.random.default_rng(1)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, n)) for _ in range(4)))


def test_values_are_those_of_points_sampled_on_the_axes(quantity):
    state, share = random_state(MODEL.nv), np.linspace(0, 1, 401)[:, None]
    order = [link.name for link in MODEL.links]
    for k, poses in enumerate(quantity.robot.link_poses(state.rates[0])):
        for entry, met in enumerate(MEETINGS):
            clouds = []
            for link, solid in ((met.link, met.body), (met.other, met.solid)):
                pose = np.eye(4) if link is None else poses[order.index(link)]
                ends = np.array(solid.core) @ pose[:3, :3].T + pose[:3, 3]
                clouds.append(ends[0] + share * (ends[1] - ends[0]))
            sampled = np.linalg.norm(clouds[0][:, None] - clouds[1], axis=-1).min()
            found = np.sqrt(quantity.values(state)[k, entry])
            assert sampled - 4e-3 < found < sampled + 1e-12


def test_derivatives_are_those_of_complex_steps(quantity):
    state, n = random_state(MODEL.nv), MODEL.nv
    task = quantity._maker(MODEL, **quantity.options)
    expected = np.zeros((1, len(state), quantity.size, n))
    for j in range(n):
        step = state.rates[0] + 1j * H * np.eye(n)[j]
        expected[0, :, :, j] = np.imag(evaluate(task, [step])) / H
    assert error(quantity.derivatives(state), expected) < 1e-12


def test_second_derivatives_are_differences_of_the_first(quantity):
    state, n, h = random_state(MODEL.nv), MODEL.nv, 1e-6
    weights = np.random.default_rng(2).uniform(-1, 1, (len(state), quantity.size))
    found = quantity.curvature(state, weights)[:, 0, :, 0]
    for j in range(n):
        sides = [quantity.derivatives(State((state.rates[0] + sign * h * np.eye(n)[j],) * 4))[0] for sign in (1, -1)]
        slope = np.einsum("ks,ksn->kn", weights, (sides[0] - sides[1]) / (2 * h))
        assert error(found[:, j], slope) < 1e-6


def test_closed_robots_have_the_distances_of_their_tree():
    robot = lissom.robots.five_bar()
    q = robot.home()[None]
    name = robot.model.links[-1].name
    met = Meeting(name, Sphere([0.01, 0.02, 0.03], 0.01), None, Sphere([1.0, 2.0, 3.0], 0.1), "sphere")
    pose = robot.poses_along(q)[0, -1]
    between = pose[:3, :3] @ [0.01, 0.02, 0.03] + pose[:3, 3] - [1.0, 2.0, 3.0]
    assert Clearances(robot, [met]).values(State((q,) * 4))[0, 0] == pytest.approx(between @ between, rel=1e-12)
