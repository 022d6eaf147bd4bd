"""Inverse dynamics of a measured motion: torques of all coordinates, and the residuals where the model hangs on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model.show import by_shape
from .loads import Loads
from .model import OsimModel
from .motion import Motion, motion_of
from .table import Table


@dataclass(frozen=True, eq=False)
class Torques:
    """The result of `inverse_dynamics`.

    Attributes:
        model: the model.
        motion: the motion that was used: filtered, with its rates.
        tau: (N, n) torques and forces [N m, N] of the coordinates `model.names`. They do work with the rates of the coordinates;
            for angles of ball and free joints these are not OpenSim's speeds.
    """

    model: OsimModel
    motion: Motion
    tau: np.ndarray
    __repr__ = by_shape

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns as OpenSim writes them: "knee_angle_r_moment", "pelvis_tx_force"."""
        ends = ("_moment" if self.model.kinds[name] == "rotational" else "_force" for name in self.model.coordinates)
        return tuple(name + end for name, end in zip(self.model.coordinates, ends, strict=True))

    @property
    def table(self) -> Table:
        """The torques as a table in the order of the model's file, for `write_table`."""
        order = [self.model.names.index(name) for name in self.model.coordinates]
        return Table(self.names, self.motion.times, self.tau[:, order], title="Inverse Dynamics Generalized Forces")

    @property
    def residuals(self) -> dict[str, np.ndarray]:
        """Torques (N,) of the coordinates between the ground and the first body: what no muscle explains."""
        roots = {joint.name for joint in self.model.parts.joints if "ground" in map(self._body, (joint.parent, joint.child))}
        return {
            name: self.tau[:, self.model.names.index(name)]
            for name, coordinate in self.model.coordinates.items()
            if coordinate.joint in roots
        }

    def _body(self, frame: str) -> str:
        return self.model.parts.seat(frame)[0]


def inverse_dynamics(
    model: OsimModel,
    motion: Table,
    loads: Loads | None = None,
    cutoff: float | None = None,
    time: tuple[float, float] | None = None,
) -> Torques:
    """Return the torques that a measured motion needs.

    The model is taken as a tree in which every coordinate is free, as OpenSim's InverseDynamicsTool does; forces of the model,
    such as muscles, are left out.

    Args:
        model: the model.
        motion: coordinates over time, as in a .mot file.
        loads: forces on bodies, such as ground reactions.
        cutoff: frequency of the low-pass filter of coordinates [Hz]; None does not filter.
        time: first and last time [s]; None takes those of the motion.

    Raises:
        FileError: columns are missing or have gaps.
        StateError: too few rows, or loads without data for the motion's times.
    """
    along = motion_of(model, motion, cutoff, time)
    external = None if loads is None else loads.wrenches(model.tree, along.times, along.q)
    return Torques(model, along, model.tree.inverse_dynamics(along.q, along.qd, along.qdd, external=external))
