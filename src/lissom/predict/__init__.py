"""Motion prediction: the fastest, gentlest or most natural motion of a robot under limits."""

from .batch.functions import BatchFunctions
from .data.ground import Support
from .data.solids import Box, Capsule, Sphere
from .data.surface import Surface
from .problem.description import Description
from .problem.problem import MotionProblem
from .problem.solve_options import SolveOptions
from .problem_file.builtin import builtin_problems
from .problem_file.read import load
from .quantities.compiled import Compiled
from .quantities.function import quantity
from .quantities.quantity import JointMotion, Quantity
from .quantities.state import State
from .result.goal_values import Goal
from .result.outcomes import Outcome, Outcomes
from .result.prediction import LimitReport, Prediction, Refinement
from .search.many import solve_many
from .search.pareto import Front, pareto
from .search.solve import solve

MotionProblem._search = staticmethod(solve)  # which needs the problem's class itself
MotionProblem._batch = BatchFunctions

__all__ = [
    "BatchFunctions",
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
    "SolveOptions",
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


def __dir__() -> list[str]:
    return __all__
