"""Trajectories as tables of pandas, and as small HTML tables for notebooks."""

import sys

import numpy as np
import pytest

import lissom
from lissom import MissingExtraError, StateError, robots


@pytest.fixture(scope="module")
def motion():
    return robots.rr().simulate([0.3, -0.2], [0, 0], 0.1, sample=0.01)


def test_a_dataframe_has_the_columns_of_a_csv(motion, tmp_path):
    pandas = pytest.importorskip("pandas")
    table = motion.to_dataframe()
    motion.save(tmp_path / "m.csv")
    from_file = pandas.read_csv(tmp_path / "m.csv", index_col="t")
    assert list(table.columns) == list(from_file.columns) and table.index.name == "t"
    assert np.array_equal(table.index, motion.t) and np.allclose(table.to_numpy(), from_file.to_numpy(), rtol=1e-12, atol=1e-12)
    assert np.array_equal(table["q_joint_2"], motion.q[:, 1]) and np.array_equal(table["tau_joint_1"], motion.tau[:, 0])


def test_a_dataframe_holds_one_motion():
    pytest.importorskip("pandas")
    many = robots.rr().simulate(np.zeros((3, 2)), np.zeros(2), 0.02, method="rk4", dt=0.01)
    with pytest.raises(StateError, match=r"a DataFrame holds one motion, and this trajectory has \(3,\) of them; take one"):
        many.to_dataframe()


def test_a_dataframe_of_a_mechanism_with_loops_has_its_tree_too():
    pytest.importorskip("pandas")
    run = robots.five_bar().simulate(robots.five_bar().home(), [0, 0], 0.02, method="rk4", dt=0.01)
    table = run.to_dataframe()
    assert np.array_equal(table["q_left"], run.q[:, 0]) and len(table) == len(run)


def test_pandas_is_asked_for_where_it_is_missing(motion, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"to_dataframe needs the package 'pandas'; .*pip install 'lissom\[pandas\]'"):
        motion.to_dataframe()


def test_a_notebook_shows_where_coordinates_begin_and_end(motion):
    html = motion._repr_html_()
    assert html.count("<tr>") == 3 and ">joint_1<" in html and f">{motion.q[-1, 0]:.4g}<" in html
    twice = (np.stack([x, x], axis=1) for x in (motion.q, motion.qd, motion.qdd, motion.tau))
    many = lissom.Trajectory(motion.robot, motion.t, *twice)
    assert "of (2,) states" in many._repr_html_() and "<table>" not in many._repr_html_()
