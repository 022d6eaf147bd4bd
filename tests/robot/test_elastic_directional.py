"""Derivatives of elastic drives at the front door: slopes along a motion of the joints, transposes, batches, backends, loads."""

import numpy as np
import pytest

from lissom import Robot, StateError, Wrench
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import hua_arm_model

ELASTIC = [name for name, entry in CATALOGUE.items() if entry.path]
LOAD = {"tip": Wrench(force=[1.0, -2.0, -3.0], axes="world")}


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def robot(request):
    return Robot(hua_arm_model(), backend=request.param)


def values(robot, name, path):
    found = getattr(robot, name)(*path, external=LOAD)
    if name != "elastic_inverse_dynamics":
        return found
    return np.concatenate([found.theta, found.theta_rate, found.theta_acceleration, found.tau], axis=-1)


@pytest.mark.sweep("numpy")
@pytest.mark.parametrize("name", ELASTIC)
def test_jvp_is_the_slope_and_vjp_its_transpose(robot, name):
    rng, orders, h = np.random.default_rng(0), len(CATALOGUE[name].state), 1e-4
    path, along = rng.uniform(-1, 1, (orders, 2, 3)), rng.normal(size=(orders, 2, 3))
    one, two = ((values(robot, name, path + k * h * along) - values(robot, name, path - k * h * along)) for k in (1, 2))
    slope = (8 * one - two) / (12 * h)
    moved = robot.jvp(name, tuple(path), tuple(along), external=LOAD)
    assert moved.shape == slope.shape == values(robot, name, path).shape
    assert np.abs(moved - slope).max() < 1e-8 * max(1.0, np.abs(slope).max())
    weights = rng.normal(size=moved.shape)
    found = robot.vjp(name, tuple(path), weights, external=LOAD)
    assert all(x.shape == (2, 3) for x in found) and len(found) == orders
    ours = sum((a * v).sum(axis=-1) for a, v in zip(found, along, strict=True))
    assert np.abs(ours - (weights * moved).sum(axis=-1)).max() < 1e-10 * max(1.0, np.abs(weights * moved).max())


def test_paths_have_the_size_of_the_joints(robot):
    with pytest.raises(StateError, match=r"q of the joints, without elastic drives, has size 4, expected 3"):
        robot.jvp("drive_deflections", tuple(np.zeros((3, 4))), (None, None, np.zeros(3)))
