"""Where the coordinates of each joint stand."""

from __future__ import annotations

import numpy as np
import pytest

from lissom import Robot, robots
from lissom.model.layout import Layout
from lissom.model.names import coordinate_names, velocity_names


@pytest.fixture(scope="module", params=range(3))
def robot(request: pytest.FixtureRequest) -> Robot:
    return robots.tree(7, seed=request.param)


def test_places_follow_one_another_and_fill_the_state(robot: Robot) -> None:
    layout = robot.model.layout
    assert [i for place in layout for i in range(place.q.start, place.q.stop)] == list(range(robot.nq))
    assert [i for place in layout for i in range(place.v.start, place.v.stop)] == list(range(robot.nv))
    assert (layout.nq, layout.nv) == (robot.nq, robot.nv)


def test_a_place_is_found_by_the_name_of_its_joint(robot: Robot) -> None:
    for joint in robot.model.independent_joints:
        place = robot.model.layout.of(joint.name)
        assert place.joint is joint and place.kind is joint.kind
        assert all(name.startswith(joint.name) for name in coordinate_names(robot.model)[place.q])
        assert all(name.startswith(joint.name) for name in velocity_names(robot.model)[place.v])


def test_a_coupled_joint_has_no_place() -> None:
    model = robots.tree(8, seed=1, kinds=["revolute"], coupled=0.9).model
    follower = next(joint for joint in model.joints if joint.coupling is not None)
    with pytest.raises(KeyError, match=follower.name):
        model.layout.of(follower.name)


def test_the_neutral_configuration_has_unit_quaternions_and_zeros(robot: Robot) -> None:
    q = np.array(robot.model.layout.neutral)
    for _, where in robot.model.layout.quaternions:
        assert q[where].tolist() == [0.0, 0.0, 0.0, 1.0]
        q[where] = 0.0
    assert not q.any()


def test_no_joints_make_an_empty_layout() -> None:
    assert (Layout.of_joints(()).nq, Layout.of_joints(()).nv, Layout.of_joints(()).neutral) == (0, 0, [])
