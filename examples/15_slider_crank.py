"""A slider-crank at 3000 revolutions per minute: loads of its bearings, its pin and the guide of its slider."""

from pathlib import Path

import numpy as np

import lissom
from lissom.view import plot_wrenches

robot = lissom.robots.slider_crank(crank=0.04, rod_length=0.14, m_crank=0.6, m_rod=0.5, m_slider=0.4)
speed = 3000 * 2 * np.pi / 60

# one revolution at constant speed
t = np.linspace(0.0, 2 * np.pi / speed, 360)
q, qd, qdd = robot.home() + speed * t[:, None], np.full((360, 1), speed), np.zeros((360, 1))
tree = robot.follow(q).tree_q
tau = robot.inverse_dynamics(None, qd, qdd, tree_q=tree)
loads = robot.joint_wrenches(None, qd, qdd, tree_q=tree, axes="world")

print(f"the drive torque is up to {np.abs(tau).max():.0f} N m to keep the speed")
for k, name in enumerate(robot.wrench_names):
    force = np.linalg.norm(loads[:, k, :3], axis=1)
    print(f"{name:14} carries up to {force.max():7.0f} N, at a crank at {np.degrees(q[force.argmax(), 0]) % 360:.0f} degrees")

# exact growth of the pin's largest load with the speed: the derivative of the wrench by the velocity
d = robot.joint_wrench_derivatives(q[0], qd[0], qdd[0], axes="world")
print(f"one rad/s more changes the pin's force by {np.linalg.norm(d.dqd[-1, :3, 0]):.2f} N at the start")

title = "slider-crank: loads of its joints"
print("wrote", plot_wrenches(t, loads, robot.wrench_names, Path("out") / "slider_crank.png", title))
