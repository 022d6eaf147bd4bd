"""How fast can a motion be within limits of torques and of torque rates?"""

from pathlib import Path

import numpy as np

import lissom
from lissom.model.names import torque_units, velocity_names
from lissom.view import plot_torques

robot = lissom.robots.puma560(friction=False)
start, goal = np.array([-1.0, -1.2, 2.0, 0.5, -0.5, 0.0]), np.array([1.0, 0.3, 3.4, -0.8, 0.9, 1.0])
most_torque = np.array([100.0, 180.0, 90.0, 24.0, 20.0, 20.0])  # [N m], assumed
most_rate = most_torque / 0.15  # [N m/s]: the remaining supply voltage takes a motor to its limit in 0.15 s

# from rest to rest, with zero jerk at both ends: torques start and end without a kink
shape = np.polynomial.Polynomial([0, 0, 0, 0, 35, -84, 70, -20])


def forces(duration):
    """Return times, joint torques and their exact rates for a motion of `duration` seconds."""
    t = np.linspace(0.0, duration, 401)
    state = [(goal - start) * shape.deriv(k)(t / duration)[:, None] / duration**k for k in range(4)]
    return t, *robot.torques_and_rates(start + state[0], *state[1:])


def loads(duration):
    """Return the largest torque and the largest torque rate, relative to their limits."""
    _, tau, tau_rate = forces(duration)
    return np.abs(tau / most_torque).max(), np.abs(tau_rate / most_rate).max()


def shortest(allowed):
    """Return the shortest feasible duration, to a millisecond."""
    low, high = 0.1, 10.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if allowed(middle) else (middle, high)
    return high


fast = shortest(lambda duration: loads(duration)[0] <= 1)
safe = shortest(lambda duration: max(loads(duration)) <= 1)
for duration, what in ((fast, "torques within limits"), (safe, "torques and rates within limits")):
    torque, rate = loads(duration)
    print(f"{what}: {duration:.3f} s, needs {torque:.0%} of a torque limit and {rate:.0%} of a rate limit")

# differences of sampled torques, compared with the exact rates
t, tau, tau_rate = forces(safe)
error = np.abs(np.diff(tau, axis=0) / np.diff(t)[:, None] - tau_rate[1:]).max(axis=0) / np.abs(tau_rate).max(axis=0)
print(f"backward differences at {t[1] * 1e3:.1f} ms would be wrong by up to {error.max():.1%} of the largest rate")

names, units = velocity_names(robot.model), [f"{unit}/s" for unit in torque_units(robot.model)]
out = Path("out")
print("wrote", plot_torques(t, tau_rate, names, units, most_rate, out / "torque_rates.png", "PUMA 560: rates of joint torques"))
print(
    "wrote", plot_torques(t, tau, names, torque_units(robot.model), most_torque, out / "torques.png", "PUMA 560: joint torques")
)
