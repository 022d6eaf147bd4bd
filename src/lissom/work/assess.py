"""Assessment of a job: every task's motion is predicted, its loads at L5/S1 and in joints are read, and the shift is summed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tasks.body import place, strength_used
from ..tasks.lift import SIZE
from ..tasks.spine import ACTION_LIMIT, ARM, JOINT, SpineLoad, spine_load
from . import dose
from .job import Carry, Job, Lift
from .motions import key_of, motion_of, repeated
from .niosh import SYSTEMS, Part, WeightLimit, composite_index, recommended_weight

if TYPE_CHECKING:
    from ..fatigue import Repeated
    from ..gait import Gait
    from ..tasks import Task

ROWS = 401  # instants
RISK, HIGH = 1.0, 3.0  # lifting indices from which some, and nearly all, workers are at risk (NIOSH 94-110)


@dataclass(frozen=True, eq=False)
class TaskLoad:
    """What a task asks of its worker.

    Attributes:
        task: of the job.
        motion: that was predicted, a `Task` or a `Gait`.
        times: [s] (K,) of the curves.
        spine: loads at L5/S1 (K,), with the exoskeleton's part taken off the disc.
        shares: moments over the mean strengths, the largest of each joint.
        limits: recommended weight limits at the origin and the destination; none of a walk.
        repetitions: in a shift.
        tired: a lift that is repeated over the shift, where the job asks for fatigue; None otherwise.
    """

    task: Lift | Carry
    motion: Task | Gait
    times: np.ndarray
    spine: SpineLoad
    shares: Mapping[str, float]
    limits: Mapping[str, WeightLimit]
    repetitions: float
    tired: Repeated | None = None

    @property
    def compression(self) -> float:
        """Largest compression of the disc L5/S1 [N], with one muscle."""
        return float(self.spine.disc.max())

    @property
    def shear(self) -> float:
        """Largest net shear at L5/S1 [N]."""
        return float(np.abs(self.spine.shear).max())

    @property
    def hardest(self) -> tuple[str, float]:
        """The joint that uses most of its strength, and that share."""
        name = max(self.shares, key=lambda joint: self.shares[joint])
        return name, self.shares[name]

    @property
    def strong_enough(self) -> float:
        """Share of people of this size, sex and age whose hardest joint has the strength."""
        return dose.strong_enough(self.hardest[1])

    @property
    def able(self) -> dict[str, float]:
        """Shares of people of this size, sex and age who have the strength, by joint."""
        return {name: dose.strong_enough(share) for name, share in self.shares.items()}

    @property
    def impulse(self) -> float:
        """Integral of the disc's compression over all repetitions of a shift [N s]."""
        return self.repetitions * dose.impulse(self.times, self.spine.disc) * self._times_as_long

    @property
    def squares(self) -> float:
        """Integral of the squares of those forces that count in the dose, over all repetitions of a shift [N^2 s]."""
        own = dose.squares(self.times, self.spine.disc, self.motion.person.body.sex)
        return self.repetitions * self._times_as_long * own

    @property
    def _times_as_long(self) -> float:
        """A walk of some distance is so many predicted steps."""
        if isinstance(self.task, Lift):
            return 1.0
        return self.task.distance / (self.motion.step_length * self.motion.steps)  # type: ignore[union-attr]

    def limit(self) -> WeightLimit | None:
        """Return the recommended weight limit of the worse end that counts; None of a walk."""
        return min(self.limits.values(), key=lambda limit: limit.weight) if self.limits else None

    @property
    def index(self) -> float | None:
        """Lifting index; None of a walk."""
        limit = self.limit()
        return None if limit is None else limit.index(self.task.mass)


