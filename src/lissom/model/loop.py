"""Loops: cut joints, which close a tree of links into loops.

In a tree every link has one parent. Each further joint of a mechanism is cut: two frames, one on each of its links, mark its
place, and the closure states how the two have to meet (Khalil 2010, section 2.2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ModelError, NameLookupError, suggest
from .joint import SINGLE_DOF, JointKind
from .pose import IDENTITY, Pose, Vector3, as_number, as_vector3, expect

if TYPE_CHECKING:
    from .model import Model

MOST = 100  # loops of a robot: closing more takes minutes
FAR = 1e6  # [rad or m] of a posture: larger angles lose the digits needed to close loops


class LoopKind(str, Enum):
    """Kind of a cut joint: the motion of its second link relative to its first."""

    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    SPHERICAL = "spherical"
    UNIVERSAL = "universal"
    RIGID = "rigid"

    @classmethod
    def parse(cls, text: object) -> LoopKind:
        """Return the kind named `text`, or raise a ModelError that lists the kinds."""
        try:
            return cls(text)
        except ValueError:
            raise ModelError(f"unknown kind of loop {text!r}; {suggest(str(text), [k.value for k in cls])}") from None


@dataclass(frozen=True)
class Loop:
    """A cut joint between two links.

    Attributes:
        name: unique among loops and joints.
        kind: see LoopKind. revolute: origins meet, axes are parallel; prismatic: axes are collinear, no relative rotation;
            spherical: origins meet; universal: origins meet, the axes of the two links are perpendicular; rigid: the frames
            coincide.
        first, second: names of links; may be the base.
        first_pose, second_pose: frames of the cut joint in the frames of these links.
        axis: unit vector in the frame of the cut joint, on the first link; on the second too, except for universal joints.
        second_axis: of a universal joint, on the second link.
    """

    name: str
    kind: LoopKind
    first: str
    second: str
    first_pose: Pose = IDENTITY
    second_pose: Pose = IDENTITY
    axis: Vector3 = (0.0, 0.0, 1.0)
    second_axis: Vector3 = (1.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        expect(self.name, str, "the name of a loop", "text")
        if not self.name.strip():
            raise ModelError("a loop has no name")
        where = f"loop {self.name!r}: "
        object.__setattr__(self, "kind", LoopKind.parse(self.kind))
        for name in ("first", "second"):
            expect(getattr(self, name), str, where + name, "the name of a link")
            expect(getattr(self, name + "_pose"), Pose, where + name + "_pose", "a Pose(rotation, translation)")
        for name in ("axis", "second_axis"):
            axis = as_vector3(getattr(self, name), where + name)
            norm = math.sqrt(sum(x * x for x in axis))
            if not 1e-12 < norm < math.inf:
                raise ModelError(where + f"its {name} has zero length: {list(axis)}")
            object.__setattr__(self, name, axis if abs(norm - 1.0) < 1e-15 else tuple(x / norm for x in axis))
        if self.first == self.second:
            raise ModelError(where + f"it connects link {self.first!r} to itself; expected two different links")

    def __repr__(self) -> str:
        return f"<Loop {self.name!r}: {self.kind.value}, between {self.first!r} and {self.second!r}>"

    @property
    def reach(self) -> float:
        """Length of the longer of its arms [m]."""
        return float(max(np.linalg.norm(self.first_pose.p), np.linalg.norm(self.second_pose.p)))


def check_loops(loops: tuple[Loop, ...], active: tuple[str, ...] | None, model: Model) -> None:
    """Raise ModelError or NameLookupError if loops or active joints do not fit the links and joints of a model."""
    if len(loops) > MOST:
        raise ModelError(f"{len(loops)} loops, expected at most {MOST}")
    bodies = _rigid(model)
    taken = {joint.name: "joint" for joint in model.joints}
    for loop in loops:
        if loop.name in taken:
            raise ModelError(f"a {taken[loop.name]} and a loop are both called {loop.name!r}; names must be unique")
        taken[loop.name] = "loop"
        for role, link in (("first", loop.first), ("second", loop.second)):
            if link not in bodies:
                raise NameLookupError("link", link, bodies, f" ({role} link of loop {loop.name!r})")
        if bodies[loop.first] == bodies[loop.second]:
            raise ModelError(
                f"loop {loop.name!r} connects links {loop.first!r} and {loop.second!r}, which are one body (connected by fixed "
                "joints) and cannot move relative to each other; leave the loop out"
            )
    if active is None:
        return
    if not loops:
        raise ModelError("active joints are for closed robots, and the model has no loops; leave `active` out")
    own = {joint.name: joint for joint in model.independent_joints}
    for name in active:
        if name not in own:
            raise NameLookupError("joint", name, own, f" with its own coordinates in {model.name!r} (named as active)")
        if own[name].kind not in SINGLE_DOF:
            raise ModelError(
                f"active joint {name!r} is {own[name].kind.value}; only joints of one axis can be active. Leave it out: if it "
                "is free, it is a coordinate without being named"
            )
    repeated = [name for name in active if active.count(name) > 1]
    if repeated:
        raise ModelError(f"joint {repeated[0]!r} is active twice; name each once")


def checked_posture(posture: object, model: Model) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return a posture, given as {joint: coordinates} or as pairs, as pairs of names and tuples; check it."""
    pairs = posture.items() if isinstance(posture, Mapping) else posture
    own = {joint.name: joint.kind.nq for joint in model.independent_joints}
    found = []
    for name, values in pairs:  # type: ignore[attr-defined]
        if name not in own:
            raise NameLookupError("joint", str(name), own, f" with its own coordinates in {model.name!r} (named in the posture)")
        numbers = tuple(
            as_number(x, f"posture of joint {name!r}") for x in (values if isinstance(values, Iterable) else [values])
        )
        if len(numbers) != own[name] or not all(map(math.isfinite, numbers)):
            size = f"{own[name]} finite number" + ("s" if own[name] != 1 else "")
            raise ModelError(f"the posture of joint {name!r} must be {size}, got {list(numbers)}")
        if max(map(abs, numbers)) > FAR:
            raise ModelError(f"the posture of joint {name!r} is {list(numbers)} [rad or m], farther than {FAR:g} from zero")
        found.append((name, numbers))
    if found and not model.loops:
        raise ModelError("a posture is for closed robots, and the model has no loops; leave it out")
    return tuple(found)


def checked_tolerance(value: object, model: Model) -> float:
    """Return a closure tolerance [m], checked."""
    number = as_number(value, "closure_tolerance")
    if not 0.0 < number < math.inf:
        raise ModelError(f"closure_tolerance must be a positive length [m], got {number:g}")
    if not model.loops:
        raise ModelError("closure_tolerance is for closed robots, and the model has no loops; leave it out")
    return number


def _rigid(model: Model) -> dict[str, str]:
    """Return for each link the link that represents its body: links connected by fixed joints are one body."""
    body = {model.base: model.base}
    for joint in model.joints:
        body[joint.child] = body[joint.parent] if joint.kind is JointKind.FIXED else joint.child
    return body
