"""Metabolic power of a muscle after Umberger 2010 [W], over any scalar.

Heat of activation and maintenance, heat of shortening and lengthening, and the work of the contractile element, per mass of
muscle:
    ham = 1.28 (% fast) + 25                  times S A^0.6; beyond the optimal length 0.4 ham + 0.6 ham fl
    hsl = 100 / vs (slow) v + 153 / vf (fast) v   of shortening, v in optimal lengths per second, the slow part at most 100 W/kg
        = 4 (or 0.3) 100 / vs v               of lengthening
    w   = -F v / m
A is the excitation e where it rises, otherwise the mean of e and the activation (Umberger, Gerritsen and Martin 2003; the
changes of Umberger 2010: no negative work and 0.3 for 4). vf is the fastest shortening, vs = vf / 2.5, S the aerobic factor
1.5.
"""

from __future__ import annotations

import math

from ..spatial.scalar import Scalar, exp, less, log, select, sincos, sqrt, tanh
from .muscle import Muscle

DENSITY = 1059.7  # [kg/m^3] of muscle, Mendez and Keys 1960
TENSION = 250000.0  # [Pa] specific tension, as in OpenSim's probes
AEROBIC = 1.5
SLOW_LIMIT = 100.0  # [W/kg]


def muscle_mass(muscle: Muscle, density: float = DENSITY, tension: float = TENSION) -> float:
    """Return the mass of a muscle [kg] from its force and optimal length, given its density and specific tension [Pa]."""
    return muscle.max_isometric_force / tension * density * muscle.optimal_fiber_length


def umberger(
    muscle: Muscle,
    excitation: Scalar,
    activation: Scalar,
    fiber_length: Scalar,
    velocity: Scalar,
    active: Scalar,
    *,
    slow: float = 0.5,
    recruitment: bool = False,
    mass: float | None = None,
    negative_work: bool = True,
    aerobic: float = AEROBIC,
    rounding: float = 0.0,
) -> Scalar:
    """Return the metabolic power of a muscle [W], at least 1 W/kg of heat.

    Solvers need smooth functions: with a rounding r, corners and steps are blended over a width of r in activation and length,
    10 r in velocity [optimal lengths/s] and 100 r in power [W/kg].

    Args:
        muscle: its parameters.
        excitation, activation: above 0, up to 1.
        fiber_length: over the optimal one.
        velocity: of the fiber over the fastest shortening, negative where it shortens.
        active: active force along the fiber [N].
        slow: share of slow fibers.
        recruitment: whether slow fibers are recruited first, so that their share depends on the excitation (Bhargava 2004).
        mass: of the muscle [kg]; None takes `muscle_mass`.
        negative_work: whether lengthening gives energy back (Umberger 2003, factor 4); False is Umberger 2010.
        aerobic: 1.5 for primarily aerobic work, 1 for anaerobic.
        rounding: 0 for the published formulas; 0.01 changes them little.
    """
    r, fastest, power = rounding, 10.0 * rounding, 100.0 * rounding
    m = muscle_mass(muscle) if mass is None else mass
    v = velocity * muscle.max_velocity
    share: Scalar = recruited(excitation, slow) if recruitment else slow
    fast = 1.0 - share
    amount = 0.5 * (_larger(excitation, activation, r) + excitation)
    long = _above(fiber_length - 1.0, r)
    force = muscle.curves.active(fiber_length)

    unscaled = 128.0 * fast + 25.0
    if rounding:
        amount = _larger(amount, 0.5 * rounding, r)  # which excitations near to zero would make negative
    maintenance = exp(log(amount) * 0.6) * aerobic * unscaled * _chosen(long, force * 0.6 + 0.4, 1.0)

    slowly, quickly = 100.0 * 2.5 / muscle.max_velocity, 153.0 / muscle.max_velocity
    part = -_larger(slowly * v, -SLOW_LIMIT, power)
    shortening = (part * share - v * quickly * fast) * amount * amount
    lengthening = v * ((4.0 if negative_work else 0.3) * slowly) * amount
    lengthens = _above(v, fastest)
    heat = _chosen(lengthens, lengthening, shortening) * aerobic * _chosen(long, force, 1.0)

    work = active * v * (-muscle.optimal_fiber_length / m)
    if not negative_work:
        work = _chosen(lengthens, 0.0, work)
    # where the muscle gave more than all heat, the heat is that much larger: total power is never negative
    total = maintenance + heat + work
    heat = heat + _larger(-total, 0.0, power)
    return (_larger(maintenance + heat, 1.0, power) + work) * m


def _above(x: Scalar, width: float) -> Scalar:
    """Return 1 where x is positive and 0 where it is negative, blended over a width."""
    return 0.5 * tanh(x * (1.0 / width)) + 0.5 if width else less(0.0, x)


def _chosen(share: Scalar, one: Scalar, other: Scalar) -> Scalar:
    """Return `one` where the share is 1, `other` where it is 0."""
    return other + share * (one - other)


def _larger(one: Scalar, other: Scalar, width: float) -> Scalar:
    """Return the larger of two scalars, rounded where they are within a width."""
    if not width:
        return select(less(one, other), other, one)
    difference = one - other
    return 0.5 * (one + other + sqrt(difference * difference + width * width))


def recruited(excitation: Scalar, slow: float) -> Scalar:
    """Return the share of slow fibers among those that an excitation recruits, slow ones first (Bhargava 2004)."""
    s, c = sincos(excitation * (0.5 * math.pi))
    slowly, quickly = s * slow, (1.0 - c) * (1.0 - slow)
    return slowly / (slowly + quickly)
