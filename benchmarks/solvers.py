"""IPOPT (interior point) and Uno (SQP) on motion problems, from the same start with the same derivatives, without compile time.

The violation is that between the grid points at which limits are enforced, relative to its scale.
"""

import importlib.util
import math
import warnings
from collections.abc import Callable, Iterator

import numpy as np

import lissom

from .prediction import END, START, panda, rr
from .robots import find

UR5 = np.array([0.0, -1.2, 1.0, -1.0, 0.5, 0.0]), np.array([1.5, -0.6, 0.4, -1.6, -0.5, 1.0])  # start and end [rad]


def problems() -> Iterator[lissom.MotionProblem]:
    """Yield motion problems of two arms of two joints, UR5 and Panda."""
    yield rr()
    rp = lissom.MotionProblem(lissom.robots.rp(0.0), control_points=20, duration=(0.05, 2.0), name="RP, time and effort")
    rp.start([0.1, 0.6]).end([math.pi / 4, -math.pi / 4]).limit("torque", -10, 10)
    yield rp.minimize("time", 0.99).minimize("integral", 0.01, "torque")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ur5 = lissom.load(find("ur5_robot.urdf"))
    arm = panda().robot
    effort = np.array([joint.limits.effort for joint in arm.model.independent_joints])

    def of(robot: lissom.Robot, ends: tuple[np.ndarray, np.ndarray], name: str, **options: object) -> lissom.MotionProblem:
        given = {"control_points": 12, "duration": (0.05, 10.0), **options}
        return lissom.MotionProblem(robot, name=name, **given).start(ends[0]).end(ends[1])

    ends = (START, END)
    yield of(ur5, UR5, "UR5, time").limit_by_model("velocity", "torque").minimize("time")
    slow = of(ur5, UR5, "UR5, effort in 1.5 s", duration=1.5).limit_by_model("velocity", "torque")
    yield slow.minimize("integral", 1e-3, "torque")
    yield panda()
    yield of(arm, ends, "Panda, 45 % of its torque").limit("torque", -0.45 * effort, 0.45 * effort).minimize("time")
    rates = of(arm, ends, "Panda, torque rates", control_points=14, degree=5).limit_by_model("velocity", "torque")
    yield rates.limit("torque_rate", -10 * effort, 10 * effort).minimize("time")
    hand = arm.link_pose((START + END) / 2, "panda_hand")[:3, 3]
    yield (
        of(arm, ends, "Panda, a sphere in the way")
        .limit_by_model("velocity", "torque")
        .avoid("panda_hand", hand, 0.15)
        .minimize("time")
    )
    weak = of(arm, ends, "Panda, least peak torque", duration=1.0).limit_by_model("velocity")
    yield weak.minimize("peak", 1.0, "torque", scale=effort)


def main() -> None:
    solvers = [name for name in ("ipopt", "uno") if name == "ipopt" or importlib.util.find_spec("unopy")]
    if len(solvers) < 2:
        print("Uno is not installed: pip install unopy")
    print(f"{'problem':30}{'solver':>8}{'status':>12}{'iterations':>12}{'time':>11}{'objective':>14}{'violation':>11}")
    for problem in problems():
        for solver in solvers:
            solve: Callable[..., lissom.Prediction] = problem.solve
            found = min((solve(restart=False, solver=solver, limit_tolerance=None) for _ in range(4)), key=lambda p: p.seconds)
            print(
                f"{problem.name:30}{solver:>8}{found.status.name.lower():>12}{found.iterations:12}{found.seconds * 1e3:8.1f} ms"
                f"{found.objective:14.8f}{found.violation:11.1e}",
                flush=True,
            )
