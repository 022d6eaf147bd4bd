"""Random configurations of a model: within limits, every angle and every rotation as likely as any other."""

from __future__ import annotations

import numpy as np

from .joint import SINGLE_DOF, TURNING, JointKind
from .limits import CoordinateLimits
from .model import Model

WIDE = 1.0  # [m] range of slides without limits, to either side of zero


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
        kind, iq, own = place.kind, place.iq, place.q
        if kind in SINGLE_DOF:
            wide = np.pi if kind in TURNING else WIDE
            least, most = (-np.inf, np.inf) if limits is None else (float(limits.lower[iq]), float(limits.upper[iq]))
            low = least if np.isfinite(least) else min(-wide, most - 2 * wide)
            high = most if np.isfinite(most) else max(wide, least + 2 * wide)
            q[..., iq] = rng.uniform(low, high, lead)
        elif kind is JointKind.PLANAR:
            q[..., own] = rng.uniform(-1.0, 1.0, (*lead, 3)) * [WIDE, WIDE, np.pi]
        else:  # a quaternion, after the place of a floating joint
            u = rng.normal(size=(*lead, 4))
            q[..., own.stop - 4 : own.stop] = u / np.linalg.norm(u, axis=-1, keepdims=True)
            places = kind.nq - 4
            q[..., own.start : own.start + places] = rng.uniform(-WIDE, WIDE, (*lead, places))
    return q
