"""Problem: the arguments of a simulation, checked once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.dynamics.integrate import STEPS
from ..compiler.run import as_array
from ..errors import LissomError, StateError, is_choice, suggest
from ..model.names import coordinate_names, velocity_names
from .events import Event, as_events
from .inputs import SAME, Given
from .quaternions import quaternions, unit_length
from .stages import Stages
from .state_jacobian import Slopes

if TYPE_CHECKING:
    from ..robot import Robot

ADAPTIVE, IMPLICIT, AUTO = "adaptive", "implicit", "auto"
OWN_STEPS = (ADAPTIVE, IMPLICIT, AUTO)  # methods that choose their steps
METHODS = (*OWN_STEPS, *STEPS)
MOST_STEPS = 1e12  # of a fixed-step run: days or weeks of computing
MOST_HOLDS = 1e8  # calls of a held function: the integrator restarts at each
TOLERANCES = {ADAPTIVE: (1e-12, 1e-14), IMPLICIT: (1e-6, 1e-5)}  # rtol and atol, where none are given
SAMPLES = 500  # of a run with its own steps, where no spacing is given


@dataclass(frozen=True, eq=False)
class Problem:
    """A simulation to be run.

    Attributes:
        robot: the robot.
        q0, qd0: states to start from, (*lead, nq) and (*lead, nv).
        duration: [s].
        given: the input that drives the motion.
        method, dt, rtol, atol: of the integrator; dt [s] for the fixed-step ones.
        choice: why lissom chose the method, with "auto".
        sample: time between stored states [s].
        events: to look for.
        options: of the tasks: torque_known, external.
        extra: inputs of the tasks that stay the same (external wrenches), each (*lead, size).
        progress: called with the simulated time.
        external: the wrenches on links as they were given, for the trajectory.
        stream: of the first state's array on a card: functions then get arrays on that card; None where it is one of NumPy.
    """

    robot: Robot
    q0: np.ndarray
    qd0: np.ndarray
    duration: float
    given: Given
    method: str
    dt: float
    rtol: float
    atol: float
    sample: float
    events: Sequence[Event]
    options: dict[str, Any]
    extra: Sequence[np.ndarray]
    progress: bool | Callable[[float, float], None] | None
    choice: str = ""
    external: Mapping[str, Any] | None = None
    stream: int | None = None

    @property
    def lead(self) -> tuple[int, ...]:
        """Leading axes: the batch."""
        return self.q0.shape[:-1]

    @property
    def n(self) -> int:
        """Number of states that are advanced together."""
        return math.prod(self.lead)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of coordinates, velocities and given torques of a stored state."""
        return self.robot.nq, self.robot.nv, self.robot.nv

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the velocities that controllers and events see."""
        return self.robot.velocity_names

    @property
    def given_names(self) -> tuple[str, ...]:
        """Names of the given torques or accelerations."""
        return self.robot.torque_names

    def why(self, q: np.ndarray, qd: np.ndarray, given: np.ndarray) -> str:
        """Return why the motion cannot continue from a state, as far as the dynamics know, or an empty text."""
        if "torque_known" in self.options:
            return ""
        try:
            self.robot.forward_dynamics(q, qd, given)
        except LissomError as error:
            return str(error)
        return ""

    def shown(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and velocities as controllers and events see them, of those that are stored."""
        return q, qd

    def integrated(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the first state as it is integrated."""
        return self.q0, self.qd0

    def stages(self, copies: int) -> Stages:
        """Return the rates of several copies of the states, each at its own time."""
        return Stages(self, copies)

    def slopes(self) -> Slopes:
        """Return the derivatives of the rates of the states."""
        return Slopes(self)

    def quaternions(self) -> list[slice]:
        """Return where quaternions are among the coordinates."""
        return quaternions(self.robot)

    @property
    def samples(self) -> float:
        """Number of stored states; a float, as it may be too large for an integer."""
        return self.duration / self.sample + 1

    def times(self) -> np.ndarray:
        """Return the times of the stored states: multiples of `sample`, and the end."""
        count = int(math.ceil(self.duration / self.sample - 1e-9))
        return np.append(np.arange(count) * self.sample, self.duration)


def start_state(robot: Robot, q0: Any, qd0: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the first state, leading axes broadcast, quaternions at length one."""
    if not robot.nv:
        raise StateError(f"robot {robot.name!r} has no joint that moves: there is nothing to simulate")
    try:
        q, qd = as_array(q0, "q0", robot.nq, robot.name), as_array(qd0, "qd0", robot.nv, robot.name)
    except StateError as error:
        if robot.n_elastic and f"q0 has size {robot.nq - robot.n_elastic}," in str(error):
            raise StateError(f"{error}; robot.at_rest(q0) adds motors where their springs hold the robot still") from None
        raise
    lead = common_lead(q, qd)
    for name, x, names in (("q0", q, coordinate_names(robot.model)), ("qd0", qd, velocity_names(robot.model))):
        bad = np.argwhere(~np.isfinite(x))
        if len(bad):
            at = tuple(int(i) for i in bad[0])
            raise StateError(f"{name}{list(at)} (joint {names[at[-1]]!r}) is {x[at]}; every input must be finite")
    q = np.array(np.broadcast_to(q, (*lead, robot.nq)), order="C")
    for place in quaternions(robot):
        if not (np.linalg.norm(q[..., place], axis=-1) > 0).all():
            name = coordinate_names(robot.model)[place.start].removesuffix("_qx")
            raise StateError(f"the quaternion of joint {name!r} in q0 is zero (no rotation is x y z w = 0 0 0 1)")
    return unit_length(q, quaternions(robot)), np.array(np.broadcast_to(qd, (*lead, robot.nv)), order="C")


def common_lead(q: np.ndarray, qd: np.ndarray) -> tuple[int, ...]:
    """Return the leading axes of a first state q0, qd0; raise if they do not broadcast or there are no states."""
    try:
        lead = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    except ValueError:
        shapes = f"q0 {q.shape}, qd0 {qd.shape}"
        raise StateError(f"the leading axes of {shapes} do not fit together (NumPy's broadcasting rules)") from None
    if 0 in lead:
        raise StateError(f"there is no state to start from: the leading axes are {lead}")
    return lead


def check_events(events: Any, lead: tuple[int, ...]) -> list[Event]:
    """Return the events to look for; raise where there are many states."""
    watched = as_events(events)
    if lead and watched:
        raise StateError(f"events need one state, and q0 holds {lead}; simulate them one by one, or search the result")
    return watched


def spread_loads(loads: Sequence[np.ndarray], lead: tuple[int, ...]) -> list[np.ndarray]:
    """Return external wrenches for each of the states, (*lead, size)."""
    try:
        return [np.array(np.broadcast_to(x, (*lead, x.shape[-1])), order="C") for x in loads]
    except ValueError:
        raise StateError(f"external wrenches have leading axes {loads[0].shape[:-1]}, the states {lead}") from None


def check_times(method: str, duration: Any, dt: Any, sample: Any, hold: Any) -> tuple[float, float, float]:
    """Return duration, dt and sample [s], checked."""
    if not is_choice(method, METHODS):
        raise StateError(f"no method {method!r}; {suggest(str(method), METHODS)}")
    duration = _positive(duration, "duration", "s")
    if hold is not None and duration / _positive(hold, "hold", "s") > MOST_HOLDS:
        asked = f"hold is {float(hold):g} s: the function would be called {duration / float(hold):.3g} times in {duration:g} s"
        raise StateError(
            f"{asked}, more than {MOST_HOLDS:g}; take a longer hold, or none to call it wherever the method needs it"
        )
    if method in OWN_STEPS:
        if dt is not None:
            raise StateError(
                f"dt is the step of the fixed-step methods ('rk4', 'semi_implicit'), and method={method!r} chooses its own; "
                "sample= sets the time between stored states"
            )
        dt = duration
        sample = duration / SAMPLES if sample is None else _positive(sample, "sample", "s")
    else:
        if dt is None:
            raise StateError(f"method={method!r} needs a step: dt=1e-3, for example [s]")
        dt = _positive(dt, "dt", "s")
        if dt > duration * (1 + SAME):
            raise StateError(f"dt is {dt:g} s, longer than the duration of {duration:g} s; take a shorter step")
        if duration / dt > MOST_STEPS:
            text = f"{method!r} with dt = {dt:g} s takes {duration / dt:.3g} steps for {duration:g} s, more than {MOST_STEPS:g}"
            raise StateError(f"{text}; take a longer step, dt=1e-3 for example, or method='adaptive'")
        sample = dt if sample is None else _positive(sample, "sample", "s")
        steps = max(1, round(sample / dt))
        if abs(steps * dt - sample) > 1e-6 * dt and sample < duration:
            raise StateError(f"sample is {sample:g} s, expected a multiple of dt = {dt:g} s")
        sample = steps * dt
    if sample > duration:
        sample = duration
    return duration, dt, sample


def _positive(x: Any, name: str, unit: str = "") -> float:
    try:
        value = float(x)
    except (TypeError, ValueError):
        raise StateError(f"{name} must be a number, got {x!r}") from None
    if not 0.0 < value < math.inf:
        raise StateError(f"{name} is {value:g}, expected a positive finite number{f' [{unit}]' if unit else ''}")
    return value


def check_tolerances(method: str, rtol: Any, atol: Any) -> tuple[float, float]:
    """Return the tolerances, the method's defaults for None; raise where they cannot be kept or would have no effect."""
    if method not in OWN_STEPS and not (rtol is None and atol is None):
        raise StateError(
            f"rtol and atol are the tolerances of method='adaptive' and 'implicit'; {method!r} has a step instead, dt"
        )
    usual = TOLERANCES.get(method, TOLERANCES[IMPLICIT])
    rtol = _positive(usual[0] if rtol is None else rtol, "rtol")
    atol = _positive(usual[1] if atol is None else atol, "atol")
    least = 100 * np.finfo(float).eps
    if rtol < least:
        raise StateError(f"rtol is {rtol:g}; expected at least {least:.1e}, the limit of float64")
    return rtol, atol
