"""Many motion problems: 1000 random motions of a Panda in minimum time, to positions of its joints and to poses of its flange.

Ends are uniform within the ranges of the joints. Limits of positions, velocities and torques are those of the model, and hold at
all times to 1e-3 of their scales. Compile time apart; processes are started within the time.
"""

from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

import numpy as np

import lissom
from lissom.predict import solve_many

WORKERS = 2


def main(count: int = 1000) -> None:
    arm = lissom.robots.panda()
    problem = lissom.MotionProblem(arm, control_points=10, duration=(0.1, 10.0)).limit_by_model().minimize("time")
    pairs = np.random.default_rng(0).uniform(arm.limits.lower, arm.limits.upper, (count, 2, 7))

    def to_pose(copy: lissom.MotionProblem, item: np.ndarray) -> Any:
        return copy.start(item[0]).end(None).reach("flange", arm.link_pose(item[1], "flange"))

    head = f"{'Panda, 7 x 10 control points':33}{'motions':>9}{'each':>11}{'CPU each':>11}{'iterations':>12}"
    print(head + f"{'solved':>9}{'violation':>11}")
    for name, change in (("joints to joints", None), ("joints to a pose", to_pose)):
        for options in ({"restart": False}, {}):
            solve_many(problem, pairs[:2], change, workers=1)
            before = getrusage(RUSAGE_CHILDREN)
            found = solve_many(problem, pairs, change, workers=WORKERS, progress=True, **options)
            after = getrusage(RUSAGE_CHILDREN)
            cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count
            broken = max(outcome.prediction.violation for outcome in found if outcome.success)
            iterations = np.mean([outcome.iterations for outcome in found])
            label = name + (", restart=False" if options else "")
            print(
                f"{label:33}{count:9}{1e3 * found.seconds / count:8.1f} ms{1e3 * cpu:8.1f} ms"
                f"{iterations:12.1f}{found.success.mean():9.1%}{broken:11.1e}",
                flush=True,
            )
