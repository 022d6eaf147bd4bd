"""Model: the frozen, validated description of a robot.

A model uses the user's frames and names. It never changes; algorithms read a `Tree` made from it (`tree/tree.py`). Parts other
than links and joints (a motor carried by a link, a loop closure between two links) are further tuples beside `links` and
`joints`, which refer to these by name.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..doubts import doubt
from ..errors import ModelError, NameLookupError, suggest
from ..locks import lazy_property
from .check import find_problems
from .coupling import check_couplings
from .elements.element import ForceElement, checked_elements
from .fingerprint import full_text
from .joint import Coupling, Friction, Joint, JointKind, Limits
from .layout import Layout
from .link import Link
from .loop import Loop, check_loops, checked_posture, checked_tolerance
from .motor import ROTORS, Motor, check_motors, shaft
from .pose import Vector3, as_vector3, expect
from .shape import Shape
from .show import chain, model_html, parts_of

EARTH: Vector3 = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Model:
    """A tree of links and joints.

    Attributes:
        name: for reports and messages.
        links: in any order; exactly one is not the child of a joint: the base.
        joints: in the order of their coordinates, parents before children (sorted by the constructor, which keeps the given order
            among the joints of one link).
        gravity: gravitational acceleration in the base frame [m/s^2].
        motors: motors of joints; those of elastic drives have their own coordinates, after those of all joints.
        loops: cut joints, which close the tree into loops.
        active: names of the active joints of a closed robot; all others are passive. None: not given.
        posture: (joint, coordinates) near which the loops close; other joints start at zero.
        closure_tolerance: largest closure error of loops with rounded lengths [m; angles times the length of the robot]. None:
            they close to rounding.
        force_elements: forces between points of links, such as PointSpring.
        shapes: forms of links, to draw them. The motion does not depend on them: models that differ only in shapes are equal, and
            have the same fingerprint.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    gravity: Vector3 = EARTH
    motors: tuple[Motor, ...] = ()
    loops: tuple[Loop, ...] = ()
    active: tuple[str, ...] | None = None
    posture: tuple[tuple[str, tuple[float, ...]], ...] = ()
    closure_tolerance: float | None = None
    force_elements: tuple[ForceElement, ...] = ()
    shapes: tuple[Shape, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        expect(self.name, str, "the name of a model", "text")
        if not self.name.strip():
            raise ModelError("a model has no name")
        object.__setattr__(self, "links", _all_of(Link, self.links, "links"))
        object.__setattr__(self, "joints", _all_of(Joint, self.joints, "joints"))
        object.__setattr__(self, "gravity", as_vector3(self.gravity, "gravity"))
        _check_names("link", [link.name for link in self.links])
        _check_names("joint", [joint.name for joint in self.joints])
        object.__setattr__(self, "joints", _depth_first(self.links, self.joints))
        check_couplings(self.joints)
        motors = _all_of(Motor, self.motors, "motors")
        object.__setattr__(self, "motors", check_motors(motors, self._joints, self._links))
        object.__setattr__(self, "loops", _all_of(Loop, self.loops, "loops"))
        if self.active is not None:
            if isinstance(self.active, str):
                raise ModelError(f"active joints must be a list of names, got the text {self.active!r}; write [{self.active!r}]")
            object.__setattr__(self, "active", _all_of(str, self.active, "active joints"))
        check_loops(self.loops, self.active, self)
        object.__setattr__(self, "posture", checked_posture(self.posture, self))
        if self.closure_tolerance is not None:
            object.__setattr__(self, "closure_tolerance", checked_tolerance(self.closure_tolerance, self))
        object.__setattr__(self, "force_elements", checked_elements(self.force_elements, self._links))
        object.__setattr__(self, "shapes", _all_of(Shape, self.shapes, "shapes"))
        for shape in self.shapes:
            if shape.link not in self._links:
                raise NameLookupError("link", shape.link, self._links, f" (of a shape, {shape.geometry.kind} {shape.name!r})")
        problems = find_problems(self)
        for problem in problems:
            if problem.fatal:
                raise ModelError(f"model {self.name!r}: {problem.text}")
        for problem in problems:
            doubt(f"model {self.name!r}: {problem.text}", stacklevel=3)

    def _repr_html_(self) -> str:
        return model_html(self)

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {parts_of(self)}, nq = {self.nq}, nv = {self.nv}>"

    @lazy_property
    def base(self) -> str:
        """Name of the base link."""
        children = {joint.child for joint in self.joints}
        return next(link.name for link in self.links if link.name not in children)

    @lazy_property
    def _links(self) -> dict[str, Link]:
        return {link.name: link for link in self.links}

    @lazy_property
    def _joints(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.joints}

    def link(self, name: str) -> Link:
        """Return the link called `name`; a wrong name raises NameLookupError with a suggestion."""
        if name not in self._links:
            raise NameLookupError("link", name, self._links, f" in {self.name!r}")
        return self._links[name]

    def joint(self, name: str) -> Joint:
        """Return the joint called `name`; a wrong name raises NameLookupError with a suggestion."""
        if name not in self._joints:
            raise NameLookupError("joint", name, self._joints, f" in {self.name!r}")
        return self._joints[name]

    @lazy_property
    def independent_joints(self) -> tuple[Joint, ...]:
        """Joints with their own coordinates, in the order of these; the shafts of elastic drives come last."""
        own = (j for j in self.joints if j.kind is not JointKind.FIXED and j.coupling is None)
        return (*own, *(shaft(motor, self._joints[motor.joint]) for motor in self.motors if motor.elastic))

    @lazy_property
    def layout(self) -> Layout:
        """Indices of the coordinates and velocities of the independent joints in q and qd."""
        return Layout.of_joints(self.independent_joints)

    @lazy_property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.layout.nq

    @lazy_property
    def nv(self) -> int:
        """Number of velocities, accelerations and joint torques."""
        return self.layout.nv

    def resolve_coupling(self, joint: Joint) -> Coupling:
        """Return the coupling of `joint` to an independent joint, following chains of couplings."""
        ratio, offset = 1.0, 0.0
        while joint.coupling is not None:
            offset += ratio * joint.coupling.offset
            ratio *= joint.coupling.ratio
            joint = self._joints[joint.coupling.joint]
        return Coupling(joint.name, ratio, offset)

    def replace(self, **changes: object) -> Model:
        """Return a copy with some fields changed, validated again."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def with_joints(self, change: object) -> Model:
        """Return a copy with the function `change` applied to every joint."""
        return self.replace(joints=tuple(change(j) for j in self.joints))  # type: ignore[operator]

    def without_friction(self) -> Model:
        """Return a copy with frictionless joints and motors; springs keep their damping."""
        smooth = self.with_joints(lambda j: dataclasses.replace(j, friction=Friction()))
        return smooth.with_motors(lambda m: dataclasses.replace(m, friction=Friction())) if self.motors else smooth

    def motor(self, name: str) -> Motor:
        """Return the motor called `name`; a wrong name raises NameLookupError with a suggestion."""
        for motor in self.motors:
            if motor.name == name:
                return motor
        raise NameLookupError("motor", name, [motor.name for motor in self.motors], f" in {self.name!r}")

    def with_motors(self, change: object) -> Model:
        """Return a copy with the function `change` applied to every motor; None removes the motor."""
        changed = (change(motor) for motor in self.motors)  # type: ignore[operator]
        return self.replace(motors=tuple(motor for motor in changed if motor is not None))

    def with_rigid_drives(self) -> Model:
        """Return a copy with rigid drives, the limit of stiff springs, without the coordinates of elastic drives."""
        return self.with_motors(lambda motor: dataclasses.replace(motor, spring=None, limits=Limits()))

    def with_rotors(self, rotor: str) -> Model:
        """Return a copy in which the rotors of all motors are "full" or "reflected" (see Motor)."""
        if rotor not in ROTORS:  # also without motors, which would check it
            raise ModelError(f"rotors must be 'full' or 'reflected', got {rotor!r}; {suggest(str(rotor), ROTORS)}")
        return self.with_motors(lambda motor: dataclasses.replace(motor, rotor=rotor)) if self.motors else self

    @lazy_property
    def elastic_motors(self) -> tuple[Motor, ...]:
        """Motors with their own coordinates, in the order of these."""
        return tuple(motor for motor in self.motors if motor.elastic)

    def without_loops(self) -> Model:
        """Return a copy without loops: its tree."""
        return self.replace(loops=(), active=None, posture=(), closure_tolerance=None) if self.loops else self

    @lazy_property
    def has_springs(self) -> bool:
        """Whether a joint or a drive is elastic, or force elements may store energy."""
        return any(joint.spring is not None for joint in self.joints) or bool(self.elastic_motors or self.force_elements)

    @lazy_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that the equations of motion depend on: equal for equal models, on every machine."""
        parts: list[object] = [
            self.name,
            self.links,
            self.joints,
            self.gravity,
            *filter(None, (self.motors, self.force_elements)),
        ]
        if self.loops:
            parts += [self.loops, self.active, *([] if self.closure_tolerance is None else [self.closure_tolerance])]
        return hashlib.sha256(full_text(tuple(parts)).encode()).hexdigest()


def _all_of(kind: type, values: object, what: str) -> tuple:
    form = f"a sequence of {kind.__name__}"
    expect(values, Iterable, f"the {what} of a model", form)
    found: tuple = tuple(values)  # type: ignore[arg-type]
    for value in found:
        expect(value, kind, f"the {what} of a model", form)
    return found


def _check_names(what: str, names: Sequence[str]) -> None:
    if what == "link" and not names:
        raise ModelError("a model needs at least one link")
    seen = set()
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"a {what} has no name")
        if name in seen:
            raise ModelError(f"two {what}s are called {name!r}; names must be unique")
        seen.add(name)


