"""XML as a light tree of elements with line numbers, safe for untrusted files.

Only the standard library's expat is used. Document types are errors before anything in them is expanded: with entities an XML
file could read other files or fill the memory, and no robot needs them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import FileError, suggest
from .source import Source, decode, read_bytes

MAX_BYTES = 64 << 20
MAX_ELEMENTS = 250_000  # each takes microseconds and half a KiB
MAX_DEPTH = 1000


@dataclass(slots=True)
class Element:
    """One element: its tag, attributes, the line where it opens, its children, and the pieces of text directly inside it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside the element, without blank parts."""
        return "".join(self.pieces)

    def all(self, tag: str) -> list[Element]:
        """Return the children called `tag`, in the order of the file."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Element]:
        """Yield this element and everything below it, parents first."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def only(self, tag: str, source: Source) -> Element | None:
        """Return the child called `tag`, or None; two of them are an error."""
        found = self.all(tag)
        if len(found) > 1:
            raise source.error(f"<{self.tag}> has {len(found)} elements <{tag}>, expected one", found[1].line)
        return found[0] if found else None

    def need(self, name: str, source: Source) -> str:
        """Return the attribute `name`; a missing or empty one is an error."""
        if name not in self.attributes:
            have = f"; it has {', '.join(map(repr, self.attributes))}" if self.attributes else ""
            raise source.error(f"<{self.tag}> has no attribute {name!r}{have}", self.line)
        if not self.attributes[name].strip():
            raise source.error(f"attribute {name!r} of <{self.tag}> is empty", self.line)
        return self.attributes[name]


def read_xml(path: str | os.PathLike[str]) -> Element:
    """Return the root element of the XML file at `path`."""
    return parse_xml(read_bytes(path, MAX_BYTES), path)


def parse_xml(data: bytes | str, path: object = None) -> Element:
    """Return the root element of an XML document; `path` is only used in messages."""
    text = decode(data, path) if isinstance(data, bytes) else data
    return _Builder(path).parse(text)


def expect_root(root: Element, tag: str, what: str, source: Source) -> None:
    """Raise a FileError if the root element of a document is not `tag`."""
    if root.tag != tag:
        known = {
            "robot": "a URDF robot",
            "mujoco": "a MuJoCo model",
            "OpenSimDocument": "OpenSim's",
            "sdf": "an SDF world, which lissom does not read",
        }
        found = f" ({known[root.tag]})" if root.tag in known else f"; {suggest(root.tag, [tag])}" if root.tag else ""
        raise source.error(f"{what} starts with <{tag}>, this file with <{root.tag}>{found}", root.line)


class _Builder:
    def __init__(self, path: object) -> None:
        self.path = path
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.open
        self.parser.EndElementHandler = self.close
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.count = 0

    def parse(self, text: str) -> Element:
        try:
            self.parser.Parse(text.encode("utf-8"), True)
        except expat.ExpatError as error:
            inside = f" (inside <{self.stack[-1].tag}> of line {self.stack[-1].line})" if self.stack else ""
            raise FileError(f"not well-formed XML: {expat.ErrorString(error.code)}{inside}", self.path, error.lineno) from None
        except UnicodeEncodeError:
            raise FileError("the text has characters that XML does not allow", self.path) from None
        assert self.root is not None  # expat rejects a document without an element
        return self.root

    def refuse_doctype(self, name: str, system: str | None, public: str | None, subset: int) -> None:
        raise FileError(
            "a <!DOCTYPE> or entity declaration is not allowed: it can read other files or fill the memory; remove it",
            self.path,
            self.parser.CurrentLineNumber,
        )

    def open(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise FileError(f"more than {MAX_ELEMENTS} elements, the limit for robot descriptions", self.path, element.line)
        if len(self.stack) >= MAX_DEPTH:
            raise FileError(f"elements are nested more than {MAX_DEPTH} deep", self.path, element.line)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def close(self, tag: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        if self.stack and not text.isspace():
            self.stack[-1].pieces.append(text)
