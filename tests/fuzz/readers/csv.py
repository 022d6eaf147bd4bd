"""CSV files: motions for torques, forces and first states for simulations, stored trajectories."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import numpy as np

import lissom
from lissom.cli.simulate_inputs import first_state, read_torques
from lissom.cli.trajectory import read_trajectory

from .. import csv_text
from ..reader import Reader, corpus


@cache
def robot() -> lissom.Robot:
    return lissom.Robot(lissom.robots.rr().model, backend="numpy")


def _motion(path: Path, rng: Random) -> list[np.ndarray]:
    motion = read_trajectory(path, robot(), differentiate=rng.random() < 0.3)
    return [robot().inverse_dynamics(motion.q, motion.qd, motion.qdd)]


def _forces(path: Path, rng: Random) -> list[np.ndarray]:
    forces = read_torques(path, robot().joint_names, hold=rng.random() < 0.3)
    run = robot().simulate([0.1, 0.2], [0, 0], torque=forces, duration=2e-3, method="rk4", dt=1e-3)
    return [run.q, run.tau]


def _state(path: Path, rng: Random) -> list[np.ndarray]:
    q, qd, more, _ = first_state(robot(), path, None, None)
    run = robot().simulate(q, qd, **more, duration=2e-3, method="rk4", dt=1e-3)
    return [run.q, run.tau]


def _trajectory(path: Path, rng: Random) -> list[np.ndarray]:
    run = lissom.Trajectory.load(path, robot())
    good = np.isfinite(run.qdd).all(axis=-1)  # where a run fails it may have no accelerations
    return [robot().inverse_dynamics(run.q[good], run.qd[good], run.qdd[good])]


MOTION = Reader("csv-motion", ".csv", corpus("motion*.csv"), csv_text.mutate, _motion)
FORCES = Reader("csv-forces", ".csv", corpus("forces*.csv"), csv_text.mutate, _forces)
STATE = Reader("csv-state", ".csv", corpus("state*.csv"), csv_text.mutate, _state)
TRAJECTORY = Reader("csv-trajectory", ".csv", corpus("trajectory*.csv"), csv_text.mutate, _trajectory)
