"""Motion prediction: the fastest, gentlest or most natural motion of a robot under limits."""

from .problem import MotionProblem
from .quantity import Compiled, JointMotion, Quantity, State
from .result import LimitReport, Prediction, Refinement

__all__ = ["Compiled", "JointMotion", "LimitReport", "MotionProblem", "Prediction", "Quantity", "Refinement", "State"]
