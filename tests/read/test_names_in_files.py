"""Names in files: what a trajectory or a table is saved with is what it is read with, whatever the names hold."""

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Robot, Trajectory, load
from lissom.cli.files import write_table
from lissom.errors import FileError, ModelError
from lissom.read.table import MOST, read_table
from lissom.robots import planar_two_link_model
from lissom.view import plot_torques
from lissom.write import save

NASTY = "\x00\r\n\t \"',;\\#\x1b\x7f\x85\x9b\u061c\u202e\u2066\u2028\ufeff\ud800\udfff\U000e0041\u00e4\U0001f600a1_"
# hypothesis leaves lone surrogates out of texts, so that letters are drawn one by one
LETTERS = st.one_of(st.sampled_from(list(NASTY)), st.characters())
NAMES = st.lists(LETTERS, min_size=1, max_size=9).map("".join).filter(str.strip)


def robot_with(name):
    model = planar_two_link_model().with_joints(lambda joint: replace(joint, name=name) if joint.name == "elbow" else joint)
    return Robot(model.replace(name=name))


def motion_of(robot):
    t = np.array([0.0, 0.1, 0.25])
    values = np.arange(6.0).reshape(3, 2) / 7
    return Trajectory(robot, t, values, values + 1, values + 2, values + 3)


@settings(max_examples=60, deadline=None)
@given(name=NAMES)
def test_trajectories_come_back_with_any_name(tmp_path_factory, name):
    folder, robot = tmp_path_factory.getbasetemp(), robot_with(name)
    motion = motion_of(robot)
    for ending in (".csv", ".npz"):
        path = folder / f"any{ending}"
        if ending == ".npz" and name.endswith("\0"):
            with pytest.raises(FileError, match="ends in NUL, which .npz files drop"):
                motion.save(path)
            continue
        motion.save(path)
        back = Trajectory.load(path, robot)
        assert all(np.array_equal(getattr(back, part), getattr(motion, part)) for part in ("t", "q", "qd", "qdd", "tau"))


@settings(max_examples=100, deadline=None)
@given(names=st.lists(NAMES, min_size=1, max_size=5, unique=True))
def test_tables_come_back_with_any_names(tmp_path_factory, names):
    path = tmp_path_factory.getbasetemp() / "table.csv"
    header = [f"tau_{name}" for name in names]
    values = np.arange(2.0 * len(names)).reshape(2, -1) / 3
    write_table(path, header, values)
    table = read_table(path)
    assert table.header == header
    assert [table.find("tau", 99, name) for name in names] == list(range(len(names)))
    assert np.array_equal(table.numbers(range(len(names))), values)


@settings(max_examples=60, deadline=None)
@given(name=NAMES)
def test_models_come_back_with_any_name_or_are_refused(tmp_path_factory, name):
    folder, model = tmp_path_factory.getbasetemp(), robot_with(name).model
    half = any("\ud800" <= c <= "\udfff" for c in name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if half:
            with pytest.raises(ModelError, match="has half of a character, which YAML cannot hold; rename it"):
                save(model, folder / "any.yaml")
        else:
            save(model, folder / "any.yaml")
            assert load(folder / "any.yaml").model == model
        try:
            save(model, folder / "any.urdf", lossy=True)
        except ModelError as error:
            assert "has characters that XML cannot" in str(error)
        else:
            assert load(folder / "any.urdf").model.joints[1].name == name


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", ["\ud800", "\ufeffa", "a\x00b", "\x1b[31m", "a\nb", "\u202ex"])
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_any_name_can_stand_in_a_picture(tmp_path, name, ending):
    plot_torques(np.arange(3.0), np.ones((3, 1)), [name], ["N m"], None, tmp_path / f"a{ending}", f"{name}: forces")
    assert (tmp_path / f"a{ending}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (" t , q_a,qd_b ", ["t", "q_a", "qd_b"]),
        ('" t ",q_a," b,c "', [" t ", "q_a", " b,c "]),
        ('"a""b",c"d ,""', ['a"b', 'c"d', ""]),
        ('"a\r\nb",c', ["a\r\nb", "c"]),
        ('"a"b"c ,d ,"e"', ['ab"c ', "d", "e"]),
    ],
)
def test_blanks_around_names_go_unless_they_are_quoted(tmp_path, header, expected):
    (tmp_path / "a.csv").write_text(f"{header}\n{','.join('1' for _ in expected)}\n", newline="")
    assert read_table(tmp_path / "a.csv").header == expected


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device without end")
def test_a_device_without_end_is_no_table(tmp_path):
    for device in ("/dev/zero", "/dev/urandom"):
        link = tmp_path / f"{Path(device).name}.csv"
        link.symlink_to(device)
        for read in (read_table, lambda path: Trajectory.load(path, robot_with("a"))):
            with pytest.raises(FileError, match="is not a text file with comma-separated values"):
                read(link)


def test_a_file_beyond_all_size_is_refused(tmp_path, monkeypatch):
    assert MOST <= 1 << 30
    monkeypatch.setattr("lissom.read.table.MOST", 100_000)
    (tmp_path / "a.csv").write_text("t\n" + "1\n" * 50_000)
    with pytest.raises(FileError, match="is larger than .* GiB; use .npz, or fewer states"):
        read_table(tmp_path / "a.csv")


def test_forty_thousand_columns_are_read_in_no_time(tmp_path):
    names = [f"q_{k}" for k in range(40_000)]
    (tmp_path / "a.csv").write_text(",".join(names) + os.linesep + ",".join("1" for _ in names) + os.linesep)
    table = read_table(tmp_path / "a.csv")
    assert [table.find("q", k, str(k)) for k in range(40_000)] == list(range(40_000))
