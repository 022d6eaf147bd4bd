"""OpenSim's .osim files, read into plain parts: safe for files from strangers, and nothing is interpreted yet.

Only the file itself is read: sets in files of their own are refused, meshes are not opened. Version 4 keeps bodies, joints and
markers in sets and refers to frames by paths; before, a joint stands in the body that it carries, and refers to bodies by name.
"""

from __future__ import annotations

import os
from dataclasses import replace

from ..number import shown
from ..source import Source
from ..xml import Element, expect_root, parse_xml, read_xml
from .forces import read_actuator, read_muscle, read_named
from .frames import Frames, ground, read_body, read_offsets, read_wraps
from .functions import read_function
from .joints import read_joint, read_old_joint
from .parts import ActuatorPart, CouplerPart, JointPart, MarkerPart, MusclePart, NamedPart, OsimParts, WrapPart
from .values import Values, title

OLDEST = 20000  # version of the format: that of OpenSim 2
MOST = 5000  # bodies, joints, markers and muscles, of each kind
FOUR = 40000  # from here on frames are components; 30500 and later are drafts of it
_EXTRA = ("ControllerSet", "ProbeSet", "ComponentSet")


def read_parts(path: str | os.PathLike[str]) -> OsimParts:
    """Return the parts of the .osim file at `path`.

    Raises:
        FileError: the file is not an OpenSim model; with the line.
    """
    return parts_of(read_xml(path), Source(path))


def parse_parts(text: str | bytes, path: object = "<text>") -> OsimParts:
    """Return the parts of the text of a .osim file; `path` is only used in messages."""
    return parts_of(parse_xml(text, path), Source(path))


def parts_of(root: Element, source: Source) -> OsimParts:
    """Return the parts of the document `root`."""
    expect_root(root, "OpenSimDocument", "an OpenSim file", source)
    version = _version(root, source)
    model = root.only("Model", source)
    if model is None:
        found = ", ".join(f"<{child.tag}>" for child in root.children[:5]) or "nothing"
        raise source.error(f"<OpenSimDocument> has no <Model>, it has {found}; give the model's file", root.line)
    values = Values(source, defaults_of(model))
    return _Reader(values, version).read(model)


def _version(root: Element, source: Source) -> int:
    text = root.need("Version", source).strip()
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise source.error(f"the version of <OpenSimDocument> must be a number such as 40000, got {shown(text)}", root.line)
    if int(text) < OLDEST:
        raise source.error(
            f"version {text} of the format is older than {OLDEST}, the oldest that lissom reads; open and save it in OpenSim",
            root.line,
        )
    return int(text)


def defaults_of(model: Element) -> dict[str, Element]:
    """Return the default objects of the file, by class."""
    return {child.tag: child for holder in model.all("defaults") for child in holder.children}


