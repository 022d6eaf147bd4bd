"""Reader: one kind of input, how it is changed, and how far it is followed."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

CORPUS = Path(__file__).parent / "corpus"

Mutate = Callable[[Random, bytes, list[bytes]], bytes]
Follow = Callable[[Path, Random], Iterable[Any]]


@dataclass(frozen=True)
class Reader:
    """Inputs of one kind.

    Attributes:
        name: on the command line.
        ending: of the files that are written for it.
        seeds: returns the inputs that are mutated.
        mutate: returns a changed input.
        follow: reads a file, goes on to what it is for, and returns all results.
    """

    name: str
    ending: str
    seeds: Callable[[], list[bytes]]
    mutate: Mutate
    follow: Follow

    def input(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        """Return an input; now and then a seed as it is, or changed twice."""
        data = rng.choice(seeds)
        if rng.random() < 0.01:
            return data
        return self.mutate(rng, data, list(seeds))


def random_of(seed: int, reader: str, number: int) -> Random:
    """Return the random numbers of one input, the same on every machine."""
    return Random(zlib.crc32(reader.encode()) + (seed << 32) + (number << 64))


def corpus(pattern: str) -> Callable[[], list[bytes]]:
    """Return a function that reads the files of the corpus that match a pattern."""
    return lambda: [path.read_bytes() for path in sorted(CORPUS.glob(pattern))]


def chosen_backend(rng: Random, share: float = 0.02) -> str:
    """Return "numpy" mostly: it needs no compiling."""
    return "llvm" if rng.random() < share else "numpy"


def torques(model: Any, rng: Random) -> list[np.ndarray]:
    """Follow a model to its first torques, and now and then back to accelerations and poses."""
    import lissom

    # closing loops takes hundreds of evaluations, for which NumPy is no backend
    robot = lissom.ClosedRobot(model, backend="llvm") if model.loops else lissom.Robot(model, backend=chosen_backend(rng))
    qd = np.full(robot.nv, 0.1)
    found = [robot.inverse_dynamics(robot.neutral(), qd, qd)]
    if rng.random() < 0.1:
        found.append(robot.forward_dynamics(robot.neutral(), qd, found[0]))
    if rng.random() < 0.1:
        found.append(robot.link_poses(robot.neutral()))
    if rng.random() < 0.05:
        repr(robot)
    if model.shapes and rng.random() < 0.2:
        written = lissom.write.to_yaml(model)
        with warnings.catch_warnings():  # a text has no folder: its meshes are not found
            warnings.simplefilter("ignore")
            again = lissom.read.load_model(written)
        if [(shape.link, shape.origin, shape.color) for shape in again.shapes] != [
            (shape.link, shape.origin, shape.color) for shape in model.shapes
        ]:
            raise AssertionError("shapes change when they are written and read again")
    return found
