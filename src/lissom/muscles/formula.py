"""Muscles inside a formula, such as a quantity of a motion problem whose channels are activations: lengths, forces, torques."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import StateError
from ..spatial.scalar import Scalar
from ..spatial.series import Series, terms_of
from ..tree import lump, reframe
from .hill import rigid_force
from .length import path_length
from .muscles import Muscles
from .tasks import bodies_of, links_of


class Along(NamedTuple):
    """Paths of muscles in a state.

    Attributes:
        lengths, rates: of every muscle [m, m/s].
        slopes: of the lengths by every coordinate, and muscle: what is not a number there is zero.
    """

    lengths: list[Scalar]
    rates: list[Scalar]
    slopes: list[list[Scalar]]

    def torques(self, forces: Sequence[Scalar]) -> list[Scalar]:
        """Return the joint torques of forces along the paths, one per coordinate [N m or N]."""
        torques = []
        for own in self.slopes:
            total: Scalar = 0.0
            for slope, force in zip(own, forces, strict=True):
                total = total - slope * force
            torques.append(total)
        return torques


def paths_along(muscles: Muscles, q: Sequence[Any], qd: Sequence[Any]) -> Along:
    """Return lengths, rates and slopes of the paths in a state of plain scalars, for use in a formula.

    Slopes come from the paths run on pairs of values and slopes, so that the formula has exact derivatives again.

    Raises:
        StateError: the robot has quaternions, or there are not as many numbers as coordinates.
    """
    model, n = muscles.robot.model, muscles.robot.nv
    if muscles.robot.nq != n:
        raise StateError(f"robot {model.name!r} has quaternions, by which no formula can differentiate; use Muscles.torques")
    for name, values in (("q", q), ("qd", qd)):
        if len(values) != n:
            raise StateError(f"{name} has {len(values)} values, expected {n}")
    tree = reframe(lump(model))
    paths = tuple(muscle.path for muscle in muscles.muscles)
    links = links_of(paths)
    lengths: list[Scalar] = [0.0] * len(paths)
    slopes: list[list[Scalar]] = []
    for k in range(n):
        stepped = [Series([value, 1.0]) if i == k else value for i, value in enumerate(q)]
        bodies = bodies_of(model, tree, stepped, links)
        pairs = [terms_of(path_length(path, bodies), 2) for path in paths]
        lengths, slopes = [pair[0] for pair in pairs], [*slopes, [pair[1] for pair in pairs]]
    rates = []
    for m in range(len(paths)):
        rate: Scalar = 0.0
        for k in range(n):
            rate = rate + slopes[k][m] * qd[k]
        rates.append(rate)
    return Along(lengths, rates, slopes)


def muscle_torques(muscles: Muscles, q: Sequence[Any], qd: Sequence[Any], activations: Sequence[Any]) -> list[Any]:
    """Return the joint torques of muscles with rigid tendons, one per coordinate [N m or N], for use in a formula.

    Args:
        muscles: of a robot whose coordinates add up: no quaternions.
        q, qd: coordinates and velocities, as the formula has them.
        activations: one per muscle.

    Raises:
        StateError: the robot has quaternions, or there are not as many numbers as coordinates and muscles.
    """
    if len(activations) != len(muscles):
        raise StateError(f"activations has {len(activations)} values, expected {len(muscles)}")
    kind = type(q[0]) if hasattr(q[0], "x") else None  # of the formula's own values, which hold a scalar
    x, v, a = ([getattr(value, "x", value) for value in values] for values in (q, qd, activations))
    along = paths_along(muscles, x, v)
    given = zip(muscles.muscles, a, along.lengths, along.rates, strict=True)
    torques = along.torques([rigid_force(*each) for each in given])
    return torques if kind is None else [kind(total) for total in torques]
