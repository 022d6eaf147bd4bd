"""Motors: rotors that spin on links and drive joints through gears, rigidly or through a spring (Hua 2024, section II)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import ModelError, NameLookupError, suggest
from .joint import SINGLE_DOF, Friction, Joint, JointKind, Limits
from .link import Inertia, Link
from .pose import IDENTITY, Pose, as_number, expect
from .spring import Spring

ROTORS = ("full", "reflected")
SYMMETRY = 1e-9  # relative asymmetry up to which a rotor is round: rounding in a file


@dataclass(frozen=True)
class Motor:
    """A motor that drives a joint through a gear, carried by any link.

    In a rigid drive, the rotor turns about the z axis of the motor's frame by `ratio` times the motion of the joint. An elastic
    drive has a spring between gear and joint: the motor then has its own coordinate theta, the rotor's angle divided by the
    ratio, after the coordinates of all joints, and the torque at the joint is K (theta - q - rest) plus damping (Hua's eqs (28),
    (29)).

    Attributes:
        name: unique among motors and joints; also the name of an elastic drive's coordinate.
        joint: name of the driven joint: revolute, continuous or prismatic.
        link: name of the link that carries it; None for the parent of the joint.
        ratio: rotor angle per joint coordinate [1 or rad/m]; negative for the opposite direction.
        inertia: of the rotor, in the motor's frame: round about z, its center of mass on z. None for a rotor without inertia.
        origin: pose of the motor's frame in the link's frame.
        spring: stiffness [N m/rad or N/m], rest and damping of an elastic drive, at the joint; None for a rigid one.
        friction: of the rotor in its bearings, at the rotor's own speed [N m s/rad, N m].
        limits: of an elastic drive's coordinate theta; the effort is at the joint, like tau: ratio times the shaft's.
        rotor: "full", including the gyroscopic effect of its spin on the link that carries it, or "reflected": the rotor's mass
            is part of the link, and its spin only adds the inertia ratio^2 Izz along the coordinate.
    """

    name: str
    joint: str
    link: str | None = None
    ratio: float = 1.0
    inertia: Inertia | None = None
    origin: Pose = IDENTITY
    spring: Spring | None = None
    friction: Friction = field(default_factory=Friction)
    limits: Limits = field(default_factory=Limits)
    rotor: str = "full"

    def __post_init__(self) -> None:
        expect(self.name, str, "the name of a motor", "text")
        if not self.name.strip():
            raise ModelError("a motor has no name")
        where = f"motor {self.name!r}: "
        expect(self.joint, str, where + "joint", "the name of the driven joint")
        if self.link is not None:
            expect(self.link, str, where + "link", "the name of the link that carries it, or None for the joint's parent")
        expect(self.origin, Pose, where + "origin", "a Pose(rotation, translation)")
        expect(self.friction, Friction, where + "friction", "Friction(viscous, coulomb)")
        expect(self.limits, Limits, where + "limits", "Limits(lower, upper, velocity, effort)")
        ratio = as_number(self.ratio, where + "gear ratio")
        object.__setattr__(self, "ratio", ratio)
        if not math.isfinite(ratio):
            raise ModelError(where + f"gear ratio must be finite, got {ratio:g}")
        if self.rotor not in ROTORS:
            raise ModelError(
                where + f"rotor must be 'full' or 'reflected', got {self.rotor!r}; {suggest(str(self.rotor), ROTORS)}"
            )
        if self.inertia is not None:
            expect(self.inertia, Inertia, where + "inertia", "Inertia(mass, com, tensor) or None")
            _check_round(self.inertia, where)
        if not math.isfinite(ratio * (ratio * max(self.spin_inertia, 1.0))):
            raise ModelError(
                where + f"gear ratio {ratio:g} is too large: its square multiplies the rotor's inertia; check the units"
            )
        if self.spring is not None:
            expect(self.spring, Spring, where + "spring", "Spring(stiffness, rest, damping) or None")
            object.__setattr__(self, "spring", self.spring.checked(where))
            if ratio == 0.0:
                raise ModelError(
                    where + "gear ratio is 0, but an elastic drive needs another: its rotor would have no coordinate; leave the "
                    "motor out, or give the joint itself a spring"
                )
            if self.spin_inertia <= 0.0:
                raise ModelError(
                    where
                    + "an elastic drive needs a rotor with inertia about its axis, or any torque would accelerate it without "
                    "limit; give 'inertia', or give the joint itself a spring"
                )
        elif self.limits != Limits():
            raise ModelError(where + f"a rigid drive has no coordinate; give its limits to joint {self.joint!r}")

    def __repr__(self) -> str:
        drive = "through a spring" if self.elastic else "rigidly"
        return f"<Motor {self.name!r}: drives {self.joint!r} {drive}, ratio {self.ratio:.6g}>"

    @property
    def elastic(self) -> bool:
        """Whether there is a spring between gear and joint."""
        return self.spring is not None

    @property
    def spin_inertia(self) -> float:
        """Inertia of the rotor about its axis [kg m^2]."""
        return 0.0 if self.inertia is None else self.inertia.tensor[2][2]

    @property
    def reflected_inertia(self) -> float:
        """Rotor inertia reflected to the joint: ratio^2 times `spin_inertia` [kg m^2 or kg]."""
        return self.ratio**2 * self.spin_inertia


def _check_round(inertia: Inertia, where: str) -> None:
    x, y, _ = inertia.com
    if x or y:
        raise ModelError(
            where + f"the rotor's center of mass must lie on its axis, the z axis of its frame, got x = {x:g}, y = {y:g}"
        )
    I = np.array(inertia.tensor)
    size = np.abs(I).max()
    if abs(I[0, 0] - I[1, 1]) > SYMMETRY * size:
        raise ModelError(
            where
            + f"the rotor is not round about its axis: Ixx = {I[0, 0]:g} and Iyy = {I[1, 1]:g} kg m^2, expected Ixx = Iyy; model "
            "an unbalanced rotor as a link with a joint that is coupled to the driven one"
        )
    if max(abs(I[0, 1]), abs(I[0, 2]), abs(I[1, 2])) > SYMMETRY * size:
        raise ModelError(
            where + "the rotor's axis is not a principal axis: its products of inertia must be zero in the motor's frame"
        )
    if I[2, 2] < 0:
        raise ModelError(where + f"the rotor's inertia about its axis must not be negative, got {I[2, 2]:g} kg m^2")


def check_motors(motors: Sequence[Motor], joints: Mapping[str, Joint], links: Mapping[str, Link]) -> tuple[Motor, ...]:
    """Return the motors with their links filled in; unknown names and joints with two motors are errors."""
    seen: dict[str, Motor] = {}
    drives: dict[str, Motor] = {}
    found = []
    for motor in motors:
        if motor.name in seen:
            raise ModelError(f"two motors are called {motor.name!r}; names must be unique")
        if motor.name in joints:
            raise ModelError(f"motor {motor.name!r} has the name of a joint; names must be unique")
        if motor.joint not in joints:
            raise NameLookupError("joint", motor.joint, joints, f" (motor {motor.name!r} drives it)")
        joint = joints[motor.joint]
        if joint.kind not in SINGLE_DOF:
            raise ModelError(
                f"motor {motor.name!r} drives joint {joint.name!r}, which is {joint.kind.value}; "
                "only joints of one coordinate have motors"
            )
        if joint.name in drives:
            raise ModelError(
                f"motors {drives[joint.name].name!r} and {motor.name!r} both drive joint {joint.name!r}; a joint has one motor"
            )
        if motor.link is None:
            motor = replace(motor, link=joint.parent)
        elif motor.link not in links:
            raise NameLookupError("link", motor.link, links, f" (it carries motor {motor.name!r})")
        seen[motor.name] = drives[joint.name] = motor
        found.append(motor)
    return tuple(found)


def shaft(motor: Motor, driven: Joint) -> Joint:
    """Return the joint for the coordinate of an elastic drive: revolute, or prismatic if the driven joint's unit is m."""
    assert motor.link is not None
    kind = JointKind.PRISMATIC if driven.unit == "m" else JointKind.REVOLUTE
    if kind is JointKind.REVOLUTE and motor.limits.lower == -math.inf and motor.limits.upper == math.inf:
        kind = JointKind.CONTINUOUS
    return Joint(motor.name, kind, motor.link, f"rotor of {motor.name}", motor.origin, limits=motor.limits)
