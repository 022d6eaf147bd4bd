"""Simulation, as a method: motions under given torques."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..arrays import Positions, Velocities
from ..compiler.cuda.views import from_card
from ..errors import StateError
from ..simulate.events import Event
from ..simulate.inputs import AccelerationInput, TorqueInput
from ..simulate.trajectory import Trajectory
from ..wrench import Wrenches
from .check import Known, torque_known
from .forward import ForwardDynamics


class Simulation(ForwardDynamics):
    """Motions of a robot."""

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
        events: Sequence[Event | Callable[..., float]] | Event | Callable[..., float] = (),
        external: Wrenches | None = None,
        known: Known | None = None,
        acceleration: AccelerationInput = None,
        hold: float | None = None,
        progress: bool | Callable[[float, float], None] | None = None,
        throw: bool = True,
    ) -> Trajectory:
        """Return the motion from a state, under joint torques.

        Args:
            q0, qd0: coordinates (nq,) and velocities (nv,) at the start; (..., nq) and (..., nv) advance many states side by
                side, by every method but the adaptive one.
            duration: [s].
            torque: joint torques [N m or N]. None: zero. An array (nv,): constant. An array (K, nv), or (K, ..., nv) for many
                states: K rows, each held for duration / K. `simulate.Held(times, values)`: held from time to time.
                `simulate.Interpolated(times, values)`: a curve through them. A function f(t, q, qd), or an object with a method
                torque(t, q, qd) (and optionally reset()).
            method: "adaptive": order 8, variable steps within the tolerances, for one state. "implicit": the same for stiff
                robots, order 13, for one state or many with common steps; oscillations below the tolerance do not limit the
                steps and die away. "auto": the better one of these two, with the reason in `Trajectory.choice`. "rk4" (order 4)
                and "semi_implicit" (order 1, the new velocity moves q): steps dt, compiled, for one state or many; a function
                is called at the beginning of every step and its value held over the step.
            dt: step of the fixed-step methods [s]; the last one is shorter where dt does not divide the duration.
            sample: time between stored states [s]; by default every fixed step, or 1/500 of the duration.
            rtol, atol: tolerances of the other methods, relative and absolute, for each coordinate and velocity and each step.
                "adaptive": 1e-12 and 1e-14 [rad or m, rad/s or m/s] by default. "implicit": 1e-6 and 1e-5, where the velocity
                of an oscillation counts with its amplitude [rad or m].
            events: functions g(t, q, qd) whose zero crossings are reported; with attributes `terminal`, `direction` and
                `required`, or as `simulate.Event`. For one state. An event that never happens causes a warning that says how
                close it came; required=False is silent, required=True an error.
            external: constant wrenches on links.
            known: as in `hybrid_dynamics`, where some joints have their accelerations given instead of their torques: the motion
                of a floating base under prescribed joints is known={"torque": "root_joint", "acceleration": ...}.
            acceleration: for these joints, in any form that `torque` may have (an object needs a method `acceleration`).
            hold: call functions only at multiples of this time [s] and hold their values, like a digital controller.
            progress: True for a bar in the terminal or the notebook, or a function f(t, duration).
            throw: False returns the trajectory so far, with its status, where the motion cannot continue.

        On a card (`robot.to("cuda")`), the states of fixed steps stay there between samples, which are NumPy arrays. Functions
        get arrays on the card if q0 or qd0 is one, otherwise (and with `known`) NumPy arrays; what they keep they must copy.

        Returns:
            Trajectory: t, q, qd, qdd, tau, with names, units, energies, events, and how it ended.

        Raises:
            StateError: an argument is wrong, or the result does not fit into memory; the message says which.
            SimulationError: the motion blew up, a controller failed or a required event did not happen; its `trajectory` holds
                everything up to then, as finite numbers.
            Interrupted: Ctrl-C, whatever `throw` is; its `result` is the trajectory so far.

        Warns:
            SimulationWarning: an event never happened, or the adaptive method is slow and another is faster.
        """
        from ..simulate.choose import settled
        from ..simulate.inputs import Mixed, make_given
        from ..simulate.problem import (
            ADAPTIVE,
            AUTO,
            Problem,
            check_events,
            check_times,
            check_tolerances,
            spread_loads,
            start_state,
        )
        from ..simulate.run import run

        duration, dt, sample = check_times(method, duration, dt, sample, hold)
        tolerances = check_tolerances(method, rtol, atol)
        q0, qd0, stream = from_card(q0, qd0)
        q, qd = start_state(self, q0, qd0)  # type: ignore[arg-type]
        lead = q.shape[:-1]
        if lead and method == ADAPTIVE:
            raise StateError(
                f"method='adaptive' is for one state, and q0 holds {lead}; use method='rk4' with a step dt, or method='implicit'"
            )
        watched = check_events(events, lead)
        given = make_given(torque, "torque", lead, self.nv, duration, hold)
        options: dict[str, Any] = {}
        if known is not None:
            mask = torque_known(self, known)
            options["torque_known"] = tuple(bool(x) for x in mask)
            given = Mixed(given, make_given(acceleration, "acceleration", lead, self.nv, duration, hold), mask)
        elif acceleration is not None:
            raise StateError("acceleration is for joints whose acceleration is known: name them with known={'acceleration': ...}")
        loads, chosen = self._loads(external, None)
        options |= chosen
        times = (duration, given, method, dt, *tolerances, sample)
        more: Any = (watched, options, spread_loads(loads, lead), progress)
        problem = Problem(self, q, qd, *times, *more, external=external, stream=stream)  # type: ignore[arg-type, misc]
        return run(settled(problem, rtol, atol) if method == AUTO else problem, throw)
