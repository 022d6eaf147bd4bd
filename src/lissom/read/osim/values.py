"""Values of an OpenSim file: they are the texts of elements, with defaults by class; errors name the line."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ...model.pose import ZERO3, Vector3
from ..number import parse_number, shown
from ..source import Source
from ..xml import Element, expect_root, read_xml

_FLAGS = {"true": True, "false": False, "1": True, "0": False}


@dataclass
class Values:
    """Reads properties of objects: from the object itself, or else from the file's `<defaults>` for its class."""

    source: Source
    defaults: dict[str, Element] = field(default_factory=dict)

    def child(self, element: Element, *names: str) -> Element | None:
        """Return the only child with one of these names (older files have older ones), or that of the class's defaults."""
        for holder in (element, self.defaults.get(element.tag)):
            if holder is not None:
                for name in names:
                    found = holder.only(name, self.source)
                    if found is not None:
                        return found
        return None

    def need(self, element: Element, *names: str) -> Element:
        """Return that child; a missing one is an error."""
        found = self.child(element, *names)
        if found is None:
            raise self.source.error(f"{title(element)} has no element <{names[0]}>", element.line)
        return found

    def name(self, element: Element) -> str:
        """Return the name of an object; a missing one is an error."""
        return element.need("name", self.source).strip()

    def text(self, element: Element, *names: str) -> str:
        """Return the text of a property; empty if there is none."""
        found = self.child(element, *names)
        return found.text.strip() if found is not None else ""

    def words(self, element: Element, *names: str) -> tuple[str, ...]:
        """Return the words of a property: a list of names."""
        return tuple(self.text(element, *names).replace(",", " ").split())

    def numbers(self, element: Element, name: str, count: int | None = None) -> tuple[float, ...] | None:
        """Return the numbers of a property, `count` if given; None if it is missing or empty."""
        found = self.child(element, name)
        words = found.text.replace(",", " ").split() if found is not None else []
        if found is None or not words:
            return None
        values = [parse_number(word, infinite=True) for word in words]
        for word, value in zip(words, values, strict=True):
            if value is None:
                raise self.source.error(f"<{name}> of {title(element)} must be numbers, got {shown(word)}", found.line)
        if count is not None and len(words) != count:
            wanted = "one number" if count == 1 else f"{count} numbers"
            raise self.source.error(f"<{name}> of {title(element)} must be {wanted}, got {len(words)}", found.line)
        return tuple(value for value in values if value is not None)

    def number(self, element: Element, name: str, default: float) -> float:
        """Return one number, or the default."""
        found = self.numbers(element, name, 1)
        return default if found is None else found[0]

    def finite(self, element: Element, name: str, default: float) -> float:
        """Return one finite number, or the default."""
        value = self.number(element, name, default)
        if abs(value) == float("inf"):
            raise self.source.error(f"<{name}> of {title(element)} must be finite, got {value}", element.line)
        return value

    def vector(self, element: Element, *names: str, default: Vector3 = ZERO3) -> Vector3:
        """Return three finite numbers, or the default."""
        for name in names:
            found = self.numbers(element, name, 3)
            if found is not None:
                x, y, z = found
                if float("inf") in (abs(x), abs(y), abs(z)):
                    raise self.source.error(f"<{name}> of {title(element)} must be finite, got {found}", element.line)
                return (x, y, z)
        return default

    def flag(self, element: Element, name: str, default: bool) -> bool:
        """Return true or false, or the default."""
        found = self.child(element, name)
        text = found.text.strip().lower() if found is not None else ""
        if found is None or not text:
            return default
        if text not in _FLAGS:
            raise self.source.error(f"<{name}> of {title(element)} must be true or false, got {shown(text)}", found.line)
        return _FLAGS[text]

    def acts(self, element: Element, on: str) -> bool:
        """Return whether an object is switched on: `on` in version 4, or the opposite of isDisabled before."""
        return self.flag(element, on, True) and not self.flag(element, "isDisabled", False)

    def objects(self, element: Element, name: str) -> list[Element]:
        """Return the objects of a set called `name`; none if there is no such set. Sets in files of their own are refused."""
        found = self.child(element, name)
        if found is None:
            return []
        if "file" in found.attributes:
            given = shown(found.attributes["file"])
            raise self.source.error(
                f"<{name}> of {title(element)} is in another file, {given}; other files are not followed: save the model as "
                "one file",
                found.line,
            )
        inner = found.only("objects", self.source)
        return inner.children if inner is not None else []


def opened(path: str | os.PathLike[str]) -> tuple[Element, Values]:
    """Return the root of an OpenSim file other than a model, such as a setup of a tool, and a reader of its values."""
    source = Source(path)
    root = read_xml(path)
    expect_root(root, "OpenSimDocument", "an OpenSim file", source)
    return root, Values(source)


def title(element: Element) -> str:
    """Return "<Body> 'tibia_r'" for messages."""
    name = element.attributes.get("name")
    return f"<{element.tag}> {name!r}" if name else f"<{element.tag}>"
