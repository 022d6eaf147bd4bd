"""Motion prediction: the fastest, gentlest or most natural motion of a robot under limits."""

from .problem.description import Description
from .problem.goals import Goal
from .problem.problem import MotionProblem
from .problem_file.builtin import builtin_problems
from .problem_file.read import load
from .quantities.quantity import Compiled, JointMotion, Quantity, State
from .result.prediction import LimitReport, Prediction, Refinement
from .search.pareto import Front, pareto

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
]
