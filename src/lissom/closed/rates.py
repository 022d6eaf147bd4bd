"""Rates of torques and joint wrenches of a closed robot along a motion, as methods."""

from __future__ import annotations

import numpy as np

from ..arrays import Accelerations, Jerks, Out, Positions, TreePositions, Velocities
from ..wrench import Wrenches
from .functions import ClosedFunctions
from .weights import Weights


class ClosedRates(ClosedFunctions):
    """Exact time derivatives of torques of the active joints and of joint wrenches."""

    def torque_rates(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the time derivative of `inverse_dynamics` along a motion (..., n_active) [N m/s or N/s], exactly.

        Args:
            q, qd, qdd, external, weights, near, tree_q, out: as in `inverse_dynamics`; wrenches keep their components.
            qddd: rates of the accelerations (..., nq).
        """
        more = {"external": external, "weights": weights}
        return self._call("torque_rates", (q, qd, qdd, qddd), out, near=near, tree_q=tree_q, **more)

    def torques_and_rates(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return torques and their time derivatives (..., n_active), computed together.

        Args:
            q, qd, qdd, qddd, external, weights, near, tree_q: as in `torque_rates`.
            out: float64 array (..., 2, n_active) for both; the results are views of it.
        """
        more = {"external": external, "weights": weights}
        both = self._call("torques_and_rates", (q, qd, qdd, qddd), out, near=near, tree_q=tree_q, **more)
        return both[..., 0, :], both[..., 1, :]

    def joint_wrench_rates(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        axes: str = "joint",
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the time derivative of `joint_wrenches`, entry by entry (..., n, 6) [N/s, N m/s].

        Args:
            q, qd, qdd, qddd, external, weights, near, tree_q, out: as in `torque_rates`.
            axes: as in `joint_wrenches`. Components along rotating axes change even where the wrench, seen from the world, does
                not.
        """
        more = {"external": external, "axes": axes, "weights": weights}
        return self._call("joint_wrench_rates", (q, qd, qdd, qddd), out, near=near, tree_q=tree_q, **more)