@dataclass(frozen=True, eq=False)
class Assessment:
    """A job as assessed, and its other designs.

    Attributes:
        job: that was assessed.
        loads: of its tasks, in their order.
        designs: assessments of its other designs, in their order.
    """

    job: Job
    loads: tuple[TaskLoad, ...]
    designs: tuple[Assessment, ...] = field(default=())

    @property
    def by_design(self) -> dict[str, Assessment]:
        """This assessment, called "as it is", and those of the other designs by their names."""
        return {"as it is": self} | {own.name: found for own, found in zip(self.job.designs, self.designs, strict=True)}

    @property
    def composite_index(self) -> float | None:
        """Composite lifting index of all lifts; None of a job without any."""
        table = SYSTEMS["metric"].table
        parts = []
        for load in self.loads:
            limit = load.limit()
            if limit is not None and isinstance(load.task, Lift):
                low = place_of(load.task, load.task.origin)[1] < table
                parts.append(Part(limit, load.task.mass, load.task.frequency, low))
        return composite_index(parts, self.job.hours) if parts else None

    @property
    def compression(self) -> float:
        """Largest compression of the disc L5/S1 of all tasks [N]."""
        return max(load.compression for load in self.loads)

    @property
    def shear_limit(self) -> float:
        """Largest recommended shear at L5/S1 [N] for the repetitions of a shift."""
        return dose.shear_limit(sum(load.repetitions for load in self.loads))

    @property
    def dose(self) -> float:
        """Dose of the shift [N h] after the Mainz-Dortmund model; `dose_limit` is the largest recommended one."""
        return dose.dose(sum(load.squares for load in self.loads))

    @property
    def dose_limit(self) -> float:
        """Largest recommended dose of a shift [N h]."""
        return dose.DOSE[self.job.worker.sex][1]

    @property
    def impulse(self) -> float:
        """Integral of the disc's compression over the tasks of a shift [N s]."""
        return sum(load.impulse for load in self.loads)

    @property
    def concerns(self) -> list[str]:
        """What is beyond its limit, in words, the worst first as NIOSH weighs it; empty where nothing is."""
        found = []
        index = self.composite_index
        if index is not None and index > RISK:
            who = "nearly all workers" if index > HIGH else "some workers"
            found.append(f"lifting index {index:.2g}, above {HIGH if index > HIGH else RISK:g}: {who} are at a higher risk")
        for load in self.loads:
            name = load.task.name
            if load.compression > ACTION_LIMIT:
                found.append(f"{name}: compression of the disc L5/S1 {load.compression:.0f} N, above {ACTION_LIMIT:g} N")
            if load.shear > self.shear_limit:
                found.append(f"{name}: shear at L5/S1 {load.shear:.0f} N, above {self.shear_limit:g} N")
            if load.tired is not None and load.tired.reason:
                found.append(f"{name}: {load.tired.done} of {load.tired.times} times; {load.tired.reason}")
            if load.strong_enough < 0.75:  # the share of women that NIOSH wants to be strong enough
                joint, share = load.hardest
                found.append(
                    f"{name}: only {100 * load.strong_enough:.0f} % have the strength: {joint} needs {100 * share:.0f} %"
                )
        if self.dose > self.dose_limit:
            found.append(f"dose of the shift {self.dose:.0f} N h, above {self.dose_limit:g} N h")
        return found

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write one page (.html): limits and loads of every task, the shift, designs side by side, and the hardest motion."""
        from ..view.report.work import report_work

        return report_work(self, path)

    def __repr__(self) -> str:
        return f"<Assessment: {self.job.name}, {len(self.loads)} tasks, {len(self.concerns)} concerns>"


def assess(job: Job, *, progress: Callable[[str], object] | None = None, **options: Any) -> Assessment:
    """Predict how the job's tasks are done, in every design, and return what they ask of the worker.

    Args:
        job: tasks, who works, and designs to compare with.
        progress: called with a line before every motion.
        options: of `MotionProblem.solve`, such as iterations.

    Raises:
        StateError: a place is out of reach, or a load too heavy to be held, and by how much.
        PredictionError: no motion was found for a task.
    """
    known: dict[Any, Any] = {}  # motions: tasks that a design leaves alone are not solved again

    def one(own: Job) -> tuple[TaskLoad, ...]:
        found = []
        for task in own.tasks:
            key = (task.name, key_of(task, own))
            if key not in known:
                if progress is not None:
                    progress(f"{own.name}: {task.name}")
                known[key] = motion_of(task, own, options)
            load, often = _load(task, own, known[key]), (key, own.hours, task.frequency)
            if own.fatigue and isinstance(task, Lift):
                if often not in known:
                    known[often] = repeated(task, own, known[key], options, progress)
                load = replace(load, tired=known[often])
            found.append(load)
        return tuple(found)

    loads = one(job)
    changed = [job.changed(design) for design in job.designs]
    return Assessment(job, loads, tuple(Assessment(own, one(own)) for own in changed))


def place_of(task: Lift, at: tuple[float, ...]) -> tuple[float, float, float]:
    """Return the horizontal distance of the hands [m], their height [m] and their angle from straight ahead [deg]."""
    x, y, z = place(at, f"a place of task {task.name!r}")
    height = z + task.motion.get("size", SIZE)[2] / 2  # hands are at the middles of the box's sides
    return float(np.hypot(x, y)), float(height), abs(math.degrees(math.atan2(y, x)))


def limits_of(task: Lift, hours: float) -> dict[str, WeightLimit]:
    """Return the recommended weight limits of a lift at its origin and, where the box is placed with care, its destination."""
    ends = {"origin": place_of(task, task.origin), "destination": place_of(task, task.destination)}
    if not task.placed:
        del ends["destination"]
    origin, end = (place_of(task, at)[1] for at in (task.origin, task.destination))
    found = {}
    for name, (horizontal, height, angle) in ends.items():
        found[name] = recommended_weight(
            horizontal,
            height,
            abs(end - origin),
            asymmetry=angle,
            frequency=task.frequency,
            hours=hours,
            coupling=task.coupling,
            origin_height=origin,
        )
    return found


def _load(task: Lift | Carry, job: Job, motion: Task | Gait) -> TaskLoad:
    found, person = motion.prediction, motion.person
    t = np.linspace(0.0, found.duration, ROWS)
    q, qd, qdd = found.coordinates(t)
    spine = spine_load(person, q, qd, qdd, found._external(t))
    if isinstance(task, Lift) and job.exoskeleton is not None:
        angle = q[:, person.coordinate_names.index(JOINT)]
        given = job.exoskeleton.stiffness * (angle - job.exoskeleton.angle)
        spine = spine._replace(disc=spine.compression + np.abs(spine.extension - given) / ARM)
    shares = {name: float(used.max()) for name, used in strength_used(person, found.torques(t)).items()}
    limits = limits_of(task, job.hours) if isinstance(task, Lift) else {}
    return TaskLoad(task, motion, t, spine, shares, limits, job.hours * 60.0 * task.frequency)
