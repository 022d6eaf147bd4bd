"""Angles from sines and cosines, over any scalar: traces have no inverse functions of angles.

A first guess a = pi/2 (1 - cos) is within 0.34 of an angle from 0 to pi; a step a + sin(angle - a) leaves the sixth part of the
third power of its error: three steps are exact, and a fourth makes the second derivatives so.
"""

from __future__ import annotations

import math

from ..spatial.scalar import Scalar, less, select, sincos

STEPS = 4


def angle_of(c: Scalar, s: Scalar) -> Scalar:
    """Return the angle from 0 to pi with a cosine and a sine that is not negative."""
    angle = (1.0 - c) * (0.5 * math.pi)
    for _ in range(STEPS):
        sine, cosine = sincos(angle)
        angle = angle + (s * cosine - c * sine)
    return angle


def turn_of(c: Scalar, s: Scalar) -> Scalar:
    """Return the angle from -pi to pi with a cosine and a sine."""
    size = angle_of(c, select(less(s, 0.0), -s, s))
    return select(less(s, 0.0), -size, size)
