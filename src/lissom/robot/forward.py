"""Forward and hybrid dynamics, as methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.dynamics.forward_dynamics import mass_matrix_entries
from ..arrays import Accelerations, Out, Positions, Torques, Velocities
from ..compiler.cuda.arrays import on_card
from ..compiler.run import as_array
from ..errors import StateError
from ..locks import lazy_property
from ..model.names import velocity_names
from ..model.show import by_shape
from ..wrench import BaseMotion, Wrenches
from .bound import bound
from .check import Known, as_flag, check_wrench_axes, common_lead, torque_known
from .functions import Functions, in_order
from .given_apart import given_apart
from .scatter import as_places


@dataclass(frozen=True, eq=False)
class Hybrid:
    """Result of hybrid dynamics: all accelerations and all torques.

    Attributes:
        qdd: accelerations (..., nv), given ones included.
        tau: joint torques (..., nv), given ones included.
        wrenches: force and moment through every moving joint, as of `joint_wrenches`, if requested.
    """

    qdd: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray | None = None
    __repr__ = by_shape


class ForwardDynamics(Functions):
    """Forward and hybrid dynamics, and the mass matrix."""

    @bound
    def forward_dynamics(
        self,
        q: Positions,
        qd: Velocities,
        tau: Torques,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        method: str | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the accelerations under joint torques: qdd with M(q) qdd + h(q, qd) = tau.

        Args:
            q: coordinates (..., nq) [rad or m].
            qd: velocities (..., nv).
            tau: joint torques (..., nv) [N m or N].
            external, base_motion, out: as in `inverse_dynamics`.
            method: None takes the cheapest for the robot; or "articulated_body" (O(n)), "nasser" (O(n) too, for revolute and
                prismatic joints, and universal ones) or "mass_matrix" (Walker and Orin; the only one for coupled joints).

        Returns:
            qdd (..., nv).

        Raises:
            ModelError: a joint has no inertia along its axis; the message names it.
        """
        return self._call("forward_dynamics", (q, qd, tau), out, external=external, base_motion=base_motion, method=method)

    def hybrid_dynamics(
        self,
        q: Positions,
        qd: Velocities,
        *,
        known: Known,
        qdd: Accelerations | None = None,
        tau: Torques | None = None,
        wrenches: bool = False,
        axes: str = "joint",
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
    ) -> Hybrid:
        """Return all accelerations and torques, where one of the two is known for each joint.

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            known: which joints have their "torque" known and which their "acceleration": names, or ... for all others, as in
                {"torque": ["root_joint"], "acceleration": ...}.
            qdd, tau: accelerations and torques (..., nv); entries that are not known are ignored, None is zero everywhere.
            wrenches: also return the wrenches through the joints, along `axes` (see `joint_wrenches`).
            external, base_motion: as in `inverse_dynamics`.

        Examples: a robot that floats freely while its joints follow a motion, known={"torque": "root_joint",
        "acceleration": ...}; passive joints, tau zero for them.
        """
        check_wrench_axes(axes)
        if axes != "joint" and not as_flag(wrenches, "wrenches"):
            raise StateError(f"axes={axes!r} are those of the joint wrenches; add wrenches=True")
        mask = torque_known(self, known)
        if any(map(on_card, (q, qd, qdd, tau))):
            loads = {"external": external, "base_motion": base_motion}
            return self._hybrid_on_card(
                (q, qd), mask, (qdd, tau), axes if as_flag(wrenches, "wrenches") else None, {"known": known, **loads}
            )
        q, qd = as_array(q, "q", self.nq, self.name), as_array(qd, "qd", self.nv, self.name)
        given = merged(self.name, velocity_names(self.model), mask, {"q": q, "qd": qd}, qdd, tau)
        options: dict[str, Any] = {"known": known, "external": external, "base_motion": base_motion}
        found = self._call("hybrid_dynamics", (q, qd, given), **options)
        inside = None
        if as_flag(wrenches, "wrenches"):
            inside = self._call("hybrid_wrenches", (q, qd, given), axes=axes, **options)
        return Hybrid(np.where(mask, found, given), np.where(mask, given, found), inside)

    def _hybrid_on_card(
        self, state: tuple[Any, Any], mask: np.ndarray, given: Sequence[Any], axes: str | None, options: dict[str, Any]
    ) -> Hybrid:
        """Return hybrid dynamics for arrays on a card, where the program picks what is known; `axes` are those of wrenches."""
        both = [np.zeros(self.nv) if x is None else x for x in given]

        def run(name: str, merged: bool, **more: Any) -> Any:
            entry = self.catalogue[name]
            chosen = entry.choose(self, {**options, **more})
            assert entry.shape is not None
            shape: Any = ((self.nv,), (self.nv,)) if merged else entry.shape(self, chosen.options)
            maker = given_apart(entry.maker, tuple(mask.tolist()), merged)
            function = self._function(maker, shape, **chosen.options)
            return function([*state, *both, *in_order(function, chosen, 4)])

        qdd, tau = run("hybrid_dynamics", True)
        return Hybrid(qdd, tau, None if axes is None else run("hybrid_wrenches", False, axes=axes))

    @bound
    def mass_matrix(self, q: Positions, *, packed: bool = False, out: Out = None) -> np.ndarray:
        """Return the inertia matrix M(q) with tau = M qdd + h, rotor inertias included; symmetric.

        Args:
            q: coordinates (..., nq) [rad or m].
            out: float64 array for the result.
            packed: return only the entries of the lower triangle that can be non-zero, in the order of `mass_matrix_entries`.
                For robots with many branches that is a fraction of the matrix, and large batches are that much faster.

        Returns:
            M (..., nv, nv), or its entries (..., n) if packed.
        """
        return self._call("mass_matrix", (q,), out, packed=packed)

    @lazy_property
    def mass_matrix_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns (n,) of the entries of a packed mass matrix.

        They are those of the lower triangle, row by row and from left to right in a row, whose two joints lie on one path
        to the base. Every other entry below the diagonal is zero at any q.

        To unpack matrices:
            rows, columns = robot.mass_matrix_entries
            M = np.zeros((*packed.shape[:-1], robot.nv, robot.nv))
            M[..., rows, columns] = M[..., columns, rows] = packed
        """
        return as_places(mass_matrix_entries(self.model))


def merged(
    robot: str, joints: Sequence[str], mask: np.ndarray, state: Mapping[str, np.ndarray], qdd: Any, tau: Any
) -> np.ndarray:
    """Return torques where the mask says that they are known, otherwise accelerations, checked (..., joints)."""
    size = len(mask)
    passed = {name: as_array(x, name, size, robot) for name, x in (("qdd", qdd), ("tau", tau)) if x is not None}
    common_lead(1, **{name: x.shape for name, x in {**state, **passed}.items()})
    for name, used in (("qdd", ~mask), ("tau", mask)):
        # entries that are not known may be anything
        bad = used & ~np.isfinite(passed[name]) if name in passed else used & False
        if bad.any():
            at = [int(i) for i in np.argwhere(bad)[0]]
            known = "torque" if name == "tau" else "acceleration"
            raise StateError(
                f"{name}{at}, the known {known} of joint {joints[at[-1]]!r}, is {passed[name][tuple(at)]}; "
                "every input must be finite"
            )
    zero = np.zeros(size)
    return np.where(mask, passed.get("tau", zero), passed.get("qdd", zero))
