"""The time that torque-rate limits cost a minimum-time motion: example 08 with an optimal motion instead of a given one."""

from pathlib import Path

import numpy as np

import lissom

robot = lissom.robots.puma560(friction=False)
start, goal = np.array([-1.0, -1.2, 2.0, 0.5, -0.5, 0.0]), np.array([1.0, 0.3, 3.4, -0.8, 0.9, 1.0])
most_torque = np.array([100.0, 180.0, 90.0, 24.0, 20.0, 20.0])  # [N m], assumed
most_rate = most_torque / 0.15  # [N m/s]: the remaining supply voltage takes a motor to its limit in 0.15 s


def problem(name):
    """Return the minimum-time problem, at rest with zero acceleration at both ends; degree 5, so that torques are smooth."""
    made = lissom.MotionProblem(robot, control_points=14, degree=5, points_per_span=8, duration=(0.2, 3.0), name=name)
    made.start(start, acceleration=0.0).end(goal, acceleration=0.0)
    return made.limit("torque", -most_torque, most_torque).minimize("time")


def shares(motion):
    """Return the largest torque and the largest torque rate, relative to their limits."""
    t = motion.times(1001)
    return np.abs(motion.torques(t) / most_torque).max(), np.abs(motion.torque_rates(t) / most_rate).max()


fast = problem("PUMA 560, torques limited").solve()
safe = problem("PUMA 560, torques and rates limited").limit("torque_rate", -most_rate, most_rate).solve(start=fast)
for motion in (fast, safe):
    torque, rate = shares(motion)
    print(f"{motion.name}: {motion.duration:.3f} s, {torque:.0%} of a torque limit, {rate:.0%} of a rate limit")

busy = max(safe.limits, key=lambda limit: limit.active)
print(f"the most active limit is the {busy.label}: at its limit for {busy.active:.0%} of the motion")
print("wrote", safe.report(Path("out") / "puma560.html"))
