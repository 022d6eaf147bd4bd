"""Tables and markers in OpenSim's files: read, written, repaired with a warning, or refused with the line."""

from __future__ import annotations

import numpy as np
import pytest

import lissom
from lissom.errors import FileError, StateError
from lissom.osim import Markers, Table, read_table, read_trc, write_table, write_trc
from support.osim import published
from support.osim_judge import judge

TABLE = """walk
version=1
nRows=3
nColumns=3
inDegrees=yes

Units are S.I. units
endheader
time\thip\tknee
0\t1\t2
0.1\t3\t4

0.2\t5\tnan
"""
TRC = """PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
50\t50\t3\t2\tmm\t50\t1\t3
Frame#\tTime\tASIS\t\t\tKNEE\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0\t1\t2\t3\t4\t5\t6
2\t0.02\t1\t2\t3\t\t\t
3\t0.04\t1\t2\t3\t4\t5\t7
"""


def written(tmp_path, text, name="a.mot"):
    file = tmp_path / name
    file.write_text(text)
    return file


def test_a_table_is_read(tmp_path):
    table = read_table(written(tmp_path, TABLE))
    assert (table.title, table.names, table.degrees) == ("walk", ("hip", "knee"), True)
    np.testing.assert_array_equal(table.times, [0, 0.1, 0.2])
    np.testing.assert_array_equal(table.column("hip"), [1, 3, 5])
    assert table.lines == (10, 11, 13)
    np.testing.assert_array_equal(table.between(0.05, 0.15).values, [[3, 4]])


def test_a_table_is_that_of_opensim(tmp_path):
    opensim = judge()
    rng = np.random.default_rng(3)
    table = Table(("hip", "knee"), np.arange(20) / 7, rng.normal(size=(20, 2)), degrees=True, title="made")
    write_table(table, tmp_path / "made.mot")
    theirs = opensim.Storage(str(tmp_path / "made.mot"))
    assert theirs.isInDegrees() and theirs.getSize() == 20
    assert [theirs.getColumnLabels().get(k) for k in range(3)] == ["time", "hip", "knee"]
    for k in (0, 19):
        row = theirs.getStateVector(k)
        assert row.getTime() == table.times[k]
        assert [row.getData().get(i) for i in range(2)] == table.values[k].tolist()
    again = read_table(tmp_path / "made.mot")
    np.testing.assert_array_equal(again.values, table.values)
    assert again.degrees


