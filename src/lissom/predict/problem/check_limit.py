"""Checks of the bounds of a quantity: both sides or one by name, at instants or on control points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import StateError
from ..quantities.quantity import JointMotion, Quantity


def named_bounds(quantity: Quantity, bounds: Sequence[Any], lower: Any, upper: Any) -> tuple[Any, Any]:
    """Return lower and upper from positional and keyword arguments; raise for a single positional one."""
    name = quantity.name
    if not bounds:
        return lower, upper
    if len(bounds) == 1 and upper is not None and lower is None:
        return bounds[0], upper
    if len(bounds) == 1 and lower is None:
        one = bounds[0]
        size = abs(one) if isinstance(one, (int, float)) else None
        both = f"limit({name!r}, {-size:g}, {size:g})" if size else f"limit({name!r}, lower, upper)"
        raise StateError(
            f"limit of {name}: {one!r} alone is ambiguous; write {both} for both sides, "
            f"limit({name!r}, lower={one!r}) or limit({name!r}, upper={one!r})"
        )
    if len(bounds) > 2 or lower is not None or upper is not None:
        raise StateError(f"limit of {name}: bounds are given twice; write limit({name!r}, lower, upper), each once")
    return bounds[0], bounds[1]


def may_be_hull(quantity: Quantity, hull: Any, at: Any) -> bool:
    """Return whether control points are bounded; raise for instants and for quantities that are not derivatives of the path."""
    if not isinstance(hull, bool):
        raise StateError(f"hull is {hull!r}, expected True or False")
    if hull and not isinstance(quantity, JointMotion):
        raise StateError(
            f"{quantity.name} has no control points for hull=True; only the splines position, velocity, acceleration, jerk and "
            "snap have. Leave hull= out: other limits are enforced at instants and checked between them"
        )
    if hull and at is not None:
        raise StateError(f"limit of {quantity.name}: hull=True holds at all times, at= only at some; give one of them")
    return hull
