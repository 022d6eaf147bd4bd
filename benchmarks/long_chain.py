"""Does the cost stay linear? A chain of 300 links beside one of 30."""

import time

import numpy as np

import lissom
from lissom.bench import BATCH, best_times, random_states


def main() -> None:
    lissom.set_threads(1)
    each = {}
    for n in (30, 300):
        robot = lissom.robots.tree(n, branching=1, seed=1, kinds=("revolute",), fixed=0.0, coupled=0.0, tails=0.0, drives=0.0)
        s, out = random_states(robot, BATCH), np.empty((BATCH, robot.nv))
        count = robot.operation_count("inverse_dynamics")
        start = time.perf_counter()
        robot.inverse_dynamics(s.q, s.qd, s.qdd, out=out)
        compiled = time.perf_counter() - start
        f = robot.inverse_dynamics
        each[n] = best_times([lambda: f(s.q, s.qd, s.qdd, out=out)], seconds=2.0)[0] / BATCH / n * 1e9  # noqa: B023
        print(f"{n:4} links: compiled in {compiled:.2f} s, {each[n]:.2f} ns a link and sample; {count}")
    print(f"time a link, 300 against 30: {each[300] / each[30]:.2f}x")
