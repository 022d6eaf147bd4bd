"""Distances of capsules of links from boxes: values beside the links' poses, derivatives beside differences."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.predict import Box, Capsule, Sphere, State
from lissom.predict.quantities.box_clearances import BoxClearances
from lissom.predict.quantities.clearances import Meeting
from lissom.robots import tree_model
from lissom.spatial.quaternion import rotation_from_quaternions
from support.states import error

MODEL = tree_model(4, branching=1.4, skew=0.7, seed=4, kinds=["revolute", "prismatic", "revolute"])
TIP, SIDE = MODEL.links[-1].name, MODEL.links[2].name
OWN = Capsule([0.1, -0.2, 0.3], [0.4, 0.1, -0.3], 0.05)
TURN = rotation_from_quaternions(np.array([0.3, -0.2, 0.5, 0.8]))
MEETINGS = (
    Meeting(TIP, OWN, None, Box([0.5, 0.4, -0.3], [0.6, 0.3, 0.2], TURN), "box"),
    Meeting(TIP, Sphere([0.1, 0.1, 0.0], 0.1), None, Box([0.5, 0.4, -0.3], [0.6, 0.3, 0.2]), "sphere"),
    Meeting(TIP, OWN, SIDE, Box([0.2, 0.0, 0.1], [0.3, 0.3, 0.5], TURN), "carried"),
)


@pytest.fixture(scope="module")
def quantity():
    return BoxClearances(Robot(MODEL), MEETINGS)


def random_state(n, count=12):
    rng = np.random.default_rng(1)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, n)) for _ in range(4)))


def test_values_are_those_of_points_sampled_on_the_axes(quantity):
    state, share = random_state(MODEL.nv), np.linspace(0, 1, 2001)[:, None]
    order, outside = [link.name for link in MODEL.links], 0
    for k, poses in enumerate(quantity.ends.robot.link_poses(state.rates[0])):
        for entry, met in enumerate(MEETINGS):
            ends = np.array(met.body.core) @ poses[order.index(met.link)][:3, :3].T + poses[order.index(met.link)][:3, 3]
            carrier = np.eye(4) if met.other is None else poses[order.index(met.other)]
            points = (ends[0] + share * (ends[1] - ends[0]) - carrier[:3, 3]) @ carrier[:3, :3]
            points = (points - met.solid.center) @ np.array(met.solid.rotation)
            sampled = np.linalg.norm(np.maximum(np.abs(points) - 0.5 * np.array(met.solid.size), 0.0), axis=1).min()
            found = quantity.values(state)[k, entry] + met.body.radius
            assert sampled - 1e-3 < found < sampled + 1e-12 if sampled > 0 else found < 1e-9
            outside += sampled > 0
    assert outside > 20


def test_derivatives_are_those_of_differences(quantity):
    state, n, h = random_state(MODEL.nv), MODEL.nv, 1e-6
    weights = np.random.default_rng(2).uniform(-1, 1, (len(state), quantity.size))
    found, bend = quantity.derivatives(state)[0], quantity.curvature(state, weights)[:, 0, :, 0]
    assert not found[:, ~quantity.depends].any() and not quantity.depends.all()
    for j in range(n):
        near = [State((state.rates[0] + sign * h * np.eye(n)[j],) * 4) for sign in (1, -1)]
        values = [quantity.values(each) for each in near]
        assert error(found[:, :, j], (values[0] - values[1]) / (2 * h)) < 1e-8
        slopes = [quantity.derivatives(each)[0] for each in near]
        assert error(bend[:, j], np.einsum("ks,ksn->kn", weights, (slopes[0] - slopes[1]) / (2 * h))) < 1e-6


def test_closed_robots_have_the_distances_of_their_tree():
    robot = lissom.robots.five_bar()
    q, name = robot.home()[None], robot.model.links[-1].name
    met = Meeting(name, Sphere([0.01, 0.02, 0.03], 0.01), None, Box([1.0, 2.0, 3.0], [0.2, 0.2, 0.2]), "box")
    pose = robot.poses_along(q)[0, -1]
    beyond = np.maximum(np.abs(pose[:3, :3] @ [0.01, 0.02, 0.03] + pose[:3, 3] - [1.0, 2.0, 3.0]) - 0.1, 0.0)
    found = BoxClearances(robot, [met]).values(State((q,) * 4))[0, 0]
    assert found == pytest.approx(np.linalg.norm(beyond) - 0.01, rel=1e-12)
