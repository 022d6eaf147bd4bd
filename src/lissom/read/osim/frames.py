"""Bodies and frames in an OpenSim file, and the names by which other parts refer to them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace

from ...errors import suggest
from ...model.pose import Pose, rotation_about
from ..xml import Element
from .parts import GROUND, BodyPart, FramePart, WrapPart
from .values import Values, title

_SIZES = ("radius", "length", "dimensions", "inner_radius", "outer_radius")
_WRAPS = ("WrapSphere", "WrapCylinder", "WrapEllipsoid", "WrapTorus")
SEPARATOR = "/"
OFFSET = "PhysicalOffsetFrame"


@dataclass
class Frames:
    """Frames that are known so far: bodies, the ground and offset frames, by paths."""

    values: Values
    bodies: dict[str, BodyPart] = field(default_factory=dict)  # by path
    offsets: dict[str, FramePart] = field(default_factory=dict)
    _last: dict[str, list[str]] = field(default_factory=dict)  # paths by their last names

    def add_body(self, body: BodyPart) -> None:
        """Add a body or the ground."""
        self.bodies[body.path] = body
        self._last.setdefault(body.name, []).append(body.path)

    def add_offset(self, frame: FramePart) -> None:
        """Add an offset frame, whose parent may come later."""
        if frame.path in self.offsets or frame.path in self.bodies:
            raise self.values.source.error(f"two frames are called {frame.path!r}", frame.line)
        self.offsets[frame.path] = frame
        self._last.setdefault(frame.path.rsplit(SEPARATOR, 1)[-1], []).append(frame.path)

    def find(self, text: str, owner: str, element: Element) -> str:
        """Return the path of the frame that `text` means to the part at the path `owner`.

        A path from the root or from the owner; or only a name, of a body before any other frame.
        """
        text = text.strip()
        path = posixpath.normpath(posixpath.join(owner, text)) if text else ""
        for candidate in (path, posixpath.normpath(posixpath.join(posixpath.dirname(owner), text)) if text else ""):
            if candidate in self.bodies or candidate in self.offsets:
                return candidate
        found = self._last.get(text.rsplit(SEPARATOR, 1)[-1], [])
        bodies = [path for path in found if path in self.bodies]
        if len(bodies or found) == 1:
            return (bodies or found)[0]
        if found:
            raise self.values.source.error(
                f"{title(element)} refers to {text!r}, which {len(found)} frames are called", element.line
            )
        names = [body.name for body in self.bodies.values()]
        raise self.values.source.error(
            f"{title(element)} refers to {text!r}, which no body or frame is called; {suggest(text, names)}", element.line
        )

    def settle(self) -> None:
        """Find the parents of all offset frames, and refuse circles."""
        for path, frame in self.offsets.items():
            element = Element(OFFSET, {"name": path.rsplit(SEPARATOR, 1)[-1]}, frame.line)
            self.offsets[path] = replace(frame, parent=self.find(frame.parent, path, element))
        good: set[str] = set()
        for path, frame in self.offsets.items():
            seen = []
            while path in self.offsets and path not in good:
                if path in seen:
                    raise self.values.source.error(f"frames are fixed to each other in a circle through {path!r}", frame.line)
                seen.append(path)
                path = self.offsets[path].parent
            good.update(seen)


def read_body(element: Element, path: str, values: Values) -> BodyPart:
    """Return the body of an element."""
    name = values.name(element)
    mass = values.finite(element, "mass", 0.0)
    if mass < 0:
        raise values.source.error(f"body {name!r}: the mass must not be negative, got {mass:g} kg", element.line)
    six = values.numbers(element, "inertia", 6)
    if six is None:
        # before version 4 each entry is a property
        six = tuple(values.number(element, f"inertia_{key}", 0.0) for key in ("xx", "yy", "zz", "xy", "xz", "yz"))
    if float("inf") in map(abs, six):
        raise values.source.error(f"body {name!r}: the inertia must be finite, got {six}", element.line)
    xx, yy, zz, xy, xz, yz = six
    inertia = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    return BodyPart(name, path, element.line, mass, values.vector(element, "mass_center"), inertia, element)


def body_axes(angles: tuple[float, float, float], translation: tuple[float, float, float]) -> Pose:
    """Return the pose of a frame turned about its own x, then y, then z axis [rad], at a place [m]."""
    x, y, z = angles
    R = rotation_about((1, 0, 0), x) @ rotation_about((0, 1, 0), y) @ rotation_about((0, 0, 1), z)
    return Pose(R, translation)


def read_offsets(holder: Element, owner: str, values: Values, frames: Frames) -> list[WrapPart]:
    """Add the offset frames in an element with the path `owner`, those fixed to them too, and return their wrap objects."""
    wraps = []
    waiting = [(element, owner) for element in holder.all(OFFSET)]
    for element, above in waiting:
        path = f"{above}/{values.name(element)}"
        parent = values.text(element, "socket_parent", "socket_parent_connectee_name", "socket_parent_frame") or ".."
        pose = body_axes(values.vector(element, "orientation"), values.vector(element, "translation"))
        frames.add_offset(FramePart(path, parent, pose, element.line, element))
        wraps += read_wraps(element, path, values)
        waiting += [(inner, path) for below in element.all("components") for inner in below.all(OFFSET)]
    return wraps


def read_wraps(holder: Element, frame: str, values: Values) -> list[WrapPart]:
    """Return the wrap objects of a body."""
    found = []
    for element in values.objects(holder, "WrapObjectSet"):
        if element.tag not in _WRAPS:
            raise values.source.error(f"{title(element)}: lissom knows {', '.join(_WRAPS)}", element.line)
        sizes = {name: numbers for name in _SIZES if (numbers := values.numbers(element, name)) is not None}
        found.append(
            WrapPart(
                element.tag,
                values.name(element),
                frame,
                element.line,
                values.vector(element, "xyz_body_rotation"),
                values.vector(element, "translation"),
                values.text(element, "quadrant") or "all",
                values.flag(element, "active", True),
                sizes,
                element,
            )
        )
    return found


def ground() -> BodyPart:
    """Return the ground."""
    return BodyPart("ground", GROUND, 0)
