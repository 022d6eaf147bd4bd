"""Time-optimal motion along a given path: `time_optimal` returns a `Timing`."""

from ..errors import TimingError as TimingError
from .audit import Active as Active
from .audit import Violation as Violation
from .curve import through as through
from .limits import Bounds as Bounds
from .profile import Progress as Progress
from .time_optimal import time_optimal as time_optimal
from .timing import Timing as Timing

__all__ = [
    "Active",
    "Bounds",
    "Progress",
    "Timing",
    "TimingError",
    "Violation",
    "through",
    "time_optimal",
]


def __dir__() -> list[str]:
    return __all__
