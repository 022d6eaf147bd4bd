"""ClosedTrajectory: a motion of a mechanism with loops, its tree included."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..locks import lazy_property

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .robot import ClosedRobot


@dataclass(frozen=True, eq=False)
class ClosedTrajectory:
    """A motion: T samples of one mechanism or, with more axes after the first, of many that move side by side.

    Attributes:
        robot: whose motion it is.
        t: (T,) [s].
        q, qd, qdd: coordinates, velocities and accelerations (T, ..., nq).
        tau: forces of the active joints (T, ..., n_active).
        tree, tree_qd, tree_qdd: configurations, velocities and accelerations of all joints of the tree.
        forces: of the equations that keep the loops closed, in the order of `robot.equation_names` [N or N m].
        switches: how often the velocities that are integrated were chosen anew.
    """

    robot: ClosedRobot
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    tree: np.ndarray
    tree_qd: np.ndarray
    tree_qdd: np.ndarray
    forces: np.ndarray
    switches: int = 0

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        lead = self.q.shape[1:-1]
        many = f" of {lead} states" if lead else ""
        return f"<ClosedTrajectory of {self.robot.name!r}: {len(self)} samples{many}, {float(self.t[-1]):g} s>"

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Units of q, qd, qdd and tau, entry by entry."""
        rates = self.robot.velocity_units
        return {
            "q": self.robot.coordinate_units,
            "qd": rates,
            "qdd": tuple(f"{x}^2" for x in rates),
            "tau": self.robot.force_units,
        }

    @lazy_property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy (T, ...) [J]."""
        return self.robot.tree.kinetic_energy(self.tree, self.tree_qd)

    @lazy_property
    def potential_energy(self) -> np.ndarray:
        """Potential energy (T, ...) [J] in the field of gravity."""
        return self.robot.tree.potential_energy(self.tree)

    @lazy_property
    def spring_energy(self) -> np.ndarray:
        """Energy (T, ...) [J] in springs."""
        return self.robot.tree.spring_energy(self.tree)

    @property
    def energy(self) -> np.ndarray:
        """All energies together (T, ...) [J]."""
        return self.kinetic_energy + self.potential_energy + self.spring_energy

    @lazy_property
    def closure_error(self) -> np.ndarray:
        """How far the loops are from being closed (T, ...) [m; angles times a length]."""
        return self.robot.closure_error(self.tree)

    def plot(self, path: str | os.PathLike[str] | None = None, what: str = "q") -> Figure | Path:
        """Plot "q", "qd", "qdd", "tau" or "energy" over time; return the path, or the Figure where no path was given."""
        from ..view.closed import plot_closed

        return plot_closed(self, path, what)
