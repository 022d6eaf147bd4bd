"""Motions of a job's tasks, predicted with what the worker wears and who helps; lifts are repeated over the shift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..fatigue import Repeated
from ..fatigue.repeated import adapt, lost
from ..tasks.lift import lift
from ..tasks.spine import JOINT
from .job import Carry, Job, Lift, Worker

if TYPE_CHECKING:
    from ..gait import Gait
    from ..tasks import Task

CHANGE = 0.1  # of a share of strength, from which on a lift adapts


def key_of(task: Lift | Carry, job: Job) -> Any:
    """Return what a task's motion depends on, beside the worker."""
    if isinstance(task, Lift):
        how = tuple(sorted((k, str(v)) for k, v in task.motion.items()))
        return task.mass, task.origin, task.destination, how, job.exoskeleton, job.cobot
    return task.mass, task.speed, task.how


def motion_of(task: Lift | Carry, job: Job, options: Mapping[str, Any]) -> Task | Gait:
    """Return the motion of a task as the rested worker does it."""
    return lifted(task, job, options) if isinstance(task, Lift) else _carried(task, job, options)


def lifted(
    task: Lift, job: Job, options: Mapping[str, Any], weakness: Mapping[str, Any] | None = None, start: Task | None = None
) -> Task:
    """Return a lift of a worker with some weakness, beginning with another lift."""
    changes: dict[str, Any] = {}
    if job.exoskeleton is not None:
        changes["stiff"] = {JOINT: (job.exoskeleton.stiffness, job.exoskeleton.angle)}
    if weakness:
        changes["weakness"] = weakness
    own = {**task.motion, **_person(job.worker), "body_mass": job.worker.mass, "changes": changes, "cobot": job.cobot}
    return lift(task.mass, task.origin, task.destination, **own, start=start, **options)


def repeated(task: Lift, job: Job, first: Task, options: Mapping[str, Any], progress: Callable[[str], object] | None) -> Repeated:
    """Return a lift that is repeated over the hours of the job at its frequency, alone, with rest until the next."""
    strengths = first.person.strengths
    rest = max(60.0 / task.frequency - first.duration, 0.0)
    times = max(round(job.hours * 60.0 * task.frequency), 1)

    def say(line: str) -> None:
        if progress is not None:
            progress(f"{job.name}: {task.name}: {line.removeprefix('predicting ')}")

    def predicted(fatigued: np.ndarray, start: Any) -> Task:
        return lifted(task, job, options, lost(tuple(strengths), fatigued), start)

    return adapt(first, predicted, strengths, times, rest, CHANGE, say)


def _person(worker: Worker) -> dict[str, Any]:
    return {"stature": worker.stature, "sex": worker.sex, "age": worker.age}


def _carried(task: Carry, job: Job, options: Mapping[str, Any]) -> Gait:
    from ..gait import predict

    worn: dict[str, Any] = {"mass": job.worker.mass}
    if task.how == "backpack":
        worn["backpack"] = task.mass
    else:
        hands = ("left", "right") if task.how == "both" else (task.how,)
        worn["hand_load"] = dict.fromkeys(hands, task.mass / len(hands))
    return predict(task.speed, **_person(job.worker), **worn, **options)
