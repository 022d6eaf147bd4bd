"""Measured curves as targets: rows over a span of time, and motions that follow angles, markers and ground forces of files."""

import importlib.util

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, Link, MotionProblem, StateError
from lissom.errors import FileError
from lissom.osim import Markers, Table, measured, write_table, write_trc

TIMES = np.linspace(2.0, 3.0, 51)
CURVES = np.stack([np.sin(3 * TIMES), 10 * TIMES], axis=1)


def needs_ipopt():
    if importlib.util.find_spec("casadi") is None:  # not imported, since OpenSim may be in this process
        pytest.skip("casadi, the extra predict, is not installed")


def test_rows_are_those_of_the_file_between_two_times(tmp_path):
    write_table(Table(("a", "b"), TIMES, CURVES), path := tmp_path / "x.sto")
    rows = measured(path, ["b", "a"], (2.25, 2.75), rows=11)
    assert np.allclose(rows[:, 0], np.linspace(22.5, 27.5, 11)) and np.allclose(
        rows[:, 1], np.sin(3 * np.linspace(2.25, 2.75, 11)), atol=1e-3
    )
    assert measured(path, "b").shape == (101, 1)
    places = np.stack([np.cos(TIMES), TIMES, 0 * TIMES], axis=1)[:, None]
    write_trc(Markers(("heel",), TIMES, places, 50.0), path := tmp_path / "x.trc")
    rows = measured(path, "heel", (2.0, 2.5), rows=6)
    assert np.allclose(rows[:, 1], np.linspace(2.0, 2.5, 6)) and rows.shape == (6, 3)


def test_wrong_spans_names_gaps_and_degrees_are_refused(tmp_path):
    table = Table(("a",), TIMES, CURVES[:, :1])
    with pytest.raises(StateError, match=r"time is 1 to 2\.5 s, expected a span within 2 to 3 s"):
        measured(table, "a", (1.0, 2.5))
    with pytest.raises(StateError, match="rows is 1, expected 2 to 100000"):
        measured(table, "a", rows=1)
    with pytest.raises(StateError, match="'angles' is in degrees; give model="):
        measured(Table(("a",), TIMES, CURVES[:, :1], degrees=True, title="angles"), "a")
    with pytest.raises(FileError, match="column 'c' missing; the file has 'a'"):
        measured(table, "c")
    holes = np.where(TIMES[:, None, None] > 2.6, np.nan, np.ones((51, 1, 3)))
    markers = Markers(("heel",), TIMES, holes, 50.0)
    with pytest.raises(StateError, match=r"marker 'heel' was not seen at 2\.62 s"):
        measured(markers, "heel")
    assert measured(markers, "heel", (2.0, 2.5)).shape == (101, 3)  # a gap outside the span does not matter


@pytest.mark.slow
def test_angles_and_markers_of_files_are_followed(tmp_path):
    needs_ipopt()
    robot, s = lissom.robots.rr(), np.linspace(0, 1, 101)
    q = np.stack([0.4 * np.sin(2 * s), -1.0 + 0.5 * s**2], axis=1)
    tip = robot.link_pose(q, "link_2")[:, :3, 3]
    write_table(Table(("one", "two"), s, q), angles := tmp_path / "q.mot")
    write_trc(Markers(("tip",), s, tip[:, None], 100.0), marker := tmp_path / "tip.trc")
    goals = (
        ("position", {"target": measured(angles, ["one", "two"])}),
        ("link_position", {"link": "link_2", "target": measured(marker, "tip")}),
    )
    for name, options in goals:
        problem = MotionProblem(robot, control_points=14, duration=1.0).start(q[0], None).end(q[-1], None)
        found = problem.minimize("integral", 1e3, name, **options).minimize("integral", 1e-8, "acceleration").solve()
        reached = robot.link_pose(found.states(s)[0], "link_2")[:, :3, 3]
        assert np.abs(reached - tip).max() < 2e-3, name


@pytest.mark.slow
def test_ground_forces_of_files_are_followed(tmp_path):
    needs_ipopt()
    links = (Link("world"), Link("body", Inertia(4.0)), Link("foot", Inertia(1.0)))
    joints = (
        Joint("height", "prismatic", "world", "body", axis=(0, 0, 1)),
        Joint("leg", "prismatic", "body", "foot", axis=(0, 0, -1)),
    )
    hopper, s = lissom.Robot(lissom.Model("hopper", links, joints)), np.linspace(0, 1, 101)
    force = 5 * 9.81 + 20.0 * np.sin(2 * np.pi * s)
    write_table(Table(("ground_force_vy",), 0.5 * s, force[:, None]), path := tmp_path / "grf.mot")
    problem = MotionProblem(hopper, control_points=16, duration=0.5, undriven="height").split_ground("foot")
    problem.limit("link_position", 0, 0, link="foot", entries="z", at="knots", scale=1.0).start([0.6, 0.6]).end(None, None)
    target = measured(path, "ground_force_vy")
    problem.minimize("integral", 1.0, "contact_force", contact="foot", entries="foot.n", target=target)
    found = problem.minimize("integral", 1e-6, "acceleration").solve()
    t = np.linspace(0.02, 0.48, 41)
    assert np.abs(found.contact_forces(t)["foot"][:, 0, 2] - np.interp(t, 0.5 * s, force)).max() < 1.0
