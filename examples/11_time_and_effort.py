"""Time against effort for a slide with a link, and a printed optimum that cannot be reproduced (Barman 2020, figs 4.5-4.7)."""

from pathlib import Path

import numpy as np

import lissom


def problem(theta2, u):
    """Return the problem of the thesis: the integral of (1 - u) + u (f^2 + tau^2); theta2 is the link's angle at q2 = 0."""
    made = lissom.MotionProblem(lissom.robots.rp(theta2), control_points=40, duration=(0.1, 3.0), name="RP arm, time and effort")
    made.start([0.1, 0.6]).end([np.pi / 4, -np.pi / 4]).limit("torque", -10, 10)  # [m, rad], [N, N m]
    return made.minimize("time", 1 - u).minimize("integral", u, "torque")


# the thesis prints T = 0.5585 s for u = 0.01; its table of the arm can be read in two ways, and neither gives that
for theta2, reading in ((0.0, "theta2 is q2"), (np.pi / 2, "theta2 is 90 degrees + q2")):
    motion = problem(theta2, 0.01).solve()
    print(f"{reading}: {motion.duration:.5f} s, cost {motion.objective:.5f}")

# at the printed time the cost is hardly higher: a solver that stops early would end there
printed = 0.5585
motion = problem(0.0, 0.01).solve()
fixed = lissom.MotionProblem(lissom.robots.rp(0.0), control_points=40, duration=printed)
fixed.start([0.1, 0.6]).end([np.pi / 4, -np.pi / 4]).limit("torque", -10, 10)
near = fixed.minimize("time", 0.99).minimize("integral", 0.01, "torque").solve()
print(f"in {printed} s the cost is {near.objective:.5f}, {near.objective / motion.objective - 1:.2%} above the optimum")

# trade-off between time and effort
for u in (0.001, 0.003, 0.01, 0.03, 0.1):
    m = problem(0.0, u).solve()
    effort = (m.objective - (1 - u) * m.duration) / u
    print(f"u = {u:5.3f}: {m.duration:.3f} s, integral of squared forces {effort:6.2f}")

out = Path("out")
print("wrote", motion.plot(out / "rp.png"))  # force and torque (fig 4.5), joint reaction forces (4.6), strobe picture (4.7)
