"""Random configurations of a model: within limits, with uniform angles and rotations."""

from __future__ import annotations

import numpy as np

from .limits import CoordinateLimits
from .model import Model


def random_configurations(
    model: Model, rng: np.random.Generator, limits: CoordinateLimits | None, lead: tuple[int, ...] = ()
) -> np.ndarray:
    """Return random configurations (*lead, nq).

    Joints of one axis are uniform within `limits`. Without limits, angles are uniform over a full turn, translations from -1 to
    1 m; with one limit, over a range of the same length from there. Rotations in space are uniform; positions of planar and
    floating joints are within 1 m of zero along each axis.
    """
    q = np.empty((*lead, model.nq))
    for place in model.layout:
        nowhere = np.full(place.kind.nq, np.inf)
        lower, upper = (-nowhere, nowhere) if limits is None else (limits.lower[place.q], limits.upper[place.q])
        traits = place.kind.traits
        q[..., place.q] = traits.random(rng, lower, upper, traits.units_of(place.joint), lead)
    return q
