"""The problems that ship with lissom, and those of examples/ with robots from URDF files, are solved."""

from pathlib import Path

import numpy as np
import pytest

from lissom.predict import builtin_problems, load
from support.builtin_problems import solved
from support.published import ROBOTS

FOLDER = Path(__file__).parents[3] / "examples" / "problems"
EXAMPLES = sorted(path for path in FOLDER.glob("*.yaml") if not path.is_symlink())  # the others are built-in ones
APART = (
    "panda_torque_rate",
    "g1_step",
    "talos_step",
    "squat_to_stand",
    "box_lift",
    "thesis_gait",
)  # solved in tests of their own
FILES = {"ur5": ROBOTS / "ur_description/urdf/ur5_robot.urdf", "panda": ROBOTS / "panda_description/urdf/panda.urdf"}


def check(prediction, violation):
    """The motion keeps to its ends and limits; torques come from the robot itself, not from the solver."""
    assert prediction.success, prediction.message
    problem, T = prediction.problem, prediction.duration
    q, qd, _, _ = prediction.states(np.array([0.0, T]))
    for side, at in (("start", 0), ("end", 1)):
        for told, value in (("position", q[at]), ("velocity", qd[at])):
            assert np.allclose(value, problem.ends[side].get(told, value), atol=1e-8)
    assert prediction.violation < violation
    effort = (1 + violation) * prediction.robot.limits.effort
    assert (np.abs(prediction.torques(prediction.times(501))) < effort).all()


@pytest.mark.sweep("panda_via")
@pytest.mark.parametrize("name", [name for name in builtin_problems() if name not in APART])
def test_builtin_problems_are_solved(name):
    check(solved(name), 0.05)


@pytest.mark.slow
def test_torque_rates_are_kept():
    prediction = solved("panda_torque_rate")
    check(prediction, 0.08)
    assert np.abs(prediction.torque_rates(prediction.times(501))).max() < 200 * 1.08


@pytest.mark.slow
def test_the_via_pose_is_met_and_the_ball_is_avoided():
    prediction = solved("panda_via")
    q = prediction.states(prediction.times(501))[0]
    pose = prediction.robot.link_pose(q, "flange")
    assert np.allclose(pose[250, :3, 3], [0.55, 0.1, 0.75], atol=1e-6) and np.allclose(pose[250, :2, 2], 0, atol=1e-6)
    assert np.linalg.norm(pose[:, :3, 3] - [0.6, 0.1, 0.55], axis=1).min() > 0.149


@pytest.mark.slow
def test_a_payload_takes_longer():
    assert solved("panda_payload").duration > solved("panda").duration + 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_problems_of_robots_from_files_are_solved(path):
    problem = load(path, robot=str(FILES[path.stem.split("_")[0]]))
    check(problem.solve(), 0.06)
