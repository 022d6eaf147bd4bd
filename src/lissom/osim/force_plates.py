"""Force plates of C3D files: forces, points where they act and free moments, in the laboratory's axes.

A plate has axes of its own: by its corners c1 to c4, x along c1 - c2 + c4 - c3, z across x and c1 - c4 + c2 - c3 (into the floor,
as corners are numbered), y = z x x, and its origin is the middle of its surface. In these axes, with the moment M about that,

    M = M0 + F x o,   p = (-My, Mx, 0) / Fz,   T = Mz - px Fy + py Fx

o is the place of the surface's middle from the point that moments M0 were measured about, p the center of pressure and T the free
moment about z. Channels, by the type of the plate:

    1   Fx Fy Fz px py T
    2   Fx Fy Fz Mx My Mz
    3   fx12 fx34 fy14 fy23 fz1 fz2 fz3 fz4 of four sensors, at (+-a, +-b) in the plate, o = (0, 0, o_z):
        Mx = b (fz1 + fz2 - fz3 - fz4),  My = a (-fz1 + fz2 + fz3 - fz4),  Mz = b (fx34 - fx12) + a (fy14 - fy23)
    4   six that a calibration matrix makes those of type 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import StateError
from ..model.show import by_shape
from .loads import XYZ, Load, Loads
from .table import Table

CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}  # of each type that is read
LEAST = 10.0  # vertical force [N] from which on a center of pressure means something
UP = {"x": (2, 0, 1), "y": (0, 1, 2), "z": (1, 2, 0)}  # which axes of the laboratory become OpenSim's, by that which points up


@dataclass(frozen=True, eq=False)
class ForcePlates:
    """What P force plates measured: the forces on the person.

    Attributes:
        times: (N,) [s].
        forces: (N, P, 3) [N]; `points`: where they act [m]; `torques`: free moments there [N m]. Where a plate carries less than
            10 N the point is the middle of its surface, and the torque is the moment about that.
        corners: (P, 4, 3) of the plates [m].
        path: the file, for messages.
    """

    times: np.ndarray
    forces: np.ndarray
    points: np.ndarray
    torques: np.ndarray
    corners: np.ndarray
    path: object = None
    __repr__ = by_shape

    def turned(self, up: str = "z") -> ForcePlates:
        """Return the plates in OpenSim's axes, whose y points up; `up` is the axis of the laboratory that does."""
        if up not in UP:
            raise StateError(f"the axis that points up must be x, y or z, got {up!r}")
        order = list(UP[up])
        names = ("forces", "points", "torques", "corners")
        return replace(self, **{name: getattr(self, name)[..., order] for name in names})

    @property
    def table(self) -> Table:
        """Columns as in OpenSim's files: ground_force_1_vx to vz, px to pz, and ground_torque_1_x to z, for each plate."""
        names, columns = [], []
        for k in range(self.forces.shape[1]):
            for name, part in zip(_prefixes(k), (self.forces, self.points, self.torques), strict=True):
                names += [name + x for x in XYZ]
                columns.append(part[:, k])
        return Table(tuple(names), self.times, np.hstack(columns), title="Force plates", path=self.path)

    def loads(self, bodies: Sequence[str | None]) -> Loads:
        """Return loads for inverse dynamics; `bodies` are those that stand on each plate, None for one that nobody stands on."""
        if len(bodies) != self.forces.shape[1]:
            raise StateError(f"bodies on {self.forces.shape[1]} force plates must be as many names or None, got {len(bodies)}")
        found = []
        for k, body in enumerate(bodies):
            if body is not None:
                force, point, torque = (tuple(name + x for x in XYZ) for name in _prefixes(k))
                found.append(Load(f"plate_{k + 1}", body, force, point, torque))
        return Loads(tuple(found), self.table)


def _prefixes(k: int) -> tuple[str, str, str]:
    return f"ground_force_{k + 1}_v", f"ground_force_{k + 1}_p", f"ground_torque_{k + 1}_"


def wrench_of(
    kind: int, channels: np.ndarray, corners: np.ndarray, origin: np.ndarray, calibration: np.ndarray, units: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return force [N], point [m] and torque [N m] of a plate in the laboratory's axes, each (N, 3).

    Args:
        kind: type of the plate, 1 to 4.
        channels: (N, 6 or 8), forces in N, moments in their unit, or what the calibration makes these of.
        corners, origin: (4, 3) in the laboratory and (3,) in the plate [m].
        calibration: (6, 6) of type 4.
        units: of the points of type 1 [m] and of moments [N m].
    """
    length, unit = units
    if kind == 4:
        channels = channels @ calibration.T
    if kind == 3:
        force, about = _four_sensors(channels, origin)
    else:
        force, about = channels[:, :3], channels[:, 3:6] * unit
    zero = np.zeros(len(force))
    if kind == 1:
        point = np.column_stack([channels[:, 3] * length, channels[:, 4] * length, zero])
        free = np.column_stack([zero, zero, channels[:, 5] * unit])
        moment = free + np.cross(point, force)
    else:
        offset = np.array([0.0, 0.0, origin[2]]) if kind == 3 else origin
        moment = about + np.cross(force, offset)
    carries = np.abs(force[:, 2]) >= LEAST
    fz = np.where(carries, force[:, 2], 1.0)
    point = np.where(carries[:, None], np.column_stack([-moment[:, 1] / fz, moment[:, 0] / fz, zero]), 0.0)
    torque = moment - np.cross(point, force)
    R, middle = axes_of(corners), corners.mean(axis=0)
    return force @ R.T, point @ R.T + middle, torque @ R.T


def axes_of(corners: np.ndarray) -> np.ndarray:
    """Return the axes (3, 3) of a plate in the laboratory, as columns."""
    c1, c2, c3, c4 = corners
    x, y = c1 - c2 + c4 - c3, c1 - c4 + c2 - c3
    z = np.cross(x, y)
    if not np.linalg.norm(z) > 1e-12:
        raise StateError("the corners of a force plate lie on a line")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


def _four_sensors(c: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return force and moment about the middle between the sensors of type 3."""
    a, b = np.abs(origin[:2])
    fx12, fx34, fy14, fy23, f1, f2, f3, f4 = c.T
    force = np.column_stack([fx12 + fx34, fy14 + fy23, f1 + f2 + f3 + f4])
    about = [b * (f1 + f2 - f3 - f4), a * (-f1 + f2 + f3 - f4), b * (fx34 - fx12) + a * (fy14 - fy23)]
    return force, np.column_stack(about)
