"""Run: simulate a problem, and keep the computed samples whatever happens."""

from __future__ import annotations

from collections.abc import Mapping

from ..compiler.cuda.backend import CUDA
from ..errors import Interrupted, SimulationError
from ..interrupt import Interrupt
from .adaptive import Adaptive
from .card_steps import CardSteps
from .events import Watch
from .fixed_steps import FixedStep
from .implicit import Implicit
from .problem import ADAPTIVE, IMPLICIT, Problem
from .progress import reporting
from .record import Record
from .status import Status
from .trajectory import Trajectory
from .variable_steps import OwnSteps

METHODS: dict[str, type[OwnSteps | FixedStep | CardSteps]] = {ADAPTIVE: Adaptive, IMPLICIT: Implicit}


def run(
    problem: Problem,
    throw: bool = True,
    record: Record | None = None,
    methods: Mapping[str, type[OwnSteps | FixedStep | CardSteps]] | None = None,
) -> Trajectory:
    """Return the motion.

    Args:
        problem: the simulation to run.
        throw: raise a SimulationError, with the trajectory so far as its attribute, where the motion cannot continue; otherwise
            return that trajectory, with its status.
        record, methods: of a system that is not a tree: its record and its integrators.

    Raises:
        Interrupted: Ctrl-C, whatever `throw` is: a loop over simulations ends. Its `result` is the trajectory so far.
    """
    record, watch = record or Record(problem), Watch(problem.events)
    # events are looked for between the steps of one state: that is work for the processor
    card = methods is None and isinstance(problem.robot.backend, CUDA) and not problem.events
    method = (methods or METHODS).get(problem.method, CardSteps if card else FixedStep)(problem, record, watch)
    error: SimulationError | KeyboardInterrupt | None = None
    message = ""
    try:
        with reporting(problem.progress, problem.duration, f"simulating {problem.robot.name}") as update:
            status = method.run(update)
    except SimulationError as failed:
        error, status, message = failed, failed.status, str(failed)
    except KeyboardInterrupt as stopped:
        error, status, message = stopped, Status.INTERRUPTED, f"stopped from the keyboard at t = {method.t:.6g} s"
    with Interrupt() as again:  # a second Ctrl-C does not lose the trajectory
        if error is not None:
            method.rescue()
        elif (error := watch.missed()) is not None:
            status, message = error.status, str(error)
        else:
            watch.warn()
        trajectory = record.trajectory(status, message, watch)
    if status is Status.INTERRUPTED or again.asked:
        raise Interrupted(message or "stopped from the keyboard at the end of a simulation", trajectory) from error
    if isinstance(error, SimulationError):
        error.trajectory = trajectory
        if throw:
            raise error
    return trajectory
