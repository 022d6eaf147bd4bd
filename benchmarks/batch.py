"""Time of inverse dynamics per sample, in a batch of 4096 on one thread."""

import numpy as np

import lissom
from lissom.bench import BATCH, best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    lissom.set_threads(1)
    print(f"{'robot':16}{'mul':>6}{'add':>6}{'sin/cos':>9}{'lissom':>11}{'rneaInParallel':>17}{'ratio':>8}{'difference':>13}")
    for name, file, base in ROBOTS:
        robot, pinocchio = open_both(find(file), base)
        s, out = random_states(robot, BATCH), np.empty((BATCH, robot.nv))
        robot.inverse_dynamics(s.q, s.qd, s.qdd, out=out)
        f = robot.inverse_dynamics
        own, other = best_times([lambda: f(s.q, s.qd, s.qdd, out=out), pinocchio.batch(s)], seconds=2.0)  # noqa: B023
        expected = pinocchio.forces(s)
        difference = np.abs(out - expected).max() / np.abs(expected).max()
        n = robot.operation_count("inverse_dynamics")
        print(
            f"{name:16}{n.multiplications:6}{n.additions:6}{n.trigonometric:9}{own / BATCH * 1e9:8.1f} ns"
            f"{other / BATCH * 1e9:14.0f} ns{other / own:7.1f}x{difference:13.1e}"
        )
