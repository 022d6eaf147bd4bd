import os
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lissom.cli.files import refuse_overwriting, refuse_same, write_table
from lissom.cli.trajectory import read_trajectory
from lissom.errors import FileError, ModelWarning
from lissom.robots import planar_two_link, tree

ROBOT = planar_two_link()
NAMES = "t,q_shoulder,q_elbow,qd_shoulder,qd_elbow,qdd_shoulder,qdd_elbow"
ROW = "0,1,2,3,4,5,6"


def write(tmp_path, *lines, newline="\n"):
    path = tmp_path / "motion.csv"
    path.write_text(newline.join(lines) + newline, encoding="utf-8", newline="")
    return path


def test_columns_are_found_by_name_in_any_order(tmp_path):
    motion = read_trajectory(
        write(tmp_path, "qdd_elbow,qdd_shoulder,qd_elbow,qd_shoulder,time,q_elbow,q_shoulder", "6,5,4,3,0,2,1"), ROBOT
    )
    assert motion.time.tolist() == [0]
    assert (motion.q.tolist(), motion.qd.tolist(), motion.qdd.tolist()) == ([[1, 2]], [[3, 4]], [[5, 6]])


def test_columns_may_be_numbered_and_time_left_out(tmp_path):
    motion = read_trajectory(write(tmp_path, "q0,q1,qd0,qd1,qdd0,qdd1", "1,2,3,4,5,6", "7,8,9,1,2,3"), ROBOT)
    assert motion.time is None
    assert motion.q.tolist() == [[1, 2], [7, 8]]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("fb.yaml", "# a comment\nlissom: 1\nkind: motion\n", "is a motion problem, for `lissom predict`, not a CSV table"),
        ("arm.yml", "lissom: 1\nkind: dh\n", "is a robot, not a CSV table"),
        ("other.yaml", "a: 1\n", "is not a CSV table"),
        ("arm.urdf", "<robot/>", "is a robot, not a CSV table"),
    ],
)
def test_other_files_are_not_tables(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=f"{name}: {message}$"):
        read_trajectory(tmp_path / name, ROBOT)


def test_joints_of_many_coordinates_have_many_columns(tmp_path):
    robot = tree(1, kinds=["floating"])
    q = [f"q_joint_1_{s}" for s in ("x", "y", "z", "qx", "qy", "qz", "qw")]
    v = [f"{p}_joint_1_{s}" for p in ("qd", "qdd") for s in ("vx", "vy", "vz", "wx", "wy", "wz")]
    motion = read_trajectory(write(tmp_path, ",".join(q + v), ",".join("0" * 19)), robot)
    assert (motion.q.shape, motion.qd.shape) == ((1, 7), (1, 6))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_byte_order_marks_quotes_blank_lines_and_foreign_line_ends_do_not_matter(tmp_path, newline):
    lines = ["\ufeff" + NAMES.replace("t,", '"t",', 1), ROW, "", '"1",1,2,3,4,5,6', ""]
    assert read_trajectory(write(tmp_path, *lines, newline=newline), ROBOT).time.tolist() == [0, 1]


def test_columns_that_are_not_used_are_named(tmp_path):
    with pytest.warns(ModelWarning, match="columns not used: 'battery'"):
        read_trajectory(write(tmp_path, NAMES + ",battery", ROW + ",7"), ROBOT)


def test_forces_beside_a_motion_are_no_surprise(tmp_path, recwarn):
    read_trajectory(write(tmp_path, NAMES + ",tau_elbow,note", ROW + ",7,{}"), ROBOT)
    assert not recwarn


def test_columns_that_are_not_used_may_hold_anything(tmp_path):
    lines = ["remark," + NAMES + ",battery", f'"full, of ""it""",{ROW},nan', f",{ROW},", "", f"x,{ROW},inf"]
    with pytest.warns(ModelWarning, match="columns not used: 'remark', 'battery'"):
        motion = read_trajectory(write(tmp_path, *lines), ROBOT)
    assert (motion.q == [1, 2]).all() and (motion.qdd == [5, 6]).all() and motion.time.tolist() == [0, 0, 0]


@pytest.mark.filterwarnings("ignore:.*columns not used")
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x," + ROW + ",1", "motion.csv:3: 9 values, but the header names 8 columns"),
        (ROW, "motion.csv:3: 7 values, but the header names 8 columns"),
        ("x,0,1,2,3,4,5,y", "motion.csv:3: column 'qdd_elbow' holds 'y', which is not a number"),
        ("x" * 200_000, "is not a text file with comma-separated values"),
    ],
)
def test_mistakes_beside_unused_columns_are_named_too(tmp_path, row, message):
    with pytest.raises(FileError, match=message):
        read_trajectory(write(tmp_path, "note," + NAMES, "a," + ROW, row), ROBOT)


