"""Random configurations of a model: within limits, every angle and every rotation as likely as any other."""

from __future__ import annotations

import numpy as np

from .limits import CoordinateLimits
from .model import Model


def random_configurations(
    model: Model, rng: np.random.Generator, limits: CoordinateLimits | None, lead: tuple[int, ...] = ()
) -> np.ndarray:
    """Return random configurations (*lead, nq).

    Joints of one axis are uniform within `limits`. Without limits, turns are uniform over a full turn, slides from -1 to 1 m;
    with one limit, over as long a range that begins there. Rotations in space are uniform; places of planar and floating joints
    are within 1 m of zero along each axis.
    """
    q = np.empty((*lead, model.nq))
    for place in model.layout:
        nowhere = np.full(place.kind.nq, np.inf)
        lower, upper = (-nowhere, nowhere) if limits is None else (limits.lower[place.q], limits.upper[place.q])
        traits = place.kind.traits
        q[..., place.q] = traits.random(rng, lower, upper, traits.units_of(place.joint), lead)
    return q
