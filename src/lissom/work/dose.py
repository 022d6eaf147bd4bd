"""What a spine and joints bear: limits of single loads, the dose of a shift, and which share of people is strong enough."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

# [N] of shear of loads now and then and of frequent ones, and lifts in a shift up to which the first holds (S. Gallagher,
# W. S. Marras, Tolerance of the lumbar spine to shear: a review and recommended exposure limits, Clinical Biomechanics 27, 2012,
# pp. 973-978); forces were compared with a text that cites it, the number of lifts was not
SHEAR = ((100.0, 1000.0), (np.inf, 700.0))
# coefficient of variation of joints' strengths: 0.20 to 0.30 in 14 groups of muscles (P. d. A. Benfica and others, Reference
# values for muscle strength, Brazilian Journal of Physical Therapy 22, 2018, pp. 355-369); the middle
SPREAD = 0.25
# M. Jaeger and others, the Mainz-Dortmund dose model, 1999: forces from here on count [N], and the dose of a shift [N h];
# compared with a text for patients. Since 2007, German courts count men's forces from 2700 N on, and ask for no least dose
DOSE = {"male": (3200.0, 5500.0), "female": (2500.0, 3500.0)}
SHIFT = 8.0 * 3600.0  # [s]


def shear_limit(lifts: float) -> float:
    """Return the largest recommended shear at L5/S1 [N] for so many lifts in a shift."""
    return next(limit for most, limit in SHEAR if lifts <= most)


def strong_enough(share: float) -> float:
    """Return which share of people of this size, sex and age has the strength for a moment, a share of the mean strength."""
    return 1.0 - NormalDist().cdf((share - 1.0) / SPREAD)


def impulse(t: np.ndarray, force: np.ndarray) -> float:
    """Return the integral of a force over time [N s]."""
    return float(np.trapezoid(force, t))


def squares(t: np.ndarray, force: np.ndarray, sex: str) -> float:
    """Return the integral [N^2 s] of the squares of those forces that count in the dose of a shift."""
    return float(np.trapezoid(np.where(force >= DOSE[sex][0], force, 0.0) ** 2, t))


def dose(total: float) -> float:
    """Return the dose of a shift [N h] of squares that are summed over all its lifts: D = (total / 8 h)^(1/2) 8 h."""
    return float(np.sqrt(total / SHIFT) * SHIFT / 3600.0)
