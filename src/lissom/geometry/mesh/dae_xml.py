"""XML of DAE files as a light tree: document types are refused, depth and number of elements are limited.

Long texts are kept as bytes, and only where a number array may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ...errors import FileError

MAX_ELEMENTS = 100_000
MAX_ATTRIBUTES = 1_000_000
MAX_DEPTH = 200
_KEPT = frozenset(("float_array", "p", "vcount", "matrix", "translate", "rotate", "scale", "color", "up_axis"))


@dataclass(slots=True)
class Element:
    """An element: its tag without namespace, attributes, children and text."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> bytes:
        """The text directly inside."""
        return "".join(self.pieces).encode()

    def all(self, tag: str) -> list[Element]:
        """Return the children called `tag`."""
        return [child for child in self.children if child.tag == tag]

    def first(self, *tags: str) -> Element | None:
        """Return the first element along a path of tags, or None."""
        found: Element | None = self
        for tag in tags:
            found = next((child for child in found.children if child.tag == tag), None) if found is not None else None
        return found

    def walk(self) -> Iterator[Element]:
        """Yield this element and all below it."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))


def parse(data: bytes, path: str) -> Element:
    """Return the root element of a document."""
    if data.count(b"=") > MAX_ATTRIBUTES:
        raise FileError(f"more than {MAX_ATTRIBUTES} attributes", path)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    stack: list[Element] = []
    roots: list[Element] = []
    count = 0

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS or len(stack) >= MAX_DEPTH:
            raise FileError(
                f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep", path, parser.CurrentLineNumber
            )
        element = Element(tag.rpartition(":")[2], attributes)
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def characters(text: str) -> None:
        if stack and stack[-1].tag in _KEPT:
            stack[-1].pieces.append(text)

    def refused(*_: object) -> None:
        raise FileError(
            "a <!DOCTYPE> or entity declaration is not allowed: it can read other files or fill the memory; remove it", path
        )

    parser.StartElementHandler = opened
    parser.EndElementHandler = lambda tag: stack.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refused
    parser.EntityDeclHandler = refused
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FileError(f"not well-formed XML: {expat.ErrorString(error.code)}", path, error.lineno) from None
    except (ValueError, LookupError) as error:  # an unknown encoding
        if isinstance(error, FileError):
            raise
        raise FileError(f"not well-formed XML: {error!s:.100}", path) from None
    return roots[0]
