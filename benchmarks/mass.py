"""How long does the mass matrix take a sample, in a batch of 4096? Pinocchio's crba in a loop, keeping no result."""

import numpy as np

import lissom
from lissom.bench import BATCH, best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    lissom.set_threads(1)
    print(
        f"{'robot':16}{'mul':>6}{'add':>6}{'lissom':>11}{'zeroing the array':>20}{'pin.crba':>12}{'ratio':>8}{'difference':>13}"
    )
    for name, file, _ in ROBOTS:
        robot, pinocchio = open_both(find(file), "fixed")
        crba, model, data = pinocchio.pin.crba, pinocchio.model, pinocchio.data
        s, out = random_states(robot, BATCH), np.empty((BATCH, robot.nv, robot.nv))
        q = pinocchio.configuration(s.q)

        def loop() -> None:
            for row in q:  # noqa: B023
                crba(model, data, row)  # noqa: B023

        calls = [lambda: robot.mass_matrix(s.q, out=out), loop, lambda: out.fill(0.0)]  # noqa: B023
        own, other, zeroing = best_times(calls, seconds=2.0)
        upper = np.triu(crba(model, data, q[0]))
        expected = upper + np.triu(upper, 1).T
        difference = np.abs(robot.mass_matrix(s.q[0]) - expected).max() / np.abs(expected).max()
        n = robot.operation_count("mass_matrix")
        print(
            f"{name:16}{n.multiplications:6}{n.additions:6}{own / BATCH * 1e9:8.0f} ns{zeroing / BATCH * 1e9:17.0f} ns"
            f"{other / BATCH * 1e9:9.0f} ns{other / own:7.1f}x{difference:13.1e}"
        )
