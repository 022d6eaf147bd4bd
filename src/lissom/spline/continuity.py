"""How smooth a path is: not only what its knots allow, but what its control points make of it.

A path whose parts last as long as they please has breaks where its functions are just continuous; equations between control
points then make it smooth.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .basis import Basis
from .polygon import Polygon

JUMP = 1e-6  # of the largest value of a derivative by s, or of a lower one: a smaller jump does not count


def smoothness(basis: Basis, polygons: Sequence[Polygon]) -> int:
    """Return the highest order up to which derivatives do not jump at any break.

    Args:
        basis: of the path.
        polygons: control points of the derivatives by s, of all orders.
    """
    allowed = min(basis.smooth, default=basis.degree - 1)
    if allowed == basis.degree - 1:
        return allowed
    inner, points = basis.span_ends[1:-1], polygons[0].points
    sizes = [np.abs(polygon.points).max(axis=0) for polygon in polygons]
    for order in range(allowed + 1, basis.degree):
        before, after = (basis.matrix(inner, order, side) @ points for side in (True, False))
        if (np.abs(after - before).max(axis=0) > JUMP * np.max(sizes[1 : order + 1], axis=0)).any():
            return order - 1
    return basis.degree - 1