class _Reader:
    def __init__(self, values: Values, version: int) -> None:
        self.values, self.source, self.version = values, values.source, version
        self.frames = Frames(values)
        self.frames.add_body(ground())
        self.joints: list[JointPart] = []
        self.wraps: list[WrapPart] = []
        self.muscles: list[MusclePart] = []
        self.actuators: list[ActuatorPart] = []
        self.forces: list[NamedPart] = []

    def read(self, model: Element) -> OsimParts:
        values, frames = self.values, self.frames
        for element in model.all("Ground"):
            self.fixtures(element, "/ground")
        bodies = values.objects(model, "BodySet")
        for element in self.few(bodies, "bodies"):
            self.body(element)
        joints = self.few(values.objects(model, "JointSet"), "joints")
        self.joints += [read_joint(element, values, frames, self.wraps) for element in joints]
        for holder in model.all("components"):
            self.wraps += read_offsets(holder, "", values, frames)
        for holder in (inner for group in model.all("ComponentSet") for inner in group.all("objects")):
            self.wraps += read_offsets(holder, "/componentset", values, frames)
        frames.settle()
        self.joints = [self.settled(joint) for joint in self.joints]
        self.unique([(joint.name, joint.line) for joint in self.joints], "joint")
        for element in self.few(values.objects(model, "ForceSet"), "forces"):
            self.force(element)
        couplers, constraints = self.constraints(model)
        markers = tuple(self.marker(e) for e in self.few(values.objects(model, "MarkerSet"), "markers"))
        self.unique([(marker.name, marker.line) for marker in markers], "marker")
        return OsimParts(
            model.attributes.get("name", "").strip() or "model",
            self.version,
            values.vector(model, "gravity", default=(0.0, -9.80665, 0.0)),
            tuple(body for path, body in frames.bodies.items() if path != "/ground"),
            frames.offsets,
            tuple(self.joints),
            couplers,
            markers,
            tuple(self.wraps),
            tuple(self.muscles),
            tuple(self.actuators),
            tuple(self.forces),
            constraints,
            tuple(read_named(e, values) for e in values.objects(model, "ContactGeometrySet")),
            tuple(read_named(e, values, "enabled") for tag in _EXTRA for e in values.objects(model, tag)),
        )

    def few(self, elements: list[Element], what: str) -> list[Element]:
        if len(elements) > MOST:
            raise self.source.error(f"more than {MOST} {what}, the limit", elements[MOST].line)
        return elements

    def unique(self, names: list[tuple[str, int]], what: str) -> None:
        seen: dict[str, int] = {}
        for name, line in names:
            if name in seen:
                raise self.source.error(f"two {what}s are called {name!r} (the first at line {seen[name]})", line)
            seen[name] = line

    def body(self, element: Element) -> None:
        if element.tag != "Body":
            raise self.source.error(f"{title(element)} among the bodies; expected <Body>", element.line)
        name = self.values.name(element)
        path = f"/bodyset/{name}" if name != "ground" else "/ground"
        if path == "/ground" and self.version < FOUR:
            self.fixtures(element, path)  # before version 4 the ground is a body
            return
        if path in self.frames.bodies:
            first = self.frames.bodies[path].line
            raise self.source.error(f"two bodies are called {name!r} (the first at line {first})", element.line)
        self.frames.add_body(read_body(element, path, self.values))
        self.fixtures(element, path)
        for holder in element.all("Joint"):
            for joint in holder.children:
                self.joints.append(read_old_joint(joint, name, self.values, self.frames))

    def fixtures(self, element: Element, path: str) -> None:
        self.wraps += read_wraps(element, path, self.values)
        for holder in element.all("components"):
            self.wraps += read_offsets(holder, path, self.values, self.frames)

    def settled(self, joint: JointPart) -> JointPart:
        assert joint.element is not None
        parent, child = (self.frames.find(text, f"/jointset/{joint.name}", joint.element) for text in (joint.parent, joint.child))
        return replace(joint, parent=parent, child=child)

    def force(self, element: Element) -> None:
        path = element.only("GeometryPath", self.source) or next(
            (child.children[0] for child in element.all("path") if child.children and child.children[0].tag == "GeometryPath"),
            None,
        )
        if path is not None:
            self.muscles.append(read_muscle(element, path, self.values, self.frames))
        elif element.tag == "CoordinateActuator":
            self.actuators.append(read_actuator(element, self.values))
        else:
            self.forces.append(read_named(element, self.values))

    def constraints(self, model: Element) -> tuple[tuple[CouplerPart, ...], tuple[NamedPart, ...]]:
        couplers, others = [], []
        for element in self.few(self.values.objects(model, "ConstraintSet"), "constraints"):
            if element.tag == "CoordinateCouplerConstraint":
                couplers.append(self.coupler(element))
            else:
                others.append(read_named(element, self.values, "isEnforced"))
        return tuple(couplers), tuple(others)

    def coupler(self, element: Element) -> CouplerPart:
        values = self.values
        wrapper = values.need(element, "coupled_coordinates_function")
        if not wrapper.children:
            raise self.source.error(f"{title(element)} has no function", element.line)
        follower = values.text(element, "dependent_coordinate_name").rsplit("/", 1)[-1]
        leaders = tuple(name.rsplit("/", 1)[-1] for name in values.words(element, "independent_coordinate_names"))
        if not follower or not leaders:
            raise self.source.error(f"{title(element)} needs a dependent and an independent coordinate", element.line)
        function = read_function(wrapper.children[0], values)
        scale = values.finite(element, "scale_factor", 1.0)
        return CouplerPart(
            values.name(element), element.line, follower, leaders, function, scale, values.acts(element, "isEnforced"), element
        )

    def marker(self, element: Element) -> MarkerPart:
        values, name = self.values, self.values.name(element)
        given = values.text(element, "socket_parent_frame", "socket_parent_frame_connectee_name", "body")
        if not given:
            raise self.source.error(f"{title(element)} has no element <socket_parent_frame>", element.line)
        frame = self.frames.find(given, f"/markerset/{name}", element)
        place, fixed = values.vector(element, "location"), values.flag(element, "fixed", False)
        return MarkerPart(name, frame, place, fixed, element.line, element)
