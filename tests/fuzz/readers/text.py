"""Descriptions as texts, which `load` recognizes by their content, and names of built-in robots."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

import lissom

from .. import xml_text, yaml_text
from ..reader import Reader, corpus, torques


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    text = path.read_bytes().decode("utf-8", rng.choice(("replace", "surrogateescape", "ignore")))
    if rng.random() < 0.2:
        text = rng.choice((text[: rng.randrange(40)], "robots:" + text[: rng.randrange(20)], "robots:rp(" + text[:20] + ")"))
    return torques(lissom.load(text, strict=rng.random() < 0.05).model, rng)


URDF = Reader("text-urdf", ".urdf", corpus("tree_*.urdf"), xml_text.mutate, _follow)
YAML = Reader("text-yaml", ".yaml", corpus("tree_*.yaml"), yaml_text.mutate, _follow)
