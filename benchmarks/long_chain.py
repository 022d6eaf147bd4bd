"""Is the cost linear? Chains of 10, 30, 100 and 300 links; the first call compiles or reads the cache."""

import time

import numpy as np

import lissom
from lissom.bench import best_times, random_states

BATCH = 1024


def main() -> None:
    lissom.set_threads(1)
    for name in ("inverse_dynamics", "forward_dynamics"):
        each = {}
        for n in (10, 30, 100, 300):
            robot = lissom.robots.tree(n, branching=1, seed=1, kinds=("revolute",), fixed=0.0, coupled=0.0, tails=0.0, drives=0.0)
            s, out = random_states(robot, BATCH), np.empty((BATCH, robot.nv))
            start = time.perf_counter()
            getattr(robot, name)(s.q, s.qd, s.qdd, out=out)
            compiled = time.perf_counter() - start
            f = getattr(robot, name)
            each[n] = best_times([lambda: f(s.q, s.qd, s.qdd, out=out)], seconds=1.0)[0] / BATCH / n * 1e9  # noqa: B023
            print(f"{name}, {n:3} links: first call {compiled:5.2f} s, {each[n]:5.2f} ns a link and sample")
        spread = max(each.values()) / min(each.values())
        print(f"{name}: 300 links against 30 {each[300] / each[30]:.2f}x, slowest against fastest {spread:.2f}x")
