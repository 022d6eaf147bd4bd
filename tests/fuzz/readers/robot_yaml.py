"""lissom's own robots: trees, Denavit-Hartenberg tables, motors, and loops in the robot's own file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from lissom.read import load_model

from .. import yaml_text
from ..reader import Reader, corpus, torques


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    base = "floating" if rng.random() < 0.1 else "fixed"
    return torques(load_model(path, base=base, mimic=rng.random() < 0.9, strict=rng.random() < 0.05), rng)


TREE = Reader("tree", ".yaml", corpus("tree_*.yaml"), yaml_text.mutate, _follow)
DH = Reader("dh", ".yaml", corpus("dh_*.yaml"), yaml_text.mutate, _follow)
MOTORS = Reader("motors", ".yaml", corpus("motors_*.yaml"), yaml_text.mutate, _follow)
CLOSED = Reader("closed", ".yaml", corpus("closed_*.yaml"), yaml_text.mutate, _follow)
