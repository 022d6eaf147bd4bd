"""Functions of many motion problems on a card, beside those of one after the other on a core, in `python -m benchmarks gpu`.

The problem: the fastest motion of a Panda with 12 control points, limits of torques and velocities of the model. Speeds are
problems a second; "with derivatives" are objective, gradient, constraints and the Jacobian.
"""

import time

import numpy as np

import lissom
from benchmarks.gpu import relative
from lissom.compiler.cuda.device import Timer
from lissom.predict.batch.recorded import NAMES

FIRST = ("objective", "gradient", "constraints", "jacobian")
SETS = (("values", ("objective", "constraints")), ("with derivatives", FIRST), ("products of second ones", ("hessian_product",)))
COUNT = 1 << 15
SOME = 50  # that are computed one after the other


def main(backend: lissom.CUDA) -> None:
    robot = lissom.robots.panda()
    problem = lissom.MotionProblem(robot, control_points=12, duration=(0.2, 5.0))
    problem.start(np.zeros(7)).end(np.full(7, 0.5)).limit_by_model("torque").limit_by_model("velocity").minimize("time")
    there, host = problem.functions(backend), problem.functions()
    rng = np.random.default_rng(0)
    straight = lissom.SplinePath.between(np.zeros(7), np.full(7, 0.5), 1.5, rest=1, basis=problem.basis)
    x = host.unknowns(straight) + 0.1 * rng.normal(size=(COUNT, host.n))
    d, multipliers = rng.normal(size=x.shape), rng.normal(size=(COUNT, host.m))
    expected = host.evaluate(x[:SOME], *NAMES, direction=d[:SOME], multipliers=multipliers[:SOME])
    given = [backend.array(np.ascontiguousarray(a.T)).T for a in (x, d, multipliers)]
    found = there.evaluate(given[0], *NAMES, direction=given[1], multipliers=given[2])
    error = max(relative(y[:SOME].copy_to_host(), e) for y, e in zip(found, expected, strict=True))
    del found
    timer, of = Timer(backend.card()), host._of  # noqa: SLF001
    shape = f"{host.n} unknowns, {host.m} constraints, {len(host.jacobian_structure[0])} numbers of the Jacobian"
    print(f"{COUNT} motion problems of a Panda on the card ({shape}): error {error:.1e}", flush=True)
    for label, names in SETS:
        options = {"direction": given[1], "multipliers": given[2]}
        seconds = min(timer.measure(lambda: there.evaluate(given[0], *names, **options)) for _ in range(4))  # noqa: B023
        alone = one_by_one(of, x[:SOME], multipliers[:SOME], names)
        told = f"{COUNT / seconds:.3g} a second, one core {alone:.3g}: {COUNT / seconds / alone:.0f} times"
        print(f"  {label:25} {told}", flush=True)


def one_by_one(of, x: np.ndarray, multipliers: np.ndarray, names) -> float:
    """Return how many problems a second the functions of the solver take on this core; of second derivatives all."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        for own, weights in zip(x, multipliers, strict=True):
            of.evaluate(own)
            for name in names:
                if name == "hessian_product":
                    of.hessian(own, 1.0, weights)
                else:
                    getattr(of, name)(own)
        best = min(best, time.perf_counter() - begin)
    return len(x) / best
