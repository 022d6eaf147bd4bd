"""A job: tasks of lifting and carrying that a person mixes over a shift, and designs that change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import NameLookupError, StateError, suggest
from ..tasks.cobot import Cobot
from .niosh import COUPLINGS, LONGEST

MOST = 15.0  # times a minute: the largest frequency of the equation's tables


@dataclass(frozen=True)
class Worker:
    """Who works; see `lissom.robots.human`: stature [m], mass [kg], sex, age [years]."""

    stature: float = 1.75
    mass: float = 75.0
    sex: str = "male"
    age: float | None = None


@dataclass(frozen=True)
class Lift:
    """Lifting a box with both hands, many times.

    Attributes:
        name: of the task.
        mass: of the box [kg].
        origin, destination: of the middle of the box's bottom, as `lissom.tasks.lift` takes them [m].
        frequency: per minute.
        motion: other arguments of `lissom.tasks.lift`: size, duration, stance, knees.
        coupling: of hands and box: "good", "fair" or "poor".
        placed: whether the box is placed with care: then the destination counts too.
    """

    name: str
    mass: float
    origin: tuple[float, ...]
    destination: tuple[float, ...]
    frequency: float
    motion: Mapping[str, Any] = field(default_factory=dict)
    coupling: str = "fair"
    placed: bool = True

    def __post_init__(self) -> None:
        check_frequency(self.name, self.frequency)
        if self.coupling not in COUPLINGS:
            raise StateError(f"coupling of task {self.name!r} is {self.coupling!r}; {suggest(self.coupling, COUPLINGS)}")


@dataclass(frozen=True)
class Carry:
    """Walking with a load, many times.

    Attributes:
        name: of the task.
        mass: of the load [kg].
        distance: of each walk [m].
        frequency: per minute.
        speed: [m/s]; None for the usual one.
        how: "backpack", "left", "right", or "both" for half of the load in each hand.
    """

    name: str
    mass: float
    distance: float
    frequency: float
    speed: float | None = None
    how: str = "both"

    def __post_init__(self) -> None:
        check_frequency(self.name, self.frequency)
        if not (self.distance > 0.0 and self.mass > 0.0):
            raise StateError(
                f"mass and distance of task {self.name!r} are {self.mass:g}, {self.distance:g}, expected more than 0"
            )
        if self.how not in CARRIED:
            raise StateError(f"how of task {self.name!r} is {self.how!r}; {suggest(self.how, CARRIED)}")


CARRIED = ("backpack", "left", "right", "both")
KINDS = {"lift": Lift, "carry": Carry}


@dataclass(frozen=True)
class Exoskeleton:
    """A spring beside the spine that takes over part of the moment that extends it.

    Attributes:
        stiffness: [N m/rad] about the lowest joint of the spine.
        angle: flexion of that joint at which it is slack [rad]; it pushes both ways.
    """

    stiffness: float
    angle: float = 0.0

    def __post_init__(self) -> None:
        if not self.stiffness >= 0.0:
            raise StateError(f"stiffness of the exoskeleton is {self.stiffness!r}, expected zero or more [N m/rad]")


@dataclass(frozen=True)
class Design:
    """Another design of a job.

    Attributes:
        name: of the design.
        tasks: what differs, by task: attributes of `Lift` or `Carry`, or arguments of the lift's motion.
        exoskeleton: that the worker wears.
        cobot: that holds the box of every lift with the worker.
    """

    name: str
    tasks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    exoskeleton: Exoskeleton | None = None
    cobot: Cobot | None = None


@dataclass(frozen=True)
class Job:
    """Tasks that a person mixes over a shift, and other designs of them.

    Attributes:
        name: of the job.
        tasks: with names that differ.
        worker: who does them.
        hours: of this work in a shift, up to 8.
        exoskeleton: that the worker wears, if any.
        designs: to compare with.
        cobot: that holds the box of every lift with the worker, if any.
        fatigue: whether lifts are repeated over the hours, each alone, with motions that adapt as strengths fall.
    """

    name: str
    tasks: tuple[Lift | Carry, ...]
    worker: Worker = Worker()
    hours: float = LONGEST
    exoskeleton: Exoskeleton | None = None
    designs: tuple[Design, ...] = ()
    cobot: Cobot | None = None
    fatigue: bool = False

    def __post_init__(self) -> None:
        names = [task.name for task in self.tasks]
        if not names:
            raise StateError(f"job {self.name!r} has no tasks; give one or more")
        for what, own in (("task", names), ("design", [design.name for design in self.designs])):
            if twice := next((name for name in own if own.count(name) > 1), None):
                raise StateError(f"two {what}s of job {self.name!r} are called {twice!r}; names must differ")
        if not 0.0 < self.hours <= LONGEST:
            raise StateError(f"hours of job {self.name!r} are {self.hours!r}, expected more than 0, and at most {LONGEST:g}")
        for design in self.designs:
            self.changed(design)

    def changed(self, design: Design) -> Job:
        """Return the job as a design has it, without further designs.

        Raises:
            NameLookupError: the design names no task of the job, or nothing that a task has.
        """
        for name in design.tasks:
            if name not in (names := [task.name for task in self.tasks]):
                raise NameLookupError("task", name, names, f" of job {self.name!r}")
        tasks = tuple(_with(task, design.tasks.get(task.name, {})) for task in self.tasks)
        worn, helps = design.exoskeleton or self.exoskeleton, design.cobot or self.cobot
        return Job(f"{self.name}: {design.name}", tasks, self.worker, self.hours, worn, (), helps, self.fatigue)


MOTION = ("size", "duration", "stance", "knees")  # arguments of a lift's motion


def _with(task: Lift | Carry, changes: Mapping[str, Any]) -> Lift | Carry:
    known = [*(name for name in task.__dataclass_fields__ if name not in ("name", "motion"))]
    motion = {name: value for name, value in changes.items() if name in MOTION and isinstance(task, Lift)}
    own = {name: value for name, value in changes.items() if name not in motion}
    for name in own:
        if name not in known:
            raise NameLookupError(
                "change", name, [*known, *(MOTION if isinstance(task, Lift) else ())], f" of task {task.name!r}"
            )
    if isinstance(task, Lift):
        return replace(task, motion={**task.motion, **motion}, **own)
    return replace(task, **own)


def check_frequency(task: str, frequency: float) -> None:
    """Raise a StateError for a frequency that is not one of work."""
    if not 0.0 < frequency <= MOST:
        raise StateError(f"frequency of task {task!r} is {frequency!r} per minute, expected more than 0, and at most {MOST:g}")
