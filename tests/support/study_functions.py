"""Functions that the tests of studies run, in any process."""

import json
import os
import signal
import time
from pathlib import Path

import numpy as np


def product(x, y, seed):
    """Return numbers with all their digits, one of them random."""
    if x > 0.9:
        raise ValueError(f"x is {x}")
    noise = np.random.default_rng(seed).normal()
    return {"area": x * y, "noise": float(noise + np.sin(x))}


def _count(folder, name):
    """Note a call, and return how many there were before."""
    path = Path(folder) / name
    before = len(path.read_bytes()) if path.exists() else 0
    with open(path, "ab") as file:
        file.write(b".")
    return before


def slow(x):
    """Take a while, of which the folder in the environment keeps count."""
    time.sleep(float(os.environ.get("STUDY_TEST_SECONDS", "0.05")))
    _count(os.environ["STUDY_TEST_FOLDER"], f"{x:.6f}")
    return {"y": float(np.sin(x) * x)}


def crashing(x):
    """End the process the first time, for a half of all x; hang the first time for one."""
    before = _count(os.environ["STUDY_TEST_FOLDER"], f"{x:.6f}")
    if not before and int(x) % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if not before and int(x) == 4:
        time.sleep(600)
    return {"y": x * x}


def always_crashing(x):
    """End the process every time."""
    os.kill(os.getpid(), signal.SIGKILL)


def strange(x):
    """Return what no response can be."""
    return [json.dumps(x), 1]


def hanging(x):
    """Never return for one x."""
    while int(x) == 2:
        time.sleep(0.01)
    return {"y": x}
