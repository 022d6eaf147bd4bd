"""Markers of C3D files, written by ezc3d."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from lissom.errors import FileError, MissingExtraError
from lissom.osim import read_c3d

NAMES = ("ASIS", "KNEE")


def written(path, names=NAMES, unit="mm", gaps=False):
    ezc3d = pytest.importorskip("ezc3d")
    made = ezc3d.c3d()
    made["parameters"]["POINT"]["RATE"]["value"] = [100]
    made["parameters"]["POINT"]["LABELS"]["value"] = names
    made["parameters"]["POINT"]["UNITS"]["value"] = [unit]
    points = np.ones((4, len(names), 5))
    points[:3] = np.arange(15 * len(names)).reshape(3, len(names), 5)
    if gaps:
        points[:3, 1, 2] = np.nan
    made["data"]["points"] = points
    made.write(str(path))
    return path, points


def test_markers_are_read_in_meters(tmp_path):
    path, points = written(tmp_path / "a.c3d")
    markers = read_c3d(path)
    assert markers.names == NAMES and markers.rate == 100.0
    np.testing.assert_allclose(np.diff(markers.times), 0.01)
    np.testing.assert_allclose(markers.places, points[:3].transpose(2, 1, 0) / 1000, rtol=1e-6)


def test_markers_that_were_not_seen_are_gaps(tmp_path):
    path, _ = written(tmp_path / "a.c3d", gaps=True)
    assert np.isnan(read_c3d(path).places[2, 1]).all()


def test_other_files_are_refused(tmp_path):
    pytest.importorskip("ezc3d")
    with pytest.raises(FileError, match="no such file"):
        read_c3d(tmp_path / "b.c3d")
    text = tmp_path / "text.c3d"
    text.write_text("no markers here" * 100)
    with pytest.raises(FileError, match="is no C3D file of markers"):
        read_c3d(text)
    path, _ = written(tmp_path / "c.c3d", unit="inch")
    with pytest.raises(FileError, match="the unit of its points must be mm, cm, m, got 'inch'"):
        read_c3d(path)
    path, _ = written(tmp_path / "d.c3d", names=("A", "A"))
    with pytest.raises(FileError, match="two markers are called 'A'"):
        read_c3d(path)


def test_without_the_package_its_name_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ezc3d", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lissom\[osim\]'"):
        read_c3d(tmp_path / "a.c3d")
