"""Activation dynamics: how fast the activation of a muscle follows its excitation [1/s], over any scalar.

first order (Thelen 2003, (1)-(2))        (e - a) / t,  t = ta (1/2 + 3/2 a) where e > a, otherwise td / (1/2 + 3/2 a)
smooth (De Groote and Fregly 2016, (1))   the same, blended by (1 + tanh(b (e - a))) / 2
"""

from __future__ import annotations

from ..spatial.scalar import Scalar, less, select, tanh

RISE, FALL = 0.015, 0.060  # [s] De Groote and Fregly 2016
STEEPNESS = 0.1  # b of the paper


def activation_rate(
    excitation: Scalar, activation: Scalar, rise: float = RISE, fall: float = FALL, steepness: float = STEEPNESS
) -> Scalar:
    """Return the rate of the activation, smooth in both."""
    difference = excitation - activation
    blend = 0.5 * tanh(difference * steepness)
    z = activation * 1.5 + 0.5
    return ((blend + 0.5) / (z * rise) + z * (0.5 - blend) * (1.0 / fall)) * difference


def first_order_rate(excitation: Scalar, activation: Scalar, rise: float = 0.015, fall: float = 0.050) -> Scalar:
    """Return the rate of the activation, with two time constants."""
    difference = excitation - activation
    z = activation * 1.5 + 0.5
    return select(less(activation, excitation), difference / (z * rise), difference * z * (1.0 / fall))