@pytest.mark.parametrize("name", ["subject01_walk_IK.mot", "subject01_walk_grf.mot", "subject01_walk_ID.sto"])
def test_published_tables_are_read_as_opensim_reads_them(name):
    path = published(f"gait10dof18musc/{name}")
    theirs, ours = judge().Storage(str(path)), read_table(path)
    assert theirs.isInDegrees() == ours.degrees and theirs.getSize() == len(ours)
    for k in (0, len(ours) // 2, len(ours) - 1):
        row = theirs.getStateVector(k)
        assert [row.getTime(), *(row.getData().get(i) for i in range(len(ours.names)))] == [ours.times[k], *ours.values[k]]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("endheader", "", 1, "no line says 'endheader'"),
        ("version=1", "DataType=Vec3", 1, "values of the type 'Vec3'"),
        ("time\thip", "hip\ttime", 9, "the first column must be time, got 'hip'"),
        ("hip\tknee", "hip\thip", 9, "columns 2 and 3 are both called 'hip'"),
        ("hip\tknee", "hip\t\tknee", 9, "column 3 has no name"),
        ("0.1\t3\t4", "0.1\t3", 11, "2 values, but 3 columns are named"),
        ("0.1\t3\t4", "0.1\t3\tx", 11, "'x' is not a number"),
        ("0.1\t3\t4", "nan\t3\t4", 11, "the time is not a number"),
        ("0.1\t3\t4", "0.4\t3\t4", 13, "time goes back: 0.2 s follows 0.4 s"),
        ("0.1\t3\t4", "0\t3\t4", 11, "two different rows have the time 0 s"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(old, new, line, said, tmp_path):
    assert old in TABLE
    with pytest.raises(FileError, match=said) as caught:
        read_table(written(tmp_path, TABLE.replace(old, new, 1)))
    assert caught.value.line == line


def test_empty_tables_are_refused(tmp_path):
    head = TABLE[: TABLE.index("time\t")]
    with pytest.raises(FileError, match="no names of columns after 'endheader'"):
        read_table(written(tmp_path, head))
    with pytest.raises(FileError, match="no rows of numbers"):
        read_table(written(tmp_path, head + "time\ta\n"))


def test_gaps_and_missing_columns_are_named_where_they_are_used(tmp_path):
    table = read_table(written(tmp_path, TABLE))
    with pytest.raises(FileError, match=r"column 'knee' has no number at 0.2 s \(1 gaps") as caught:
        table.column("knee")
    assert caught.value.line == 13
    with pytest.raises(FileError, match="column 'kne' missing; the file has 'knee'"):
        table.column("kne")


def test_rows_that_are_there_twice_are_left_out_with_a_warning(tmp_path):
    with pytest.warns(lissom.ModelWarning, match=r":11: 1 rows are there twice") as warned:
        table = read_table(written(tmp_path, TABLE.replace("0.1\t3\t4", "0\t1\t2")))
    assert len(table) == 2 and any("says '3' rows" not in str(w.message) for w in warned)


def test_wrong_counts_in_the_header_are_said(tmp_path):
    text = TABLE.replace("nRows=3", "nRows=9").replace("nColumns=3", "nColumns=4")
    with pytest.warns(lissom.ModelWarning) as warned:
        assert len(read_table(written(tmp_path, text))) == 3
    assert {"the header says '9' rows" in str(w.message) or "'4' columns" in str(w.message) for w in warned} == {True}


def test_names_that_would_break_a_file_are_refused(tmp_path):
    with pytest.raises(FileError, match="cannot stand in a table"):
        write_table(Table(("a\tb",), [0.0], [[1.0]]), tmp_path / "a.sto")
    with pytest.raises(StateError, match=r"must be \(N,\) and \(N, n\)"):
        Table(("a",), [0.0], [1.0])
    with pytest.raises(StateError, match=r"must be \(N,\) and \(N, M, 3\)"):
        Markers(("a",), [0.0], [[1.0]])
    with pytest.raises(FileError, match=r"cannot stand in a \.trc file"):
        write_trc(Markers(("a\tb",), [0.0], [[[1.0, 2.0, 3.0]]]), tmp_path / "a.trc")
    with pytest.raises(FileError, match="the unit of a .trc file is mm, cm, m, got 'km'"):
        write_trc(Markers(("a",), [0.0], [[[1.0, 2.0, 3.0]]]), tmp_path / "a.trc", "km")


def test_markers_are_read_in_meters_with_their_gaps(tmp_path):
    markers = read_trc(written(tmp_path, TRC, "a.trc"))
    assert markers.names == ("ASIS", "KNEE") and markers.rate == 50.0
    np.testing.assert_allclose(markers.of(["KNEE"])[0, 0], [0.004, 0.005, 0.006], rtol=0, atol=1e-18)
    assert np.isnan(markers.of(["KNEE"])[1]).all() and len(markers.between(0.01, 0.03)) == 1
    with pytest.raises(FileError, match="marker 'KNE' missing; the file has 'KNEE'"):
        markers.of(["KNE"])


@pytest.mark.parametrize("unit", ["m", "mm", "cm"])
def test_markers_written_are_those_read(unit, tmp_path):
    rng = np.random.default_rng(5)
    places = rng.normal(size=(7, 2, 3))
    places[3, 1] = np.nan
    write_trc(Markers(("a b", "c"), np.arange(7) / 60, places, 60.0), tmp_path / "a.trc", unit)
    again = read_trc(tmp_path / "a.trc")
    assert again.names == ("a b", "c")
    np.testing.assert_allclose(again.places, places, rtol=4e-16)
    table = judge().TimeSeriesTableVec3(str(tmp_path / "a.trc"))
    assert list(table.getColumnLabels()) == ["a b", "c"] and table.getNumRows() == 7


def test_published_markers_are_read_as_opensim_reads_them():
    path = published("gait10dof18musc/subject01_walk.trc")
    theirs, ours = judge().TimeSeriesTableVec3(str(path)), read_trc(path)
    assert tuple(theirs.getColumnLabels()) == ours.names
    row = theirs.getRowAtIndex(70)
    for k in range(len(ours.names)):
        np.testing.assert_allclose([row[k][i] / 1000 for i in range(3)], ours.places[70, k], rtol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("PathFileType", "Path", 1, "starts with 'PathFileType'"),
        ("\tmm\t", "\tinch\t", 3, "Units must be mm, cm, m, got 'inch'"),
        ("50\t50\t3", "fast\t50\t3", 3, "DataRate must be a number, got 'fast'"),
        ("Frame#\tTime", "Frame\tTime", 4, "must start with 'Frame#' and 'Time'"),
        ("ASIS\t\t\tKNEE", "KNEE\t\t\tKNEE", 4, "two markers are called 'KNEE'"),
        ("ASIS\t\t\tKNEE", "", 4, "no markers are named"),
        ("5\t6", "5\t6\t7", 7, "9 values, but a frame of 2 markers has 8"),
        ("5\t6", "5\tx", 7, "'x' is not a number"),
        ("3\t0.04", "3\t0.01", 9, "time goes back"),
    ],
)
def test_a_wrong_trc_is_refused_with_its_line(old, new, line, said, tmp_path):
    assert old in TRC
    with pytest.raises(FileError, match=said) as caught:
        read_trc(written(tmp_path, TRC.replace(old, new, 1), "a.trc"))
    assert caught.value.line == line


def test_a_trc_without_frames_is_refused(tmp_path):
    with pytest.raises(FileError, match="there are no frames"):
        read_trc(written(tmp_path, TRC[: TRC.index("1\t0\t")], "a.trc"))


def test_wrong_counts_of_markers_are_said(tmp_path):
    with pytest.warns(lissom.ModelWarning, match="NumMarkers is '9', the file has 2"):
        read_trc(written(tmp_path, TRC.replace("3\t2\tmm", "3\t9\tmm"), "a.trc"))
