"""One chunk of states, computed wherever it is: by a processor, or by the card of its machine."""

from __future__ import annotations

import hashlib
import importlib
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DeviceError, StateError
from ..locks import Lock

KEPT = 16  # robots that a process remembers, with their code
NO_CARD = (None, 100)  # codes of errors that say that there is no card, or no driver

_robots: dict[str, Any] = {}
_lock = Lock()


@dataclass(frozen=True)
class Chunk:
    """A function of a robot that can be sent to other processes: they make the robot once.

    Attributes:
        key: names the robot.
        data: the robot, pickled.
        name: of the function.
        options: of the function.
        card: whether a card computes it, where there is one.
    """

    key: str
    data: bytes
    name: str
    options: Mapping[str, Any]
    card: bool = False

    @classmethod
    def of(cls, robot: Any, name: str, options: Mapping[str, Any], card: bool = False) -> Chunk:
        """Return the function of a robot."""
        data = pickle.dumps(robot)
        key = hashlib.sha256(data).hexdigest() + (" on a card" if card else "")
        if not card:
            _keep(key, robot)
        return cls(key, data, name, dict(options), card)

    def __call__(self, *state: Any) -> Any:
        """Return the results (..., shape) for arguments (..., n): NumPy's arrays, or CuPy's where one argument is."""
        robot = _robots.get(self.key)
        if robot is None:
            robot = pickle.loads(self.data)
            robot = _keep(self.key, on_card(robot) if self.card else robot)
        there = [hasattr(x, "__cuda_array_interface__") for x in state]
        if not any(there):
            return robot.evaluate(self.name, [np.ascontiguousarray(x) for x in state], **self.options)
        if robot.backend.name != "cuda":
            raise StateError("chunks are on a card, and this robot is not: make lissom.dask.Robot(robot, card=True)")
        return _cupy(robot.evaluate(self.name, list(state), **self.options), state[there.index(True)])

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        return normalize_token(("lissom", self.key, self.name, dict(self.options)))


def on_card(robot: Any) -> Any:
    """Return a robot that the card of this machine computes, and the robot itself where there is none."""
    try:
        return robot.to("cuda")
    except DeviceError as error:
        if error.code in NO_CARD:
            return robot
        raise


def _cupy(found: Any, like: Any) -> Any:
    """Return an array on a card as one of CuPy, without a copy, after those of the states."""
    library = type(like).__module__.partition(".")[0]
    if library != "cupy":
        raise StateError(f"chunks are arrays of {library}, expected NumPy's, or CuPy's for arrays on a card")
    return importlib.import_module("cupy").asarray(found)


def _keep(key: str, robot: Any) -> Any:
    with _lock:
        if key not in _robots:
            if len(_robots) >= KEPT:
                _robots.pop(next(iter(_robots)))
            _robots[key] = robot
        return _robots[key]
