"""A folder belongs to one study, which may change: what is finished counts again, and nothing is lost to another study."""

import json
from pathlib import Path

import numpy as np
import pytest

from lissom import FileError
from lissom.study import Refinement, Study, gait, grid, load_rows, motion, of_quantity, peak, scenario
from lissom.study.bases.files import GaitFile, MotionFile, ScenarioFile
from lissom.study.bases.function import NamedFunction

SUPPORT = Path(__file__).parents[1] / "support"


def product(responses=(), name="product", x=(0.1, 0.2), **options):
    base = NamedFunction("study_functions.py:product", str(SUPPORT))
    return Study(base, {"x": list(x), "y": [1.0, 2.0]}, responses, name=name, **options)


def arms(responses, neighbors=None, refine=None, top=12.0, **options):
    pytest.importorskip("casadi")
    base = motion("rr", {"limits[0].within": "torque", "solve.refine": "0"})
    return Study(base, {"torque": grid(8, top, 3)}, responses, neighbors=neighbors, refine=refine, name="arms", **options)


def swings(responses, end="t"):
    return Study(scenario("five_bar", {"duration": end}), {"t": [0.05, 0.1]}, responses)


def run(study, folder, **options):
    """Return the results, and how many cases were computed."""
    seen = []
    return study.run(folder, workers=1, progress=seen.append, **options), len(seen)


@pytest.fixture
def never(monkeypatch):
    """Fail where a case is run."""

    def refuse(*_):
        raise AssertionError("a case was run")

    for base in (MotionFile, ScenarioFile, GaitFile, NamedFunction):
        for name in ("run", "run_from"):
            monkeypatch.setattr(base, name, refuse)


def anything(**values):
    return float(len(values))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"name": "sums"}, "is the folder of the study 'numbers', with 2 rows, and not of 'sums'; name another folder"),
        ({"base": lambda x, y: x}, "2 rows, whose base was another: what it runs, or where its parameters go, has changed"),
        ({"z": [1.0]}, "whose parameters are x, y, not x, y, z; .* --replace \\(from Python: replace=True\\)"),
    ],
)
def test_another_study_is_refused_and_changes_nothing(tmp_path, other, message):
    def numbers(base=anything, name="numbers", **parameters):
        return Study(base, {"x": [0.1], "y": [1.0, 2.0], **parameters}, name=name)

    numbers().run(tmp_path, workers=1)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "lock"}
    with pytest.raises(FileError, match=message):
        numbers(**other).run(tmp_path, workers=1)
    assert before == {path: path.read_bytes() for path in before}
    assert run(numbers(), tmp_path)[1] == 0


def test_a_folder_may_be_given_to_another_study_whose_rows_join_those_that_are_there(tmp_path):
    one, _ = run(product(), tmp_path)
    two, count = run(product(name="more", x=(0.2, 0.3)), tmp_path, replace=True)
    assert count == 2 and len(two) == 4  # its base is the same: two cases are
    assert {row.id for row in load_rows(tmp_path)} == {row.id for row in (*one, *two)}
    again, count = run(product(), tmp_path, replace=True)
    assert count == 0 and [row.id for row in again] == [row.id for row in one]


def test_a_folder_without_rows_and_an_empty_one_are_anyones(tmp_path):
    product().run(tmp_path, workers=1, progress=lambda _: True)
    for path in (tmp_path / "table.parquet", *(tmp_path / "rows").iterdir()):
        path.unlink()
    assert run(product(name="other"), tmp_path)[1] == 4


def test_rows_count_for_fewer_responses_and_for_chosen_ones_of_a_function(tmp_path, request):
    every = product().run(tmp_path, workers=1)
    request.getfixturevalue("never")
    for responses in (["noise"], ["area", "noise"], ["area"], []):
        found, count = run(product(responses), tmp_path)
        assert count == 0 and found.counts == {"done": 4}
        for name in responses or ("area", "noise"):
            np.testing.assert_array_equal(found.column(name), every.column(name))


def test_a_number_that_was_not_kept_is_computed_again(tmp_path):
    assert run(product(["area"]), tmp_path)[1] == 4
    assert run(product(["area", "noise"]), tmp_path)[1] == 4
    assert run(product(["area"]), tmp_path)[1] == 0