def test_columns_that_are_derived_anew_are_named_as_not_used(tmp_path):
    with pytest.warns(ModelWarning, match="columns not used: 'qd_elbow'"):
        lines = (f"{t},1,2,7" for t in range(5))
        motion = read_trajectory(write(tmp_path, "t,q_shoulder,q_elbow,qd_elbow", *lines), ROBOT, differentiate=True)
    assert np.allclose(motion.qd, 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes as POSIX has them")
def test_a_motion_may_come_through_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("\n".join([NAMES, *[ROW] * 20_000])))
    writer.start()
    assert len(read_trajectory(pipe, ROBOT).q) == 20_000
    writer.join()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([""], "motion.csv: is empty; expected a header"),
        ([NAMES], "motion.csv: holds a header but no states"),
        ([NAMES.replace(",", ";"), ROW], "motion.csv:1: columns must be separated by commas"),
        ([NAMES + ",t", ROW + ",0"], "motion.csv:1: two columns are called 't'"),
        ([NAMES, ROW, "", "1,2,3"], "motion.csv:4: 3 values, but the header names 7 columns"),
        ([NAMES, ROW + ",9"], "motion.csv:2: 8 values, but the header names 7"),
        ([NAMES, ROW, "1,2,fast,4,5,6,7"], "motion.csv:3: column 'q_elbow' holds 'fast', which is not a number"),
        ([NAMES, "1,2,,4,5,6,7"], "motion.csv:2: column 'q_elbow' is empty"),
        ([NAMES, ROW, ROW, "1,2,3,nan,5,6,7"], "motion.csv:4: column 'qd_shoulder' holds nan; all values must be finite"),
        ([NAMES, "1,2,3,4,5,6,-inf"], "motion.csv:2: column 'qdd_elbow' holds -inf"),
        ([NAMES.replace("q_elbow", "q_elbo", 1), ROW], "column 'q_elbow' missing; the file has 'q_elbo'"),
        (["t,shoulder,elbow", "0,1,2"], "'q_shoulder', .* missing; 'shoulder', 'elbow' need a prefix: q_ for positions, qd_ "),
        (["a_b", "1"], "'q_shoulder', .* missing; the file has 'a_b'"),
        (["t", "1"], "columns 'q_shoulder', .* missing; expected q_<name>, qd_<name> and qdd_<name> for 'shoulder', 'elbow'"),
        (["t,q_shoulder,q_elbow", "0,1,2"], "'qd_shoulder', .* missing; --differentiate derives"),
        (["q_shoulder,q_elbow", "1,2"], "--differentiate derives velocities and accelerations from q, given a column t"),
    ],
)
def test_every_mistake_is_named_with_its_place(tmp_path, lines, message):
    with pytest.raises(FileError, match=message):
        read_trajectory(write(tmp_path, *lines), ROBOT)


def test_files_that_are_no_text_or_do_not_exist_are_refused(tmp_path):
    path = tmp_path / "motion.csv"
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_trajectory(path, ROBOT)
    path.write_bytes(b"\xff\xfe\x00\x01" * 10)
    with pytest.raises(FileError, match="is not a text file"):
        read_trajectory(path, ROBOT)


def sampled(tmp_path, t, **parts):
    header = ["t"] + [f"{part}_{joint}" for part in parts for joint in ("shoulder", "elbow")]
    path = tmp_path / "motion.csv"
    write_table(path, header, np.column_stack([t, *(np.column_stack([f(t), 2 * f(t)]) for f in parts.values())]))
    return path


def test_differentiation_recovers_velocity_and_acceleration(tmp_path):
    t = np.linspace(0, 2, 401)
    motion = read_trajectory(sampled(tmp_path, t, q=np.sin), ROBOT, differentiate=True)
    assert np.allclose(motion.qd[:, 0], np.cos(t), atol=1e-6)
    assert np.allclose(motion.qdd[:, 1], -2 * np.sin(t), atol=1e-3)


def test_differentiation_keeps_what_is_given(tmp_path):
    t = np.linspace(0, 2, 401)
    motion = read_trajectory(sampled(tmp_path, t, q=np.sin, qd=np.cos), ROBOT, differentiate=True)
    assert np.array_equal(motion.qd[:, 0], np.cos(t))
    assert np.allclose(motion.qdd[:, 0], -np.sin(t), atol=1e-6)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["q0,q1", "1,2"], "--differentiate needs a column t"),
        (["t,q0,q1", "0,1,2", "1,1,2", "2,1,2"], "needs at least 4 states, got 3"),
        (["t,q0,q1", "0,1,2", "1,1,2", "1,1,2", "2,1,2"], "motion.csv:4: time must increase from line to line: 1 s follows 1 s"),
    ],
)
def test_motions_that_cannot_be_differentiated_are_refused(tmp_path, lines, message):
    with pytest.raises(FileError, match=message):
        read_trajectory(write(tmp_path, *lines), ROBOT, differentiate=True)


