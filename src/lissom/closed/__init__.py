"""Closed robots: robots with closed loops; assembly, mobility, closure, and equations of motion."""

from .mobility import Mobility as Mobility
from .parallel import ParallelRobot as ParallelRobot
from .robot import ClosedRobot as ClosedRobot
from .singular import Singularity as Singularity
from .trajectory import ClosedTrajectory as ClosedTrajectory

__all__ = [
    "ClosedRobot",
    "ClosedTrajectory",
    "Mobility",
    "ParallelRobot",
    "Singularity",
]


def __dir__() -> list[str]:
    return __all__
