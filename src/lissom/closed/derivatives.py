"""Sensitivities of mechanisms with loops at the front door."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.closed import forward as closed_forward
from ..algorithms.closed import tasks as closed_tasks
from ..algorithms.closed import wrenches as closed_wrenches
from ..algorithms.closed.derivatives import derivatives
from ..compiler.run import as_array
from ..derivatives import Derivatives
from ..robot.base import TaskMaker
from ..robot.check import check_wrench_axes
from .dynamics import ClosedDynamics


class ClosedDerivatives(ClosedDynamics):
    """Derivatives by the user's own variables: where a coordinate moves, the whole mechanism follows."""

    def inverse_dynamics_derivatives(
        self, q: Any, qd: Any, qdd: Any, *, external: Any = None, near: Any = None, tree_q: Any = None
    ) -> Derivatives:
        """Return the derivatives dq, dqd, dqdd of the forces of the active joints, each (..., n_active, nq)."""
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd, qdd=qdd)]
        return self._all(closed_tasks.inverse_dynamics, state, (len(self.torque_names),), external, dqd=self.nv, dqdd=self.nv)

    def forward_dynamics_derivatives(
        self, q: Any, qd: Any, tau: Any, *, external: Any = None, near: Any = None, tree_q: Any = None
    ) -> Derivatives:
        """Return the derivatives dq, dqd (..., nq, nq) and dtau (..., nq, n_active) of the accelerations."""
        forces = as_array(tau, "tau", len(self.torque_names), self.name)
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd), forces]
        return self._all(closed_forward.forward_dynamics, state, (self.nv,), external, dqd=self.nv, dtau=len(self.torque_names))

    def joint_wrench_derivatives(
        self, q: Any, qd: Any, qdd: Any, *, external: Any = None, axes: str = "joint", near: Any = None, tree_q: Any = None
    ) -> Derivatives:
        """Return the derivatives dq, dqd, dqdd of the wrenches through all joints, each (..., n, 6, nq)."""
        check_wrench_axes(axes)
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd, qdd=qdd)]
        sizes = {"dqd": self.nv, "dqdd": self.nv}
        return self._all(closed_wrenches.joint_wrenches, state, (len(self.wrench_names), 6), external, axes=axes, **sizes)

    def _all(self, of: TaskMaker, state: list[np.ndarray], shape: tuple[int, ...], external: Any, **more: Any) -> Derivatives:
        sizes = {"dq": self.nv} | {name: n for name, n in more.items() if name != "axes"}
        options = {name: x for name, x in more.items() if name == "axes"}
        found = self._run(derivatives, state, (*shape, sum(sizes.values())), None, external, of=of, **options)
        parts = np.split(found, np.cumsum(list(sizes.values()))[:-1], axis=-1)
        return Derivatives(**dict(zip(sizes, parts, strict=True)))
