"""Joint torques of muscles inside a formula, such as a quantity of a motion problem whose channels are activations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import StateError
from ..spatial.scalar import Scalar
from ..spatial.series import Series, terms_of
from ..tree import lump, reframe
from .hill import rigid_force
from .length import path_length
from .muscles import Muscles
from .tasks import bodies_of, links_of


def muscle_torques(muscles: Muscles, q: Sequence[Any], qd: Sequence[Any], activations: Sequence[Any]) -> list[Any]:
    """Return the joint torques of muscles with rigid tendons, one per coordinate [N m or N], for use in a formula.

    Moment arms and rates come from the paths run on pairs of values and slopes, so that the formula has exact derivatives again.

    Args:
        muscles: of a robot whose coordinates add up: no quaternions.
        q, qd: coordinates and velocities, as the formula has them.
        activations: one per muscle.

    Raises:
        StateError: the robot has quaternions, or there are not as many numbers as coordinates and muscles.
    """
    model, n = muscles.robot.model, muscles.robot.nv
    if muscles.robot.nq != n:
        raise StateError(f"robot {model.name!r} has quaternions, by which no formula can differentiate; use Muscles.torques")
    for name, values, size in (("q", q, n), ("qd", qd, n), ("activations", activations, len(muscles))):
        if len(values) != size:
            raise StateError(f"{name} has {len(values)} values, expected {size}")
    kind = type(q[0]) if hasattr(q[0], "x") else None  # of the formula's own values, which hold a scalar
    x, v, a = ([getattr(value, "x", value) for value in values] for values in (q, qd, activations))
    tree = reframe(lump(model))
    paths = tuple(muscle.path for muscle in muscles.muscles)
    links = links_of(paths)
    lengths: list[Scalar] = [0.0] * len(paths)
    slopes: list[list[Scalar]] = []
    for k in range(n):
        stepped = [Series([value, 1.0]) if i == k else value for i, value in enumerate(x)]
        bodies = bodies_of(model, tree, stepped, links)
        pairs = [terms_of(path_length(path, bodies), 2) for path in paths]
        lengths, slopes = [pair[0] for pair in pairs], [*slopes, [pair[1] for pair in pairs]]
    forces = []
    for m, muscle in enumerate(muscles.muscles):
        rate: Scalar = 0.0
        for k in range(n):
            rate = rate + slopes[k][m] * v[k]
        forces.append(rigid_force(muscle, a[m], lengths[m], rate))
    torques = []
    for own in slopes:
        total: Scalar = 0.0
        for slope, force in zip(own, forces, strict=True):
            total = total - slope * force
        torques.append(total if kind is None else kind(total))
    return torques
