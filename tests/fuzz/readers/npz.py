"""Stored trajectories and predictions in NumPy's npz files."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

import lissom

from .. import npz_bytes
from ..reader import Reader
from .csv import robot


@cache
def _trajectories() -> list[bytes]:
    runs = [robot().simulate([0.1, 0.2], [0, 0], duration=0.01, method="rk4", dt=1e-3)]
    event = lissom.simulate.Event(lambda t, q, qd: qd[0] - 0.01, "fast", terminal=True)
    runs.append(robot().simulate([0.1, 0.2], [0, 0], duration=0.1, method="rk4", dt=1e-3, events=[event], throw=False))
    return [_bytes(run) for run in runs]


@cache
def _predictions() -> list[bytes]:
    from lissom.predict.problem_file.read import load

    problem = load("rr")
    return [_bytes(problem.solve(iterations=k, throw=False, restart=False, refine=False)) for k in (2, 100)]


def _bytes(result: lissom.Trajectory | lissom.Prediction) -> bytes:
    """Return a result as its file has it, without compression: bytes mean more so."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        result.save(path)
        with np.load(path) as found:
            arrays = dict(found)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _trajectory(path: Path, rng: Random) -> list[np.ndarray]:
    run = lissom.Trajectory.load(path, robot())
    good = np.isfinite(run.qdd).all(axis=-1)
    return [robot().inverse_dynamics(run.q[good], run.qd[good], run.qdd[good])]


def _prediction(path: Path, rng: Random) -> list[np.ndarray]:
    prediction = lissom.Prediction.load(path, robot())
    repr(prediction)
    return [prediction.torques(prediction.times(5))]


TRAJECTORY = Reader("npz-trajectory", ".npz", _trajectories, npz_bytes.mutate, _trajectory)
PREDICTION = Reader("npz-prediction", ".npz", _predictions, npz_bytes.mutate, _prediction)
