"""Motion prediction: the fastest, gentlest or most natural motion of a robot under limits."""

from .problem.description import Description
from .problem.goals import Goal
from .problem.ground import Support
from .problem.problem import MotionProblem
from .problem.solids import Box, Capsule, Sphere
from .problem.surface import Surface
from .problem_file.builtin import builtin_problems
from .problem_file.read import load
from .quantities.compiled import Compiled
from .quantities.function import quantity
from .quantities.quantity import JointMotion, Quantity
from .quantities.state import State
from .result.outcomes import Outcome, Outcomes
from .result.prediction import LimitReport, Prediction, Refinement
from .search.many import solve_many
from .search.pareto import Front, pareto

__all__ = [
    "Box",
    "Capsule",
    "Compiled",
    "Description",
    "Front",
    "Goal",
    "JointMotion",
    "LimitReport",
    "MotionProblem",
    "Outcome",
    "Outcomes",
    "Prediction",
    "Quantity",
    "Refinement",
    "Sphere",
    "State",
    "Support",
    "Surface",
    "builtin_problems",
    "load",
    "pareto",
    "quantity",
    "solve_many",
]
