"""Joints of a model: links, frames, kind (`joints/`), limits, friction and drive."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..errors import ModelError
from ..joints.table import SINGLE_DOF as SINGLE_DOF
from ..joints.table import TURNING as TURNING
from ..joints.table import JointKind as JointKind
from .motion import Motion
from .pose import IDENTITY, Pose, Vector3, as_number, as_vector3, expect
from .spring import Spring


@dataclass(frozen=True)
class Limits:
    """Limits of a single-degree-of-freedom joint.

    Attributes:
        lower, upper: position [rad or m].
        velocity: largest speed [rad/s or m/s].
        effort: largest torque or force [N m or N].
    """

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf

    def __post_init__(self) -> None:
        for name in ("lower", "upper", "velocity", "effort"):
            object.__setattr__(self, name, as_number(getattr(self, name), f"limit {name!r}"))
            if math.isnan(getattr(self, name)):
                raise ModelError(f"limit {name!r} is not a number")
        if self.lower > self.upper:
            raise ModelError(f"lower limit {self.lower:g} is above the upper limit {self.upper:g}")
        if self.velocity < 0 or self.effort < 0:
            raise ModelError(f"limits of velocity ({self.velocity:g}) and effort ({self.effort:g}) must not be negative")


@dataclass(frozen=True)
class Friction:
    """Joint friction: `viscous` * qd + `coulomb` * sign(qd), in N m or N, opposing the motion (Khalil 31: Fv, Fs)."""

    viscous: float = 0.0
    coulomb: float = 0.0

    def __post_init__(self) -> None:
        for name in ("viscous", "coulomb"):
            value = as_number(getattr(self, name), f"{name} friction")
            object.__setattr__(self, name, value)
            if not math.isfinite(value) or value < 0:
                raise ModelError(f"{name} friction must be zero or positive, got {value:g}")


@dataclass(frozen=True)
class Coupling:
    """A geared joint: its coordinate is `ratio` times that of the joint named `joint`, plus `offset` (URDF's mimic)."""

    joint: str
    ratio: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        expect(self.joint, str, "the leader of a coupling", "the name of a joint")
        for name in ("ratio", "offset"):
            value = as_number(getattr(self, name), f"{name} of the coupling to joint {self.joint!r}")
            object.__setattr__(self, name, value)
            if not math.isfinite(value):
                raise ModelError(f"{name} of the coupling to joint {self.joint!r} must be finite, got {value:g}")


@dataclass(frozen=True)
class Joint:
    """A joint between two links.

    The pose of the child link's frame in the parent link's frame is `origin` . motion(q) . `tail`. In URDF and modified
    Denavit-Hartenberg tables the tail is the identity; in standard tables it is the part after the motion.

    Attributes:
        name: unique in the model.
        kind: see JointKind.
        parent, child: names of links.
        origin: pose of the joint frame in the parent link's frame.
        axis: unit vector in the joint frame; unused by spherical and floating joints, refused by custom ones, whose motion has
            its own axes.
        tail: pose of the child link's frame in the moved joint frame.
        limits, friction: see `Limits` and `Friction`.
        rotor_inertia: inertia of the drive reflected to the joint [kg m^2 or kg] (Khalil 31: Ia; MuJoCo: armature).
        coupling: set if the joint follows another.
        spring: set if the joint is elastic.
        pitch: of a helical joint, translation per radian of rotation [m/rad].
        second_axis: of a universal joint, unit vector perpendicular to `axis`, moved by the first rotation.
        motion: of a custom joint, its translations and rotations as functions of the coordinate.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Pose = IDENTITY
    axis: Vector3 = (0.0, 0.0, 1.0)
    tail: Pose = IDENTITY
    limits: Limits = field(default_factory=Limits)
    friction: Friction = field(default_factory=Friction)
    rotor_inertia: float = 0.0
    coupling: Coupling | None = None
    spring: Spring | None = None
    pitch: float | None = None
    second_axis: Vector3 | None = None
    motion: Motion | None = None
    _later = (
        "spring",
        "pitch",
        "second_axis",
        "motion",
    )  # left out of the fingerprint of a joint without them, which stays as before

    def __post_init__(self) -> None:
        where = f"joint {self.name!r}: "
        object.__setattr__(self, "kind", JointKind.parse(self.kind))
        self._check_types(where)
        object.__setattr__(self, "axis", _unit(self.axis, where, "axis"))
        if self.second_axis is not None:
            object.__setattr__(self, "second_axis", _unit(self.second_axis, where, "second axis"))
        if self.pitch is not None:
            object.__setattr__(self, "pitch", as_number(self.pitch, where + "pitch"))
        rotor = as_number(self.rotor_inertia, where + "rotor inertia")
        object.__setattr__(self, "rotor_inertia", rotor)
        if not math.isfinite(rotor) or rotor < 0:
            raise ModelError(where + f"rotor inertia must be zero or positive, got {rotor:g}")
        if self.parent == self.child:
            raise ModelError(where + f"its parent and its child are the same link {self.parent!r}")
        single = self.kind in SINGLE_DOF
        if not single and self.coupling is not None:
            raise ModelError(where + f"only joints of one coordinate can be coupled, not {self.kind.value} ones")
        if not single and (rotor or self.friction != Friction()):
            raise ModelError(where + f"friction and rotor inertia belong to single-axis joints, not to a {self.kind.value} one")
        if not single and self.spring is not None:
            raise ModelError(where + f"only joints of one coordinate can have a spring, not {self.kind.value} ones")
        if self.spring is not None:
            object.__setattr__(self, "spring", self.spring.checked(where))
        for kind in JointKind:
            for name in kind.traits.own:
                if getattr(self, name) is not None and name not in self.kind.traits.own:
                    raise ModelError(where + f"{name!r} belongs to a {kind.value} joint, not to a {self.kind.value} one")
        problem = self.kind.traits.check(self)
        if problem is not None:
            raise ModelError(where + problem)

    @property
    def unit(self) -> str:
        """Unit of the coordinate of a joint of one coordinate, "rad" or "m"."""
        return self.kind.traits.units_of(self)[0]

    def __repr__(self) -> str:
        more = "" if self.coupling is None else f", follows {self.coupling.joint!r}"
        more += "" if self.spring is None else ", on a spring"
        return f"<Joint {self.name!r}: {self.kind.value}, from {self.parent!r} to {self.child!r}{more}>"

    def _check_types(self, where: str) -> None:
        for name in ("parent", "child"):
            expect(getattr(self, name), str, where + name, "the name of a link")
        for name in ("origin", "tail"):
            expect(getattr(self, name), Pose, where + name, "a Pose(rotation, translation)")
        expect(self.limits, Limits, where + "limits", "Limits(lower, upper, velocity, effort)")
        expect(self.friction, Friction, where + "friction", "Friction(viscous, coulomb)")
        if self.coupling is not None:
            expect(self.coupling, Coupling, where + "coupling", "Coupling(joint, ratio, offset) or None")
        if self.spring is not None:
            expect(self.spring, Spring, where + "spring", "Spring(stiffness, rest, damping) or None")
        if self.motion is not None:
            expect(self.motion, Motion, where + "motion", "Motion(translations, rotations, unit) or None")


def _unit(vector: object, where: str, what: str) -> Vector3:
    x, y, z = axis = as_vector3(vector, where + what)
    norm = math.sqrt(x * x + y * y + z * z)
    if norm < 1e-12:
        raise ModelError(where + f"its {what} has zero length")
    if math.isinf(norm):
        raise ModelError(where + f"its {what} is too long; give a unit vector")
    # a unit axis is kept to the last bit, so that writing and reading a model is exact
    return axis if abs(norm - 1.0) < 1e-15 else (x / norm, y / norm, z / norm)
