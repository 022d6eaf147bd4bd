"""A joint of OpenSim as a chain of translations and rotations, each a function of one coordinate.

Translations come first, along axes of the frame on the parent, then rotations, each about an axis moved by those before: so are
all of OpenSim's joints, with the angles of ball and free joints about x, then y, then z. The chain of a joint whose child carries
its parent is run backward.
"""

from __future__ import annotations

from ...errors import suggest
from ...joints.function import Polynomial
from ...model.pose import Vector3
from ..source import Source
from .ellipsoid import ellipsoid, scapulothoracic
from .laws import IDENTITY_LAW, stretched
from .parts import AxisPart, CoordinatePart, JointPart
from .several import terms_of
from .simple import Simple, X, Y, Z


def _turn(axis: Vector3) -> tuple[bool, Vector3]:
    return False, axis


def _slide(axis: Vector3) -> tuple[bool, Vector3]:
    return True, axis


# by kind: the motion of each coordinate, in the order of the coordinates
_KINDS: dict[str, tuple[tuple[bool, Vector3], ...]] = {
    "WeldJoint": (),
    "PinJoint": (_turn(Z),),
    "SliderJoint": (_slide(X),),
    "UniversalJoint": (_turn(X), _turn(Y)),
    "GimbalJoint": (_turn(X), _turn(Y), _turn(Z)),
    "BallJoint": (_turn(X), _turn(Y), _turn(Z)),
    "PlanarJoint": (_turn(Z), _slide(X), _slide(Y)),
    "FreeJoint": (_turn(X), _turn(Y), _turn(Z), _slide(X), _slide(Y), _slide(Z)),
}
# those that are chains of their own, with the number of their coordinates
_CHAINS = {"EllipsoidJoint": (3, ellipsoid), "ScapulothoracicJoint": (4, scapulothoracic)}
KINDS = (*_KINDS, *_CHAINS, "CustomJoint")


def completed(joint: JointPart, source: Source) -> tuple[CoordinatePart, ...]:
    """Return the coordinates of a joint, those that the file leaves out with OpenSim's names."""
    if joint.kind == "CustomJoint":
        return joint.coordinates
    if joint.kind not in KINDS:
        raise source.error(f"joint {joint.name!r}: lissom does not have a {joint.kind}; it has {', '.join(KINDS)}", joint.line)
    count = _CHAINS[joint.kind][0] if joint.kind in _CHAINS else len(_KINDS[joint.kind])
    if len(joint.coordinates) > count:
        raise source.error(
            f"joint {joint.name!r}: a {joint.kind} has {count} coordinates, not {len(joint.coordinates)}", joint.line
        )
    missing = range(len(joint.coordinates), count)
    return (*joint.coordinates, *(CoordinatePart(f"{joint.name}_coord_{k}", joint.name, joint.line) for k in missing))


def motions(joint: JointPart, source: Source) -> list[Simple]:
    """Return the simple motions from the frame on the parent to that on the child, without those that are always zero."""
    coordinates = completed(joint, source)
    if joint.kind in _CHAINS:
        return _CHAINS[joint.kind][1](joint, [coordinate.name for coordinate in coordinates], source)
    if joint.kind == "CustomJoint":
        found = [simple for axis in joint.axes for simple in _along(axis, joint, source)]
    else:
        pairs = zip(_KINDS[joint.kind], coordinates, strict=True)
        found = [Simple(slides, axis, coordinate.name, IDENTITY_LAW) for (slides, axis), coordinate in pairs]
    moving = [simple for simple in found if simple.law.constant != 0.0]
    for coordinate in coordinates:
        if not any(simple.coordinate == coordinate.name for simple in moving):
            raise source.error(f"coordinate {coordinate.name!r} of {joint.name!r} moves nothing; remove it", coordinate.line)
    # translations may change places: the constant ones come first, where they are no part of a joint
    slides, turns = ([s for s in moving if s.slides is which] for which in (True, False))
    return [*(s for s in slides if s.coordinate is None), *(s for s in slides if s.coordinate is not None), *turns]


def backward(chain: list[Simple]) -> list[Simple]:
    """Return the inverse of a chain."""
    return [Simple(s.slides, s.axis, s.coordinate, stretched(s.law, -1.0)) for s in reversed(chain)]


def _along(axis: AxisPart, joint: JointPart, source: Source) -> list[Simple]:
    what = f"axis {axis.name!r} of joint {joint.name!r}"
    names = [coordinate.name for coordinate in joint.coordinates]
    for name in axis.coordinates:
        if name not in names:
            raise source.error(f"{what} is moved by {name!r}, which its joint does not have; {suggest(name, names)}", axis.line)
    if not any(axis.direction):
        raise source.error(f"{what} has the direction 0 0 0", axis.line)
    slides = axis.name.startswith("translation")
    if axis.function is None:
        if axis.coordinates:
            raise source.error(f"{what} has a coordinate, but no function of it", axis.line)
        return [Simple(slides, axis.direction, None, Polynomial((0.0,)))]
    terms = terms_of(axis.function, axis.coordinates or ("",), what, source)
    if not axis.coordinates and any(law.constant is None for _, law in terms):
        raise source.error(f"{what} is a function of no coordinate that is not constant", axis.line)
    # turns about one axis add up, and so do slides along it
    return [Simple(slides, axis.direction, name if law.constant is None else None, law) for name, law in terms]
