"""What studies refuse: missing packages, files that do not fit, and results that were not made for a question."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom import FileError, MissingExtraError, StateError
from lissom.model.free_body import with_box
from lissom.study import Refinement, Study, Uniform, grid, of_quantity, peak, torque
from lissom.study.bases import files
from lissom.study.bases.base import Base, Ran
from lissom.study.curves import curves
from lissom.study.read import parse

HEAD = "lissom: 1\nkind: study\nname: t\n"


def double(x):
    return 2 * x


@pytest.mark.parametrize(
    "package, do",
    [
        ("pyarrow", lambda folder: Study(double, {"x": [1.0]}).run(folder, workers=1)),
        ("distributed", lambda folder: Study(double, {"x": [1.0]}).run(folder, scheduler="tcp://127.0.0.1:1")),
        ("SALib", lambda folder: Study(double, {"x": Uniform(0, 1)}, count=8, method="sensitivity").run(folder, workers=1)),
    ],
)
def test_missing_packages_are_named_with_their_extra(package, do, tmp_path, monkeypatch):
    names = [name for name in sys.modules if name.partition(".")[0] == package]
    for name in {*names, package, *(["SALib.sample"] if package == "SALib" else [])}:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "lissom.study.runners.on_dask", raising=False)
    with pytest.raises(MissingExtraError, match=f"needs the package '{package}'.*lissom\\[cluster\\]"):
        do(tmp_path)


def test_a_dataframe_needs_pandas(tmp_path, monkeypatch):
    found = Study(double, {"x": [1.0]}).run(tmp_path, workers=1)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="needs the package 'pandas'.*lissom\\[cluster\\]"):
        found.to_dataframe()


def test_indices_need_samples_made_for_them(tmp_path):
    found = Study(double, {"x": grid(0, 1, 2)}).run(tmp_path, workers=1)
    with pytest.raises(StateError, match="indices of sensitivity need samples made for them"):
        found.sensitivity("value")
    few = Study(lambda x, y: x, {"x": lissom.study.Choice((1.0, 2.0)), "y": Uniform(0, 1)}, count=8, method="sensitivity")
    with pytest.raises(StateError, match="parameters of few values repeat samples"):
        few.run(tmp_path / "few", workers=1).sensitivity("value")


def test_texts_alone_cannot_be_refined(tmp_path):
    study = Study(lambda side: 1.0, {"side": ["a", "b"]}, ["value"], refine=Refinement("value"))
    with pytest.raises(StateError, match="refine: no parameter has numbers alone"):
        study.run(tmp_path, workers=1)


@pytest.mark.parametrize(
    "text, message",
    [
        ("base: {motion: rr}\nparameters: [a]\n", "t.yaml:5: 'parameters' must be a mapping"),
        ("base: {function: 'os:getcwd'}\nset: {a: x}\n", "t.yaml:5: a function gets parameters by their names"),
        ("base: {torque: 3}\n", "t.yaml:4: .* must be a mapping, such as {robot: ..., motion: ...}"),
        ("base: {gait: [1]}\n", "t.yaml:4: .* must be a mapping, such as {speed: 1.3}"),
        ("base: {motion: rr}\n", "t.yaml:1: the study has no parameters"),
        ("base: {scenario: hua}\n", "t.yaml:4: .*neither a file nor a built-in scenario"),
        ("base: {function: 'os:no_such'}\n", "t.yaml:4: .*no function 'no_such' there"),
    ],
)
def test_files_that_are_no_study_are_named_with_their_line(text, message):
    with pytest.raises(FileError, match=message):
        parse(HEAD + text, "t.yaml", allow_python=True)


def test_recorded_motions_must_fit_their_robot(tmp_path, monkeypatch):
    file = tmp_path / "m.csv"
    file.write_text("t,q_joint_1,q_joint_2\n0,0,0\n1,1,1\n2,2,2\n")
    with pytest.raises(FileError, match="has 3 lines of numbers; 4 or more are needed"):
        Study(torque("robots:rr", file, {"speed": "x"}), {"x": [1.0]}, ["duration"])
    monkeypatch.setattr(files, "BIG", 10)
    with pytest.raises(FileError, match="is larger than 0 MiB; a study takes smaller files"):
        torque("robots:rr", file, {"speed": "x"}).digest()


def test_a_free_base_has_coordinates_that_are_no_angles(tmp_path):
    section = {"model": "robots:planar_two_link", "boxes": [{"name": "box", "mass": 1, "size": [0.1, 0.1, 0.1]}]}
    names = lissom.Robot(with_box(lissom.robots.planar_two_link().model, "box", 1.0, (0.1, 0.1, 0.1))).coordinate_names
    rows = [",".join([str(k)] + ["0.5"] * len(names)) for k in range(6)]
    (tmp_path / "m.csv").write_text("\n".join([",".join(["t", *(f"q_{name}" for name in names)]), *rows]) + "\n")
    with pytest.raises(FileError, match="has joints whose coordinates are not angles and lengths"):
        Study(torque(section, tmp_path / "m.csv", {"speed": "x"}), {"x": [1.0]}, ["duration"])


def test_quantities_that_a_motion_does_not_have_are_named():
    robot = lissom.robots.rr()
    t = np.linspace(0, 1, 5)
    zero = np.zeros((5, 2))
    run = robot.as_trajectory(t, zero, zero, zero, zero)
    short = replace(run, tau=zero[:, :1])
    with pytest.raises(StateError, match="the power of a closed robot's drives"):
        curves(Ran(short), "power", {})
    assert np.isnan(of_quantity("mean", "deflection")(Ran(run)))
    assert peak("energy")(Ran(run)) == 0.0


def test_a_base_of_ones_own_says_what_it_runs():
    base = Base()
    for call in (base.digest, lambda: base.run({}, 0), lambda: base.robot({})):
        with pytest.raises(NotImplementedError):
            call()
    assert base.check(()) is None and base.check_responses(()) is None and base.warm({}) is None
