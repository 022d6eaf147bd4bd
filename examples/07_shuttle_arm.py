"""The Shuttle's arm moves its largest payload, 29 tonnes, with motors of at most 1570 N m."""

from pathlib import Path

import numpy as np

import lissom
from lissom.model.names import effort_limits
from lissom.robots.srms import largest_payload

empty, loaded = lissom.robots.srms(), lissom.robots.srms(largest_payload())
limits = np.array(effort_limits(loaded.model))
start, goal = np.radians([0, 30, -60, 0, 0, 0]), np.radians([20, 45, -75, 10, 0, 15])
DURATION = 300.0


class ComputedTorque:
    """Follows a path from rest to rest: inverse dynamics of the desired motion, plus PD feedback on the error."""

    def __init__(self, model_of):
        self.model_of = model_of

    def torque(self, t, q, qd):
        """Return the joint torques [N m], limited to those of the motors."""
        x, span = min(t / DURATION, 1.0), goal - start
        s, ds, dds = x**3 * (10 - 15 * x + 6 * x**2), 30 * x**2 * (1 - x) ** 2, 60 * x * (1 - x) * (1 - 2 * x)
        wanted = span * dds / DURATION**2
        wanted = wanted + 0.01 * (start + span * s - q) + 0.2 * (span * ds / DURATION - qd)
        return np.clip(self.model_of.inverse_dynamics(q, qd, wanted), -limits, limits)


swing = loaded.simulate(start, np.zeros(6), 1.2 * DURATION, ComputedTorque(loaded))
print(swing)
for name, largest, limit in zip(loaded.joint_names, np.abs(swing.tau).max(axis=0), limits, strict=True):
    print(f"{name:>15}: at most {largest:6.1f} of {limit:g} N m")
print(f"it ends {np.degrees(np.abs(swing.end.q - goal)).max():.0e} degrees from its goal")

# the same controller with a model of the empty arm: its torques suit a few hundred kilograms
blind = loaded.simulate(start, np.zeros(6), 1.2 * DURATION, ComputedTorque(empty))
print(f"a controller without knowledge of the payload deviates by {np.degrees(np.abs(blind.q - swing.q)).max():.0f} degrees")
print("wrote", swing.plot(Path("out") / "shuttle_arm.png", "tau"))
