"""Simulation of mechanisms with loops at the front door: motions that forces cause."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiler.run import as_array
from ..errors import StateError
from .derivatives import ClosedDerivatives
from .run import Run
from .trajectory import ClosedTrajectory

METHODS = ("adaptive", "rk4")


class ClosedSimulation(ClosedDerivatives):
    """Motions of a mechanism with loops."""

    def simulate(
        self,
        q0: Any,
        qd0: Any,
        duration: float,
        torque: Any = None,
        *,
        method: str = "adaptive",
        dt: float | None = None,
        sample: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        near: Any = None,
        tree: Any = None,
        hold: float | None = None,
    ) -> ClosedTrajectory:
        """Return the motion from a state, under forces of the active joints.

        Args:
            q0, qd0: coordinates and velocities (nq,) at the start; (..., nq) advance many by method "rk4".
            duration: [s].
            torque: forces of the active joints, in any form that `Robot.simulate` takes: None, an array, `simulate.Held`, a
                function f(t, q, qd) of the coordinates, or an object with a method torque.
            method: "adaptive" (order 8, one state) or "rk4" (order 4, steps dt, many states side by side).
            dt: step of "rk4" [s].
            sample: time between stored states [s].
            rtol, atol: tolerances of "adaptive"; 1e-12 and 1e-14 by default.
            near, tree: branch of the start, as in `inverse_dynamics`.
            hold: ask functions at multiples of this time [s] alone, as a digital controller would.

        Raises:
            StateError: an argument is wrong, or the loops cannot be closed at the start.
            SimulationError: the motion came to a pose where it cannot go on.
        """
        from ..simulate.given import make_given
        from ..simulate.problem import check_times, check_tolerances

        if method not in METHODS:
            raise StateError(f"no method {method!r} for mechanisms with loops; there is 'adaptive' and 'rk4'")
        duration, dt, sample = check_times(method, duration, dt, sample, hold)
        start = self._tree(q0, tree, near)
        qd = as_array(qd0, "qd0", self.nv, self.name)
        lead = np.broadcast_shapes(start.shape[:-1], qd.shape[:-1])
        place, v, _ = self.tree_motion(None, qd, tree=start)
        given = make_given(torque, "torque", lead, len(self.active_names), duration, hold)
        runner = Run(self, given, duration, sample)  # type: ignore[arg-type]
        if method == "rk4":
            return runner.fixed(np.array(place), v, dt, lead)
        if lead:
            raise StateError(f"method='adaptive' is for one state, and q0 holds {lead}; use method='rk4' with a step dt")
        return runner.adaptive(np.array(place), v, *check_tolerances(method, rtol, atol))
