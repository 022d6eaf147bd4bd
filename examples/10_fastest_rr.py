"""Minimum-time motion of a two-link arm, and when its torques switch (Barman 2020, figs 4.2-4.4)."""

from pathlib import Path

import numpy as np

import lissom

problem = lissom.MotionProblem(lissom.robots.rr(), control_points=20, duration=(0.05, 2.0), name="RR arm, minimum time")
problem.start([0.0, -2.0]).end([1.0, -1.0])  # [rad], at rest
problem.limit("torque", -10, 10).minimize("time")  # [N m]

motion = problem.solve(refine=4)
exact = 0.391854540  # [s], with torques always at a bound; the thesis prints 0.392
for r in motion.rounds:
    print(f"{r.control_points:4d} control points: {r.objective:.6f} s, {(r.objective - exact) * 1e6:4.0f} us above the optimum")

# both torques are nearly always at a bound; the first switches once, halfway, like the exact solution
t = motion.times(2001)
tau = motion.torques(t)
switch = t[np.flatnonzero(np.diff(np.sign(tau[:, 0])))]
print(f"torque 1 changes sign at {', '.join(f'{x / motion.duration:.3f}' for x in switch)} of the duration")
first, second = (np.abs(tau) > 9.9).mean(axis=0)
print(f"torques are above 9.9 N m for {first:.0%} and {second:.0%} of it")

force = np.linalg.norm(motion.joint_wrenches(t)[:, :, :2], axis=-1)  # in the plane of the motion; the rest is weight
for name, most, at in zip(problem.robot.joint_names, force.max(axis=0), t[force.argmax(axis=0)], strict=True):
    print(f"{name} carries up to {most:.1f} N, at {at:.3f} s")

out = Path("out")
print("wrote", motion.plot(out / "rr.png"))  # torques (fig 4.2), joint reaction forces (4.3), strobe picture (4.4)
print("wrote", motion.report(out / "rr.html"))
