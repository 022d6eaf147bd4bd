"""The fastest motion of a five-bar robot away from singular poses, and of a Gough-Stewart platform along a given path."""

from pathlib import Path

import numpy as np

import lissom
from lissom.timing import time_optimal
from lissom.view import plot_torques

# point to point: drives of 8 N m and 15 rad/s; regularity is one at home and zero where the drives cannot hold the robot
robot = lissom.robots.five_bar()
goal = robot.home() + [0.5, 0.4]
problem = lissom.MotionProblem(robot, control_points=16, duration=(0.05, 2.0))
problem.start(robot.home()).end(goal)
problem.limit("torque", -8, 8).limit("velocity", -15, 15).limit("regularity", lower=0.05).minimize("time")
motion = problem.solve()
t = np.linspace(0.0, motion.duration, 300)
tau = motion.torques(t)
print(f"five-bar: {motion.duration:.4f} s, torques up to {np.abs(tau).max():.2f} N m")

# check: do these torques take the simulated robot to the goal?
driven = robot.simulate(
    robot.home(), [0.0, 0.0], motion.duration, lambda now, q, qd: motion.torques(np.array([now]))[0], rtol=1e-9
)
print(f"simulated under these torques, it ends {np.abs(driven.q[-1] - goal).max():.0e} rad from its goal")

# along a path of the platform: legs of at most 9 kN and 1 m/s
platform = lissom.robots.gough_stewart(speed=1.0, force=9000.0)
s = np.linspace(0.0, 1.0, 25)
x = np.tile(platform.home_pose(), (25, 1))
x[:, 0] += 0.4 * np.sin(np.pi * s)
x[:, 1] += 0.3 * s
timing = time_optimal(platform, platform.leg_coordinates(x))
now = np.linspace(0.0, timing.duration, 300)
q, qd, qdd = timing.states(now)[:3]
forces = platform.inverse_dynamics(q, qd, qdd)
print(f"platform: {timing.duration:.3f} s along its path, forces up to {np.abs(forces).max():.0f} N")

out = Path("out")
print("wrote", plot_torques(t, tau, robot.torque_names, ["N m"] * 2, [8.0] * 2, out / "five_bar.png", "five-bar"), end=" ")
print(plot_torques(now, forces, platform.torque_names, ["N"] * 6, [9000.0] * 6, out / "platform.png", "platform along its path"))
