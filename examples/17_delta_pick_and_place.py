"""A Delta robot picks and places: up, across and down in 0.3 s, with the torques of its three arms."""

from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import lissom
from lissom.view import plot_torques

robot = lissom.robots.delta()
print(robot)

# the path of the platform: an arch of 305 mm with rounded corners, timed by a curve with zero jerk at its ends
T = 0.3
t = np.linspace(0.0, T, 601)
s = t / T
s = s**3 * (10 - 15 * s + 6 * s**2)
x = np.stack([-0.1525 + 0.305 * s, 0.02 * np.sin(np.pi * s), -0.62 + 0.025 * np.sin(np.pi * s) ** 2], axis=1)

tree = robot.leg_configuration(x)
arms = CubicSpline(t, robot.coordinates(tree))
qd, qdd = arms(t, 1), arms(t, 2)
tau = robot.inverse_dynamics(None, qd, qdd, tree_q=tree)
speed = np.abs(np.gradient(x, t, axis=0)).max()
print(f"the platform moves at up to {speed:.1f} m/s, the arms turn at up to {np.abs(qd).max():.1f} rad/s")
print(f"largest torques {np.abs(tau).max(axis=0).round(2)} N m")

# which part of a plane below can the robot reach?
grid = np.linspace(-0.6, 0.6, 25)
poses = np.array([(a, b, -0.62) for a in grid for b in grid])
space = robot.workspace(poses)
print(f"at z = -0.62 m it reaches {space.share:.0%} of a square of 1.2 m")

# drive it with these torques: the simulated platform follows the arch
drive = lambda now, q, qd: robot.inverse_dynamics(*(arms(now, k) for k in range(3)))  # noqa: E731
motion = robot.simulate(arms(0.0), arms(0.0, 1), T, drive, rtol=1e-8, atol=1e-9)
end = robot.platform_pose(None, tree_q=motion.tree_q[-1])
print(f"simulated, it ends {np.linalg.norm(end - x[-1]) * 1e3:.1e} mm from its goal")

title = "Delta robot: torques of the arms"
print("wrote", plot_torques(t, tau, robot.torque_names, ["N m"] * 3, path=Path("out") / "delta.png", title=title))
