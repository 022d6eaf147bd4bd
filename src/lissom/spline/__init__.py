"""B-spline paths: motions told by control points and a duration. `SplinePath` is the way in."""

from .basis import Basis as Basis
from .path import SplinePath as SplinePath
from .polygon import Hull as Hull
from .sensitivities import PathSensitivities as PathSensitivities
