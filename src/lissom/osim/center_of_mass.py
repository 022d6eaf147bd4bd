"""The center of mass of a model along a motion."""

from __future__ import annotations

import numpy as np

from .model import OsimModel
from .motion import motion_of
from .table import Table

NAMES = tuple(f"center_of_mass_{what}{x}" for what in ("", "v") for x in "xyz")


def center_of_mass(
    model: OsimModel, motion: Table, cutoff: float | None = None, time: tuple[float, float] | None = None
) -> Table:
    """Return place [m] and velocity [m/s] of the center of mass in the ground's axes, as a table of six columns.

    Args:
        model: the model.
        motion: coordinates over time, as in a .mot file.
        cutoff, time: as in `inverse_dynamics`.
    """
    along = motion_of(model, motion, cutoff, time)
    place = model.tree.center_of_mass(along.q)
    velocity = np.einsum("nij,nj->ni", model.tree.center_of_mass_jacobian(along.q), along.qd)
    return Table(NAMES, along.times, np.column_stack([place, velocity]), title="Center of mass")
