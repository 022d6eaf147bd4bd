"""Markers of C3D files, written by the package c3d."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from lissom.errors import FileError, MissingExtraError
from lissom.osim import read_c3d

NAMES = ("ASIS", "KNEE")


def written(path, names=NAMES, unit="mm  ", gaps=False, frames=5):
    c3d = pytest.importorskip("c3d")
    writer = c3d.Writer(point_rate=100.0, point_units=unit)
    writer.set_point_labels(list(names))
    points = np.zeros((frames, len(names), 5))
    points[..., :3] = np.arange(3.0 * frames * len(names)).reshape(frames, len(names), 3)
    if gaps:
        points[2, 1] = [0, 0, 0, -1, -1]
    writer.add_frames([(frame, np.array([[]])) for frame in points])
    with open(path, "wb") as file:
        writer.write(file)
    return path, points


def test_markers_are_read_in_meters(tmp_path):
    path, points = written(tmp_path / "a.c3d")
    markers = read_c3d(path)
    assert markers.names == NAMES and markers.rate == 100.0
    np.testing.assert_allclose(np.diff(markers.times), 0.01)
    np.testing.assert_allclose(markers.places, points[..., :3] / 1000, rtol=1e-6)


def test_markers_that_were_not_seen_are_gaps(tmp_path):
    path, _ = written(tmp_path / "a.c3d", gaps=True)
    places = read_c3d(path).places
    assert np.isnan(places[2, 1]).all() and np.isnan(places).sum() == 3


def test_other_files_are_refused(tmp_path):
    pytest.importorskip("c3d")
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


def test_broken_files_are_refused_or_read(tmp_path):
    path, _ = written(tmp_path / "a.c3d", frames=20)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(40):
        changed = bytearray(whole)
        for place in rng.integers(0, len(whole), 6):
            changed[place] = rng.integers(256)
        path.write_bytes(bytes(changed[: rng.integers(600, len(whole) + 1)]))
        try:
            markers = read_c3d(path)
        except FileError:
            continue
        assert markers.places.shape == (len(markers.times), len(markers.names), 3)


def test_without_the_package_its_name_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "c3d", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lissom\[osim\]'"):
        read_c3d(tmp_path / "a.c3d")
