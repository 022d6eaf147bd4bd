"""A Gough-Stewart platform moves along a figure of eight: leg lengths, leg forces, and distance from singularity."""

from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import lissom
from lissom.view import plot_torques

robot = lissom.robots.gough_stewart()
print(robot)

# the pose over time: a figure of eight 0.6 m wide, leaning into it by up to 6 degrees
t = np.linspace(0.0, 4.0, 801)
w = 2 * np.pi / 4
lean = np.radians(6.0) * np.sin(w * t)
x = np.zeros((len(t), 7))
x[:, 0], x[:, 1], x[:, 2] = 0.3 * np.sin(w * t), 0.15 * np.sin(2 * w * t), 2.0
x[:, 3], x[:, 6] = np.sin(lean / 2), np.cos(lean / 2)

# leg lengths by inverse kinematics, then their rates by splines
tree = robot.leg_configuration(x)
q = robot.coordinates(tree)
lengths = CubicSpline(t, q)
qd, qdd = lengths(t, 1), lengths(t, 2)
tau = robot.inverse_dynamics(None, qd, qdd, tree_q=tree)
print(f"legs between {q.min():.3f} and {q.max():.3f} m long, forces between {tau.min():.0f} and {tau.max():.0f} N")

# the same forces by platform and legs, Khalil's equation (66)
_, v, a = robot.tree_motion(None, qd, qdd, tree_q=tree)
along = list(robot.plan.independent)
other = robot.platform_inverse_dynamics(None, v[:, along], a[:, along], tree_q=tree)
print(f"platform and legs give the same forces to {np.abs(other - tau).max() / np.abs(tau).max():.0e}")

print(f"dexterity between {robot.dexterity(tree_q=tree).min():.3f} and {robot.dexterity(tree_q=tree).max():.3f}")
turned = robot.home_pose()
turned[3:] = [0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
print("turned by 90 degrees about the vertical:", str(robot.singularity(tree_q=robot.leg_configuration(turned)))[:82], "...")

title = "Gough-Stewart platform: forces of the legs"
print("wrote", plot_torques(t, tau, robot.torque_names, ["N"] * 6, path=Path("out") / "stewart.png", title=title))
