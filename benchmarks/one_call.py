"""Time of a single call from Python."""

import numpy as np

from lissom.bench import best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    print(f"{'robot':16}{'lissom, out=':>14}{'lissom':>12}{'pin.rnea':>12}{'ratio, out=':>14}{'ratio':>8}")
    for name, file, base in ROBOTS:
        robot, pinocchio = open_both(find(file), base)
        s = random_states(robot, 1)
        q, qd, qdd, out = s.q[0].copy(), s.qd[0].copy(), s.qdd[0].copy(), np.empty(robot.nv)
        robot.inverse_dynamics(q, qd, qdd)
        f = robot.inverse_dynamics
        calls = [lambda: f(q, qd, qdd, out=out), lambda: f(q, qd, qdd), pinocchio.one(s)]  # noqa: B023
        given, new, other = best_times(calls, seconds=1.0)
        print(f"{name:16}{given * 1e6:11.3f} us{new * 1e6:9.3f} us{other * 1e6:9.3f} us{other / given:13.1f}x{other / new:7.1f}x")
