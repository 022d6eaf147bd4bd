"""Joints whose child slides on an ellipsoid, as chains of rotations and constant translations.

OpenSim's EllipsoidJoint turns its child by angles a, b and c about x, y and z, and puts it at the point (A nx, B ny, C nz) for
the third axis n of its rotation: (A sin b, -B sin a cos b, C cos a cos b). With v(s, t) = Rx(s a) Ry(t b) (0, 0, 1) that is

    (A + B)/2 v(1, 1) + (C - A)/2 v(1, -1) + (C - B)/2 v(-1, 1),

so that the chain turns to one of these directions after the other, goes along each, and ends turned by a, b and c.

A ScapulothoracicJoint is one on an ellipsoid whose frames are turned by a quarter about z on both sides, followed by a rotation
about an axis across its normal.
"""

from __future__ import annotations

import math

from ...joints.function import Polynomial
from ...model.pose import Vector3
from ..source import Source
from .parts import JointPart
from .simple import Simple, X, Y, Z, turned, turned_by

SIZES = {
    "EllipsoidJoint": {"radii_x_y_z": 3},
    "ScapulothoracicJoint": {
        "thoracic_ellipsoid_radii_x_y_z": 3,
        "scapula_winging_axis_origin": 2,
        "scapula_winging_axis_direction": 1,
    },
}


def ellipsoid(joint: JointPart, names: list[str], source: Source) -> list[Simple]:
    """Return the chain of an EllipsoidJoint by its coordinates."""
    return _on_ellipsoid(_radii(joint, "radii_x_y_z", source), names)


def scapulothoracic(joint: JointPart, names: list[str], source: Source) -> list[Simple]:
    """Return the chain of a ScapulothoracicJoint by its coordinates."""
    x, y, z = _radii(joint, "thoracic_ellipsoid_radii_x_y_z", source)
    a, b = joint.sizes.get("scapula_winging_axis_origin", (0.0, 0.0))
    (w,) = joint.sizes.get("scapula_winging_axis_direction", (0.0,))
    quarter = math.pi / 2
    return [
        turned_by(Z, quarter),
        *_on_ellipsoid((y, x, z), names[:3]),
        turned_by(Z, -quarter),
        *_moved((a, b, 0.0), 1.0),
        turned((-math.sin(w), math.cos(w), 0.0), names[3], 1.0),
        *_moved((a, b, 0.0), -1.0),
    ]


def _on_ellipsoid(radii: Vector3, names: list[str]) -> list[Simple]:
    A, B, C = radii
    first, second, third = names
    if A == B == C:
        return [turned(X, first, 1.0), turned(Y, second, 1.0), *_along(A), turned(Z, third, 1.0)]
    chain = [turned(X, first, -1.0), turned(Y, second, 1.0), *_along((C - B) / 2)]
    chain += [turned(Y, second, -1.0), turned(X, first, 2.0), turned(Y, second, -1.0), *_along((C - A) / 2)]
    return [*chain, turned(Y, second, 2.0), *_along((A + B) / 2), turned(Z, third, 1.0)]


def _along(distance: float) -> list[Simple]:
    return _moved((0.0, 0.0, distance), 1.0)


def _moved(place: Vector3, sign: float) -> list[Simple]:
    return [Simple(True, axis, None, Polynomial((sign * d,))) for axis, d in zip((X, Y, Z), place, strict=True) if d != 0.0]


def _radii(joint: JointPart, name: str, source: Source) -> Vector3:
    found = joint.sizes.get(name)
    if found is None or not all(0.0 < r < math.inf for r in found):
        given = "there are none" if found is None else f"got {' '.join(f'{r:g}' for r in found)}"
        raise source.error(f"joint {joint.name!r}: <{name}> must be three positive numbers, {given}", joint.line)
    x, y, z = found
    return x, y, z
