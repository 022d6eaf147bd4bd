"""Scenario files of `lissom simulate`: read, and run for a few steps."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from lissom.control.read import load_scenario

from .. import yaml_text
from ..reader import CORPUS, Reader, corpus


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    samples = path.with_name("samples.csv")
    if not samples.exists():
        samples.write_bytes((CORPUS / "motion.csv").read_bytes())
    scenario = load_scenario(path)
    # as the file says, but for a moment only; from where a turn is rounding steps of their own choice come nowhere
    if rng.random() < 0.05 and np.abs(scenario.q0).max(initial=0.0) < 1e6:
        run = scenario.run(duration=min(scenario.duration, 1e-4), throw=True)
    else:
        run = scenario.run(method="rk4", dt=1e-4, sample=1e-4, duration=3e-4, throw=True)
    return [run.q, run.qd, run.tau]


SCENARIO = Reader("scenario", ".yaml", corpus("scenario_*.yaml"), yaml_text.mutate, _follow)