def test_a_case_that_failed_by_its_response_is_run_again(tmp_path):
    assert run(product(["aera"]), tmp_path)[0].counts == {"failed": 4}
    assert run(product(["area"]), tmp_path)[0].counts == {"done": 4}


MORE = ["duration", peak("torque", of="joint_2"), peak("link_position", link="link_2", of="link_2.x"), "iterations", "violation"]


def same(a, b, names):
    for name in names:
        np.testing.assert_array_equal(a.column(name), b.column(name))
    assert [(row.id, row.motion, row.status) for row in a] == [(row.id, row.motion, row.status) for row in b]


@pytest.mark.parametrize("options", [{}, {"neighbors": 1, "refine": Refinement("duration", count=1, rounds=1)}])
def test_new_responses_of_motions_are_those_of_a_new_run_and_nothing_is_solved(tmp_path, options, request):
    arms(["duration"], **options).run(tmp_path / "a", workers=1)
    fresh = arms(MORE, **options).run(tmp_path / "b", workers=1)
    request.getfixturevalue("never")
    found, count = run(arms(MORE, **options), tmp_path / "a")
    assert count == len(found) == 3 + bool(options) and found.counts == {"solved": count}
    same(found, fresh, found.responses)


def test_a_motion_that_is_gone_is_solved_again(tmp_path):
    first = arms(["duration"]).run(tmp_path, workers=1)
    first.motion_file(1).unlink()
    found = arms(["iterations"]).run(tmp_path, workers=1)
    assert found.counts == {"solved": 3} and found.motion_file(1).exists()


def test_a_study_that_keeps_motions_now_solves_and_one_that_no_longer_does_solves_nothing(tmp_path):
    assert run(arms(["duration"], motions=False), tmp_path)[1] == 3
    kept, count = run(arms(["duration"]), tmp_path)
    assert count == 3 and all(row.motion for row in kept)
    found, count = run(arms(["duration"], motions=False), tmp_path)
    assert count == 0 and not any(row.motion for row in found)


def test_new_responses_of_simulations_are_those_of_a_new_run(tmp_path, request):
    more = ["tracking_error", peak("torque"), of_quantity("final", "kinetic_energy"), "duration"]
    swings(["duration"]).run(tmp_path / "a", workers=1)
    fresh = swings(more).run(tmp_path / "b", workers=1)
    request.getfixturevalue("never")
    found, count = run(swings(more), tmp_path / "a")
    assert count == 2
    same(found, fresh, found.responses)


@pytest.mark.slow
def test_new_responses_of_walks_are_those_of_a_new_run(tmp_path, request):
    pytest.importorskip("casadi")

    def walks(responses):
        return Study(gait({"speed": "v"}), {"v": [1.2]}, responses)

    more = ["cost_of_transport", "double_support", "step_length", "cadence", peak("torque", of="right_knee_flexion")]
    walks(["duration"]).run(tmp_path / "a", workers=1)
    fresh = walks(more).run(tmp_path / "b", workers=1)
    request.getfixturevalue("never")
    found, count = run(walks(more), tmp_path / "a")
    assert count == 1
    for name in found.responses:
        np.testing.assert_allclose(found.column(name), fresh.column(name), rtol=1e-9)


def test_a_damaged_description_is_named(tmp_path):
    product().run(tmp_path, workers=1)
    words = json.loads((tmp_path / "study.json").read_text())
    (tmp_path / "study.json").write_text(json.dumps({**words, "forms": [{"names": 1}]}))
    with pytest.raises(FileError, match="'forms' of study.json is damaged; take it out"):
        product(["area"]).run(tmp_path, workers=1)
    del words["forms"]
    (tmp_path / "study.json").write_text(json.dumps(words))
    assert run(product(), tmp_path)[1] == 0
    with pytest.raises(FileError, match="whose base was another"):  # who knows
        (tmp_path / "study.json").write_text(json.dumps({**words, "key": "0"}))
        product(["area"]).run(tmp_path, workers=1)
