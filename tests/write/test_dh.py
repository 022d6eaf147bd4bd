"""Models written as modified Denavit-Hartenberg tables move as before."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lissom
from lissom import ModelError, Robot, robots
from lissom.model import Pose
from lissom.model.pose import rotation_from_quaternion
from lissom.read.dh import _modified
from lissom.write import to_dh
from lissom.write.dh import dh_parameters
from support.states import error, random_states

SINGLE = ["revolute", "prismatic", "continuous"]
number = st.floats(-3, 3)
quaternions = st.tuples(number, number, number, number).filter(lambda q: sum(x * x for x in q) > 1e-2)


def same_dynamics(model, tolerance=1e-12):
    one, two = Robot(model, backend="numpy"), Robot(lissom.load(to_dh(model)).model, backend="numpy")
    assert two.joint_names == one.joint_names and set(two.link_names) == set(one.link_names)
    states = random_states(model, 4, seed=1)
    assert error(two.inverse_dynamics(*states), one.inverse_dynamics(*states)) < tolerance
    assert np.array_equal(two.limits.effort, one.limits.effort) and np.array_equal(two.limits.lower, one.limits.lower)


@given(quaternions, st.tuples(number, number, number))
def test_six_parameters_are_any_pose(quaternion, p):
    pose = Pose(rotation_from_quaternion(quaternion), p)
    parameters = dh_parameters(pose)
    again = _modified(**parameters)[0]
    size = max(1.0, *map(abs, parameters.values()))  # nearly parallel axes have a far common normal
    assert np.allclose(again.R, pose.R, atol=1e-9 * size) and np.allclose(again.p, pose.p, atol=1e-9 * size)


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0)])
@pytest.mark.parametrize("p", [(0, 0, 0), (0.1, 0, 0), (0.1, -0.2, 0.3), (0, 0, 0.4)])
def test_parallel_axes_have_parameters_too(turn, p):
    pose = Pose(rotation_from_quaternion(turn), p)
    again = _modified(**dh_parameters(pose))[0]
    assert np.allclose(again.R, pose.R, atol=1e-15) and np.allclose(again.p, pose.p, atol=1e-15)


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
@pytest.mark.parametrize("seed", range(4))
def test_trees_written_as_tables_have_the_same_dynamics(seed):
    same_dynamics(robots.tree_model(9, seed=seed, kinds=SINGLE, fixed=0.3, tails=0.5, coupled=0.3))


@pytest.mark.parametrize("name", ["panda", "stanford", "puma560", "srms", "human"])
def test_built_in_robots_written_as_tables_have_the_same_dynamics(name):
    same_dynamics(robots.BUILTIN[name]())


def test_the_table_of_a_person_is_a_file_of_the_package():
    file = Path(robots.human.__code__.co_filename).with_name("table.yaml")
    rows = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert "\n".join(rows) + "\n" == to_dh(robots.human_model())
    person, table = robots.human(), lissom.load(file)
    states = random_states(person.model, 5, seed=2)
    assert error(table.inverse_dynamics(*states), person.inverse_dynamics(*states)) < 1e-12


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (robots.hua_arm_model, "'hua_arm' has motors, which are not written in a table; save it as YAML"),
        (robots.four_bar_model, "has loops, which are not written"),
        (lambda: robots.tree_model(3, kinds=["spherical"]), "is spherical; tables have revolute, prismatic and fixed joints"),
    ],
)
def test_what_tables_do_not_have_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        to_dh(make())
