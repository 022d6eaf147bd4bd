"""Forward dynamics at the front door: accelerations that forces cause, and mixtures of the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import Any

import numpy as np

from ..algorithms.dynamics import forward_dynamics as tasks
from ..arrays import Accelerations, Out, Positions, Torques, Velocities
from ..compiler.run import as_array
from ..errors import NameLookupError, StateError, suggest
from ..locks import lazy_property
from ..model.show import by_shape
from ..wrench import BaseMotion, Wrenches
from .base import RobotBase, as_flag, check_wrench_axes
from .bound import bound
from .scatter import as_places

KNOWN = ("force", "acceleration")


@dataclass(frozen=True, eq=False)
class Hybrid:
    """What hybrid dynamics found: all accelerations and all forces.

    Attributes:
        qdd: accelerations (..., nv), given ones included.
        tau: joint forces (..., nv), given ones included.
        wrenches: force and moment through every moving joint, as `joint_wrenches` has them, where asked for.
    """

    qdd: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray | None = None
    __repr__ = by_shape


class ForwardDynamics(RobotBase):
    """Accelerations of a robot under forces."""

    @bound(tasks.forward_dynamics, lambda robot: (robot.nv,), "*, external=None, method=None, base_motion=None, out=None")
    def forward_dynamics(
        self,
        q: Positions,
        qd: Velocities,
        tau: Torques,
        *,
        external: Wrenches | None = None,
        method: str | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the accelerations that joint forces cause: qdd with M(q) qdd + h(q, qd) = tau.

        Args:
            q: coordinates (..., nq) [rad or m].
            qd: velocities (..., nv).
            tau: joint forces (..., nv) [N m or N].
            external, base_motion, out: as in `inverse_dynamics`.
            method: None takes what is cheapest for the robot. "articulated_body" (O(n)), "nasser" (O(n) too, for revolute and
                prismatic joints) and "mass_matrix" (Walker and Orin; the only one for coupled joints) say it outright.

        Returns:
            qdd (..., nv).

        Raises:
            ModelError: a joint has no inertia along its axis; the message names it.
        """
        options = {} if method is None else {"method": tasks.checked_method(method)}
        return self._evaluate(tasks.forward_dynamics, (q, qd, tau), (self.nv,), out, external, base_motion, **options)

    def hybrid_dynamics(
        self,
        q: Positions,
        qd: Velocities,
        *,
        known: Mapping[str, Sequence[str] | str | EllipsisType],
        qdd: Accelerations | None = None,
        tau: Torques | None = None,
        wrenches: bool = False,
        axes: str = "joint",
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
    ) -> Hybrid:
        """Return all accelerations and forces where of each joint one of the two is known.

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            known: which joints have their "force" known and which their "acceleration": names, or ... for all others, as in
                {"force": ["root_joint"], "acceleration": ...}.
            qdd, tau: accelerations and forces (..., nv); entries that are not known are ignored, None is zero everywhere.
            wrenches: also return the wrenches through the joints, along `axes` (see `joint_wrenches`).
            external, base_motion: as in `inverse_dynamics`.

        Examples: a robot that floats freely while its joints follow a motion, known={"force": "root_joint",
        "acceleration": ...}; passive joints, tau zero for them.
        """
        check_wrench_axes(axes)
        wrenches = as_flag(wrenches, "wrenches")
        if axes != "joint" and not wrenches:
            raise StateError(f"axes={axes!r} are those of the wrenches through joints, which wrenches=True asks for")
        mask = self._force_known(known)
        q, qd = as_array(q, "q", self.nq, self.name), as_array(qd, "qd", self.nv, self.name)
        given = self._given(mask, q, qd, qdd, tau)
        known_forces = tuple(bool(x) for x in mask)
        state, loads = (q, qd, given), (None, external, base_motion)
        found = self._evaluate(tasks.hybrid_dynamics, state, (self.nv,), *loads, force_known=known_forces)
        result = Hybrid(np.where(mask, found, given), np.where(mask, given, found))
        if not wrenches:
            return result
        shape = (len(self.moving_joint_names), 6)
        inside = self._evaluate(tasks.hybrid_wrenches, state, shape, *loads, force_known=known_forces, axes=axes)
        return replace(result, wrenches=inside)

    @bound(tasks.mass_matrix, lambda robot: (robot.nv, robot.nv), "*, packed=False, out=None")
    def mass_matrix(self, q: Positions, *, packed: bool = False, out: Out = None) -> np.ndarray:
        """Return the inertia matrix M(q) with tau = M qdd + h, rotor inertias included; symmetric.

        Args:
            q: coordinates (..., nq) [rad or m].
            out: float64 array for the result.
            packed: return only what can be non-zero in the lower triangle, in the order of `mass_matrix_entries`. For robots
                with many branches that is a fraction of the matrix, and large batches are as many times faster.

        Returns:
            M (..., nv, nv), or its entries (..., n) if packed.
        """
        if as_flag(packed, "packed"):
            return self._packed_mass_matrix(q, out=out)
        return self._evaluate(tasks.mass_matrix, (q,), (self.nv, self.nv), out)

    @bound(tasks.packed_mass_matrix, lambda robot: (len(robot.mass_matrix_entries[0]),), "*, out=None")
    def _packed_mass_matrix(self, q: Positions, *, out: Out = None) -> np.ndarray:
        """Return the entries of a packed mass matrix."""
        return self._evaluate(tasks.packed_mass_matrix, (q,), (len(self.mass_matrix_entries[0]),), out)

    @lazy_property
    def mass_matrix_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns (n,) of the entries of a packed mass matrix.

        They are those of the lower triangle, row by row and from left to right in a row, whose two joints lie on one way to
        the base; the tree decides, not the numbers. Every other entry below the diagonal is zero at any q.

        To make whole matrices of packed ones:
            rows, columns = robot.mass_matrix_entries
            M = np.zeros((*packed.shape[:-1], robot.nv, robot.nv))
            M[..., rows, columns] = M[..., columns, rows] = packed
        """
        return as_places(tasks.mass_matrix_entries(self.model))

    def _given(self, mask: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: Any, tau: Any) -> np.ndarray:
        """Return forces where the mask says that they are known, otherwise accelerations (..., nv); what is wrong is named."""
        passed = {name: as_array(x, name, self.nv, self.name) for name, x in (("qdd", qdd), ("tau", tau)) if x is not None}
        try:
            np.broadcast_shapes(*(x.shape[:-1] for x in (q, qd, *passed.values())))
        except ValueError:
            shapes = ", ".join(f"{name} {x.shape}" for name, x in {"q": q, "qd": qd, **passed}.items())
            raise StateError(f"the leading axes of {shapes} do not fit together (NumPy's broadcasting rules)") from None
        for name, used in (("qdd", ~mask), ("tau", mask)):
            bad = used & ~np.isfinite(passed[name]) if name in passed else used & False  # what is not known may be anything
            if bad.any():
                at = [int(i) for i in np.argwhere(bad)[0]]
                known = "force" if name == "tau" else "acceleration"
                raise StateError(
                    f"{name}{at}, the known {known} of {self._describe(name, at[-1])}, is {passed[name][tuple(at)]}; "
                    "every input must be finite"
                )
        zero = np.zeros(self.nv)
        return np.where(mask, passed.get("tau", zero), passed.get("qdd", zero))

    def _force_known(self, known: Any) -> np.ndarray:
        """Return for each velocity whether its force is known."""
        if not isinstance(known, Mapping):
            raise StateError("known must say which joints have what known: {'force': [...], 'acceleration': ...}")
        for kind in known:
            if kind not in KNOWN:
                raise StateError(f"known has no {kind!r}; {suggest(str(kind), KNOWN)}")
        chosen: dict[str, str] = {}
        for kind, names in known.items():
            if names is not ... and not isinstance(names, str | Sequence):
                raise StateError(f"known[{kind!r}] must be names of joints or ..., got {names!r}")
            for name in () if names is ... else (names,) if isinstance(names, str) else names:
                if name not in self.joint_names:
                    raise NameLookupError("joint", name, self.joint_names, f" with coordinates of its own in {self.name!r}")
                if chosen.setdefault(name, kind) != kind:
                    raise StateError(f"joint {name!r} cannot have both its force and its acceleration known")
        others = [kind for kind, names in known.items() if names is ...]
        if len(others) > 1:
            raise StateError("only one of 'force' and 'acceleration' can be '...', all other joints")
        mask = []
        for joint in self.model.independent_joints:
            kind = chosen.get(joint.name) or (others[0] if others else None)
            if kind is None:
                raise StateError(
                    f"neither the force nor the acceleration of joint {joint.name!r} is known; name it under one of them"
                )
            mask += [kind == "force"] * joint.kind.nv
        return np.array(mask, dtype=bool)
