"""Studies on this machine: every case once, whatever happens, and the same numbers however they are run."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from lissom import FileError, Interrupted, NameLookupError, StateError
from lissom.study import Local, Normal, Refinement, Study, Uniform, grid, peak, values
from lissom.study.bases.function import NamedFunction
from lissom.study.runners import local
from lissom.study.store import Store, logs

SUPPORT = Path(__file__).parents[1] / "support"
pytestmark = pytest.mark.usefixtures("interruptible")


def named(name):
    return NamedFunction(f"study_functions.py:{name}", str(SUPPORT))


def area(**options):
    return Study(named("product"), {"x": grid(0, 1, 5), "y": Normal(2, 0.1)}, ("area", "noise"), count=8, **options)


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    return area().run(tmp_path_factory.mktemp("serial"), workers=1)


def test_a_study_has_a_row_for_every_case_and_failed_ones_say_why(serial):
    assert len(serial) == 40 and serial.counts == {"done": 32, "failed": 8}
    frame = serial.to_dataframe()
    assert list(frame.index) == list(range(40)) and list(frame.columns[:4]) == ["x", "y", "area", "noise"]
    good = frame[frame.success]
    assert (good.area == good.x * good.y).all() and np.isnan(frame[~frame.success].area).all()
    assert set(frame[~frame.success].reason) == {"ValueError: x is 1.0"}
    assert "32 done, 8 failed" in repr(serial) and "40 cases of x, y" in repr(serial.study)
    assert frame.noise[frame.success].nunique() == 32  # a seed for each


@pytest.mark.parametrize("workers", [2, 3])
def test_results_do_not_depend_on_workers(serial, tmp_path, workers):
    found = area().run(tmp_path, workers=workers)
    assert [row.id for row in found] == [row.id for row in serial]
    for name in ("area", "noise", "seed", "status"):
        np.testing.assert_array_equal(found.column(name), serial.column(name))


def test_a_second_start_runs_nothing_again_and_retry_runs_what_failed(serial, tmp_path):
    first = area().run(tmp_path, workers=1)
    seen = []
    again = area().run(tmp_path, workers=1, progress=seen.append)
    assert not seen and [row.seconds for row in again] == [row.seconds for row in first]
    retried = area().run(tmp_path, workers=1, retry=True)
    assert [row.attempts for row in retried] == [1 if row.success else 2 for row in first]
    assert not logs(tmp_path)


def test_an_extended_study_keeps_the_rows_that_it_has(tmp_path):
    one = Study(named("product"), {"x": [0.1, 0.2], "y": [1.0, 2.0]})
    one.run(tmp_path, workers=1)
    seen = []
    two = Study(named("product"), {"x": [0.1, 0.2, 0.3], "y": [1.0, 2.0]}).run(tmp_path, workers=1, progress=seen.append)
    assert len(seen) == 2 and len(two) == 6
    assert two.responses == ("area", "noise") and two.study.to_dataframe().shape[0] == 6


def test_a_study_that_was_stopped_is_continued(tmp_path, monkeypatch):
    monkeypatch.setattr(local, "TOGETHER", 0.0)
    stopped = area().run(tmp_path, workers=1, progress=lambda line: line.done == 7)
    assert len(stopped) == 7 and "33 not run" in repr(stopped)
    lines = []
    found = area().run(tmp_path, workers=2, progress=lambda line: lines.append((line.done, line.total, line.failed, line(line))))
    assert len(found) == 40 and len(lines) == 33 and lines[-1][:3] == (40, 40, 8)
    assert "40 of 40 done, 8 failed" in lines[-1][3] and "0 s left" in lines[-1][3]
    assert len(area().results(tmp_path)) == 40


def test_ctrl_c_keeps_the_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(local, "TOGETHER", 0.0)

    def press(line):
        if line.done == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="5 of 40 cases are stored") as stopped:
        area().run(tmp_path, workers=1, progress=press)
    assert len(stopped.value.result) == 5 and len(area().run(tmp_path, workers=1)) == 40


def test_refinement_puts_cases_where_a_response_changes(tmp_path):
    def step(x, side):
        return {"y": float(np.tanh(40 * (x - 0.3))) + (side == "left")}

    study = Study(
        step, {"x": grid(0, 1, 11), "side": values(["left", "right"])}, ["y"], refine=Refinement("y", count=8, rounds=2)
    )
    found = study.run(tmp_path, workers=1)
    more = found.column("x")[22:]
    assert 8 <= len(more) <= 16 and (abs(more - 0.3) < 0.1).all()
    assert len(study.run(tmp_path, workers=1)) == len(found) == len(study.results(tmp_path))
    np.testing.assert_array_equal(study.run(tmp_path / "b", workers=2).column("x"), found.column("x"))


def test_sensitivities_of_a_sum_are_its_shares_of_variance(tmp_path):
    pytest.importorskip("SALib")
    parameters = {"a": Uniform(0, 1), "b": Uniform(0, 2)}
    found = Study(lambda a, b: a + b, parameters, count=256, method="sensitivity").run(tmp_path, workers=1)
    shares = found.sensitivity("value")
    assert shares.parameters == ("a", "b")
    np.testing.assert_allclose(shares.first, [0.2, 0.8], atol=0.05)
    np.testing.assert_allclose(shares.total, [0.2, 0.8], atol=0.05)
    assert len(found) == 1024
    with pytest.raises(StateError, match="no response 'other'"):
        found.sensitivity("other")


def test_a_front_has_what_nothing_beats_and_best_the_smallest(tmp_path):
    found = Study(lambda x: {"y": x, "z": (x - 2) ** 2}, {"x": grid(0, 4, 5)}).run(tmp_path, workers=1)
    assert [case.values["x"] for case in found.front(["y", "z"])] == [0, 1, 2]
    assert [case.values["x"] for case in found.front(["y", "z"], largest=["y"])] == [2, 3, 4]
    assert [case.values["x"] for case in found.best("y", 2)] == [0, 1]
    assert [case.values["x"] for case in found.best("y", largest=True)] == [4]
    with pytest.raises(NameLookupError, match="no column 'w'"):
        found.column("w")
    with pytest.raises(StateError, match="case 0 has no motion"):
        found.motion_file(0)
    with pytest.raises(StateError, match="no case 9; expected a number from 0 to 4"):
        found.motion_file(9)


def test_a_live_page_reloads_itself_until_the_end(tmp_path):
    pages = []
    area().run(tmp_path, workers=1, live=True, progress=lambda line: pages.append((tmp_path / "live.html").exists()))
    text = (tmp_path / "live.html").read_text()
    assert any(pages) and "40 of 40 cases are done, 8 of them failed" in text and "x is 1.0" in text and "refresh" not in text


def test_a_function_that_returns_no_numbers_fails_in_words(tmp_path):
    found = Study(named("strange"), {"x": [1.0]}).run(tmp_path, workers=1)
    assert found[0].reason == "the function returned value of type list; expected a number, numbers by name, or a motion"


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Study(3, {"a": [1]}), "a study runs a function or a base of lissom.study, got 3"),
        (lambda: Study(lambda a: a, {"sin": [1]}), "parameter 'sin' cannot have this name"),
        (lambda: Study(lambda a: a, {"a b": [1]}), "parameter 'a b' cannot have this name"),
        (lambda: Study(lambda a: a, {}), "the study has no parameters"),
        (lambda: Study(lambda a: a, {"a": 3}), "parameter 'a' is 3, expected a list of values"),
        (lambda: Study(lambda a: a, {"a": [1]}, table=[{"a": 1}]), "parameter 'a' is given twice"),
        (lambda: Study(lambda a: a, table=[{"a": 1}, {"b": 1}]), "rows of the table have different columns"),
        (lambda: Study(lambda a: a, {"a": [1]}, ["a"]), "response 'a' is given twice"),
        (lambda: Study(lambda a: a, {"seed": [1]}), "parameter 'seed' is a column of every study"),
        (lambda: Study(lambda a: a, {"a": [1]}, [3]), "3 is no response"),
        (lambda: Study(lambda a: a, {"a": [1]}, ["y"], refine=Refinement("z")), "refine: no response 'z'"),
        (lambda: Study(lambda a: a, {"a": [1]}, ["y"], refine=Refinement("y", count=0)), "refine: count is 0"),
        (lambda: Study(lambda a: a, {"a": [1]}, ["y"], refine=Refinement("y", least=2)), "refine: least is 2"),
        (
            lambda: Study(lambda a: a, {"a": [1]}, ["y"], refine=Refinement("y", count=100_000, rounds=11)),
            "refine: 100000 cases in 11 rounds are too many, expected 1000000 together at most",
        ),
        (
            lambda: Study(lambda a: a, table=[{"a": 1.0}], refine=Refinement("y")),
            "refine: only parameters with values of their own",
        ),
        (lambda: Study(lambda b: b, {"a": [1]}), "the function has no argument 'a'; expected 'b'"),
        (lambda: Study(lambda a, b: b, {"a": [1]}), "the function needs an argument 'b', which is no parameter"),
        (lambda: Study(lambda a: a, {"a": [1]}).to_dataframe(), "the study was not run yet"),
        (lambda: Study(lambda a: a, {"a": [1]}).run("x", workers=2, scheduler="tcp://a:1"), "give one of them"),
        (
            lambda: peak("torque") and Study(lambda a: a, {"a": [1]}).base.robot({}),
            "motions of a function are read with the robot",
        ),
        (lambda: Local(1, limit=-1), "limit is -1, expected a positive time"),
    ],
)
def test_what_makes_no_study_is_refused(make, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StateError, match=message):
        make()


@pytest.mark.parametrize(
    "text, message",
    [
        ("abs", "expected module:name, or file.py:name"),
        ("no_such_module:f", "No module named 'no_such_module'"),
        ("none.py:f", "no file .*none.py"),
        ("study_functions.py:produkt", "no function 'produkt' there; did you mean 'product'"),
    ],
)
def test_a_function_that_is_not_there_is_named(text, message):
    with pytest.raises(FileError, match=message):
        NamedFunction(text, str(SUPPORT))


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), FileError("cannot be written: No space left on device")]
)
def test_a_full_disk_ends_a_study_that_says_what_is_stored_and_continues(tmp_path, monkeypatch, error):
    put, asked = Store.put, []

    def full(self, found):
        asked.append(len(found))
        if sum(asked) > 9:
            raise error
        return put(self, found)

    monkeypatch.setattr(local, "TOGETHER", 0.0)
    with monkeypatch.context() as disk:
        disk.setattr(Store, "put", full)
        with pytest.raises(FileError, match="No space left on device; [0-9]+ rows are stored: make room, and the same command"):
            area().run(tmp_path, workers=1)
    stored = len(area().results(tmp_path))
    seen = []
    assert len(area().run(tmp_path, workers=1, progress=seen.append)) == 40
    assert 0 < stored < 40 and len(seen) == 40 - stored
