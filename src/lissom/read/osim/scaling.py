"""Parts of an OpenSim model, larger or smaller: what a factor for each body and axis makes of them, as OpenSim 4.6 has it.

Places in a frame scale by the factors of the body that carries it, along the frame's own axes. Translations of custom joints
scale by the parent's factors, weighted by the sizes of the entries of their axis; those that are a coordinate itself stay. Masses
go by the product of the factors. Inertias, where the factors differ, are those of a cylinder about the axis of the least moment.
Muscles keep their numbers here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ...model.pose import Matrix3, Pose, Vector3
from ..source import Source
from .frames import body_axes
from .parts import (
    AxisPart,
    BodyPart,
    CouplerPart,
    FramePart,
    FunctionPart,
    JointPart,
    MusclePart,
    OsimParts,
    PathPointPart,
    WrapPart,
)

ONE: Vector3 = (1.0, 1.0, 1.0)
Factors = Mapping[str, Vector3]


def scaled_parts(
    parts: OsimParts, factors: Factors, kinds: Mapping[str, str], source: Source, keep_masses: bool = False
) -> OsimParts:
    """Return the parts with all lengths times the factors.

    Args:
        parts: of a model.
        factors: for x, y and z, by names of bodies, "ground" too; bodies without stay as they are.
        kinds: of the coordinates: "translational" are lengths.
        source: for errors.
        keep_masses: whether masses stay as they are; inertias follow the lengths all the same.
    """

    def of(frame: str) -> Vector3:
        return factors.get(parts.seat(frame)[0], ONE)

    above = {coordinate.name: of(joint.parent) for joint in parts.joints for coordinate in joint.coordinates}

    def coupler(part: CouplerPart) -> CouplerPart:
        if kinds.get(part.follower) != "translational":
            return part
        x, y, z = above[part.follower]
        if not x == y == z:
            raise source.error(
                f"{part.name!r} couples {part.follower!r}, a length, whose joint stands on a body with different factors {x:g}, "
                f"{y:g}, {z:g}: like OpenSim, lissom scales it where they are equal",
                part.line,
            )
        return replace(part, scale=part.scale * x)

    return replace(
        parts,
        bodies=tuple(_body(body, of(body.path), keep_masses) for body in parts.bodies),
        frames={path: _frame(frame, of(frame.parent)) for path, frame in parts.frames.items()},
        joints=tuple(_joint(joint, of(joint.parent), of(joint.child)) for joint in parts.joints),
        couplers=tuple(map(coupler, parts.couplers)),
        markers=tuple(replace(m, location=_times(m.location, of(m.frame))) for m in parts.markers),
        wraps=tuple(_wrap(wrap, of(wrap.frame)) for wrap in parts.wraps),
        muscles=tuple(_path(muscle, of) for muscle in parts.muscles),
    )


def with_mass(parts: OsimParts, mass: float) -> OsimParts:
    """Return the parts with a sum of masses [kg], the shares of the bodies as before."""
    factor = mass / sum(body.mass for body in parts.bodies)
    return replace(
        parts,
        bodies=tuple(replace(b, mass=factor * b.mass, inertia=_matrix(factor * np.array(b.inertia))) for b in parts.bodies),
    )


def _times(place: tuple[float, ...], factors: Vector3) -> Vector3:
    x, y, z = (p * f for p, f in zip(place, factors, strict=True))
    return (x, y, z)


def _matrix(I: np.ndarray) -> Matrix3:
    return tuple(tuple(float(x) for x in row) for row in I)  # type: ignore[return-value]


def _body(body: BodyPart, factors: Vector3, keep_masses: bool) -> BodyPart:
    f = np.array(factors)
    mass = body.mass if keep_masses else body.mass * float(f.prod())
    grown = 1.0 if keep_masses else float(f.prod())
    I = np.array(body.inertia)
    if mass <= np.finfo(float).eps:
        I = 0.0 * I
    elif np.isclose(f[:2], f[1:], rtol=1e-14, atol=0.0).all():
        I = I * (grown * f[0] ** 2)
    else:
        axis = int(np.argmin(np.diag(I)))
        across = [k for k in range(3) if k != axis]
        square = max(2 * I[axis, axis] / body.mass, 0.0)  # of the cylinder's radius
        length = max(12 * (I[across[0], across[0]] / body.mass - 0.25 * square), 0.0)  # squared
        square, length = square * f[across].prod(), length * f[axis] ** 2
        I = I * np.outer(f, f) * grown
        I[across, across] = mass * (length / 12 + 0.25 * square)
        I[axis, axis] = 0.5 * mass * square
    return replace(body, mass=mass, com=_times(body.com, factors), inertia=_matrix(I))


def _frame(frame: FramePart, factors: Vector3) -> FramePart:
    return replace(frame, pose=Pose(frame.pose.R, _times(tuple(frame.pose.translation), factors)))


def _stretched(function: FunctionPart, factor: float) -> FunctionPart:
    return FunctionPart("MultiplierFunction", function.line, (factor,), (), function)


def _along(direction: Vector3, factors: Vector3) -> float:
    return float(np.abs(direction) @ np.array(factors))


def _joint(joint: JointPart, factors: Vector3, child: Vector3) -> JointPart:
    def axis(part: AxisPart) -> AxisPart:
        function = part.function
        if not part.name.startswith("translation") or function is None:
            return part
        if function.kind == "LinearFunction" and function.values[:2] == (1.0, 0.0):
            return part
        return replace(part, function=_stretched(function, _along(part.direction, factors)))

    by = {name: child if name.endswith("axis_origin") else factors for name in joint.sizes if not name.endswith("direction")}
    sizes = {name: tuple(x * f for x, f in zip(joint.sizes[name], own, strict=False)) for name, own in by.items()}
    return replace(joint, axes=tuple(map(axis, joint.axes)), sizes={**joint.sizes, **sizes})


def _wrap(wrap: WrapPart, factors: Vector3) -> WrapPart:
    R = np.array(body_axes(wrap.angles, (0.0, 0.0, 0.0)).R)
    x, y, z = (float(np.linalg.norm(R[:, k] * np.array(factors))) for k in range(3))  # along the object's own axes
    by = {
        "radius": (sum(factors) / 3,) if wrap.kind == "WrapSphere" else (0.5 * (x + y),),
        "length": (z,),
        "dimensions": (x, y, z),
        "inner_radius": (0.5 * (x + y),),
        "outer_radius": (0.5 * (x + y),),
    }
    sizes = {name: tuple(a * b for a, b in zip(size, by[name], strict=True)) for name, size in wrap.sizes.items()}
    return replace(wrap, translation=_times(wrap.translation, factors), sizes=sizes)


def _path(muscle: MusclePart, of: Callable[[str], Vector3]) -> MusclePart:
    def point(part: PathPointPart) -> PathPointPart:
        factors = of(part.frame)
        moving = part.moving
        if moving is not None:
            moving = tuple(None if x is None else (x[0], _stretched(x[1], f)) for x, f in zip(moving, factors, strict=True))
        return replace(part, location=_times(part.location, factors), moving=moving)

    return replace(muscle, points=tuple(map(point, muscle.points)))
