"""Muscles of OpenSim's models: Thelen2003Muscle, Millard2012EquilibriumMuscle and DeGrooteFregly2016Muscle, with their own
curves.

What the file does not say has OpenSim 4's default. Points in frames become points of bodies; those that move by, or depend on,
a coordinate that follows another one do so by the leader; where a coordinate is locked, its value counts. Muscles that are
switched off and other forces along paths (ligaments, springs, actuators) are left out, with a doubt that names them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from ..doubts import doubt
from ..errors import suggest
from ..model.pose import Pose
from ..osim.model import OsimModel, read
from ..read.osim.frames import body_axes
from ..read.osim.laws import after, law_of, line
from ..read.osim.parts import MusclePart, PathPointPart, PathWrapPart, WrapPart
from ..read.source import Source
from .degroote import DeGrooteFregly
from .growth import grown, ratios_of
from .millard import Millard
from .muscle import Curves, Muscle
from .muscles import Muscles
from .path import Moving, Path, Point, Surface, When, Wrap
from .thelen import Thelen

_SIZES = {
    "WrapSphere": ("radius",),
    "WrapCylinder": ("radius", "length"),
    "WrapEllipsoid": ("dimensions",),
    "WrapTorus": ("inner_radius", "outer_radius"),
}


def read_muscles(model: OsimModel | str | os.PathLike[str]) -> Muscles:
    """Return the muscles of an OpenSim model, on the robot of `lissom.load`.

    Args:
        model: from `lissom.osim.read`, or the path of an .osim file.

    Raises:
        FileError: a muscle is of another class, or refers to something that the file does not have; with the line.
    """
    given = model if isinstance(model, OsimModel) else read(model)
    reader = _Reader(given)
    found = [muscle for part in given.parts.muscles if (muscle := reader.muscle(part)) is not None]
    muscles = Muscles(given.robot, found)
    return muscles if given.unscaled is None or not found else grown(muscles, given, read_muscles(given.unscaled))


def path_ratios(model: OsimModel) -> dict[str, float]:
    """Return how many times longer the paths of a scaled model's muscles, ligaments and springs are than before, by their names.

    By these OpenSim lengthens fibers, tendons and springs at rest; `lissom.osim.write` takes them.

    Args:
        model: from `lissom.osim.scale`; each path of one that was not scaled has the ratio one.
    """
    if model.unscaled is None or not model.parts.muscles:
        return {part.name: 1.0 for part in model.parts.muscles}
    now, before = (
        Muscles(given.robot, [Muscle(part.name, reader.path(part), 1.0, 1.0, 1.0) for part in given.parts.muscles])
        for given in (model, model.unscaled)
        for reader in (_Reader(given),)
    )
    earlier = path_ratios(model.unscaled)
    return {name: float(ratio) * earlier[name] for name, ratio in zip(now.names, ratios_of(now, model, before), strict=True)}


class _Reader:
    def __init__(self, model: OsimModel) -> None:
        self.model, self.source = model, Source(model.path)

    def muscle(self, part: MusclePart) -> Muscle | None:
        if not part.acts:
            doubt(f"muscle {part.name!r} (line {part.line}) is switched off and left out", stacklevel=4)
            return None
        if part.kind not in _CURVES:
            if part.kind.startswith(("PathActuator", "Ligament", "PathSpring", "Blankevoort")):
                doubt(f"{part.kind} {part.name!r} (line {part.line}) is no muscle and left out", stacklevel=4)
                return None
            known = ", ".join(_CURVES)
            raise self.source.error(f"muscle {part.name!r} is a {part.kind}; lissom has {known}", part.line)
        numbers = part.numbers
        rise, fall = _TIMES[part.kind]
        self.curves_can_be(part)
        with self.source.at(part.line):
            return Muscle(
                part.name,
                self.path(part),
                numbers.get("max_isometric_force", 1000.0),
                numbers.get("optimal_fiber_length", 0.1),
                numbers.get("tendon_slack_length", 0.2),
                numbers.get("pennation_angle_at_optimal", numbers.get("pennation_angle", 0.0)),
                numbers.get("max_contraction_velocity", 10.0),
                _CURVES[part.kind](part),
                numbers.get("activation_time_constant", rise),
                numbers.get("deactivation_time_constant", fall),
            )

    def path(self, part: MusclePart) -> Path:
        return Path(tuple(map(self.point, part.points)), tuple(self.wrap(x) for x in part.wraps if self.found(x).active))

    def curves_can_be(self, part: MusclePart) -> None:
        """Refuse numbers with which a curve divides by zero or rises where it must fall."""
        every = {"": part.numbers, **part.curves}
        for curve, name, least in _ABOVE:
            value = every.get(curve, {}).get(name)
            if value is not None and not least < value < math.inf:
                what = f"<{name}> of its {curve}" if curve else f"<{name}>"
                raise self.source.error(
                    f"muscle {part.name!r}: {what} is {value:g}, expected a number above {least:g}", part.line
                )

    def point(self, part: PathPointPart) -> Point:
        body, pose = self.model.parts.seat(part.frame)
        when = None
        if part.condition is not None:
            coordinate, (low, high) = part.condition
            when = self.when(coordinate, low, high, part)
        if part.moving is None:
            return Point(body, tuple(pose.R @ part.location + pose.translation), when, part.name)  # type: ignore[arg-type]
        if pose != Pose():
            raise self.source.error(
                f"point {part.name!r} moves in a frame fixed to {body!r}; give it in the body's frame", part.line
            )
        place = tuple(
            x if x is None else self.moving(x[0], law_of(x[1], f"point {part.name!r}", self.source), part) for x in part.moving
        )
        return Point(body, tuple(0.0 if x is None else x for x in place), when, part.name)  # type: ignore[arg-type]

    def moving(self, coordinate: str, law: object, part: PathPointPart) -> float | Moving:
        function: object = law
        if function.constant is not None:  # type: ignore[attr-defined]
            return float(function.constant)  # type: ignore[attr-defined]
        leader, own, value = self.leader(coordinate, part)
        if value is not None:
            return float(law.derivatives(value, 0)[0])  # type: ignore[attr-defined]
        return Moving(leader, law if own is None else after(law, own))  # type: ignore[arg-type]

    def when(self, coordinate: str, low: float, high: float, part: PathPointPart) -> When | None:
        leader, law, value = self.leader(coordinate, part)
        if value is not None:
            if low <= value <= high:
                return None
            raise self.source.error(
                f"point {part.name!r} is never part of its path: {coordinate!r} is locked at {value:g}", part.line
            )
        if law is not None:
            straight = line(law)  # type: ignore[arg-type]
            if straight is None or straight[0] == 0.0:
                raise self.source.error(f"point {part.name!r} depends on {coordinate!r}, which follows by a curve", part.line)
            low, high = sorted((x - straight[1]) / straight[0] for x in (low, high))
        with self.source.at(part.line):
            return When(leader, low, high)

    def leader(self, coordinate: str, part: PathPointPart) -> tuple[str, object | None, float | None]:
        """Return the coordinate that leads another one, the function of it if it follows, and its value if it is locked."""
        known = self.model.coordinates
        if coordinate not in known:
            raise self.source.error(
                f"point {part.name!r} depends on an unknown coordinate {coordinate!r}; {suggest(coordinate, tuple(known))}",
                part.line,
            )
        leader, law = self.model.leader_of(coordinate, f"point {part.name!r}")
        if known[leader].locked:
            at = known[leader].default
            return leader, None, float(at if law is None else law.derivatives(at, 0)[0])
        return leader, law, None

    def found(self, part: PathWrapPart) -> WrapPart:
        name = part.wrap.rsplit("/", 1)[-1]
        same = [wrap for wrap in self.model.parts.wraps if wrap.name == name]
        if "/" in part.wrap and len(same) > 1:
            owner = part.wrap.rstrip("/").split("/")[:-1]
            same = [wrap for wrap in same if wrap.frame.rsplit("/", 1)[-1] in owner] or same
        if len(same) != 1:
            what = "there is none" if not same else f"{len(same)} wrap objects are called so"
            raise self.source.error(f"a path wraps around {part.wrap!r}, but {what}", part.line)
        return same[0]

    def wrap(self, part: PathWrapPart) -> Wrap:
        found = self.found(part)
        body, pose = self.model.parts.seat(found.frame)
        sizes: list[float] = []
        for name in _SIZES[found.kind]:
            if name not in found.sizes:
                raise self.source.error(f"{found.kind} {found.name!r} has no <{name}>", found.line)
            sizes += found.sizes[name]
        side = found.quadrant.lower()
        side = "all" if side == "unassigned" else side if side[:1] in "+-a" else f"+{side}"
        with self.source.at(found.line):
            surface = Surface(
                found.name,
                found.kind.removeprefix("Wrap").lower(),
                body,
                pose @ body_axes(found.angles, found.translation),
                tuple(sizes),
                side,
            )
        first, last = (None if k < 1 else k - 1 for k in part.range)
        return Wrap(surface, first, last, part.method.lower())


def _thelen(part: MusclePart) -> Curves:
    numbers, own = part.numbers, Thelen()
    return Thelen(
        numbers.get("KshapeActive", own.width),
        numbers.get("KshapePassive", own.passive_shape),
        numbers.get("FmaxMuscleStrain", own.passive_strain),
        numbers.get("Af", own.curvature),
        numbers.get("Flen", own.lengthening),
        numbers.get("FmaxTendonStrain", own.tendon_strain),
    )


def _degroote(part: MusclePart) -> Curves:
    numbers = part.numbers
    return DeGrooteFregly(
        numbers.get("active_force_width_scale", 1.0),
        numbers.get("passive_fiber_strain_at_one_norm_force", 0.6),
        numbers.get("tendon_strain_at_one_norm_force", 0.049),
        numbers.get("fiber_damping", 0.0),
    )


def _millard(part: MusclePart) -> Curves:
    own = Millard()
    damping = part.numbers.get("fiber_damping", own.damping)

    def curve(name: str) -> Mapping[str, float]:
        return {key: value for key, value in part.curves.get(name, {}).items() if not math.isnan(value)}

    active, passive = curve("ActiveForceLengthCurve"), curve("FiberForceLengthCurve")
    velocity, tendon = curve("ForceVelocityCurve"), curve("TendonForceLengthCurve")
    return Millard(
        lengths=(
            active.get("min_norm_active_fiber_length", own.lengths[0]),
            active.get("transition_norm_fiber_length", own.lengths[1]),
            active.get("max_norm_active_fiber_length", own.lengths[2]),
        ),
        shallow=active.get("shallow_ascending_slope", own.shallow),
        # OpenSim sets it to zero where the fiber is damped
        least=0.0 if damping > 0 else active.get("minimum_value", own.least),
        passive_strain=passive.get("strain_at_one_norm_force", own.passive_strain),
        passive_start=passive.get("strain_at_zero_force", own.passive_start),
        passive_foot=passive.get("stiffness_at_low_force", own.passive_foot),
        passive_stiffness=passive.get("stiffness_at_one_norm_force"),
        passive_curviness=passive.get("curviness", own.passive_curviness),
        concentric=(
            velocity.get("concentric_slope_at_vmax", own.concentric[0]),
            velocity.get("concentric_slope_near_vmax", own.concentric[1]),
        ),
        isometric=velocity.get("isometric_slope", own.isometric),
        eccentric=(
            velocity.get("eccentric_slope_at_vmax", own.eccentric[0]),
            velocity.get("eccentric_slope_near_vmax", own.eccentric[1]),
        ),
        lengthening=velocity.get("max_eccentric_velocity_force_multiplier", own.lengthening),
        concentric_curviness=velocity.get("concentric_curviness", own.concentric_curviness),
        eccentric_curviness=velocity.get("eccentric_curviness", own.eccentric_curviness),
        tendon_strain=tendon.get("strain_at_one_norm_force", own.tendon_strain),
        tendon_stiffness=tendon.get("stiffness_at_one_norm_force"),
        tendon_toe=tendon.get("norm_force_at_toe_end", own.tendon_toe),
        tendon_curviness=tendon.get("curviness", own.tendon_curviness),
        damping=damping,
    )


_CURVES = {
    "Thelen2003Muscle": _thelen,
    "Millard2012EquilibriumMuscle": _millard,
    "DeGrooteFregly2016Muscle": _degroote,
}
_ABOVE = (  # of curves, by the class of a curve's own element: numbers, and what they must be above
    ("", "KshapeActive", 0.0),
    ("", "KshapePassive", 0.0),
    ("", "FmaxMuscleStrain", 0.0),
    ("", "FmaxTendonStrain", 0.0),
    ("", "Af", 0.0),
    ("", "Flen", 1.0),
    ("", "active_force_width_scale", 0.0),
    ("", "passive_fiber_strain_at_one_norm_force", 0.0),
    ("", "tendon_strain_at_one_norm_force", 0.0),
    ("FiberForceLengthCurve", "strain_at_one_norm_force", 0.0),
    ("TendonForceLengthCurve", "strain_at_one_norm_force", 0.0),
    ("ForceVelocityCurve", "max_eccentric_velocity_force_multiplier", 1.0),
)
_TIMES = {
    "Thelen2003Muscle": (0.015, 0.050),
    "Millard2012EquilibriumMuscle": (0.010, 0.040),
    "DeGrooteFregly2016Muscle": (0.015, 0.060),
}
