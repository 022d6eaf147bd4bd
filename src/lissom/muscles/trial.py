"""Trial: a measured motion of an OpenSim model with its muscles and loads, for OpenSim's analyses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..locks import once_property
from ..osim.loads import Loads
from ..osim.model import OsimModel
from ..osim.motion import Motion, motion_of
from ..osim.table import Table
from ..wrench import Wrench
from .from_osim import read_muscles
from .muscles import Muscles


class Trial:
    """A measured motion of an OpenSim model: what `muscle_analysis`, `optimize` and `joint_reactions` take.

    Args:
        model: from `lissom.osim.read`.
        motion: coordinates over time, as in a .mot file.
        loads: forces on bodies, such as ground reactions.
        cutoff, time: as in `lissom.osim.inverse_dynamics`.

    Raises:
        FileError: columns are missing or have gaps, or a muscle of the model cannot be read; with the line.
        ModelError: the model has no muscles.
    """

    def __init__(
        self,
        model: OsimModel,
        motion: Table,
        loads: Loads | None = None,
        cutoff: float | None = None,
        time: tuple[float, float] | None = None,
    ) -> None:
        self.model, self.loads = model, loads
        self.muscles: Muscles = read_muscles(model)
        self.motion: Motion = motion_of(model, motion, cutoff, time)
        columns = [model.names.index(name) for name in self.names]
        self.q, self.qd, self.qdd = (x[:, columns] for x in (self.motion.q, self.motion.qd, self.motion.qdd))

    def __repr__(self) -> str:
        return f"<Trial of {self.model.parts.name!r}: {len(self.times)} frames, {len(self.muscles)} muscles>"

    def __len__(self) -> int:
        return len(self.times)

    @property
    def times(self) -> np.ndarray:
        """Times (N,) [s]."""
        return self.motion.times

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates that neither follow nor are locked: the columns of q, qd and qdd."""
        return tuple(joint.name for joint in self.model.robot.model.independent_joints)

    @once_property
    def external(self) -> Mapping[str, Wrench]:
        """The loads on bodies."""
        return {} if self.loads is None else self.loads.wrenches(self.model.robot, self.times, self.q)

    @once_property
    def torques(self) -> np.ndarray:
        """Torques and forces (N, nv) that the motion needs [N m, N]."""
        return self.model.robot.inverse_dynamics(self.q, self.qd, self.qdd, external=dict(self.external) or None)

    @once_property
    def paths(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lengths (N, muscles) [m], moment arms by tension (N, muscles, nv), and rates of taut paths (N, muscles) [m/s]."""
        lengths, arms = self.muscles.lengths_and_arms(self.q)
        return lengths, arms, -np.einsum("kmv,kv->km", arms, self.qd)
