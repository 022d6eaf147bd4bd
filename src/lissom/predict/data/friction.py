"""Friction of a contact: faces of its pyramid, and how freely its forces may change within it.

Where an interior point method would stand, f + df keeps all faces a_k . f >= 0 as long as df is small in the norm of
    H = sum_k a_k a_k' / (a_k . f)^2
so changes of forces that are least in this norm leave points alone that bear little, and do not push across faces that are
near (Dikin 1967). A round cone has four faces at each force: two across its tangential part, and two along.
Symbols: f force on a point along t1 t2 n [N] | a_k normal of a face | W = H^-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

CONES = ("pyramid", "cone")
FACES = (3, 100)  # of a friction pyramid, fewest and most
SMALL = 1e-300
MOST = 1e5  # times the least distance of a face that counts: forces of a search that failed may be anything


class Friction(NamedTuple):
    """The friction of a contact.

    Attributes:
        coefficient: of friction.
        cone: "pyramid" of flat faces inside the friction cone, or the exact "cone".
        faces: of the pyramid.
    """

    coefficient: float
    cone: str
    faces: int

    def rows(self, components: Sequence[int]) -> np.ndarray:
        """Return the faces (faces, components) of one point, of which friction keeps the force on the positive side.

        A pyramid lies inside the cone and touches it along its edges, one of which is along t1: n mu cos(pi / faces) is not less
        than the tangential force along the normal of each face. With one tangential axis they are the two sides.
        """
        which = list(components)
        tangents = [c for c in (0, 1) if c in which]
        if not tangents:
            return np.zeros((0, len(which)))
        if len(tangents) == 2:
            angles = (2.0 * np.arange(self.faces) + 1.0) * np.pi / self.faces
            across = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            slope = self.coefficient * np.cos(np.pi / self.faces)
        else:
            across, slope = np.array([[1.0], [-1.0]]), self.coefficient
        found = np.zeros((len(across), len(which)))
        found[:, [which.index(c) for c in tangents]] = -across
        found[:, which.index(2)] = slope
        return found

    def freedom(self, components: Sequence[int], forces: np.ndarray, least: float) -> np.ndarray:
        """Return W (K, components, components) at the forces (K, components) on a point.

        Args:
            components: of t1, t2, n that there are.
            forces: along these [N].
            least: [N], distance of a face that counts at least.
        """
        normal = np.broadcast_to(np.eye(len(components))[list(components).index(2)], (len(forces), 1, len(components)))
        if self.cone == "cone" and len(components) == 3:
            size = np.maximum(np.linalg.norm(forces[:, :2], axis=1, keepdims=True), SMALL)
            along = np.where(size > SMALL, forces[:, :2] / size, [1.0, 0.0])
            across = np.stack([-along[:, 1], along[:, 0]], axis=1)
            slope = np.full((len(forces), 1), self.coefficient)
            faces = np.stack([np.concatenate([t, slope], axis=1) for t in (-along, along, -across, across)], axis=1)
        else:
            faces = np.broadcast_to(self.rows(components), (len(forces), *self.rows(components).shape))
        a = np.concatenate([faces, normal], axis=1)
        a = a / np.clip((a @ forces[..., None])[..., 0], least, MOST * least)[..., None]
        return np.linalg.inv(a.swapaxes(-1, -2) @ a)  # type: ignore[no-any-return]
