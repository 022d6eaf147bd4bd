"""save: the ending chooses the form, and a file is whole or untouched."""

import os
import sys

import numpy as np
import pytest

from lissom.errors import FileError, ModelError
from lissom.model import Inertia, Joint, JointKind, Link, Model
from lissom.read import load_model
from lissom.write import save

ARM = Model(
    "arm",
    (Link("a"), Link("b", Inertia(1.0, (0, 0, 0.1), np.eye(3)))),
    (Joint("j", JointKind.REVOLUTE, "a", "b"),),
)


@pytest.mark.parametrize("ending", [".yaml", ".yml", ".urdf", ".URDF"])
def test_saved_models_load_again(tmp_path, ending):
    save(ARM, tmp_path / f"arm{ending}")
    assert load_model(tmp_path / f"arm{ending}") == ARM
    assert [p.name for p in tmp_path.iterdir()] == [f"arm{ending}"]


def test_unknown_endings_are_refused(tmp_path):
    with pytest.raises(FileError, match="lissom writes .yaml, .yml and .urdf files, not '.xml'"):
        save(ARM, tmp_path / "a.xml")
    with pytest.raises(FileError, match="not 'names without an ending'"):
        save(ARM, tmp_path / "a")


def test_missing_folder_is_reported(tmp_path):
    with pytest.raises(FileError, match="cannot be written: No such file"):
        save(ARM, tmp_path / "no" / "a.yaml")


def test_a_failure_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    file = tmp_path / "a.yaml"
    save(ARM, file)
    before = file.read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FileError, match="cannot be written: No space left on device"):
        save(ARM.replace(name="other"), file)
    assert file.read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_model_that_urdf_cannot_hold_leaves_the_old_file(tmp_path):
    file = tmp_path / "a.urdf"
    save(ARM, file)
    moon = ARM.replace(gravity=(0.0, 0.0, -1.62))
    with pytest.raises(ModelError, match="URDF cannot express gravity"):
        save(moon, file)
    assert load_model(file) == ARM
    save(moon, file, lossy=True)
    assert load_model(file) == ARM


@pytest.mark.skipif(sys.platform == "win32", reason="file rights are POSIX's")
def test_rights_are_those_of_a_new_file_or_of_the_replaced_one(tmp_path):
    file = tmp_path / "a.yaml"
    mask = os.umask(0o022)
    try:
        save(ARM, file)
        assert file.stat().st_mode & 0o777 == 0o644
        file.chmod(0o600)
        save(ARM, file)
        assert file.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(mask)
