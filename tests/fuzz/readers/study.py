"""Study files of `lissom study`, and their tables: read, and some cases written into what they run."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random

import numpy as np

from lissom.study import Study, load

from .. import csv_text, yaml_text
from ..reader import CORPUS, Reader, corpus

FEW = 500  # cases; those of larger studies are not listed
OF_A_TABLE = """lissom: 1
kind: study
name: table
base: {motion: rr}
table: input.csv
set: {"limits[0].within": "5 * load + 0 * other"}
responses: [duration]
"""


def _beside(path: Path, **files: str) -> None:
    for name, source in files.items():
        other = path.with_name(f"{name}.csv")
        if not other.exists():
            other.write_bytes((CORPUS / source).read_bytes())


def _cases(study: Study, rng: Random) -> list[np.ndarray]:
    """Return the numbers of some cases, for which the document can be made and read, and the study sent."""
    pickle.loads(pickle.dumps(study.base))
    json.dumps(study.describe())
    if study.design.size > FEW:
        return []
    cases, starts = study.plan()
    assert len({case.id for case in cases}) == len(cases) and set(starts) <= {case.id for case in cases}
    for case in rng.sample(cases, min(2, len(cases))):
        study.base.changed(case.values)  # type: ignore[attr-defined]
        if study.base.kind != "gait" and rng.random() < 0.1:  # a person's robot takes seconds to compile
            study.base.robot(case.values)
    return [np.array([x for case in cases for x in case.values.values() if not isinstance(x, str)], dtype=float)]


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    _beside(path, samples="trajectory.csv", table="study_table.csv")
    return _cases(load(path), rng)


def _table(path: Path, rng: Random) -> list[np.ndarray]:
    study = path.with_name("of_a_table.yaml")
    study.write_text(OF_A_TABLE)
    return _cases(load(study), rng)


STUDY = Reader("study", ".yaml", corpus("study_*.yaml"), yaml_text.mutate, _follow)
TABLE = Reader("study-table", ".csv", corpus("study_*.csv"), csv_text.mutate, _table)
