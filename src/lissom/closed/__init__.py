"""Mechanisms with loops: assembly, mobility, closure, and their equations of motion."""

from typing import TYPE_CHECKING

from .mobility import Mobility as Mobility
from .parallel import ParallelRobot as ParallelRobot
from .robot import ClosedRobot as ClosedRobot
from .singular import Singularity as Singularity
from .trajectory import ClosedTrajectory as ClosedTrajectory

if TYPE_CHECKING:
    from ..predict.closed import ClosedMotionProblem as ClosedMotionProblem
else:

    def __getattr__(name):
        # prediction is imported when first asked for
        if name == "ClosedMotionProblem":
            from ..predict.closed import ClosedMotionProblem

            return ClosedMotionProblem
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
