"""Tests beside OpenSim, in a process of their own: OpenSim and casadi, which other tests load, cannot be in one."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHOSEN = ("tests/osim", "tests/read/osim", "tests/muscles", "tests/oracles/test_opensim_muscles.py")


@pytest.mark.slow
def test_tests_beside_opensim_pass_in_a_process_without_casadi():
    if importlib.util.find_spec("opensim") is None:
        pytest.skip("opensim, the judge, is not installed")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--full", *CHOSEN]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "casadi is loaded" not in done.stdout
