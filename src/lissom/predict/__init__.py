"""Motion prediction: the fastest, gentlest or most natural motion of a robot under limits."""

from ..model.payload import with_payload
from .builtin import builtin_problems
from .description import Description
from .goals import Goal
from .pareto import Front, pareto
from .problem import MotionProblem
from .quantity import Compiled, JointMotion, Quantity, State
from .read import load
from .result import LimitReport, Prediction, Refinement

__all__ = [
    "Compiled",
    "Description",
    "Front",
    "Goal",
    "JointMotion",
    "LimitReport",
    "MotionProblem",
    "Prediction",
    "Quantity",
    "Refinement",
    "State",
    "builtin_problems",
    "load",
    "pareto",
    "with_payload",
]
