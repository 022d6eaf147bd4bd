"""Time of the mass matrix per sample, in a batch of 4096, full and packed.

Pinocchio's crba fills one triangle of one matrix, in a loop that keeps no result.
"""

import numpy as np

import lissom
from lissom.bench import BATCH, best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    lissom.set_threads(1)
    titles = f"{'pin.crba':>12}   {'numbers':16}{'lissom':>9}{'ratio':>8}{'zeroing':>12}{'difference':>13}"
    print(f"{'robot':16}{'mul':>6}{'add':>6}{titles}")
    for name, file, _ in ROBOTS:
        robot, pinocchio = open_both(find(file), "fixed")
        crba, model, data = pinocchio.pin.crba, pinocchio.model, pinocchio.data
        s, (rows, columns) = random_states(robot, BATCH), robot.mass_matrix_entries
        whole, packed = np.empty((BATCH, robot.nv, robot.nv)), np.empty((BATCH, len(rows)))
        q = pinocchio.configuration(s.q)

        def loop() -> None:
            for row in q:  # noqa: B023
                crba(model, data, row)  # noqa: B023

        calls = [
            loop,
            lambda: robot.mass_matrix(s.q, out=whole),  # noqa: B023
            lambda: robot.mass_matrix(s.q, out=packed, packed=True),  # noqa: B023
            lambda: whole.fill(0.0),  # noqa: B023
            lambda: packed.fill(0.0),  # noqa: B023
        ]
        times = [t / BATCH * 1e9 for t in best_times(calls, seconds=2.0)]
        for call in calls[1:3]:
            call()
        upper = np.triu(crba(model, data, q[0]))
        expected = upper + np.triu(upper, 1).T
        n = robot.operation_count("mass_matrix")
        head = f"{name:16}{n.multiplications:6}{n.additions:6}{times[0]:9.0f} ns   "
        found = (("whole", whole[0], expected), ("packed", packed[0], expected[rows, columns]))
        for (form, got, wanted), own, zeroing in zip(found, times[1:3], times[3:], strict=True):
            difference = np.abs(got - wanted).max() / np.abs(wanted).max()
            print(f"{head}{form:7}{got.size:6}   {own:6.0f} ns{times[0] / own:7.1f}x{zeroing:9.0f} ns{difference:13.1e}")
            head = " " * len(head)
