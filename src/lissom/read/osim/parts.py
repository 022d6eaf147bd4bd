"""The parts of an OpenSim model as they stand in the file, with line numbers, before anything is made of them.

Lengths are in m, angles in rad, forces in N. Frames are named by OpenSim's paths: "/ground", "/bodyset/tibia_r",
"/jointset/knee_r/femur_r_offset"; those of files before version 4 are given the paths that OpenSim itself gives them. A part's
`element` is where it was read, for all that is not read here, and for writing (`write/osim.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.pose import ZERO3, Matrix3, Pose, Vector3
from ..xml import Element

GROUND = "/ground"


@dataclass(frozen=True)
class FunctionPart:
    """A function of coordinates: its class in OpenSim, and the numbers that it has.

    Attributes:
        kind: "Constant", "LinearFunction", "SimmSpline", "PiecewiseLinearFunction", "PolynomialFunction", "MultiplierFunction",
            or another name, of which nothing but the element was read.
        line: where it stands.
        values: coefficients as OpenSim orders them (a line: slope, then offset; a polynomial: the highest power first), the value
            of a constant, the scale of a multiplier, the values of a spline.
        at: points of a spline or of a piecewise linear function; dimension and order of a MultivariatePolynomialFunction.
        inner: the function that a multiplier scales.
        element: the element; None for one that was made here.
    """

    kind: str
    line: int
    values: tuple[float, ...] = ()
    at: tuple[float, ...] = ()
    inner: FunctionPart | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class FramePart:
    """A frame at a constant pose (translation in m) in its parent, both named by paths.

    Its translation stands in the property `place` of the element.
    """

    path: str
    parent: str
    pose: Pose
    line: int
    element: Element | None = field(default=None, repr=False, compare=False)
    place: str = "translation"


@dataclass(frozen=True)
class WrapPart:
    """A surface that muscles wrap around, fixed to a body or frame.

    Attributes:
        kind: "WrapSphere", "WrapCylinder", "WrapEllipsoid" or "WrapTorus".
        name: of the object; `frame`: path of the frame that it is fixed to; `line`: where it stands.
        angles: rotations about its own x, then y, then z axis [rad]; `translation` of its origin [m].
        quadrant: "all", or the side that it is active on: "x", "+y", "-z".
        active: whether paths see it.
        sizes: by OpenSim's names [m]: "radius" and "length"; "dimensions" (three); "inner_radius" and "outer_radius".
    """

    kind: str
    name: str
    frame: str
    line: int
    angles: Vector3 = ZERO3
    translation: Vector3 = ZERO3
    quadrant: str = "all"
    active: bool = True
    sizes: dict[str, tuple[float, ...]] = field(default_factory=dict)
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class BodyPart:
    """A body: mass [kg], center of mass [m], inertia about the center of mass [kg m^2]; the ground has none."""

    name: str
    path: str
    line: int
    mass: float = 0.0
    com: Vector3 = ZERO3
    inertia: Matrix3 = (ZERO3, ZERO3, ZERO3)
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class CoordinatePart:
    """A coordinate of a joint, by default 0 [rad or m], with its range if the file gives one.

    Attributes:
        name: of the coordinate; `joint`: of its joint; `line`: where it stands.
        default, default_speed: at the start [rad or m, and per second].
        range: smallest and largest value.
        clamped: whether the range is kept; `locked`: whether it stands still at its default.
        prescribed: whether a function of time drives it.
    """

    name: str
    joint: str
    line: int
    default: float = 0.0
    default_speed: float = 0.0
    range: tuple[float, float] | None = None
    clamped: bool = False
    locked: bool = False
    prescribed: bool = False


@dataclass(frozen=True)
class AxisPart:
    """One of the six axes of a custom joint: its direction, the coordinates and the function that moves along or about it."""

    name: str
    direction: Vector3
    coordinates: tuple[str, ...]
    function: FunctionPart | None
    line: int


@dataclass(frozen=True)
class JointPart:
    """A joint between two frames.

    Attributes:
        kind: OpenSim's class, such as "PinJoint" or "CustomJoint".
        name, line: of the joint.
        parent, child: paths of frames.
        coordinates: in the order of the file.
        axes: of a custom joint: three rotations, then three translations.
        sizes: of a joint on an ellipsoid, by OpenSim's names [m, rad].
    """

    kind: str
    name: str
    line: int
    parent: str
    child: str
    coordinates: tuple[CoordinatePart, ...] = ()
    axes: tuple[AxisPart, ...] = ()
    sizes: dict[str, tuple[float, ...]] = field(default_factory=dict)
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class CouplerPart:
    """A CoordinateCouplerConstraint: the coordinate `follower` is `scale` times a function of the `leaders`."""

    name: str
    line: int
    follower: str
    leaders: tuple[str, ...]
    function: FunctionPart
    scale: float = 1.0
    enforced: bool = True
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class NamedPart:
    """A part of which only its class, name and line are read; `acts`: whether the file has it switched on."""

    kind: str
    name: str
    line: int
    acts: bool = True
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class MarkerPart:
    """A marker at a location [m] in a frame; `fixed` ones are not moved by scaling's marker placing."""

    name: str
    frame: str
    location: Vector3
    fixed: bool
    line: int
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class PathPointPart:
    """A point of a muscle's path, at a location [m] in a frame.

    Attributes:
        name, frame, line: of the point.
        location: unless it moves.
        condition: of a ConditionalPathPoint, its coordinate and the range in which it is part of the path [rad or m].
        moving: of a MovingPathPoint, for x, y and z the coordinate and the function of it; None for a constant entry.
    """

    name: str
    frame: str
    line: int
    location: Vector3 = ZERO3
    condition: tuple[str, tuple[float, float]] | None = None
    moving: tuple[tuple[str, FunctionPart] | None, ...] | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class PathWrapPart:
    """The use of a wrap object by a path: its method, and the first and last point (from 1; -1: any) it may wrap between."""

    name: str
    wrap: str
    method: str
    range: tuple[int, int]
    line: int


