"""Walks from predictions: one step of a person whose mirror image is the next."""

from __future__ import annotations

import numpy as np

from ..errors import StateError
from ..predict.result.prediction import Prediction
from ..robots.human.robot import Human
from .result import Gait

LEAD = "right"
EQUAL = 1e-3  # [rad or m] by which a step may miss the mirror image of its start


def is_step(prediction: Prediction) -> bool:
    """Return whether a prediction is a step that `gait_of` takes."""
    return _reason(prediction) is None


def gait_of(prediction: Prediction) -> Gait:
    """Return the walk of a predicted step: its curves over a cycle, its scores, its report.

    The step begins with the strike of the right heel, on a split ground, and ends as its mirror image, ahead along x.

    Raises:
        StateError: the prediction is not such a step.
    """
    if (reason := _reason(prediction)) is not None:
        raise StateError(f"{prediction.name!r} is not a step of a walk: {reason}")
    person, (first, last) = prediction.robot, prediction.states(np.array([0.0, prediction.duration]))[0]
    assert isinstance(person, Human)
    at = person.joint_names.index("pelvis_x")
    length = float(last[at] - first[at])
    return Gait(person, prediction, length / prediction.duration, length)


def _reason(prediction: Prediction) -> str | None:
    """Return why a prediction is not a step; None if it is one."""
    person, ground = prediction.robot, prediction.description.ground
    if not isinstance(person, Human):
        return f"its robot is {prediction.robot.name!r}, expected lissom.robots.human()"
    if ground is None:
        return "nothing stands on the ground; it needs MotionProblem.split_ground"
    if "pelvis_x" not in person.joint_names or not ground.stands[0] or not ground.stands[0][-1].link.startswith(LEAD):
        return f"expected a person who moves along pelvis_x, whose {LEAD} foot leads at first"
    first, last = prediction.states(np.array([0.0, prediction.duration]))[0]
    off = np.abs(last - person.mirror(first))
    off[person.joint_names.index("pelvis_x")] = 0.0
    if off.max() > EQUAL:
        worst = person.joint_names[int(off.argmax())]
        return f"its end is not the mirror image of its start: {worst} differs by {off.max():.2g}"
    return None
