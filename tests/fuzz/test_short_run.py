"""A short run of `make fuzz`, the same inputs every time, and the harness judged by readers that fail on purpose."""

import time
import warnings
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fuzz.__main__ import main, table
from fuzz.outcome import GOOD, Outcome
from fuzz.reader import random_of
from fuzz.readers import EVERY, READERS
from fuzz.watch import Count, fuzz
from fuzz.worker import run

needs_linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits of a worker are Linux's")
COUNT = {"mjcf": 4, "osim-muscles": 20, "loops": 12, "closed": 12, "npz-prediction": 20, "arrays": 60, "problem": 20}


@pytest.mark.sweep(9)
@pytest.mark.parametrize("name", READERS)
def test_mutated_inputs_are_followed_or_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reader = READERS[name]
    seeds = reader.seeds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [run(reader, 12, k, seeds, tmp_path / f"input{reader.ending}") for k in range(COUNT.get(name, 40))]
    wrong = {k: told for k, told in enumerate(found) if told[0] not in GOOD}
    assert not wrong, f"python -m tests.fuzz --reader {name} --seed 12 --only {next(iter(wrong))}: {wrong}"


class Plain(Random):
    """Random numbers that choose no option."""

    def random(self):
        return 0.5


@pytest.mark.parametrize("name", [name for name in READERS if not name.startswith("arrays")])
def test_seeds_are_accepted_unchanged(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reader = READERS[name]
    path = tmp_path / f"input{reader.ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in reader.seeds():
            path.write_bytes(data)
            assert all(np.isfinite(result).all() for result in reader.follow(path, Plain(1)))


def test_an_input_depends_on_reader_seed_and_number_alone():
    for name in ("urdf", "tree", "csv-motion"):
        reader = READERS[name]
        seeds = reader.seeds()
        inputs = [[reader.input(random_of(seed, name, k), seeds) for k in range(50)] for seed in (1, 1, 2)]
        assert inputs[0] == inputs[1] != inputs[2]


@pytest.mark.slow
@needs_linux
def test_the_harness_names_every_trouble_and_goes_on(tmp_path):
    found = fuzz(EVERY["trouble"], 14, 0, 8, time.monotonic() + 300, tmp_path, seconds=0.5)
    assert found.total == 8
    assert set(found.outcomes) == set(Outcome)
    failing = {number: outcome for number, outcome, _ in found.failures}
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    words = {Outcome.RAW: "raw", Outcome.NAN: "nan", Outcome.HANG: "hang", Outcome.MEMORY: "memory", Outcome.CRASH: "abort"}
    assert kept == {f"trouble-14-{number}.txt": words[outcome] for number, outcome in failing.items()}
    assert table({"trouble": found}).splitlines()[2].startswith("| trouble | 8 |")


@needs_linux
def test_a_run_prints_a_table_and_succeeds(tmp_path, capsys):
    assert main(["--reader", "csv-state", "--count", "3", "--keep", str(tmp_path)]) == 0
    assert "| csv-state | 3 |" in capsys.readouterr().out


def test_a_failing_run_has_an_exit_code_and_says_how_to_repeat_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("fuzz.__main__.fuzz", lambda *_: Count(Counter({Outcome.RAW: 1}), failures=[(7, Outcome.RAW, "oh")]))
    assert main(["--reader", "urdf", "--seed", "3", "--keep", str(tmp_path)]) == 1
    assert "raw exception: oh\n    python -m tests.fuzz --reader urdf --seed 3 --only 7\n" in capsys.readouterr().out


def test_one_input_can_be_run_alone(tmp_path, capsys, monkeypatch):
    assert main(["--reader", "urdf", "--seed", "3", "--only", "7", "--keep", str(tmp_path)]) == 0
    reader = READERS["urdf"]
    assert (tmp_path / "urdf-3-7.urdf").read_bytes() == reader.input(random_of(3, "urdf", 7), reader.seeds())
    assert f"input: {tmp_path / 'urdf-3-7.urdf'}\n" in capsys.readouterr().out