@dataclass(frozen=True)
class MusclePart:
    """A muscle, or another force along a path (PathActuator, Ligament, PathSpring).

    Attributes:
        kind: OpenSim's class, such as "Thelen2003Muscle".
        name, line: of the muscle.
        points, wraps: its path.
        numbers: by OpenSim's names, all its own properties that are single numbers, without OpenSim's defaults.
        flags: those that are true or false.
        curves: numbers of its force curves, by the class of the curve ("ActiveForceLengthCurve").
        acts: whether the file has it switched on.
        element: the element, for all that is not read here.
    """

    kind: str
    name: str
    line: int
    points: tuple[PathPointPart, ...]
    wraps: tuple[PathWrapPart, ...] = ()
    numbers: dict[str, float] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    curves: dict[str, dict[str, float]] = field(default_factory=dict)
    acts: bool = True
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class ActuatorPart:
    """A CoordinateActuator: its force is the control times `optimal_force` [N m or N] on one coordinate."""

    name: str
    line: int
    coordinate: str
    optimal_force: float = 1.0
    least: float = float("-inf")
    most: float = float("inf")
    acts: bool = True


@dataclass(frozen=True)
class OsimParts:
    """All parts of a model's file, each kind in the order of the file.

    Attributes:
        name, version: of the model, and of the file's format (30000, 40000, ...).
        gravity: [m/s^2], in the ground's axes.
        frames: offset frames by their paths; bodies and the ground are not among them.
        others: forces of other classes, and `extra`: constraints, contact geometry, controllers, probes and other components.
    """

    name: str
    version: int
    gravity: Vector3
    bodies: tuple[BodyPart, ...]
    frames: dict[str, FramePart]
    joints: tuple[JointPart, ...]
    couplers: tuple[CouplerPart, ...] = ()
    markers: tuple[MarkerPart, ...] = ()
    wraps: tuple[WrapPart, ...] = ()
    muscles: tuple[MusclePart, ...] = ()
    actuators: tuple[ActuatorPart, ...] = ()
    forces: tuple[NamedPart, ...] = ()
    constraints: tuple[NamedPart, ...] = ()
    contacts: tuple[NamedPart, ...] = ()
    extra: tuple[NamedPart, ...] = ()

    @property
    def coordinates(self) -> tuple[CoordinatePart, ...]:
        """The coordinates of all joints, in OpenSim's order."""
        return tuple(coordinate for joint in self.joints for coordinate in joint.coordinates)

    def seat(self, frame: str) -> tuple[str, Pose]:
        """Return the name of the body ("ground" too) that carries a frame, and the frame's pose in it."""
        pose = Pose()
        while frame in self.frames:
            part = self.frames[frame]
            frame, pose = part.parent, part.pose @ pose
        return frame.rsplit("/", 1)[-1], pose
