"""Exit codes: every way to end has a number of its own, and the documents list them all."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lissom import nlp, simulate
from lissom.cli import app, demo, exit_codes
from lissom.errors import CompilerError, ConvergenceError, FileError, MissingExtraError, SimulationError
from lissom.predict.result.prediction import FOUND

PAGE = Path(__file__).parents[2] / "docs" / "usage" / "cli.md"


def test_every_status_has_a_code():
    assert set(exit_codes.PREDICTIONS) == {status.value for status in nlp.Status}
    assert set(exit_codes.SIMULATIONS) == {status.value for status in simulate.Status}


def test_success_and_nothing_else_is_zero():
    assert {status for status in nlp.Status if exit_codes.prediction_code(status) == 0} == set(FOUND)
    assert [s for s in simulate.Status if exit_codes.simulation_code(s) == 0] == [simulate.Status.FINISHED]


def test_no_two_ways_to_end_share_a_code():
    own = [code for table in (exit_codes.PREDICTIONS, exit_codes.SIMULATIONS) for code in table.values()]
    own = [code for code in own if code not in (exit_codes.SUCCESS, exit_codes.INTERRUPTED)]
    assert len({*own, *exit_codes.GENERAL}) == len(own) + len(exit_codes.GENERAL)
    assert all(0 <= code < 256 for code in own)


def test_the_documents_list_every_code():
    rows = dict(exit_codes.GENERAL)
    for kind, table in (("prediction", exit_codes.PREDICTIONS), ("simulation", exit_codes.SIMULATIONS)):
        rows |= {code: f"{kind} `{status}`" for status, code in table.items() if code not in exit_codes.GENERAL}
    listed = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [(int(code), text) for code, text in listed] == sorted(rows.items())


class Result:
    status = nlp.Status.TIME_LIMIT


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (FileError("is empty", "a.csv"), 2),
        (OSError(13, "Permission denied"), 2),
        (OSError(28, "No space left on device"), exit_codes.NOT_WRITTEN),
        (MissingExtraError("casadi", "predict", "prediction"), exit_codes.MISSING_PACKAGE),
        (CompilerError("no code"), exit_codes.NOT_COMPILED),
        (MemoryError(), exit_codes.OUT_OF_MEMORY),
        (SimulationError("it blew up", simulate.Status.BLEW_UP, 1.0), exit_codes.SIMULATIONS["blew_up"]),
        (ConvergenceError("no motion found", Result()), exit_codes.PREDICTIONS["time_limit"]),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 141),
    ],
)
def test_errors_end_with_their_code_and_one_line(monkeypatch, error, code):
    def fail(*_):
        raise error

    monkeypatch.setattr(demo, "run_demo", fail)
    done = CliRunner().invoke(app, ["demo"])
    assert done.exit_code == code
    assert len(done.stderr.splitlines()) == (0 if code == 141 else 1)
