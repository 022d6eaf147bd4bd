"""Simulation of closed robots, as a method: motions under given torques."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed.steps import STEPS
from ..arrays import Positions, TreePositions, Velocities
from ..compiler.run import as_array
from ..errors import StateError
from ..robot.check import Known
from ..simulate.events import Event
from ..simulate.inputs import AccelerationInput, TorqueInput
from ..wrench import Wrenches
from .derivatives import ClosedDerivatives
from .trajectory import ClosedTrajectory
from .weights import torques_known


class ClosedSimulation(ClosedDerivatives):
    """Motions of a closed robot."""

    trajectory_kind = ClosedTrajectory  # of its motions, in files too

    def simulate(
        self,
        q0: Positions,
        qd0: Velocities,
        duration: float,
        torque: TorqueInput = None,
        *,
        method: str = "adaptive",
        dt: float | None = None,
        sample: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        events: Sequence[Event | Callable[..., float]] | Event | Callable[..., float] = (),
        external: Wrenches | None = None,
        known: Known | None = None,
        acceleration: AccelerationInput = None,
        hold: float | None = None,
        progress: bool | Callable[[float, float], None] | None = None,
        throw: bool = True,
    ) -> ClosedTrajectory:
        """Return the motion from a state, under torques of the active joints.

        Args:
            q0, qd0: coordinates (nq,) and velocities (nv,) at the start; (..., nq) and (..., nv) advance many by fixed steps.
            duration: [s].
            torque: torques of the active joints, in any form that `Robot.simulate` takes: None, an array, `simulate.Held`,
                `simulate.Interpolated`, a function f(t, q, qd) of coordinates and velocities, or an object with a method torque.
            method: for one state "adaptive" (order 8), "implicit" (order 13, for stiff springs in loops) and "auto", the one of
                these two that suits; for one or many side by side "rk4" (order 4) and "semi_implicit" (order 1, the new velocity
                moves q), with steps dt.
            dt: step of these two [s].
            sample: time between stored states [s].
            rtol, atol: tolerances of "adaptive", 1e-12 and 1e-14 by default, and "implicit", 1e-6 and 1e-5.
            near, tree_q: branch of the start, as in `inverse_dynamics`; q0 may be None where `tree_q` is given.
            events: functions g(t, q, qd), as in `Robot.simulate`.
            external: constant wrenches on links.
            known: which active joints have their accelerations given instead of their torques, {"torque": ["left"],
                "acceleration": ...}: no more of them than the robot has degrees of freedom.
            acceleration: of these joints, in any form that `torque` may have, one entry per active joint.
            hold: call functions only at multiples of this time [s], like a digital controller.
            progress, throw: as in `Robot.simulate`.

        Raises:
            StateError: an argument is wrong, or the loops cannot be closed at the start.
            SimulationError: the motion cannot continue from a pose, blew up, a controller failed or a required event did not
                happen; its `trajectory` holds everything up to then.
            Interrupted: Ctrl-C, whatever `throw` is; its `result` is the trajectory so far.
        """
        from ..simulate.choose import settled
        from ..simulate.inputs import Mixed, make_given
        from ..simulate.problem import AUTO, OWN_STEPS, check_events, check_times, check_tolerances, common_lead, spread_loads
        from ..simulate.run import run
        from .fixed_steps import ClosedFixed
        from .record import ClosedProblem, ClosedRecord
        from .run import ClosedAdaptive, ClosedImplicit

        duration, dt, sample = check_times(method, duration, dt, sample, hold)
        tolerances = check_tolerances(method, rtol, atol)
        start, qd = self._tree(q0, tree_q, near), as_array(qd0, "qd0", self.nv, self.name)
        lead = common_lead(self.coordinates(start), qd)
        if lead and method in OWN_STEPS:
            raise StateError(
                f"method={method!r} is for one state, and q0 holds {lead}; use method='rk4' with a step dt, or simulate them "
                "one by one"
            )
        watched = check_events(events, lead)
        place, v, _ = self.tree_motion(None, qd, tree_q=start)
        size, names = len(self.torque_names), self.torque_names
        given = make_given(torque, "torque", lead, size, duration, hold, names)
        loads, options = self._loads(external, None)
        if known is not None:
            mask = torques_known(self.name, names, self.nv, known)
            options = {**options, "torque_known": tuple(bool(x) for x in mask)}
            given = Mixed(given, make_given(acceleration, "acceleration", lead, size, duration, hold, names), mask)
        elif acceleration is not None:
            raise StateError("acceleration is for joints whose acceleration is known: name them with known={'acceleration': ...}")
        q, qd = (np.array(x, order="C") for x in (place, v))
        times = (duration, given, method, dt, *tolerances, sample)
        more: Any = (watched, options, spread_loads(loads, lead), progress)
        problem = ClosedProblem(self, q, qd, *times, *more, external=external)  # type: ignore[arg-type, misc]
        methods: Any = {"adaptive": ClosedAdaptive, "implicit": ClosedImplicit, **dict.fromkeys(STEPS, ClosedFixed)}
        problem = settled(problem, rtol, atol) if method == AUTO else problem  # type: ignore[assignment]
        return run(problem, throw, ClosedRecord(problem), methods)  # type: ignore[return-value]
