"""OpenSim's models, tables and markers."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from random import Random

import numpy as np

import lissom.osim
from lissom.muscles import read_muscles
from lissom.osim import Scaling, scale
from lissom.read import load_model

from .. import raw, xml_text
from ..reader import CORPUS, Reader, corpus, torques


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


def _muscles(path: Path, rng: Random) -> list[np.ndarray]:
    """Muscles of a model: read, and sometimes their lengths and the fibers that balance their tendons."""
    muscles = read_muscles(lissom.osim.read(path))
    if rng.random() < 0.7:
        return []
    q = np.zeros(muscles.robot.nq)
    return [*muscles.lengths_and_arms(q), muscles.equilibrium(q, np.full(len(muscles), 0.3)).forces]


def _actuators(path: Path, rng: Random) -> list[np.ndarray]:
    leg, _ = _leg_and_trial()
    q = np.zeros((2, leg.robot.nq))
    return [one.torques(leg, q) for one in lissom.osim.read_actuators(path, leg)]


def _analyze(path: Path, rng: Random) -> list[np.ndarray]:
    said = lissom.osim.read_analyze_setup(path, rng.choice(("MuscleAnalysis", "StaticOptimization", "JointReaction")))
    return [] if said.power is None else [np.array([said.power])]


def _table(path: Path, rng: Random) -> list[np.ndarray]:
    table = lissom.osim.read_table(path)
    lissom.osim.write_table(table, path)
    return [table.times, lissom.osim.read_table(path).columns(table.names[:1])]


def _markers(path: Path, rng: Random) -> list[np.ndarray]:
    markers = lissom.osim.read_trc(path)
    lissom.osim.write_trc(markers, path, "mm")
    return [markers.times, np.nan_to_num(lissom.osim.read_trc(path).places)]


def _setup(path: Path, rng: Random) -> list[np.ndarray]:
    """A setup of a tool: tasks, loads, or the steps of ScaleTool on a small model and trial."""
    if rng.random() < 0.2:
        return [np.array(list(lissom.osim.read_tasks(path).markers.values()))]
    setup = lissom.osim.read_scale_setup(path, ("model", "markers", "static"))
    if rng.random() < 0.8:
        return []
    leg, static = _leg_and_trial()
    made = lissom.osim.follow_scale_setup(setup, leg, static=static)
    return [np.array([marker.location for marker in made.model.parts.markers])]


@functools.cache
def _leg_and_trial() -> tuple[lissom.osim.OsimModel, lissom.osim.Markers]:
    """Return a model with the markers of the setups, and a trial of these."""
    text = (CORPUS / "osim_setup_leg.osim").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "leg.osim").write_bytes(text)
        model = lissom.osim.read(Path(folder) / "leg.osim")
    places = np.array([model.tree.link_pose(model.defaults, marker.name)[:3, 3] for marker in model.parts.markers])
    names = tuple(marker.name for marker in model.parts.markers)
    return model, lissom.osim.Markers(names, np.arange(5) / 10, np.repeat(places[None], 5, axis=0) * 1.05)


SETUP = Reader("osim-setup", ".xml", corpus("osim_*.setup"), xml_text.mutate, _setup)
MUSCLES = Reader("osim-muscles", ".osim", corpus("osim_*.osim"), xml_text.mutate, _muscles)
ACTUATORS = Reader("osim-actuators", ".xml", corpus("osim_*.actuators"), xml_text.mutate, _actuators)
ANALYZE = Reader("osim-analyze", ".xml", corpus("osim_*.analyze"), xml_text.mutate, _analyze)
MODEL = Reader("osim", ".osim", corpus("osim_*.osim"), xml_text.mutate, _model)
TABLE = Reader("osim-table", ".mot", corpus("osim_*.mot"), raw.mutate, _table)
MARKERS = Reader("osim-markers", ".trc", corpus("osim_*.trc"), raw.mutate, _markers)
