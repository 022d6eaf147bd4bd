"""Timing of a robot's inverse dynamics beside Pinocchio's: same robot, same states, same run.

Times are the best of many, with the two taking turns: other work of the machine only adds to a time.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .model import JointKind
from .robot import Robot

BATCH, LARGE = 4096, 65536


@dataclass(frozen=True)
class States:
    """Random states of a robot: coordinates with unit quaternions, velocities, accelerations."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def random_states(robot: Robot, n: int, seed: int = 0) -> States:
    """Return n states; angles and positions are normally distributed."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.standard_normal((n, robot.nq)), rng.standard_normal((n, robot.nv)), rng.standard_normal((n, robot.nv))
    for _, where in robot.model.layout.quaternions:
        q[:, where] /= np.linalg.norm(q[:, where], axis=1)[:, None]
    return States(q, qd, qdd)


def best_times(calls: list[Callable[[], Any]], seconds: float = 0.5) -> list[float]:
    """Return the shortest time [s] of each call; they take turns of 0.05 s, for `seconds` each in total.

    A turn is long enough to refill the caches.
    """
    best = [float("inf")] * len(calls)
    repeat = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        repeat.append(max(1, int(0.0005 / max(time.perf_counter() - start, 1e-7))))
    for _ in range(max(1, round(seconds / 0.05))):
        for k, call in enumerate(calls):
            stop = time.perf_counter() + 0.05
            while (start := time.perf_counter()) < stop:
                for _ in range(repeat[k]):
                    call()
                best[k] = min(best[k], (time.perf_counter() - start) / repeat[k])
    return best


class Pinocchio:
    """The same robot in Pinocchio, with its state in Pinocchio's form."""

    def __init__(self, path: str, base: str, robot: Robot) -> None:
        import pinocchio as pin

        root = (pin.JointModelFreeFlyer(),) if base == "floating" else ()
        self.pin, self.model = pin, pin.buildModelFromUrdf(path, *root)
        self.data, self.pool = self.model.createData(), pin.ModelPool(self.model, 1)
        self.robot = robot

    @staticmethod
    def installed() -> bool:
        """Return whether Pinocchio can be imported."""
        return importlib.util.find_spec("pinocchio") is not None

    def difference(self) -> str:
        """Return the first difference between Pinocchio's robot and lissom's, or an empty string."""
        ours, theirs = self.robot.model.independent_joints, list(self.model.names)[1:]
        for joint in ours:
            if joint.kind is JointKind.PLANAR:
                return f"its planar joints, such as {joint.name!r}, have no axis and other coordinates"
        if [joint.name for joint in ours] != theirs:
            return f"its joints are {_listed(theirs)}, and lissom's {_listed([joint.name for joint in ours])}"
        if self.model.nv != self.robot.nv:
            return f"it has {self.model.nv} velocities, and lissom {self.robot.nv}"
        return ""

    def configuration(self, q: np.ndarray) -> np.ndarray:
        """Return coordinates (N, nq) in Pinocchio's form: cosine and sine of a continuous joint's angle."""
        columns: list[np.ndarray] = []
        for place in self.robot.model.layout:
            own = q[:, place.q]
            columns.append(np.hstack([np.cos(own), np.sin(own)]) if place.kind is JointKind.CONTINUOUS else own)
        return np.hstack(columns)

    def batch(self, s: States, threads: int = 1) -> Callable[[], Any]:
        """Return a call of rneaInParallel; its arrays have one column per sample."""
        q, v, a = (np.asfortranarray(x.T) for x in (self.configuration(s.q), s.qd, s.qdd))
        tau = np.zeros_like(v, order="F")
        pool = self.pin.ModelPool(self.model, threads)
        return lambda: self.pin.rneaInParallel(threads, pool, q, v, a, tau)

    def one(self, s: States) -> Callable[[], Any]:
        """Return a call of rnea."""
        rnea, model, data, q, v, a = self.pin.rnea, self.model, self.data, self.configuration(s.q)[0], s.qd[0], s.qdd[0]
        return lambda: rnea(model, data, q, v, a)

    def forces(self, s: States) -> np.ndarray:
        """Return tau (N, nv)."""
        rows = zip(self.configuration(s.q), s.qd, s.qdd, strict=True)
        return np.array([self.pin.rnea(self.model, self.data, q, v, a).copy() for q, v, a in rows])


def _listed(names: list[str]) -> str:
    return (", ".join(map(repr, names[:3])) or "none") + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def compile_seconds(opening: str, call: str = "inverse_dynamics(q, v, v)") -> tuple[float, float]:
    """Return the time [s] from a robot to its first torque, with an empty and a filled cache, in new processes.

    `opening` is Python text that makes `robot`, `call` the call of its method with a batch of one state q, v; importing lissom
    and reading the file are not counted.
    """
    text = f"""
import time, warnings, numpy, llvmlite.binding
warnings.simplefilter("ignore")
import lissom
{opening}
q, v = robot.neutral()[None], numpy.zeros((1, robot.nv))
start = time.perf_counter()
robot.{call}
print(time.perf_counter() - start)
"""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LISSOM_CACHE_DIR": folder}
        first, second = (
            float(subprocess.run([sys.executable, "-c", text], env=environment, check=True, capture_output=True).stdout)
            for _ in range(2)
        )
    return first, second
