"""Limits of all coordinates of a model, as arrays in the order of q and qd."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ModelError
from .joint import SINGLE_DOF
from .model import Model
from .names import coordinate_names, effort_limits


@dataclass(frozen=True, eq=False, repr=False)
class CoordinateLimits:
    """Limits from a robot's description; infinite where it gives none. The arrays are read-only.

    A coupled joint narrows the range and the speed of its leader.

    Attributes:
        names: of the coordinates, in the order of q.
        lower, upper: positions (nq,) [rad or m].
        velocity: largest speeds (nv,) [rad/s or m/s].
        effort: largest torques and forces (nv,) [N m or N].
    """

    names: tuple[str, ...]
    lower: np.ndarray
    upper: np.ndarray
    velocity: np.ndarray
    effort: np.ndarray

    def __post_init__(self) -> None:
        for name in ("lower", "upper", "velocity", "effort"):
            array = np.array(getattr(self, name), dtype=float) + 0.0  # 0 instead of -0, which NumPy takes for less
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        given = {
            "positions": np.isfinite(self.lower) | np.isfinite(self.upper),
            "velocities": np.isfinite(self.velocity),
            "efforts": np.isfinite(self.effort),
        }
        shown = ", ".join(f"{int(found.sum())} of {found.size} {name}" for name, found in given.items())
        return f"<CoordinateLimits: {shown} are limited>"

    @property
    def position(self) -> np.ndarray:
        """Ranges of the positions (nq, 2): lower and upper [rad or m]."""
        ranges = np.stack([self.lower, self.upper], axis=-1)
        ranges.setflags(write=False)
        return ranges


def coordinate_limits(model: Model) -> CoordinateLimits:
    """Return the limits of a model's coordinates.

    Raises:
        ModelError: a joint and one coupled to it have no position in common.
    """
    lower, upper = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    velocity = np.full(model.nv, np.inf)
    for place in model.layout:
        if place.kind in SINGLE_DOF:
            limits = place.joint.limits
            lower[place.iq], upper[place.iq], velocity[place.iv] = limits.lower, limits.upper, limits.velocity
    for joint in model.joints:
        if joint.coupling is None:
            continue
        leader = model.resolve_coupling(joint)
        if leader.ratio == 0.0:
            continue
        k, v = model.layout.of(leader.joint).iq, model.layout.of(leader.joint).iv
        ends = sorted((x - leader.offset) / leader.ratio for x in (joint.limits.lower, joint.limits.upper))
        lower[k], upper[k] = max(lower[k], ends[0]), min(upper[k], ends[1])
        velocity[v] = min(velocity[v], joint.limits.velocity / abs(leader.ratio))
        if lower[k] > upper[k]:
            raise ModelError(
                f"the limits of joint {leader.joint!r} and of {joint.name!r}, which follows it, leave no position; "
                "correct them in the robot's description"
            )
    return CoordinateLimits(coordinate_names(model), lower, upper, velocity, np.array(effort_limits(model)))
