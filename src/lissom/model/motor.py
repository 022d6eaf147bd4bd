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
SYMMETRY = 1e-9  # share of a moment of inertia by which a rotor may fail to be round: rounding in a file


@dataclass(frozen=True)
class Motor:
    """A motor that drives a joint through a gear, carried by any link.

    Its rotor turns about the z axis of the motor's frame by `ratio` times the motion of what it drives. In a rigid drive that is
    the joint itself. An elastic drive has a spring between gear and joint: then the motor has a coordinate of its own, theta,
    the rotor's angle divided by the ratio, after the coordinates of all joints, and the joint gets K (theta - q - rest) plus
    damping (Hua's eqs (28), (29)).

    Attributes:
        name: unique among motors and joints; an elastic drive lends it to its coordinate.
        joint: name of the joint that it drives, revolute, continuous or prismatic.
        link: name of the link that carries it; None for the parent of the joint.
        ratio: turns of the rotor for a turn of the joint [1], or rad/m; negative if it turns the other way.
        inertia: of the rotor, in the motor's frame: round about z, its center of mass on z. None for a rotor without inertia.
        origin: pose of the motor's frame in the link's frame.
        spring: stiffness [N m/rad or N/m], rest and damping of an elastic drive, at the joint; None for a rigid one.
        friction: of the rotor in its bearings, at the rotor's own speed [N m s/rad, N m].
        limits: of an elastic drive's coordinate theta; its effort counts at the joint, as tau does: ratio times the shaft's.
        rotor: "full", with all that its spin does to the link that carries it, or "reflected": the rotor's mass is part of the
            link, and its spin counts as inertia ratio^2 Izz along the coordinate alone.
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
        expect(self.joint, str, where + "joint", "the name of the joint that it drives")
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
            raise ModelError(where + f"gear ratio {ratio:g} is too large: joints feel the rotor ratio^2 times; check the units")
        if self.spring is not None:
            expect(self.spring, Spring, where + "spring", "Spring(stiffness, rest, damping) or None")
            object.__setattr__(self, "spring", self.spring.checked(where))
            if ratio == 0.0:
                raise ModelError(
                    where + "an elastic drive needs a gear ratio other than 0: its rotor would have no coordinate; leave the "
                    "motor out, or give the joint itself a spring"
                )
            if self.spin_inertia <= 0.0:
                raise ModelError(
                    where
                    + "an elastic drive needs a rotor with inertia about its axis, or any torque would accelerate it without "
                    "limit; give 'inertia', or give the joint itself a spring"
                )
        elif self.limits != Limits():
            raise ModelError(where + f"a rigid drive has no coordinate of its own; give its limits to joint {self.joint!r}")

    def __repr__(self) -> str:
        drive = "through a spring" if self.elastic else "rigidly"
        return f"<Motor {self.name!r}: drives {self.joint!r} {drive}, ratio {self.ratio:.6g}>"

    @property
    def elastic(self) -> bool:
        """Whether a spring lies between gear and joint."""
        return self.spring is not None

    @property
    def spin_inertia(self) -> float:
        """Inertia of the rotor about its axis [kg m^2]."""
        return 0.0 if self.inertia is None else self.inertia.tensor[2][2]

    @property
    def reflected_inertia(self) -> float:
        """The same as the joint feels it: ratio^2 times as much [kg m^2 or kg]."""
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
            + f"the rotor is not round about its axis: Ixx = {I[0, 0]:g} and Iyy = {I[1, 1]:g} kg m^2. Link and motor are one "
            "body only if Ixx = Iyy; model an unbalanced rotor as a link with a joint that is coupled to the driven one"
        )
    if max(abs(I[0, 1]), abs(I[0, 2]), abs(I[1, 2])) > SYMMETRY * size:
        raise ModelError(
            where + "the rotor's axis is no principal axis: its products of inertia must be zero in the motor's frame"
        )
    if I[2, 2] < 0:
        raise ModelError(where + f"the rotor's inertia about its axis must not be negative, got {I[2, 2]:g} kg m^2")


def check_motors(motors: Sequence[Motor], joints: Mapping[str, Joint], links: Mapping[str, Link]) -> tuple[Motor, ...]:
    """Return the motors with the links that carry them filled in; names that do not exist and double drives are errors."""
    seen: dict[str, Motor] = {}
    drives: dict[str, Motor] = {}
    found = []
    for motor in motors:
        if motor.name in seen:
            raise ModelError(f"two motors are called {motor.name!r}; names must be unique")
        if motor.name in joints:
            raise ModelError(f"motor {motor.name!r} has the name of a joint; give it another")
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
    """Return the joint that stands for the coordinate of an elastic drive: of the driven one's kind, since theta is reduced."""
    assert motor.link is not None
    kind = JointKind.PRISMATIC if driven.unit == "m" else JointKind.REVOLUTE
    if kind is JointKind.REVOLUTE and motor.limits.lower == -math.inf and motor.limits.upper == math.inf:
        kind = JointKind.CONTINUOUS
    return Joint(motor.name, kind, motor.link, f"rotor of {motor.name}", motor.origin, limits=motor.limits)
