"""Derivatives of the functions of closed robots, as methods."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algorithms.closed.derivatives import derivatives, jvp, vjp
from ..arrays import Accelerations, ArrayLike, DriveTorques, Out, PartialState, Positions, TreePositions, Velocities
from ..compiler.run import as_input
from ..derivatives import Derivatives
from ..errors import StateError
from ..robot.check import by_name
from ..robot.directional import flat_weights
from ..robot.entry import Entry
from ..wrench import Wrenches
from .dynamics import ClosedDynamics
from .energies import ClosedEnergies
from .inverse_kinematics import ClosedInverseKinematics
from .rates import ClosedRates


class ClosedDerivatives(ClosedInverseKinematics, ClosedDynamics, ClosedRates, ClosedEnergies):
    """Derivatives by the user's coordinates: where one moves, the whole robot follows."""

    def inverse_dynamics_derivatives(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> Derivatives:
        """Return the derivatives dq, dqd, dqdd of the torques of the active joints, each (..., n_active, nq)."""
        return self.derivatives("inverse_dynamics", (q, qd, qdd), external=external, near=near, tree_q=tree_q)

    def forward_dynamics_derivatives(
        self,
        q: Positions | None,
        qd: Velocities,
        tau: DriveTorques,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> Derivatives:
        """Return the derivatives dq, dqd (..., nq, nq) and dtau (..., nq, n_active) of the accelerations."""
        return self.derivatives("forward_dynamics", (q, qd, tau), external=external, near=near, tree_q=tree_q)

    def joint_wrench_derivatives(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        axes: str = "joint",
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> Derivatives:
        """Return the derivatives dq, dqd, dqdd of the wrenches through all joints, each (..., n, 6, nq)."""
        return self.derivatives("joint_wrenches", (q, qd, qdd), external=external, axes=axes, near=near, tree_q=tree_q)

    def derivatives(
        self,
        name: str,
        state: PartialState,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        **options: Any,
    ) -> Derivatives:
        """Return all derivatives of a function by its state.

        Args:
            name: one of `functions`.
            state: in the order of the method, (q, qd, qdd), or by name; q is None where `tree_q` gives it.
            external, near, tree_q, options: as in the method; constant.

        Returns:
            Derivatives: `dq`, and `dqd`, `dqdd`, `dtau` where the function has them, each of the result's shape with one more
            axis at the end, (nq), of `dtau` (n_active).

        Raises:
            NameLookupError: there is no such function.
            StateError: an argument or option is wrong; the message says which.
        """
        entry, chosen, q, arguments = self._point(name, state, external, options)
        sizes, shape = self._state_sizes(entry), entry.shape(self, chosen)  # type: ignore[misc]
        rows, more = (*shape, sum(sizes.values())), {"of": entry.maker, **chosen}
        found = self._at(derivatives, rows, q, arguments, more, None, near, tree_q)
        return _parts(found, sizes)

    def jvp(
        self,
        name: str,
        state: PartialState,
        tangents: PartialState,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
        **options: Any,
    ) -> np.ndarray:
        """Return the derivative of a function along a direction: the change of its result when the state moves that way.

        Args:
            name, state, external, near, tree_q, options: as in `derivatives`.
            tangents: the direction, like the state: of q, qd, ... each (..., nv), of tau (..., n_active); None, or a name left
                out, is zero.
            out: float64 array for the result.

        Returns:
            An array of the shape of the function's result. It costs two to three times the function.
        """
        entry, chosen, q, arguments = self._point(name, state, external, options)
        moves = dict(zip(entry.state, by_name("tangents", tangents, entry.state, optional=True), strict=True))
        moves = {x: move for x, move in moves.items() if move is not None}
        if not moves:
            raise StateError(f"no tangent is given: give one of {', '.join(entry.state)}")
        sizes = self._state_sizes(entry)
        arguments += [as_input(move, f"d{x}", sizes[x], self.name) for x, move in moves.items()]
        more = {"of": entry.maker, "along": tuple(moves), **chosen}
        return self._at(jvp, entry.shape(self, chosen), q, arguments, more, out, near, tree_q)  # type: ignore[misc]

    def vjp(
        self,
        name: str,
        state: PartialState,
        weights: ArrayLike,
        /,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        **options: Any,
    ) -> Derivatives:
        """Return the derivatives of a weighted sum of a function's results by its state: the gradient of sum(weights * result).

        Args:
            name, state, external, near, tree_q, options: as in `derivatives`.
            weights: one per entry of the result, of the result's shape; leading axes are the batch.

        Returns:
            Derivatives `dq`, and `dqd`, `dqdd` (..., nv) and `dtau` (..., n_active) where the function has them. They cost two
            to three times the function, however many entries its result has.
        """
        entry, chosen, q, arguments = self._point(name, state, external, options)
        flat = flat_weights(weights, entry.shape(self, chosen), self.name)  # type: ignore[misc]
        sizes, more = self._state_sizes(entry), {"of": entry.maker, **chosen}
        found = self._at(vjp, (sum(sizes.values()),), q, [*arguments, flat], more, None, near, tree_q)
        return _parts(found, sizes)

    def _point(
        self, name: str, state: Any, external: Any, options: Mapping[str, Any]
    ) -> tuple[Entry, dict[str, Any], Any, list[Any]]:
        """Return the entry of a function, options of its maker, coordinates, and what its task takes after them."""
        entry = self._entry(name)
        chosen = entry.choose(self, options if external is None else {"external": external, **options})
        values = by_name("state", state, entry.state, optional=True)
        return entry, chosen.options, values[0], self._arguments(entry, chosen, values)


def _parts(found: np.ndarray, sizes: Mapping[str, int]) -> Derivatives:
    """Return derivatives by each part of a state, side by side on the last axis of an array."""
    ends = dict(zip(sizes, itertools.accumulate(sizes.values()), strict=True))
    return Derivatives(**{f"d{x}": found[..., end - sizes[x] : end] for x, end in ends.items()})
