"""Studies in processes of this machine: crashed, hung and killed ones lose nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lissom.study import Study, grid
from lissom.study.bases.function import NamedFunction

SUPPORT = Path(__file__).parents[2] / "support"
SOURCE = Path(__file__).parents[3] / "src"
pytestmark = pytest.mark.usefixtures("interruptible")


def named(name):
    return NamedFunction(f"study_functions.py:{name}", str(SUPPORT))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes")
def test_crashed_and_hung_workers_lose_nothing(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("STUDY_TEST_FOLDER", str(tmp_path / "calls"))
    (tmp_path / "calls").mkdir()
    found = Study(named("crashing"), {"x": grid(0, 7, 8)}).run(tmp_path / "study", workers=2, limit=3.0)
    np.testing.assert_array_equal(found.column("y"), np.arange(8.0) ** 2)
    assert found.counts == {"done": 8} and found.column("attempts").tolist() == [1] * 8
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes")
def test_a_case_that_always_ends_its_process_is_a_row_that_says_so(tmp_path):
    found = Study(named("always_crashing"), {"x": grid(0, 1, 2)}, ["y"]).run(tmp_path, workers=2)
    assert found.counts == {"lost": 2} and found.column("attempts").tolist() == [3, 3]
    assert found[0].reason == "its process ended with exit code -9, 3 times"


@pytest.mark.slow
def test_a_killed_study_keeps_its_rows_and_is_continued(tmp_path, monkeypatch):
    script = (
        "import sys; from lissom.study import Study, grid; from lissom.study.bases.function import NamedFunction\n"
        "base = NamedFunction('study_functions.py:slow', sys.argv[2])\n"
        "Study(base, {'x': grid(0, 3, 40)}, ['y']).run(sys.argv[1], workers=2)"
    )
    calls, folder = tmp_path / "calls", tmp_path / "study"
    calls.mkdir()
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "STUDY_TEST_FOLDER": str(calls)}

    def start():
        return subprocess.Popen([sys.executable, "-c", script, str(folder), str(SUPPORT)], env=env, stderr=subprocess.PIPE)

    for how in (signal.SIGKILL, signal.SIGINT):
        before, job = len(list(calls.iterdir())), start()
        until = time.monotonic() + 120
        while len(list(calls.iterdir())) < before + 6 and job.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        job.send_signal(how)
        job.communicate(timeout=120)
    monkeypatch.setenv("STUDY_TEST_FOLDER", str(calls))
    study = Study(named("slow"), {"x": grid(0, 3, 40)}, ["y"])
    some = study.results(folder)
    assert 0 < len(some) <= 40
    assert not study.run(folder, workers=1, progress=lambda line: True).column("attempts").max() > 1
    done = subprocess.run([sys.executable, "-c", script, str(folder), str(SUPPORT)], env=env, timeout=300)
    assert done.returncode == 0
    found = study.results(folder)
    x = found.column("x")
    assert len(found) == 40 and (found.column("y") == [np.sin(v) * v for v in x]).all()
    # what had a row was not run again; of those killed meanwhile there are few
    calls_of = [len(path.read_bytes()) for path in calls.iterdir()]
    assert len(calls_of) == 40 and max(calls_of) <= 3 and sum(calls_of) <= 40 + 10
