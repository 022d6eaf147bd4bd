"""Coordinates: the user's coordinates among those of the tree, and conversion between the two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algorithms.closed.closure import slides
from ..algorithms.closed.coordinates import shares
from ..errors import StateError
from ..model.joint import SINGLE_DOF
from ..model.model import Model
from ..model.names import coordinate_names, coordinate_units


class Coordinates:
    """The coordinates of given velocities.

    Attributes:
        places: of the coordinates among those of the tree.
        names, units: of the coordinates.
        plain: whether all of them belong to joints of one axis, one for each velocity.
    """

    def __init__(self, model: Model, given: Sequence[int], length: float) -> None:
        self.shares = shares(model, given)
        self.places = [k for share in self.shares for k in share.places]
        names, units = coordinate_names(model), coordinate_units(model)
        self.names, self.units = tuple(names[k] for k in self.places), tuple(units[k] for k in self.places)
        self.plain = all(share.kind in SINGLE_DOF for share in self.shares)
        natural = [length if slide else 1.0 for slide in slides(model)]
        sizes: list[float] = []  # natural sizes of the coordinates; joints that no loop contains have none, they go anywhere
        self._quaternions: list[tuple[slice, bool, str]] = []
        exact: list[bool] = []  # coordinates that the closure leaves as they were given
        at = 0
        for share in self.shares:
            kind = share.kind
            own = natural[share.iv : share.iv + kind.nv][: min(kind.nq, kind.nv)]
            own = own if kind.nq == kind.nv else [*own[: kind.nq - 4], *([1.0] * 4)]
            sizes += own if share.inside else [np.inf] * kind.nq
            exact += [share.whole or not share.inside] * kind.nq
            if kind.nq > kind.nv:
                self._quaternions.append((slice(at + kind.nq - 4, at + kind.nq), share.inside, share.name))
            at += kind.nq
        self._sizes, self._exact = np.array(sizes), np.array(exact, dtype=bool)

    def of(self, tree: np.ndarray) -> np.ndarray:
        """Return the coordinates (..., nq) of configurations of the tree."""
        return tree[..., self.places]

    def put(self, tree: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return configurations of the tree with their coordinates changed to q."""
        found = tree.copy()
        found[..., self.places] = q
        return found

    def unit(self, q: np.ndarray) -> np.ndarray:
        """Return coordinates (..., nq) with quaternions of length one."""
        if not self._quaternions:
            return q
        found = np.array(q)
        for where, _, name in self._quaternions:
            largest = np.abs(found[..., where]).max(axis=-1, keepdims=True)
            if (largest == 0).any():
                raise StateError(f"the quaternion of joint {name!r} is zero (no rotation is x y z w = 0 0 0 1)")
            known = np.isfinite(largest)  # values that are not finite are named later, as given
            scaled = found[..., where] / np.where(
                known, largest, 1.0
            )  # squares of very large and small numbers overflow or vanish
            length = np.linalg.norm(np.where(known, scaled, 1.0), axis=-1, keepdims=True)
            found[..., where] = np.where(known, scaled / length, found[..., where])
        return found

    def facing(self, q: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return coordinates with the sign of quaternions in loops that is nearer to that in `start`, the same rotation."""
        turned = [where for where, within, _ in self._quaternions if within]
        if not turned:
            return q
        found = np.array(np.broadcast_to(q, np.broadcast_shapes(q.shape, start.shape)))
        for where in turned:
            dot = (found[..., where] * start[..., where]).sum(axis=-1, keepdims=True)
            found[..., where] *= np.where(dot < 0, -1.0, 1.0)
        return found

    def between(self, start: np.ndarray, end: np.ndarray, share: float) -> np.ndarray:
        """Return coordinates on the way from one to another, which faces it."""
        return self.unit(start + (end - start) * share) if share < 1.0 else end

    def way(self, start: np.ndarray, end: np.ndarray) -> float:
        """Return the length of the longest way of a joint in a loop, in its natural size."""
        return float(np.abs((end - start) / self._sizes).max(initial=0.0))

    def agree(self, q: np.ndarray, tree: np.ndarray, tolerance: float) -> bool:
        """Return whether configurations of the tree have these coordinates; joints that the loops turn too are not compared."""
        own = self.of(tree)
        q = self.facing(self.unit(q), own)
        for where, within, _ in self._quaternions:
            if not within:
                dot = (q[..., where] * own[..., where]).sum(axis=-1, keepdims=True)
                q = np.array(np.broadcast_to(q, np.broadcast_shapes(q.shape, own.shape)))
                q[..., where] *= np.where(dot < 0, -1.0, 1.0)
        return bool(np.allclose(q[..., self._exact], own[..., self._exact], atol=tolerance, rtol=1e-8))