def test_only_single_axis_joints_are_differentiated(tmp_path):
    path = write(tmp_path, "t,q0,q1,q2,q3", *(f"{i},0,0,0,1" for i in range(5)))
    with pytest.raises(
        FileError, match=r"velocities of 'joint_1' are not the rates of its coordinates \(spherical\); give its qd and qdd"
    ):
        read_trajectory(path, tree(1, kinds=["spherical"]), differentiate=True)


def test_tables_are_written_exactly_and_wholly(tmp_path):
    path, table = tmp_path / "new" / "out.csv", np.random.default_rng(0).normal(size=(5, 2)) * 1e-7
    write_table(path, ["a", 'odd,"name"'], table)
    assert path.read_text().splitlines()[0] == 'a,"odd,""name"""'
    assert np.array_equal(np.loadtxt(path, delimiter=",", skiprows=1), table)
    assert [p.name for p in path.parent.iterdir()] == ["out.csv"]


def test_tables_that_cannot_be_written_are_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="out.csv: cannot be written"):
        write_table(tmp_path / "file" / "out.csv", ["a"], np.zeros((1, 1)))


def test_inputs_are_never_overwritten(tmp_path):
    source, link = tmp_path / "a.csv", tmp_path / "b.csv"
    source.touch()
    link.symlink_to(source)
    with pytest.raises(FileError, match="would overwrite the input .*a.csv"):
        refuse_overwriting(link, source)
    refuse_overwriting(tmp_path / "c.csv", source, "robots:stanford")


def test_two_outputs_are_never_one_file(tmp_path):
    a = tmp_path / "a.png"
    refuse_same(a, tmp_path / "b.png")
    with pytest.raises(FileError, match="a.png: is named for two outputs"):
        refuse_same(a, tmp_path / "." / "a.png")
    a.touch()
    (tmp_path / "b.png").symlink_to(a)
    with pytest.raises(FileError, match="b.png: is named for two outputs"):
        refuse_same(a, tmp_path / "b.png")


def test_numbers_python_alone_understands_are_refused(tmp_path):
    with pytest.raises(FileError, match="is not a table of numbers"):
        read_trajectory(write(tmp_path, NAMES, ROW.replace("6", "1_0")), ROBOT)


def test_text_that_turns_into_bytes_is_refused(tmp_path):
    path = write(tmp_path, NAMES, *[ROW] * 5000)
    path.write_bytes(path.read_bytes() + b"\xff\xfe")
    with pytest.raises(FileError, match="is not a text file"):
        read_trajectory(path, ROBOT)


lines = st.one_of(
    st.just(ROW.encode()), st.binary(max_size=20), st.text("0123456789.,-+enaif\"' \r\n\x00", max_size=20).map(str.encode)
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(lines, max_size=4), st.booleans())
def test_no_file_whatever_brings_the_reader_down(tmp_path, below, differentiate):
    path = tmp_path / "motion.csv"
    path.write_bytes(b"\n".join([NAMES.encode(), *below]))
    try:
        assert np.isfinite(read_trajectory(path, ROBOT, differentiate).q).all()
    except FileError as error:
        assert error.path == path


def test_very_many_unused_columns_are_counted_in_time(tmp_path):
    names = ["q0", "q1", "qd0", "qd1", "qdd0", "qdd1", *(f"x{k}" for k in range(40_000))]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + ",".join(["0"] * len(names)) + "\n")
    with pytest.warns(ModelWarning, match="columns not used: 'x0', .* 'x11' and 39988 more$"):
        read_trajectory(tmp_path / "wide.csv", planar_two_link())


@pytest.mark.parametrize("value, step", [(1e308, 0.1), (1.0, 1e-320), (1e200, 1e-200)])
def test_slopes_that_overflow_are_refused(tmp_path, value, step):
    lines = [f"{k * step},{value * (-1) ** k},{k}" for k in range(6)]
    (tmp_path / "steep.csv").write_text("\n".join(["t,q0,q1", *lines]) + "\n")
    with pytest.raises(FileError, match="--differentiate: values change too fast"):
        read_trajectory(tmp_path / "steep.csv", planar_two_link(), differentiate=True)
