"""Check a card: results of many functions beside NumPy, odd sizes, large batches, leaks. No test framework is needed.

python tools/gpu_check.py             everything, in a minute or two
python tools/gpu_check.py small       small batches alone, for compute-sanitizer (memcheck, racecheck, initcheck)
"""

import gc
import sys

import numpy as np

import lissom
from lissom.robots import panda, planar_two_link_model, tree_model

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
TOLERANCE = {"double": 1e-12, "single": 1e-4}


def states(robot, function, n):
    """Return arguments of a function."""
    rng = np.random.default_rng(n)
    count = {"mass_matrix": 1, "gravity_torques": 1}.get(function, 3)
    return [robot.random_configuration(rng, size=n), *(rng.uniform(-1, 1, (n, robot.nv)) for _ in range(count - 1))]


def stacked(found):
    """Return a result as one array of the host."""
    if isinstance(found, lissom.compiler.cuda.arrays.DeviceArray):
        return found.copy_to_host()
    return found if isinstance(found, np.ndarray) else np.stack([stacked(x) for x in found], axis=-3)


def small(models, sizes):
    """Compare with NumPy."""
    worst = {}
    for model in models:
        definition = lissom.Robot(model, backend="numpy")
        for precision, least in TOLERANCE.items():
            robot = lissom.Robot(model, backend=lissom.CUDA(precision))
            for function in FUNCTIONS:
                for n in sizes:
                    given = states(definition, function, n)
                    expected = stacked(getattr(definition, function)(*given))
                    rows = [robot.backend.array(a) for a in given]
                    columns = [robot.backend.array(np.ascontiguousarray(a.T)).T for a in given]
                    for kind, arguments in (("host", given), ("rows", rows), ("columns", columns)):
                        found = stacked(getattr(robot, function)(*arguments))
                        error = np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-6)
                        if not error < least:
                            print(f"WRONG: {model.name} {function} {precision} {kind} n = {n}: {error:.1e}")
                        worst[precision] = max(worst.get(precision, 0.0), error)
            robot.backend.synchronize()
    print("largest errors:", {k: f"{v:.1e}" for k, v in worst.items()}, flush=True)


def large():
    """Large batches, large angles, errors."""
    robot = panda().to("cuda")
    definition = robot.to("numpy")
    for n in (1_000_003, 10_000_019):
        given = [np.tile(a, (n // 1000 + 1, 1))[:n] for a in states(definition, "inverse_dynamics", 1000)]
        expected = definition.inverse_dynamics(*(a[:1000] for a in given))
        found = robot.inverse_dynamics(*given)
        there = robot.inverse_dynamics(*(robot.backend.array(a) for a in given)).copy_to_host()
        tail = n // 1000 * 1000
        for some in (found, there):
            error = max(np.abs(some[:1000] - expected).max(), np.abs(some[tail:] - expected[: n - tail]).max())
            print(f"{n} states: {error:.1e}, rows that differ: {(some[1000:2000] != some[:1000]).any(axis=1).sum()}", flush=True)
    q, qd, qdd = states(definition, "inverse_dynamics", 1000)
    q[17, 3], q[999, 0] = 1e13, -1e300
    print(f"large angles: {np.abs(robot.inverse_dynamics(q, qd, qdd) - definition.inverse_dynamics(q, qd, qdd)).max():.1e}")
    q[5, 2] = np.nan
    try:
        robot.inverse_dynamics(q, qd, qdd)
    except lissom.StateError as error:
        print(error)
    robot.inverse_dynamics(*(robot.backend.array(a) for a in (q, qd, qdd)))
    try:
        robot.backend.synchronize()
    except lissom.StateError as error:
        print(error)
    try:
        robot.backend.array(np.zeros(5))
        lissom.compiler.cuda.device.Memory(robot.backend.card(), 1 << 50)
    except lissom.DeviceError as error:
        print(error)


def leaks():
    """Look at the memory after many calls."""
    robot = panda().to("cuda")
    given = states(robot, "inverse_dynamics", 100)
    there = [robot.backend.array(a) for a in given]
    for k in range(100_001):
        found = robot.inverse_dynamics(*there)
        if k % 10_000 == 0:
            robot.backend.synchronize()
            gc.collect()
            print(f"after {k} calls {robot.backend.card().free_memory() >> 20} MiB are free", flush=True)
    del found
    for _ in range(2000):
        robot.inverse_dynamics(*given)
    print(f"after 2000 calls from the host {robot.backend.card().free_memory() >> 20} MiB are free")


def main():
    """Run the checks."""
    if "small" in sys.argv:
        small([planar_two_link_model(), tree_model(7, seed=3)], (1, 33))
        return
    models = [planar_two_link_model(), panda().model, tree_model(9, seed=3), tree_model(6, seed=5, floating=True, springs=0.5)]
    small(models, (1, 2, 31, 32, 33, 127, 129, 1000))
    large()
    leaks()


if __name__ == "__main__":
    main()
