"""A falling tree of links: it tumbles, keeps its energy, and its center of mass follows a parabola."""

from pathlib import Path

import numpy as np

import lissom

# a free trunk with five links on joints of several kinds; nothing drives it
robot = lissom.robots.tree(5, branching=2, seed=1, floating=True, drives=False, kinds=["revolute", "spherical"])
qd0 = np.random.default_rng(0).normal(size=robot.nv)
fall = robot.simulate(robot.neutral(), qd0, duration=3.0)
print(fall)

# kinetic and potential energy change, their sum does not
drift = np.abs(fall.energy - fall.energy[0]).max() / fall.kinetic_energy.max()
print(f"kinetic energy grows from {fall.kinetic_energy[0]:.1f} to {fall.kinetic_energy[-1]:.1f} J, the sum drifts by {drift:.0e}")

# the center of mass falls along a parabola, whatever the links do
com, t = robot.center_of_mass(fall.q), fall.t[:, None]
velocity = robot.momentum(fall.q[0], fall.qd[0])[:3] / sum(link.inertia.mass for link in robot.model.links if link.inertia)
parabola = com[0] + velocity * t + 0.5 * np.array(robot.model.gravity) * t**2
off = np.abs(com - parabola).max()
print(f"its center of mass falls {com[0, 2] - com[-1, 2]:.1f} m and deviates from the parabola by {off:.0e} m")

# a thousand falls at once: compiled Runge-Kutta steps for all of them
many = robot.simulate(robot.neutral(), qd0 + np.zeros((1000, 1)), 3.0, method="rk4", dt=2e-3, sample=0.5)
print(f"{many}; they end {np.abs(many.end.q - fall.end.q).max():.0e} from the first")

out = Path("out")
print("wrote", fall.plot(out / "fall_energy.png", "energy"), fall.save(out / "fall.npz"))
