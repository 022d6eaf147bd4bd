"""Sparse nonlinear programs given as Python functions, and their solution by IPOPT (or, to compare, by Uno)."""

from ..errors import NlpError as NlpError
from .derivative_check import DerivativeCheck as DerivativeCheck
from .derivative_check import check_derivatives as check_derivatives
from .ipopt import solve as solve
from .problem import Nlp as Nlp
from .solution import Evaluations as Evaluations
from .solution import Iterate as Iterate
from .solution import Solution as Solution
from .status import Status as Status

__all__ = [
    "DerivativeCheck",
    "Evaluations",
    "Iterate",
    "Nlp",
    "NlpError",
    "Solution",
    "Status",
    "check_derivatives",
    "solve",
]


def __dir__() -> list[str]:
    return __all__
