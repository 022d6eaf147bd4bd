"""One chunk of states, computed wherever it is."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..locks import Lock

KEPT = 16  # robots that a process remembers, with their code

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
    """

    key: str
    data: bytes
    name: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, robot: Any, name: str, options: Mapping[str, Any]) -> Chunk:
        """Return the function of a robot."""
        data = pickle.dumps(robot)
        key = hashlib.sha256(data).hexdigest()
        _keep(key, robot)
        return cls(key, data, name, dict(options))

    def __call__(self, *state: np.ndarray) -> np.ndarray:
        """Return the results (..., shape) for arguments (..., n)."""
        robot = _robots.get(self.key)
        if robot is None:
            robot = _keep(self.key, pickle.loads(self.data))
        arrays = [np.ascontiguousarray(x) for x in state]
        return robot.evaluate(self.name, arrays, **self.options)  # type: ignore[no-any-return]

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        return normalize_token(("lissom", self.key, self.name, dict(self.options)))


def _keep(key: str, robot: Any) -> Any:
    with _lock:
        if key not in _robots:
            if len(_robots) >= KEPT:
                _robots.pop(next(iter(_robots)))
            _robots[key] = robot
        return _robots[key]
