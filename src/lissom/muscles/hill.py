"""Hill-type forces of a muscle, over any scalar: fibers with active, passive and damping force in series with a tendon.

    l = sqrt(h^2 + p^2),  cos = p / l      fiber of length l, p of it along the tendon, h its thickness across
    force = F0 (a fl(l) fv(v) + fp(l) + b v) cos                  along the tendon
A rigid tendon keeps its slack length: p = length - slack, v = rate cos. An elastic one has the force F0 ft(tendon length),
which the fibers balance: at a length and an activation that is an equation for the fiber's velocity (`fiber_velocity`), or at
rest for its length (`fiber_length_at_rest`). Both are solved by a fixed number of Newton's steps within a bracket, so that they
are part of the same program; the last step has the derivatives of the solution.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..spatial.scalar import Scalar, less, select, sqrt
from ..spatial.series import Series, terms_of
from .muscle import Muscle

STEPS = 30  # of a search; from a bracket of width 4 halving alone would leave 4e-9, Newton's steps end at rounding
FASTEST = 4.0  # normalized fiber velocity that is searched, to both sides
SHORTEST = 0.01  # fiber length along the tendon over the optimal one from which a fiber at rest is searched


class Fiber(NamedTuple):
    """Fiber of a muscle.

    Attributes:
        length: over the optimal length.
        cosine: of the angle to the tendon.
        velocity: over the fastest shortening, negative where the fiber shortens.
    """

    length: Scalar
    cosine: Scalar
    velocity: Scalar


def rigid_fiber(muscle: Muscle, length: Scalar, rate: Scalar = 0.0) -> Fiber:
    """Return the fiber with a rigid tendon, at a length [m] and rate [m/s] of the whole muscle."""
    along = length - muscle.tendon_slack_length
    fiber = sqrt(along * along + muscle.thickness**2) if muscle.pennation else along
    cosine = along / fiber if muscle.pennation else 1.0
    optimal = muscle.optimal_fiber_length
    return Fiber(fiber * (1.0 / optimal), cosine, rate * cosine * (1.0 / (optimal * muscle.max_velocity)))


def active_force(muscle: Muscle, activation: Scalar, fiber: Fiber) -> Scalar:
    """Return the active force along the tendon [N]; a fiber that has no length along it has none."""
    force = activation * muscle.curves.active(fiber.length) * muscle.curves.velocity(fiber.velocity, activation)
    return _taut(muscle, fiber, force * fiber.cosine)


def passive_force(muscle: Muscle, fiber: Fiber) -> Scalar:
    """Return the passive force along the tendon, with damping [N]."""
    force = muscle.curves.passive(fiber.length) + fiber.velocity * muscle.curves.damping
    return _taut(muscle, fiber, force * fiber.cosine)


def rigid_force(muscle: Muscle, activation: Scalar, length: Scalar, rate: Scalar = 0.0) -> Scalar:
    """Return the force of a muscle with a rigid tendon, along the tendon [N].

    Args:
        muscle: its parameters.
        activation: 0 to 1.
        length, rate: of the whole muscle [m, m/s].
    """
    fiber = rigid_fiber(muscle, length, rate)
    return active_force(muscle, activation, fiber) + passive_force(muscle, fiber)


def _taut(muscle: Muscle, fiber: Fiber, force: Scalar) -> Scalar:
    along = fiber.cosine * fiber.length
    return select(less(0.0, along), force, 0.0) * muscle.max_isometric_force


def elastic_fiber(muscle: Muscle, fiber_length: Scalar, velocity: Scalar = 0.0) -> Fiber:
    """Return a fiber of a length over the optimal one, at a normalized velocity."""
    h = muscle.thickness / muscle.optimal_fiber_length
    cosine = sqrt(1.0 - h * h / (fiber_length * fiber_length)) if h else 1.0
    return Fiber(fiber_length, cosine, velocity)


def tendon_force(muscle: Muscle, length: Scalar, fiber: Fiber) -> Scalar:
    """Return the force of the elastic tendon [N] that is left of a length [m] of the whole muscle."""
    tendon = length - fiber.length * fiber.cosine * muscle.optimal_fiber_length
    return muscle.curves.tendon(tendon * (1.0 / muscle.tendon_slack_length)) * muscle.max_isometric_force


def imbalance(muscle: Muscle, activation: Scalar, fiber: Fiber, length: Scalar) -> Scalar:
    """Return how much stronger the fiber pulls than the tendon, over the maximum isometric force: zero in equilibrium."""
    own = activation * muscle.curves.active(fiber.length) * muscle.curves.velocity(fiber.velocity, activation)
    own = own + muscle.curves.passive(fiber.length) + fiber.velocity * muscle.curves.damping
    return own * fiber.cosine - tendon_force(muscle, length, fiber) * (1.0 / muscle.max_isometric_force)


def fiber_velocity(muscle: Muscle, activation: Scalar, fiber_length: Scalar, length: Scalar) -> Scalar:
    """Return the normalized velocity at which a fiber balances its elastic tendon.

    Args:
        muscle: its parameters.
        activation: above 0, where the active force has a part.
        fiber_length: over the optimal one.
        length: of the whole muscle [m].
    """

    def missing(v: Scalar) -> Scalar:
        return imbalance(muscle, activation, elastic_fiber(muscle, fiber_length, v), length)

    return _solve(missing, -FASTEST, FASTEST, 0.0)


def fiber_length_at_rest(muscle: Muscle, activation: Scalar, length: Scalar) -> Scalar:
    """Return the length over the optimal one at which a fiber at rest balances its tendon, at a length [m] of the muscle."""
    optimal, slack = muscle.optimal_fiber_length, muscle.tendon_slack_length
    h = muscle.thickness / optimal

    def fiber(along: Scalar) -> Fiber:
        size = sqrt(along * along + h * h) if h else along
        return Fiber(size, along / size, 0.0)

    def missing(along: Scalar) -> Scalar:
        return imbalance(muscle, activation, fiber(along), length)

    longest = (length - slack) * (1.0 / optimal)
    shortest = longest - 4.0 * muscle.curves.tendon_strain * slack / optimal
    shortest = select(less(shortest, SHORTEST), SHORTEST, shortest)
    return fiber(_solve(missing, shortest, longest, 0.5 * (shortest + longest))).length


def _solve(function: Callable[[Scalar], Scalar], low: Scalar, high: Scalar, start: Scalar) -> Scalar:
    """Return the zero of a function that is negative at `low` and positive at `high`."""
    x = start
    for _ in range(STEPS):
        value, slope = terms_of(function(Series([x, 1.0])), 2)
        above = less(0.0, value)
        low, high = select(above, low, x), select(above, x, high)
        step = x - value / slope
        inside = less(low, step) * less(step, high)
        x = select(inside, step, 0.5 * (low + high))
    value, slope = terms_of(function(Series([x, 1.0])), 2)
    return x - value / slope
