"""Torques and joint reaction wrenches of a motion over time."""

from pathlib import Path

import numpy as np

import lissom
from lissom.model.names import effort_limits, torque_units, velocity_names
from lissom.view import plot_torques, plot_wrenches

robot = lissom.robots.rr()

# both joints move from rest to rest in 0.6 s: a polynomial with zero velocity and acceleration at both ends
duration = 0.6
t = np.linspace(0.0, duration, 301)
s = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6])
start, goal = np.array([0.0, -2.0]), np.array([1.0, -1.0])
x = t[:, None] / duration
q = start + (goal - start) * s(x)
qd = (goal - start) * s.deriv(1)(x) / duration
qdd = (goal - start) * s.deriv(2)(x) / duration**2

tau = robot.inverse_dynamics(q, qd, qdd)
wrenches = robot.joint_wrenches(q, qd, qdd)

limits = effort_limits(robot.model)
for i, name in enumerate(robot.joint_names):
    force = np.linalg.norm(wrenches[:, i, :3], axis=1)
    print(f"{name}: at most {np.abs(tau[:, i]).max():.2f} of {limits[i]:g} N m; its bearing carries up to {force.max():.2f} N")

out = Path("out")
names, units = velocity_names(robot.model), torque_units(robot.model)
print("wrote", plot_torques(t, tau, names, units, limits, out / "motion.png", "RR arm: joint torques"))
print("wrote", plot_wrenches(t, wrenches, robot.joint_names, out / "motion_wrenches.png", "RR arm: joint wrenches"))
