"""lissom study: from a file to a table, continued after Ctrl-C, and Python code only where it is allowed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lissom.cli import app
from lissom.study import load_rows

pytestmark = pytest.mark.usefixtures("interruptible")
SOURCE = Path(__file__).parents[2] / "src"
TEXT = """lissom: 1
kind: study
name: products
base: {function: "mine.py:product"}
parameters: {x: {grid: [0, 1, 5]}, y: {values: [1, 2]}}
responses: [area]
"""
CODE = """import os, time
def product(x, y):
    if x == 1:
        raise ValueError("too far")
    time.sleep(float(os.environ.get("PAUSE", "0")))
    return {"area": x * y}
"""


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    Path("s.yaml").write_text(TEXT)
    Path("mine.py").write_text(CODE)

    def run(*arguments):
        return CliRunner().invoke(app, ["study", *(str(a) for a in arguments)])

    return run


def test_a_study_is_run_and_told_and_not_run_again(lissom):
    done = lissom("s.yaml", "-o", "out", "--allow-python", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "products: 10 of 10 cases done, 2 of them failed" in done.stdout
    assert "2 failed: ValueError: too far" in done.stdout and "table in out/table.parquet" in done.stdout
    again = lissom("s.yaml", "-o", "out", "--allow-python", "--json")
    report = json.loads(again.stdout)
    assert report["done"] == 10 and report["failed"] == 2 and report["written"] == []
    (own,) = report["responses"]
    assert (own["name"], own["smallest"], own["mean"], own["largest"]) == ("area", 0.0, 0.5625, 1.5)
    assert report["reasons"] == [{"reason": "ValueError: too far", "cases": 2}]


def test_python_code_needs_permission(lissom):
    done = lissom("s.yaml", "-o", "out")
    assert done.exit_code == 2 and "s.yaml:4: this study runs the Python code 'mine.py:product'" in done.stderr
    assert "--allow-python" in done.stderr and not Path("out").exists()


def test_a_folder_of_something_else_is_left_alone(lissom):
    Path("out").mkdir()
    Path("out/letter.txt").write_text("dear")
    done = lissom("s.yaml", "-o", "out", "--allow-python")
    assert done.exit_code == 2 and "holds 'letter.txt'" in done.stderr
    assert os.listdir("out") == ["letter.txt"]


@pytest.mark.slow
def test_ctrl_c_ends_with_its_code_and_the_same_command_continues(lissom):
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PAUSE": "0.3"}
    command = [sys.executable, "-m", "lissom", "study", "s.yaml", "-o", "out", "--allow-python", "--workers", "2"]
    job = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
    while job.poll() is None and not list(Path("out").glob("rows/*.rows")):
        time.sleep(0.02)
    job.send_signal(signal.SIGINT)
    _, said = job.communicate(timeout=120)
    assert job.returncode == 130 and "nothing is lost: the same command continues" in said
    before = len(load_rows("out"))
    assert 0 < before < 10
    assert lissom("s.yaml", "-o", "out", "--allow-python", "--workers", "2").exit_code == 0
    assert len(load_rows("out")) == 10
