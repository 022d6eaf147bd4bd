"""Cost of torque rates, and accuracy of finite differences, compared with Guarino Lo Bianco 2009, section V."""

import numpy as np
from scipy.interpolate import BSpline

import lissom
from lissom.algorithms.dynamics.inverse_dynamics import inverse_dynamics
from lissom.algorithms.rates.tasks import torques_and_rates
from lissom.bench import best_times, random_states
from lissom.model import Inertia, Model
from lissom.robots.dh_chain import Row, dh_chain
from lissom.robots.stanford import DURATION, GOAL, START

from .robots import ROBOTS, find, open_both

BATCH = 2048
SAMPLING = (1e-4, 1e-3, 1e-2)  # [s]


def spline(degree: int, knots: list[float], rest: int) -> BSpline:
    """Return a spline from 0 to 1 over [0, 1], as smooth as its degree allows; `rest` derivatives are zero at both ends."""
    t = np.array([0.0] * (degree + 1) + knots + [1.0] * (degree + 1))
    n = len(t) - degree - 1
    basis = BSpline(t, np.eye(n), degree)
    rows = [basis.derivative(k)(x) for x in (0.0, 1.0) for k in range(rest + 1)]
    ends = np.array([0.0] * (rest + 1) + [1.0] + [0.0] * rest)
    return BSpline(t, np.linalg.solve(np.array(rows), ends), degree)


MOTIONS = {
    "degree 5, jerk not zero at the ends": spline(5, [], 2),
    "degree 7": spline(7, [], 3),
    "degree 5, knots at 1/3 and 2/3": spline(5, [1 / 3, 2 / 3], 3),
}


def largest_differences(robot: lissom.Robot, motion: BSpline, Ts: float) -> np.ndarray:
    """Return per joint the largest difference between tau-dot and backward differences of tau, eq. (36), sampled at Ts [s]."""
    t = Ts * np.arange(round(DURATION / Ts) + 1)
    start, span = np.array(START), np.array(GOAL) - np.array(START)
    state = [span * motion.derivative(k)(t / DURATION)[:, None] / DURATION**k for k in range(4)]
    tau, tau_rate = robot.torques_and_rates(start + state[0], *state[1:])
    return np.abs(tau_rate[1:] - np.diff(tau, axis=0) / Ts).max(axis=0)


def general_arm(n: int) -> Model:
    """Return an arm of n revolute joints, with no zero in its modified Denavit-Hartenberg table and full inertia tensors."""
    rng = np.random.default_rng(0)
    inertias = []
    for _ in range(n):
        points = rng.normal(size=(8, 3))
        second = 0.01 * points.T @ points
        center = tuple(rng.uniform(-0.3, 0.3, 3))
        inertias.append(Inertia(float(rng.uniform(1, 3)), center, np.trace(second) * np.eye(3) - second))
    rows = [Row(d=rng.uniform(0.1, 0.5), a=rng.uniform(0.1, 0.5), alpha=rng.uniform(0.3, 1.2)) for _ in range(n)]
    return dh_chain("general", rows, inertias, "modified")


def count(model: Model, together: bool, regrouped: bool, loaded: bool) -> tuple[int, int]:
    """Return multiplications and additions of tau, or of tau and tau-dot; `loaded`: with a wrench at the tip, and its rate."""
    external = ((model.links[-1].name, "link"),) if loaded else ()
    more = {"changing": loaded} if together else {}
    task = (torques_and_rates if together else inverse_dynamics)(model, external, regrouped=regrouped, **more)
    n = task.program(model.name).operation_count()
    return n.multiplications, n.additions


def main() -> None:
    print("\nStanford arm, table III in 2 s: largest difference of tau-dot_1 to backward differences [N m/s]; paper 2.462e-02")
    print(f"{'spline':38}" + "".join(f"{f'Ts = {Ts:g} s':>16}" for Ts in SAMPLING))
    robot = lissom.robots.stanford()
    for name, motion in MOTIONS.items():
        print(f"{name:38}" + "".join(f"{largest_differences(robot, motion, Ts)[0]:16.3e}" for Ts in SAMPLING))

    print("\ntau and tau-dot, N revolute joints, full tensors, a changing wrench at the tip: mul add")
    print(f"{'N':>3}{'inertias as given':>22}{'base parameters':>20}{'tau alone':>16}{'309N-162 268N-138':>22}")
    for n in range(1, 13):
        arm = general_arm(n)
        shown = [count(arm, True, regrouped, True) for regrouped in (False, True)] + [count(arm, False, True, True)]
        cells = [f"{mul} {add}" for mul, add in (*shown, (309 * n - 162, 268 * n - 138))]
        print(f"{n:3}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, (22, 20, 16, 22), strict=True)))
    print("Stanford arm, no wrench")
    shown = [count(robot.model, True, regrouped, False) for regrouped in (False, True)] + [count(robot.model, False, True, False)]
    print("   " + "".join(f"{f'{mul} {add}':>{width}}" for (mul, add), width in zip(shown, (22, 20, 16), strict=True)))

    lissom.set_threads(1)
    print(f"\ntime a sample, batch of {BATCH} on one thread; paper: 2.19x")
    print(f"{'robot':16}{'tau':>11}{'tau-dot':>11}{'both':>11}{'both / tau':>12}")
    robots = {"Stanford arm": robot, "PUMA 560": lissom.robots.puma560(friction=False)}
    robots["general, N = 6"] = lissom.Robot(general_arm(6))
    robots |= {name: open_both(find(file), base)[0] for name, file, base in ROBOTS}
    for name, robot in robots.items():
        s, qddd = random_states(robot, BATCH), np.random.default_rng(1).standard_normal((BATCH, robot.nv))
        one, two = np.empty((BATCH, robot.nv)), np.empty((BATCH, 2, robot.nv))
        calls = [
            lambda: robot.inverse_dynamics(s.q, s.qd, s.qdd, out=one),  # noqa: B023
            lambda: robot.torque_rates(s.q, s.qd, s.qdd, qddd, out=one),  # noqa: B023
            lambda: robot.torques_and_rates(s.q, s.qd, s.qdd, qddd, out=two),  # noqa: B023
        ]
        tau, rate, both = (x / BATCH * 1e9 for x in best_times(calls, seconds=1.0))
        print(f"{name:16}{tau:8.1f} ns{rate:8.1f} ns{both:8.1f} ns{both / tau:11.2f}x")
