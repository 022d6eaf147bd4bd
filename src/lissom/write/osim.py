"""OpenSim's models, written into the text of the file that they were read from: only numbers that are others are changed.

So everything that lissom does not read stays. What hangs on bodies without being a part that is read (meshes, stations, frames of
forces) is scaled by the bodies' factors, as OpenSim 4.6 scales it; contact geometry stays, as there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from ..doubts import doubt
from ..model.pose import Vector3
from ..read.osim.document import Document
from ..read.osim.file import FOUR, defaults_of
from ..read.osim.frames import OFFSET
from ..read.osim.parts import BodyPart, FunctionPart, MarkerPart, MusclePart, OsimParts
from ..read.osim.values import Values, title
from ..read.source import Source
from ..read.xml import Element
from .xml_edits import XmlEdits

ONE = (1.0, 1.0, 1.0)
_ENTRIES = ("xx", "yy", "zz", "xy", "xz", "yz")
# lengths of forces along paths that grow with them, with OpenSim's defaults [m]
_LENGTHS = {"optimal_fiber_length": 0.1, "tendon_slack_length": 0.2, "resting_length": 0.0, "slack_length": 0.0}
_MUSCLES = ("optimal_fiber_length", "tendon_slack_length")
_PARENTS = ("socket_parent", "socket_parent_connectee_name", "socket_parent_frame", "socket_parent_frame_connectee_name")


def to_osim(document: Document, parts: OsimParts, factors: Mapping[str, Vector3], stretch: Mapping[str, float]) -> str:
    """Return the text of a document with the numbers of other parts.

    Args:
        document: of the file that was read.
        parts: its parts with other numbers, and other markers.
        factors: by which bodies were scaled, for what is not among the parts.
        stretch: by which the paths of forces became longer, by their names.
    """
    writer = _Writer(document, parts, factors)
    writer.numbers(stretch)
    writer.markers()
    if factors:
        writer.rest()
    return writer.edits.result()


class _Writer:
    def __init__(self, document: Document, parts: OsimParts, factors: Mapping[str, Vector3]) -> None:
        self.old, self.new, self.factors = document.parts, parts, factors
        self.edits = XmlEdits(document.text, document.root)
        self.source = Source(document.path)
        model = document.root.only("Model", self.source)
        assert model is not None  # the reader has read it
        self.model, self.values = model, Values(self.source, defaults_of(model))

    def numbers(self, stretch: Mapping[str, float]) -> None:
        """Write the parts whose number stays: bodies, frames, joints, couplings, surfaces, muscles."""
        old, new = self.old, self.new
        if new.name != old.name:
            self.edits.set_attribute(self.model, "name", new.name)
        for was, body in zip(old.bodies, new.bodies, strict=True):
            if body != was:
                self.body(body)
        for path, frame in new.frames.items():
            if frame.pose != old.frames[path].pose:
                self.vector(frame.element, frame.place, frame.pose.translation)
        for was_joint, joint in zip(old.joints, new.joints, strict=True):
            for was_axis, axis in zip(was_joint.axes, joint.axes, strict=True):
                if axis.function is not None and axis.function != was_axis.function:
                    self.function(axis.function)
            for name, size in joint.sizes.items():
                if size != was_joint.sizes[name]:
                    self.vector(joint.element, name, size)
        for was_coupler, coupler in zip(old.couplers, new.couplers, strict=True):
            if coupler.scale != was_coupler.scale:
                self.vector(coupler.element, "scale_factor", (coupler.scale,))
        for was_wrap, wrap in zip(old.wraps, new.wraps, strict=True):
            if wrap.translation != was_wrap.translation:
                self.vector(wrap.element, "translation", wrap.translation)
            for name, size in wrap.sizes.items():
                if size != was_wrap.sizes[name]:
                    self.vector(wrap.element, name, size)
        for was_muscle, muscle in zip(old.muscles, new.muscles, strict=True):
            self.path(was_muscle, muscle)
            self.lengths(muscle, stretch.get(muscle.name, 1.0))

    def vector(self, element: Element | None, tag: str, numbers: Iterable[float]) -> None:
        assert element is not None  # parts of a document have theirs
        self.edits.set_child(element, tag, " ".join(repr(float(x)) for x in numbers))

    def body(self, body: BodyPart) -> None:
        self.vector(body.element, "mass", (body.mass,))
        self.vector(body.element, "mass_center", body.com)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
        six = (xx, yy, zz, xy, xz, yz)
        if self.old.version >= FOUR or (body.element is not None and body.element.all("inertia")):
            self.vector(body.element, "inertia", six)
            return
        for entry, value in zip(_ENTRIES, six, strict=True):
            self.vector(body.element, f"inertia_{entry}", (value,))

    def function(self, function: FunctionPart) -> None:
        """Multiply the function that was read: by a multiplier around it, or by that which it is."""
        factor = 1.0
        while function.element is None:
            assert function.inner is not None
            factor, function = factor * function.values[0], function.inner
        element = function.element
        if function.kind == "MultiplierFunction":
            self.vector(element, "scale", (factor * function.values[0],))
        elif factor != 1.0:
            name = f" name={quoteattr(element.attributes['name'])}" if "name" in element.attributes else ""
            end = f"</function><scale>{factor!r}</scale></MultiplierFunction>"
            self.edits.wrap(element, f"<MultiplierFunction{name}><function>", end)

    def path(self, was: MusclePart, muscle: MusclePart) -> None:
        for old, point in zip(was.points, muscle.points, strict=True):
            if point.moving is None:
                if point.location != old.location:
                    self.vector(point.element, "location", point.location)
                continue
            for before, now in zip(old.moving or (), point.moving, strict=True):
                if now is not None and now != before:
                    self.function(now[1])

    def lengths(self, muscle: MusclePart, ratio: float) -> None:
        if ratio == 1.0:
            return
        present = [name for name in _LENGTHS if name in muscle.numbers]
        known = _MUSCLES if "Muscle" in muscle.kind else ()
        for name in dict.fromkeys((*present, *known)):
            self.vector(muscle.element, name, (ratio * muscle.numbers.get(name, _LENGTHS[name]),))

    def markers(self) -> None:
        """Write markers, which may be others, fewer or more."""
        old = {marker.name: marker for marker in self.old.markers}
        kept = set()
        added = []
        for marker in self.new.markers:
            was = old.get(marker.name)
            if was is None or (marker.frame, marker.fixed) != (was.frame, was.fixed):
                added.append(self.marker(marker))
                continue
            kept.add(marker.name)
            if marker.location != was.location:
                self.vector(was.element, "location", marker.location)
        for name, was in old.items():
            if name not in kept and was.element is not None:
                self.edits.remove(was.element)
        if added:
            self.add("".join(added))

    def marker(self, marker: MarkerPart) -> str:
        """Return the XML of a new marker."""
        place = " ".join(map(repr, marker.location))
        path = escape(marker.frame)
        frame = f"<socket_parent_frame>{path}</socket_parent_frame>"
        if self.old.version < FOUR:
            frame = f"<body>{path.rsplit('/', 1)[-1]}</body>"
        fixed = str(marker.fixed).lower()
        return f"<Marker name={quoteattr(marker.name)}>{frame}<location>{place}</location><fixed>{fixed}</fixed></Marker>\n"

    def add(self, markers: str) -> None:
        holder = self.model.only("MarkerSet", self.source)
        if holder is None:
            self.edits.append(self.model, f'<MarkerSet name="markerset"><objects>\n{markers}</objects></MarkerSet>\n')
        elif (objects := holder.only("objects", self.source)) is None:
            self.edits.append(holder, f"<objects>\n{markers}</objects>\n")
        else:
            self.edits.append(objects, markers)

    def rest(self) -> None:
        """Scale what hangs on bodies and is no part that is read."""
        known = {id(frame.element): self.old.seat(path)[0] for path, frame in self.old.frames.items()}
        for element in self.model.walk():
            if element.tag in ("Body", "Ground"):
                self.shapes(element, element.attributes.get("name", "ground"))
            elif element.tag == OFFSET and id(element) in known:
                self.shapes(element, known[id(element)])
            elif element.tag == OFFSET:
                self.shapes(element, body := self.body_of(element))
                self.times(element, "translation", body)
            elif element.tag == "Station":
                self.times(element, "location", self.body_of(element))
            elif self.old.version < FOUR and element.tag.endswith(("BushingForce", "WeldConstraint")):
                for k in "12":
                    self.times(element, f"location_body_{k}", self.values.text(element, f"body_{k}"))

    def shapes(self, element: Element, body: str) -> None:
        """Scale the meshes on a frame."""
        for holder in element.all("attached_geometry"):
            for shape in holder.children:
                self.times(shape, "scale_factors", body, ONE)
        for shape in element.all("VisibleObject"):
            self.times(shape, "scale_factors", body, ONE)

    def times(self, element: Element, tag: str, body: str, default: Vector3 = (0.0, 0.0, 0.0)) -> None:
        factors = self.factors.get(body, ONE)
        if factors != ONE:
            given = self.values.vector(element, tag, default=default)
            self.vector(element, tag, (x * f for x, f in zip(given, factors, strict=True)))

    def body_of(self, element: Element) -> str:
        """Return the name of the body that carries a frame or station, by the last name of the path that it gives."""
        text = self.values.text(element, *_PARENTS).rsplit("/", 1)[-1]
        if text == "ground" or any(body.name == text for body in self.old.bodies):
            return text
        same = {self.old.seat(path)[0] for path in self.old.frames if path.rsplit("/", 1)[-1] == text}
        if len(same) == 1:
            return same.pop()
        doubt(str(self.source.error(f"{title(element)} is on {text!r}, which is no one body; it is not scaled", element.line)))
        return ""
