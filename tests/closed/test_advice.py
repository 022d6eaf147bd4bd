"""Messages name calls that run: each advice is followed here."""

import ast
import copy
import dataclasses
import pickle
import re

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, ModelError, Robot, StateError


def five_bar(**changes):
    return lissom.robots.five_bar_model().replace(**changes)


def advised_joints(text):
    """Return the list that a message writes as active=[...]."""
    return tuple(ast.literal_eval(re.search(r"active=(\[[^\]]+\])", text).group(1)))


def test_active_joints_that_are_missing():
    with pytest.raises(ModelError) as caught:
        ClosedRobot(five_bar(active=("left",))).nq  # noqa: B018
    assert ClosedRobot(five_bar(active=advised_joints(str(caught.value)))).nq == 2


def test_no_active_joints_at_all(tmp_path):
    path = tmp_path / "five.yaml"
    lissom.write.save(five_bar(active=None), path)
    robot = lissom.load(path)
    with pytest.raises(ModelError, match="give active=") as caught:
        robot.nq  # noqa: B018
    proposed = re.search(r"freedom, (.*) for example", str(caught.value)).group(1)
    assert lissom.load(path, active=list(ast.literal_eval(f"[{proposed}]"))).nq == 2


def test_trees_and_loops():
    with pytest.raises(ModelError, match=r"lissom.ClosedRobot\(model\).*lissom.Robot\(model.without_loops\(\)\)"):
        Robot(five_bar())
    assert ClosedRobot(five_bar()).nq == 2 and Robot(five_bar().without_loops()).nq == 4


def test_configurations_that_do_not_close():
    robot = ClosedRobot(five_bar(), backend="numpy")
    with pytest.raises(StateError, match=r"closure\(q\) and assemble\(q, posture\) find one"):
        robot.inverse_dynamics(None, [0, 0], [0, 0], tree_q=robot.home_tree_q() + 0.1)
    for tree in (robot.closure(robot.home()), robot.assemble(robot.home(), {"left_elbow": -1.0})):
        assert robot.inverse_dynamics(None, [0, 0], [0, 0], tree_q=tree).shape == (2,)
    with pytest.raises(StateError, match=r"leave one of the two out \(q=None\)"):
        robot.inverse_dynamics(robot.home() + 0.1, [0, 0], [0, 0], tree_q=robot.home_tree_q())
    with pytest.raises(StateError, match="give coordinates q, or tree_q="):
        robot.mass_matrix(None)


def test_a_way_that_leads_to_another_branch():
    """The slider-crank, beyond its dead points: a place on the other branch is found by assemble, and near= takes it."""
    robot = lissom.robots.four_bar()
    far = [1.0 + 2 * np.pi * 5000]
    with pytest.raises(StateError, match="give near=, a configuration nearby"):
        robot.closure(far)
    near = robot.assemble(far)
    assert np.abs(robot.closure(far, near=near) - near).max() < 1e-12


UNUSABLE = {
    "undriven": lambda: ClosedRobot(five_bar(active=None)),
    "under-actuated": lambda: ClosedRobot(five_bar(active=("left",))),
    "open": lambda: ClosedRobot(five_bar(posture=(), loops=[_moved(lissom.robots.five_bar_model().loops[0])])),
}


def _moved(loop):
    return dataclasses.replace(loop, second_pose=lissom.Pose(translation=(9.0, 0.0, 0.0)))


@pytest.mark.parametrize("name", ["undriven", "under-actuated", pytest.param("open", marks=pytest.mark.slow)])
def test_mechanisms_that_cannot_be_used_can_be_shown_copied_and_looked_at(name):
    robot = UNUSABLE[name]()
    assert repr(robot) == str(robot) and repr(robot).startswith("<ClosedRobot 'five_bar': 1 loop, not usable: ")
    assert "\n" not in repr(robot)
    assert repr(pickle.loads(pickle.dumps(robot))) == repr(robot)
    assert copy.copy(robot).model is robot.model and copy.deepcopy(robot).model == robot.model
    assert "inverse_dynamics" in dir(robot)
    assert "five_bar" in robot._repr_html_() and not hasattr(robot, "no_such_thing")
    assert robot.model.name == robot.name == "five_bar"
    for get in (lambda: robot.nq, lambda: robot.home(), lambda: robot.velocity_names, lambda: robot.free_names):
        with pytest.raises(lissom.LissomError):
            get()
