"""Speedup by two threads in a batch of 65536; Pinocchio's threads show the speedup possible on this machine."""

import numpy as np

import lissom
from lissom.bench import LARGE, States, best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    print(f"{'robot':16}{'one thread':>13}{'two threads':>14}{'gain':>8}{'gain of rneaInParallel':>25}")
    for name, file, base in ROBOTS:
        robot, pinocchio = open_both(find(file), base)
        s, out = random_states(robot, LARGE), np.empty((LARGE, robot.nv))
        robot.inverse_dynamics(s.q, s.qd, s.qdd, out=out)
        f = robot.inverse_dynamics
        times = {}
        for n in (1, 2):
            lissom.set_threads(n)
            times[n] = best_times([lambda: f(s.q, s.qd, s.qdd, out=out)], seconds=2.0)[0]  # noqa: B023
        one, two = times[1] / LARGE * 1e9, times[2] / LARGE * 1e9
        few = States(s.q[:8192], s.qd[:8192], s.qdd[:8192])
        peer = [best_times([pinocchio.batch(few, threads)], seconds=1.0)[0] for threads in (1, 2)]
        print(f"{name:16}{one:10.1f} ns{two:11.1f} ns{one / two:7.2f}x{peer[0] / peer[1]:24.2f}x")
