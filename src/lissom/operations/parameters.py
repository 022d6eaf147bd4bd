"""Parameters: a link's ten numbers in inverse dynamics from its mass, center of mass and inertia, on arrays of any library."""

from __future__ import annotations

from typing import Any

from ..errors import StateError

UPPER = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))


def ten_parameters(mass: Any, center: Any, inertia: Any) -> list[Any]:
    """Return mass, mass times center, and Ixx Ixy Iyy Ixz Iyz Izz about the origin, whose leading axes broadcast.

    Args:
        mass: (...) [kg].
        center: center of mass (..., 3) [m].
        inertia: about the center of mass (..., 3, 3), symmetric [kg m^2].
    """
    if center.shape[-1:] != (3,) or inertia.shape[-2:] != (3, 3):
        raise StateError(
            f"center and inertia have shapes {tuple(center.shape)} and {tuple(inertia.shape)}, expected (..., 3) and (..., 3, 3)"
        )
    c = [center[..., k] for k in range(3)]
    square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2]
    moments = [inertia[..., i, k] + mass * ((square if i == k else 0.0) - c[i] * c[k]) for i, k in UPPER]
    return [mass, *(mass * x for x in c), *moments]
