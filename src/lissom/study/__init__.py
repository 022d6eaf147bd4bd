"""Studies: thousands of cases of a problem, a walk, a simulation or a function, here or on a cluster, of which none is lost.

`Study` is the entry point; `load` reads one from a file, for `lissom study`.
"""

from .bases.of_files import gait, motion, scenario, torque
from .design import Case
from .job import Row
from .parameters import Choice, LogNormal, Normal, Triangular, Uniform, Values, grid, values
from .read import load
from .refine import Refinement
from .responses import Response, of_quantity, peak
from .results import Results, load_rows
from .runners.local import Local
from .sensitivity import Sensitivity
from .study import Study

__all__ = [
    "Case",
    "Choice",
    "Local",
    "LogNormal",
    "Normal",
    "Refinement",
    "Response",
    "Results",
    "Row",
    "Sensitivity",
    "Study",
    "Triangular",
    "Uniform",
    "Values",
    "gait",
    "grid",
    "load",
    "load_rows",
    "motion",
    "of_quantity",
    "peak",
    "scenario",
    "torque",
    "values",
]
