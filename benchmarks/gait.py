"""Walking: CPU seconds of a step after compiling, of compiling it, of 20 speeds with warm starts; scores beside measured norms.

For scores, LISSOM_NORMS is a folder with schwartz-2008-free.csv and winter-normal-gait.csv, of which lissom ships none. Speeds
other than 1.325 m/s are predictions: the weights were chosen there, with 1.2 m/s in sight.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from lissom import gait
from lissom.gait import Gait, read_norm

REPEATS = 3
SPEEDS = np.linspace(0.6, 2.0, 20)
NAMES = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")
MOMENTS = ("hip_extension_moment", "knee_extension_moment", "ankle_plantarflexion_moment")
COMPILE = """
import time
from lissom import gait
began = time.process_time()
gait.predict(1.2, 0.6, iterations=1, throw=False)
print(time.process_time() - began)
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cold, cached = (_compiled(folder) for _ in range(2))
    print(f"compiling, with one iteration: {cold:.1f} s of CPU; from the cache {cached:.2f} s")
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        walk = gait.predict(1.2, 0.6)
        times.append(time.process_time() - began)
    found = walk.prediction
    print(
        f"1.2 m/s, 0.6 m: {min(times):.2f} s of CPU after compiling, {found.iterations} iterations, "
        f"{found.solution.x.size} unknowns, {found.solution.constraints.size} rows, {found.status.value}",
        flush=True,
    )
    norms = Path(os.environ.get("LISSOM_NORMS", ""))
    schwartz = read_norm(norms / "schwartz-2008-free.csv") if (norms / "schwartz-2008-free.csv").is_file() else {}
    winter = read_winter(norms / "winter-normal-gait.csv") if (norms / "winter-normal-gait.csv").is_file() else {}
    for own in (gait.predict(1.325, 0.755, stature=1.741, mass=73.0), walk):
        print(f"\n{own}")
        _scores(own, schwartz, winter)
    _sweep(schwartz)


def read_winter(path: Path) -> dict[str, np.ndarray]:
    """Return Winter's means of normal cadence by the names of `Gait.cycle`; 11 deg of the pelvis are added to his hip."""
    names = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion", "fore_aft_force", "vertical_force", *MOMENTS)
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [[float(x) for x in (row[1], *row[4:12])] for row in csv.reader(file) if row[0].isdigit()]
    percent, *columns = np.array(rows).T
    found = {f"{name}_mean": column for name, column in zip(names, columns, strict=True)}
    found["hip_flexion_mean"] = found["hip_flexion_mean"] + 11.0
    for name in ("fore_aft_force_mean", "vertical_force_mean"):
        found[name] = found[name] / 9.81
    return {"cycle_percent": percent, **found}


def _compiled(folder: str) -> float:
    environment = {**os.environ, "LISSOM_CACHE_DIR": folder}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def _scores(walk: Gait, schwartz: Mapping[str, np.ndarray], winter: Mapping[str, np.ndarray]) -> None:
    """Print r, rms and shares of curves, and how far the pelvis turns beside the norm."""
    for label, norm in (("Schwartz", schwartz), ("Winter", winter)):
        for name, score in (walk.compare(norm) if norm else {}).items():
            share = "" if np.isnan(score.within) else f", {100 * score.within:.0f} % within one SD"
            print(f"{label:9} {name:30} r {score.r:6.3f}  rms {score.rms:6.3f}{share}")
    cycle = walk.cycle(201)
    for name in ("pelvis_rotation", "pelvis_obliquity") if schwartz else ():
        mean, sd = schwartz[f"{name}_mean"], float(np.mean(schwartz[f"{name}_sd"]))
        own, known = float(np.ptp(cycle[name])), float(np.ptp(mean))
        print(f"{name}: range {own:.1f} deg, norm {known:.1f} deg, {abs(own - known) / 2 / sd:.1f} SD of amplitude")


def _sweep(schwartz: Mapping[str, np.ndarray]) -> None:
    """Print walks at speeds from slow to fast, each begun with the one before."""
    print("\n  m/s   step  per min  double  iterations  status       J     limits  r of hip, knee, ankle")
    walk, began = None, time.process_time()
    for speed in SPEEDS:
        walk = gait.predict(float(speed), start=walk, throw=False)
        found = walk.prediction
        scores = walk.compare(schwartz) if schwartz else {}
        print(
            f"{speed:5.2f} {walk.step_length:6.3f} {walk.cadence:8.0f} {200 * walk.double_support:5.0f} % {found.iterations:10}  "
            f"{found.status.value:10} {found.objective:6.3f} {found.violation:8.0e}  "
            + "  ".join(f"{scores[name].r:.3f}" for name in NAMES if name in scores),
            flush=True,
        )
    print(f"{len(SPEEDS)} speeds: {time.process_time() - began:.1f} s of CPU")
