"""Torques of one state, and of a million states at once."""

import time

import numpy as np

import lissom

np.set_printoptions(precision=4, suppress=True, linewidth=120)
robot = lissom.robots.puma560(friction=False)

# one state: holding torques with the arm half stretched
q = np.array([0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0])
still = np.zeros(robot.nv)
print("holding still [N m]:", robot.inverse_dynamics(q, still, still))

# many states: leading axes are the batch
rng = np.random.default_rng(0)
Q, V, A = rng.uniform(-1.0, 1.0, (3, 1_000_000, robot.nv))
robot.inverse_dynamics(Q[:8], V[:8], A[:8])  # the first call compiles
start = time.perf_counter()
tau = robot.inverse_dynamics(Q, V, A)
print(f"{len(tau)} states in {time.perf_counter() - start:.3f} s, largest torque of joint 2: {np.abs(tau[:, 1]).max():.1f} N m")

# the terms of the torque
parts = {"gravity": robot.gravity_torques(q), "speed and gravity": robot.bias_torques(q, still + 1.0)}
for name, value in parts.items():
    print(f"{name:>18} [N m]:", value)
