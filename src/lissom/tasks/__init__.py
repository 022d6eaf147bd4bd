"""Motions of people other than walking: lifting a box, standing up, sitting down, reaching. Each returns a `Task`."""

from .cobot import Cobot as Cobot
from .lift import lift as lift
from .lift import lift_front as lift_front
from .reach import reach as reach
from .result import Task as Task
from .result import TaskScore as TaskScore
from .rise import sit_down as sit_down
from .rise import stand_up as stand_up
from .spine import SpineLoad as SpineLoad

__all__ = ["Cobot", "SpineLoad", "Task", "TaskScore", "lift", "lift_front", "reach", "sit_down", "stand_up"]


def __dir__() -> list[str]:
    return __all__
