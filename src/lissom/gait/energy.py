"""Energy that muscles use in a walk, from moments and speeds of joints alone.

Minetti and Alexander 1997 (A theory of metabolic costs for bipedal gaits, Journal of Theoretical Biology 186) give the metabolic
power of muscles with moment T where they are fully active and at rest, activation a and greatest speed w: a T w phi(x), with x
the speed of shortening over w. The moment at that speed is a T f(x), with Hill's curve f. So a joint with moment tau uses tau w
phi(x) / f(x): for a moment without work 0.054 tau w, for work about twice it and more, and little where muscles are stretched.
"""

from __future__ import annotations

import numpy as np

STANDING = 1.3  # [W/kg] that people use who stand: about the measured one
FASTEST = 15.0  # [rad/s] of joints without load: about the measured one of knees and elbows
CURVE = 4.0  # of Hill's curve; 1.8 is the moment of stretched muscles over that of muscles that do not move
NEARLY = 0.8  # of the greatest speed: faster ones count as that, since moments there are next to nothing


def metabolic_power(torque: np.ndarray, velocity: np.ndarray, fastest: float = FASTEST) -> np.ndarray:
    """Return the metabolic power of joints [W], of any shape: for moments [N m] and speeds [rad/s].

    Args:
        torque, velocity: of each joint; equal signs are work that is done.
        fastest: speed of a joint without load [rad/s].
    """
    x = np.clip(np.sign(torque) * velocity / fastest, -1.0, NEARLY)
    phi = (0.054 + 0.506 * x + 2.46 * x**2) / (1.0 - 1.13 * x + 12.8 * x**2 - 1.64 * x**3)
    shorter, longer = np.maximum(x, 0.0), np.minimum(x, 0.0)
    hill = np.where(
        x >= 0.0, (1.0 - shorter) / (1.0 + CURVE * shorter), 1.8 - 0.8 * (1.0 + longer) / (1.0 - 7.6 * CURVE * longer)
    )
    return np.asarray(np.abs(torque) * fastest * phi / hill)


def measured_cost(speed: float) -> float:
    """Return the energy that people use to walk on level ground [J/(kg m)], at a speed [m/s], after Ralston 1958.

    29 + 0.0053 v^2 cal/(kg min) with v in m/min (Energy-speed relation and optimal speed in level walking): least at 1.23 m/s.
    """
    calorie, minute = 4.184, 60.0
    return calorie * (29.0 + 0.0053 * (minute * speed) ** 2) / (minute * speed)
