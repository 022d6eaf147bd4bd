"""Programs written for people to read never stand in the way of the computation."""

import numpy as np
import pytest

from lissom import Robot
from lissom.robots import planar_two_link_model


@pytest.fixture
def robot(tmp_path, monkeypatch):
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    return Robot(planar_two_link_model(), backend="llvm")


def test_a_folder_that_cannot_be_written_is_only_warned_of(robot, tmp_path, monkeypatch):
    expected = Robot(robot.model, backend="numpy").gravity_torques([0.1, 0.2])
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LISSOM_DUMP", str(tmp_path / "file" / "dump"))
    with pytest.warns(RuntimeWarning, match="LISSOM_DUMP=.*dump: .*Not a directory.*; programs are not written there"):
        found = robot.gravity_torques([0.1, 0.2])
    assert np.allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("name", "files"), [("\xfc", 0), ("x" * 150 + "\xfc", 3)])
def test_where_names_are_ascii_only_texts_are_still_utf8(robot, tmp_path, python, name, files):
    text = f"import lissom; m = lissom.robots.planar_two_link_model().replace(name={ascii(name)})\n"
    text += "import warnings; warnings.simplefilter('ignore')\n"
    text += "print(lissom.Robot(m, backend='llvm').gravity_torques([0, 0]).shape)"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert python(text, LISSOM_DUMP=str(tmp_path / "dump"), **ascii_only) == "(2,)"
    written = list((tmp_path / "dump").iterdir())
    assert len(written) == files
    assert all(name in path.read_text(encoding="utf-8") for path in written if path.suffix == ".txt")
