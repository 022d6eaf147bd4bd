"""Static optimization: the activations of muscles that make given joint torques at each instant, with the least sum of squares.

    min sum of |a|^p + sum of |c|^p        R'(Fa a + Fp) + W c = tau,  least <= a <= most
R are the moment arms, Fa the active forces at full activation and Fp passive ones, of muscles with rigid tendons at their
lengths and rates; c the controls of reserves, ideal torques W at a control of one; p is two as a rule. Every instant is a
problem of its own; all are solved together. OpenSim's tool of this name does the same one after the other; it counts no passive
forces, and takes forces along the fibers of some muscles for forces along their tendons (`along="fiber"`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiler.run import as_array
from ..errors import NameLookupError, StateError, is_choice, suggest
from ..model.names import velocity_names
from .muscles import Muscles
from .sharing import share
from .thelen import Thelen

ALONG = ("tendon", "fiber", "opensim")
MOST_POWER = 20.0


@dataclass(frozen=True, eq=False)
class Ideal:
    """An ideal actuator, such as a residual force at the pelvis.

    Attributes:
        name: for the results.
        torques: of the coordinates at a control of one, (nv,) or (times, nv) [N m or N].
        least, most: bounds of its control.
    """

    name: str
    torques: np.ndarray
    least: float = -np.inf
    most: float = np.inf


@dataclass(frozen=True)
class Shared:
    """What static optimization found, for each instant.

    Attributes:
        muscles: names, and of `reserves` those of the coordinates that have one, or of the ideal actuators.
        activations: (times, muscles).
        forces: along the tendons (times, muscles) [N].
        controls: of the reserves (times, reserves), over their strength.
        missing: torques that no activation makes (times, coordinates) [N m or N]; zero up to rounding where there is a solution.
        objective: sum of the squares, or other powers, of activations and controls (times,).
    """

    muscles: tuple[str, ...]
    reserves: tuple[str, ...]
    activations: np.ndarray
    forces: np.ndarray
    controls: np.ndarray
    missing: np.ndarray
    objective: np.ndarray

    @property
    def found(self) -> np.ndarray:
        """Which instants have a solution (times,)."""
        size = 1.0 + np.abs(self.forces).max(axis=1)
        return np.abs(self.missing).max(axis=1) < 1e-7 * size  # type: ignore[no-any-return]


def static_optimization(
    muscles: Muscles,
    q: Any,
    qd: Any,
    torques: Any,
    reserves: Mapping[str, float] | Sequence[Ideal] | float | None = None,
    *,
    least: float | np.ndarray = 0.01,
    most: float | np.ndarray = 1.0,
    passive: bool = False,
    along: str = "tendon",
    power: float = 2.0,
    taut: bool = False,
) -> Shared:
    """Return the activations that make joint torques.

    Args:
        muscles: of a robot. q, qd: its motion (times, nq) and (times, nv). torques: that muscles and reserves have to make
        (times, nv) [N m or N], such as those of inverse dynamics.
        reserves: strength [N m or N] of an ideal torque on each coordinate, by the names of velocities; one number for all;
            ideal actuators; or None.
        least, most: bounds of activations, or one for each muscle.
        passive: whether passive forces of the fibers count.
        along: "tendon", or for forces as OpenSim takes them "opensim", which is "fiber" for all curves but Thelen's.
        power: p, above one.
        taut: moment arms and rates by tension, as OpenSim's (`Muscles.lengths_and_arms`).

    Raises:
        StateError: the arrays, bounds or the power do not fit.
        NameLookupError: a reserve is on no coordinate of the robot.
    """
    robot = muscles.robot
    if not is_choice(along, ALONG):
        raise StateError(f"no along={along!r}; {suggest(str(along), ALONG)}")
    n = len(muscles)
    lowest, highest = (np.broadcast_to(np.asarray(x, dtype=float), n) for x in (least, most))
    if not ((lowest >= 0) & (lowest < highest)).all():
        bad = int(np.argmin((lowest >= 0) & (lowest < highest)))
        raise StateError(
            f"activations from {lowest[bad]:g} to {highest[bad]:g} of {muscles.names[bad]!r}: expected 0 <= least < most"
        )
    if not 1 < power <= MOST_POWER:
        raise StateError(f"the power of activations is {power!r}, expected a number above 1, up to {MOST_POWER:g}")
    q, qd = np.atleast_2d(as_array(q, "q", robot.nq, robot.name)), np.atleast_2d(as_array(qd, "qd", robot.nv, robot.name))
    tau = np.atleast_2d(as_array(torques, "torques", robot.nv, robot.name))
    if not len(q) == len(qd) == len(tau):
        raise StateError(f"q, qd and torques have {len(q)}, {len(qd)} and {len(tau)} rows, expected as many")
    ideal = _ideal(reserves, velocity_names(robot.model), len(q))
    arms = muscles.lengths_and_arms(q)[1] if taut else muscles.moment_arms(q)
    full = muscles.analysis(q, qd, np.ones((len(q), len(muscles))), taut)
    fiber = [along == "fiber" or (along == "opensim" and not isinstance(own.curves, Thelen)) for own in muscles.muscles]
    active = np.where(fiber, full.active / full.cosines, full.active)
    wanted = tau - np.einsum("kmv,km->kv", arms, full.passive) if passive else tau
    columns = [np.broadcast_to(one.torques, (len(q), robot.nv))[..., None] for one in ideal]
    A = np.concatenate([np.swapaxes(arms * active[..., None], 1, 2), *columns], axis=2)
    low, high = np.append(lowest, [one.least for one in ideal]), np.append(highest, [one.most for one in ideal])
    x, missing = share(A, wanted, low, high, power)
    forces = x[:, :n] * active + (full.passive if passive else 0.0)
    names = tuple(one.name for one in ideal)
    return Shared(muscles.names, names, x[:, :n], forces, x[:, n:], missing, np.sum(np.abs(x) ** power, axis=1))


def _ideal(reserves: Mapping[str, float] | Sequence[Ideal] | float | None, names: tuple[str, ...], times: int) -> list[Ideal]:
    """Return the ideal actuators."""
    if isinstance(reserves, Sequence):
        for one in reserves:
            if not isinstance(one, Ideal) or np.shape(one.torques) not in ((len(names),), (times, len(names))):
                got = f"{one.name!r} with {np.shape(one.torques)}" if isinstance(one, Ideal) else type(one).__name__
                raise StateError(f"reserves must be Ideal actuators with torques ({len(names)},) or per time, got {got}")
            if not one.least <= one.most:
                raise StateError(f"controls of {one.name!r} go from {one.least:g} to {one.most:g}: there are none")
        return list(reserves)
    given = {} if reserves is None else reserves if isinstance(reserves, Mapping) else dict.fromkeys(names, reserves)
    found = []
    for name, strength in given.items():
        if name not in names:
            raise NameLookupError("coordinate", name, names, " for a reserve")
        if not (isinstance(strength, int | float) and 0 < strength < np.inf):
            raise StateError(f"the reserve on {name!r} is {strength!r}, expected a positive strength [N m or N]")
        found.append(Ideal(name, float(strength) * np.eye(len(names))[names.index(name)]))
    return found
