"""A four-bar linkage: the torque for constant crank speed, and its free swing without a drive."""

from pathlib import Path

import numpy as np

import lissom
from lissom.view import plot_torques

robot = lissom.robots.four_bar()
print(robot)
print(robot.mobility())

# one turn of the crank in one second, at constant speed: the torque balances gravity and the moving links
t = np.linspace(0.0, 1.0, 400)
q, qd, qdd = robot.home() + 2 * np.pi * t[:, None], np.full((400, 1), 2 * np.pi), np.zeros((400, 1))
followed = robot.follow(q)
tau = robot.inverse_dynamics(None, qd, qdd, tree_q=followed.tree_q)
work = np.trapezoid((tau * qd)[:, 0], t)
print(f"torque between {tau.min():.2f} and {tau.max():.2f} N m; over a whole turn its work is {abs(work):.3f} J")
print(f"closure: at most {followed.iterations.max()} steps of Newton's method per sample")

# released, the linkage swings for ten seconds; it keeps its energy and stays closed
swing = robot.simulate(robot.home(), [0.0], 10.0)
drift = np.abs(swing.energy - swing.energy[0]).max()
print(f"{swing}: energy drifts by {drift:.0e} J, the closure error is {swing.closure_error.max():.0e} m")

out = Path("out")
title = "four-bar linkage: torque of the crank"
print("wrote", plot_torques(t, tau, robot.torque_names, ["N m"], path=out / "four_bar.png", title=title), end=" ")
print(swing.plot(out / "four_bar_swing.png", "energy"))
