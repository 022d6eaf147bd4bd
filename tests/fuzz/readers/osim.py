"""OpenSim's models, tables and markers."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

import lissom.osim
from lissom.osim import Scaling, scale
from lissom.read import load_model

from .. import raw, xml_text
from ..reader import Reader, corpus, torques


def _model(path: Path, rng: Random) -> list[np.ndarray]:
    base = "floating" if rng.random() < 0.1 else "fixed"
    if rng.random() < 0.1:
        model = lissom.osim.read(path)
        if rng.random() < 0.5:
            grown = scale(model, Scaling(factors={body.name: (1.1, 1.2, 0.9) for body in model.parts.bodies}))
            lissom.osim.write(grown, path, {muscle.name: 1.1 for muscle in model.parts.muscles})
            again = lissom.osim.read(path)
            return [grown.defaults, again.defaults]
        return [model.defaults]
    return torques(load_model(path, base=base, mimic=rng.random() < 0.8, strict=rng.random() < 0.05), rng)


def _table(path: Path, rng: Random) -> list[np.ndarray]:
    table = lissom.osim.read_table(path)
    lissom.osim.write_table(table, path)
    return [table.times, lissom.osim.read_table(path).columns(table.names[:1])]


def _markers(path: Path, rng: Random) -> list[np.ndarray]:
    markers = lissom.osim.read_trc(path)
    lissom.osim.write_trc(markers, path, "mm")
    return [markers.times, np.nan_to_num(lissom.osim.read_trc(path).places)]


MODEL = Reader("osim", ".osim", corpus("osim_*.osim"), xml_text.mutate, _model)
TABLE = Reader("osim-table", ".mot", corpus("osim_*.mot"), raw.mutate, _table)
MARKERS = Reader("osim-markers", ".trc", corpus("osim_*.trc"), raw.mutate, _markers)
