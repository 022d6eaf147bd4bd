"""Time to compute the fastest motion along a path, and its duration: Panda, 5 waypoints, 200 points, with toppra.

The same curve, the limits of velocity and effort of the model, and limits at both ends of each interval (interpolation).
toppra gets torques from `pin.rnea` and solves its linear programs with its compiled "seidel"; its passes are the time
without the coefficients.
"""

import importlib.util
import logging
import time

import numpy as np

import lissom
from lissom.bench import best_times
from lissom.timing import through, time_optimal

from .robots import find, open_both

POINTS, PATHS = 200, 10


def main() -> None:
    lissom.set_threads(1)
    robot, pinocchio = open_both(find("panda.urdf"), "fixed")
    joints = robot.model.independent_joints
    low, high = (np.array([getattr(joint.limits, side) for joint in joints]) for side in ("lower", "upper"))
    peer = importlib.util.find_spec("toppra") is not None
    if not peer:
        print("toppra is not installed (pip install toppra): lissom alone")
    print("path   travel time [s]: lissom    toppra    time to find it [ms]: lissom   toppra   its passes   times")
    for seed in range(PATHS):
        waypoints = np.random.default_rng(seed).uniform(low, high, (5, robot.nq))
        path = through(waypoints)
        calls = [lambda path=path: time_optimal(robot, path, points=POINTS)]
        ours, theirs = calls[0]().duration, float("nan")
        if peer:
            make, passes = toppra_calls(robot, pinocchio, waypoints)
            program = make()
            calls += [lambda make=make, passes=passes: passes(make()), lambda program=program, passes=passes: passes(program)]
            speed = passes(program)
            theirs = float(np.sum(2.0 / (POINTS - 1) / (speed[1:] + speed[:-1])))
        own, *others = (1e3 * seconds for seconds in best_times(calls, seconds=0.5))
        whole, part = others if peer else (float("nan"),) * 2
        print(f"{seed:4d} {ours:26.6f} {theirs:9.6f} {own:28.3f} {whole:8.3f} {part:12.3f} {whole / own:7.1f}")
    start = time.perf_counter()
    limited = time_optimal(robot, path, torque_rate=1000.0, points=POINTS)
    seconds = time.perf_counter() - start
    worst = max(violation.relative for violation in limited.violation.values())
    print(
        f"the last one with torque rates up to 1000 N m/s: {limited.duration:.6f} s, found in {seconds:.2f} s by IPOPT in ",
        end="",
    )
    print(f"{limited.solution.iterations} iterations; limits missed by {100 * worst:.2f} % at most on a ten times finer grid")


def toppra_calls(robot, pinocchio, waypoints):
    """Return a function that sets up toppra's program, with its coefficients, and one that solves it for sdot."""
    import toppra
    from toppra import algorithm, constraint

    logging.getLogger("toppra").setLevel("ERROR")
    velocity, effort = (
        np.array([[-getattr(joint.limits, name), getattr(joint.limits, name)] for joint in robot.model.independent_joints])
        for name in ("velocity", "effort")
    )
    rnea, model, data, rub = pinocchio.pin.rnea, pinocchio.model, pinocchio.data, np.zeros(robot.nv)
    scheme = constraint.DiscretizationType.Interpolation
    path = toppra.SplineInterpolator(np.linspace(0.0, 1.0, len(waypoints)), waypoints, bc_type="natural")
    grid = np.linspace(0.0, 1.0, POINTS)

    def make():
        torques = constraint.JointTorqueConstraint(
            lambda q, qd, qdd: rnea(model, data, q, qd, qdd).copy(), effort, rub, discretization_scheme=scheme
        )
        limits = [constraint.JointVelocityConstraint(velocity), torques]
        return algorithm.TOPPRA(limits, path, gridpoints=grid, solver_wrapper="seidel")

    return make, lambda program: program.compute_parameterization(0.0, 0.0)[1]
