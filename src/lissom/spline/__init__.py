"""B-spline paths: motions given by control points and a duration. The entry point is `SplinePath`."""

from .basis import Basis as Basis
from .path import SplinePath as SplinePath
from .polygon import Hull as Hull
from .sensitivities import PathSensitivities as PathSensitivities

__all__ = [
    "Basis",
    "Hull",
    "PathSensitivities",
    "SplinePath",
]


def __dir__() -> list[str]:
    return __all__
