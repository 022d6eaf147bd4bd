"""Derivatives of the functions of closed robots, as methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.closed.derivatives import derivatives
from ..arrays import Accelerations, DriveTorques, PartialState, Positions, TreePositions, Velocities
from ..compiler.run import as_array
from ..derivatives import Derivatives
from ..robot.check import by_name
from ..wrench import Wrenches
from .dynamics import ClosedDynamics


class ClosedDerivatives(ClosedDynamics):
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
        entry = self._entry(name)
        chosen = entry.choose(self, options).options
        q, *others = by_name("state", state, entry.state, optional=True)
        sizes = {x: len(self.torque_names) if x == "tau" else self.nv for x in entry.state}
        rates = [as_array(x, n, sizes[n], self.name) for x, n in zip(others, entry.state[1:], strict=True)]
        place = self._tree(q, tree_q, near)
        assert entry.shape is not None
        shape = (*entry.shape(self, chosen), sum(sizes.values()))
        found = self._run(derivatives, [place, *rates], shape, None, external, of=entry.maker, **chosen)
        parts = np.split(found, np.cumsum(list(sizes.values()))[:-1], axis=-1)
        return Derivatives(**{f"d{x}": part for x, part in zip(entry.state, parts, strict=True)})