def _depth_first(links: tuple[Link, ...], joints: tuple[Joint, ...]) -> tuple[Joint, ...]:
    """Sort joints from the base outward and check that they form one tree."""
    names = {link.name for link in links}
    below: dict[str, list[Joint]] = {}
    holder: dict[str, Joint] = {}
    for joint in joints:
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in names:
                raise NameLookupError("link", link, names, f" ({role} of joint {joint.name!r})")
        if joint.child in holder:
            raise ModelError(
                f"link {joint.child!r} is the child of two joints, {holder[joint.child].name!r} and {joint.name!r}; "
                "in a tree, every link has one parent"
            )
        holder[joint.child] = joint
        below.setdefault(joint.parent, []).append(joint)
    bases = [link.name for link in links if link.name not in holder]
    if not bases:
        raise ModelError(f"the joints form a cycle through {_cycle(holder, links[0].name)}; no link is left as the base")
    if len(bases) > 1:
        shown = ", ".join(map(repr, bases[:12])) + (f" and {len(bases) - 12} more" if len(bases) > 12 else "")
        raise ModelError(f"links {shown} have no parent joint; expected one base")
    ordered: list[Joint] = []
    stack = list(reversed(below.get(bases[0], [])))
    while stack:
        joint = stack.pop()
        ordered.append(joint)
        stack.extend(reversed(below.get(joint.child, [])))
    if len(ordered) < len(joints):
        reached = {j.name for j in ordered}
        lost = next(j for j in joints if j.name not in reached)
        raise ModelError(f"the joints form a cycle through {_cycle(holder, lost.child)}, which is not connected to the base")
    return tuple(ordered)


def _cycle(holder: dict[str, Joint], start: str) -> str:
    seen: dict[str, int] = {}
    link = start
    while link not in seen:
        seen[link] = len(seen)
        link = holder[link].parent
    return chain([*list(seen)[seen[link] :], link])
