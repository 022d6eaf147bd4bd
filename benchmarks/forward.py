"""Time of forward dynamics per sample, in a batch of 4096 on one thread, and per single call from Python."""

import numpy as np

import lissom
from lissom.bench import BATCH, best_times, random_states

from .robots import ROBOTS, find, open_both


def main() -> None:
    lissom.set_threads(1)
    head = f"{'robot':28}{'mul':>6}{'add':>6}{'lissom':>11}{'abaInParallel':>16}{'ratio':>8}{'difference':>13}"
    print(head + f"{'one call':>12}{'pin.aba':>11}{'ratio':>8}")
    for name, file, _ in ROBOTS:
        for base in ("fixed", "floating") if "dof" in name else ("fixed",):
            robot, pinocchio = open_both(find(file), base)
            pin, model, data, pool = pinocchio.pin, pinocchio.model, pinocchio.data, pinocchio.pool
            s, out = random_states(robot, BATCH), np.empty((BATCH, robot.nv))
            tau = s.qdd
            robot.forward_dynamics(s.q, s.qd, tau, out=out)
            f = robot.forward_dynamics
            q, v, t = (np.asfortranarray(x.T) for x in (pinocchio.configuration(s.q), s.qd, tau))
            result = np.zeros_like(v, order="F")
            calls = [lambda: f(s.q, s.qd, tau, out=out), lambda: pin.abaInParallel(1, pool, q, v, t, result)]  # noqa: B023
            own, other = best_times(calls, seconds=2.0)
            expected = result.T
            difference = np.abs(out - expected).max() / np.abs(expected).max()
            q1, v1, t1, out1 = s.q[0].copy(), s.qd[0].copy(), tau[0].copy(), np.empty(robot.nv)
            p1 = pinocchio.configuration(s.q)[0]
            f(q1, v1, t1)
            calls = [lambda: f(q1, v1, t1, out=out1), lambda: pin.aba(model, data, p1, v1, t1)]  # noqa: B023
            own1, other1 = best_times(calls, seconds=1.0)
            n = robot.operation_count("forward_dynamics")
            label = f"{name}, {base}"
            print(
                f"{label:28}{n.multiplications:6}{n.additions:6}{own / BATCH * 1e9:8.1f} ns{other / BATCH * 1e9:13.0f} ns"
                f"{other / own:7.1f}x{difference:13.1e}{own1 * 1e6:9.2f} us{other1 * 1e6:8.2f} us{other1 / own1:7.1f}x"
            )
