"""Time to predict a motion, without compile time. CasADi: the same problem in symbols, the same IPOPT and start.

CasADi enforces limits at the grid points only, so the compared solve does too (limit_tolerance=None). The last columns show
lissom's default, which also checks limits between grid points and adds points where they are violated.
"""

import time
import warnings

import numpy as np

import lissom
from lissom.bench import best_times
from lissom.predict.search.starts import straight
from lissom.predict.transcription.transcription import Transcription

from .casadi_peer import CasadiProblem
from .robots import find

START = np.array([0.0, -0.6, 0.0, -2.2, 0.0, 1.8, 0.8])  # of Panda [rad]
END = np.array([1.2, 0.3, -0.4, -1.2, 0.6, 2.4, -0.5])


def rr() -> lissom.MotionProblem:
    """Return the minimum-time problem of a planar arm with two revolute joints."""
    problem = lissom.MotionProblem(lissom.robots.rr(), control_points=30, duration=(0.05, 2.0), name="RR, 30 control points")
    return problem.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")


def panda() -> lissom.MotionProblem:
    """Return a point-to-point motion in minimum time, within the torque and velocity limits of the model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = lissom.load(find("panda.urdf"), mimic=False)
    arm = arm.locked({"panda_finger_joint1": 0.02, "panda_finger_joint2": 0.02})
    problem = lissom.MotionProblem(arm, control_points=12, duration=(0.05, 10.0), name="Panda, 7 x 12 control points")
    return problem.start(START).end(END).limit_by_model("velocity", "torque").minimize("time")


def main() -> None:
    head = f"{'problem':32}{'variables':>11}{'limits':>8}{'setup':>9}{'iterations':>12}{'solve':>11}{'duration':>12}"
    head += f"{'CasADi setup':>15}{'iterations':>12}{'solve':>11}{'duration':>12}{'ratio':>8}"
    print(head + f"{'at all times':>14}{'iterations':>12}")
    for problem in (rr(), panda()):
        found = problem.solve(restart=False, limit_tolerance=None)
        setup = found.setup_seconds
        seconds = min(problem.solve(restart=False, limit_tolerance=None).seconds for _ in range(10))
        whole = min((problem.solve(restart=False) for _ in range(10)), key=lambda p: p.seconds)
        peer, path = CasadiProblem(problem), straight(problem)
        times = []
        for _ in range(3):
            began = time.perf_counter()
            duration, iterations = peer.solve(path)
            times.append(time.perf_counter() - began)
        rows = found.solution.constraints.size
        print(
            f"{problem.name:32}{found.solution.x.size:11}{rows:8}{setup:7.2f} s{found.iterations:12}{seconds * 1e3:8.1f} ms"
            f"{found.duration:10.6f} s{peer.setup_seconds:13.2f} s{iterations:12}{min(times) * 1e3:8.1f} ms{duration:10.6f} s"
            f"{min(times) / seconds:7.1f}x{whole.seconds * 1e3:11.1f} ms{whole.iterations:12}",
            flush=True,
        )
    _large()


def _large() -> None:
    """Print the time of all torques of a tree of 55 joints and of their sparse Jacobian, at 31 grid points."""
    robot = lissom.Robot(lissom.robots.tree_model(n=55, branching=2, seed=0, kinds=["revolute"]))
    problem = lissom.MotionProblem(robot, control_points=6, points_per_span=10, duration=(0.05, 10.0))
    problem.start(np.zeros(robot.nv)).end(np.full(robot.nv, 0.3)).limit("torque", -50, 50).minimize("time")
    lower, upper = problem.bounds(problem.basis)
    nlp = Transcription([problem.basis], problem.columns, problem.parts, 10, lower.ravel(), upper.ravel(), problem.duration)
    rng = np.random.default_rng(0)
    x, multipliers = np.append(0.2 * rng.normal(size=nlp.size), 1.0), rng.normal(size=nlp.rows)

    def values() -> None:
        nlp.evaluate(x)
        nlp.constraints(x)
        nlp.jacobian(x)

    values()
    both, curvature = best_times([values, lambda: nlp.hessian(x, 1.0, multipliers)], seconds=1.0)
    print(
        f"\ntree of 55 joints, 6 control points each, {len(nlp.grid)} instants, {nlp.rows} torques, "
        f"{len(nlp.jacobian_structure()[0])} derivatives: function and Jacobian {both * 1e3:.2f} ms, "
        f"Hessian {curvature * 1e3:.1f} ms"
    )
