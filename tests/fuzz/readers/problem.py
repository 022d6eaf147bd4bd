"""Problem files of `lissom predict`: read, transcribed, evaluated with all derivatives, and a few iterations made of some."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from lissom.predict.problem_file.read import load
from lissom.predict.search.run import Run
from lissom.predict.search.starts import straight

from .. import yaml_text
from ..reader import Reader, corpus

FEW = {"iterations": 2, "restart": False, "refine": False, "starts": 1}


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    problem = load(path)
    if rng.random() < 0.1:
        prediction = problem.solve(**FEW, throw=False)
        return [prediction.path.points, prediction.torques(prediction.times(3))]
    run = Run(problem, "ipopt", 1e-8, 1, {}, None)
    first = straight(problem)
    run.prepare(first)
    (transcription,) = run.made.values()
    x = run.unknowns(transcription, first)
    found = [x, transcription.objective(x), transcription.constraints(x)]
    if not all(np.isfinite(part).all() for part in found):
        problem.solve(**FEW, throw=True)  # has to say so
    return found


PROBLEM = Reader("problem", ".yaml", corpus("problem_*.yaml"), yaml_text.mutate, _follow)
