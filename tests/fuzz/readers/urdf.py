"""URDF files, with transmissions, and with a companion that closes their loops."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from lissom.read import load_model

from .. import xml_text, yaml_text
from ..reader import CORPUS, Reader, corpus, torques


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    base = "floating" if rng.random() < 0.1 else "fixed"
    options = {"mimic": rng.random() < 0.9, "friction": rng.random() < 0.5, "strict": rng.random() < 0.05}
    return torques(load_model(path, base=base, **options), rng)


def _close(path: Path, rng: Random) -> list[np.ndarray]:
    return torques(load_model(CORPUS / "four_bar.urdf", loops=path), rng)


URDF = Reader("urdf", ".urdf", corpus("tree_*.urdf"), xml_text.mutate, _follow)
TRANSMISSIONS = Reader("transmissions", ".urdf", corpus("transmissions*.urdf"), xml_text.mutate, _follow)
LOOPS = Reader("loops", ".yaml", corpus("loops_*.yaml"), yaml_text.mutate, _close)
