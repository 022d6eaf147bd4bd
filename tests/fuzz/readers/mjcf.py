"""MJCF files."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from lissom.read import load_model

from .. import xml_text
from ..reader import Reader, corpus, torques


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    base = "floating" if rng.random() < 0.1 else "fixed"
    return torques(load_model(path, base=base, mimic=rng.random() < 0.9), rng)


MJCF = Reader("mjcf", ".xml", corpus("*.xml"), xml_text.mutate, _follow)
