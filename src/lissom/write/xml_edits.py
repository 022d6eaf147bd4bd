"""Changes to the text of an XML file: what is not changed stays as it stands there, comments and spaces too.

Elements are those of `read/xml.py`, whose order tells where each begins and ends in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.parsers import expat
from xml.sax.saxutils import escape

from ..read.xml import Element

_HEAD = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_QUOTES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(slots=True)
class Span:
    """Where an element stands, in bytes: from `start` its head, from `inside` its content, from `tail` its end tag, to `end`.

    An element without content, as <a/>, has its content at its end.
    """

    start: int
    inside: int
    tail: int
    end: int

    @property
    def empty(self) -> bool:
        """Whether it is a single tag."""
        return self.inside == self.end


class XmlEdits:
    """Changes to the text of a document.

    Args:
        text: of the file.
        root: its root element, read from the same text.
    """

    def __init__(self, text: str, root: Element) -> None:
        self.data = text.encode("utf-8")
        self.spans = dict(zip(map(id, root.walk()), _spans(self.data), strict=True))
        self.changes: list[tuple[int, int, int, str]] = []  # from, to, number, new text
        self.added: dict[int, tuple[Element, list[str]]] = {}  # at the end of elements

    def set_text(self, element: Element, text: str) -> None:
        """Give an element without children another text."""
        span = self.spans[id(element)]
        if span.empty:
            self.append(element, escape(text))
        else:
            self._change(span.inside, span.tail, escape(text))

    def set_child(self, element: Element, tag: str, text: str) -> None:
        """Give the child `tag` another text, or an element that has none such a child."""
        found = element.all(tag)
        if found:
            self.set_text(found[0], text)
        else:
            self.append(element, f"<{tag}>{escape(text)}</{tag}>")

    def append(self, element: Element, xml: str) -> None:
        """Add XML at the end of an element's content."""
        self.added.setdefault(id(element), (element, []))[1].append(xml)

    def wrap(self, element: Element, before: str, after: str) -> None:
        """Put XML before and after an element."""
        span = self.spans[id(element)]
        self._change(span.start, span.start, before)
        self._change(span.end, span.end, after)

    def remove(self, element: Element) -> None:
        """Take an element out, with the spaces before it."""
        span = self.spans[id(element)]
        start = span.start
        while start > 0 and self.data[start - 1 : start].isspace():
            start -= 1
        self._change(start, span.end, "")

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Give an element's attribute another value."""
        span = self.spans[id(element)]
        head = self.data[span.start : span.inside]
        written = f' {name}="{escape(value, _QUOTES)}"'
        at = len(element.tag.encode("utf-8")) + 1
        same = (found.span() for found in _ATTRIBUTE.finditer(head) if found[1] == name.encode("utf-8"))
        start, end = next(same, (at, at))
        self._change(span.start + start, span.start + end, written)

    def result(self) -> str:
        """Return the text with all changes."""
        pieces, at = [], 0
        for start, end, _, text in sorted([*self.changes, *(self._addition(*added) for added in self.added.values())]):
            pieces += [self.data[at:start], text.encode("utf-8")]
            at = max(at, end)
        return b"".join([*pieces, self.data[at:]]).decode("utf-8")

    def _change(self, start: int, end: int, text: str) -> None:
        self.changes.append((start, end, len(self.changes), text))

    def _addition(self, element: Element, pieces: list[str]) -> tuple[int, int, int, str]:
        """Return the change that adds XML: <a/> becomes an element with content, whose tag ends before the stroke."""
        span, content, last = self.spans[id(element)], "".join(pieces), len(self.changes)
        if span.empty:
            return self.data.rindex(b"/", span.start, span.end), span.end, last, f">{content}</{element.tag}>"
        return span.tail, span.tail, last, content


def _spans(data: bytes) -> list[Span]:
    """Return where the elements of a document stand, parents first."""
    found: list[Span] = []
    stack: list[Span] = []
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, attributes: object) -> None:
        at = parser.CurrentByteIndex
        head = _HEAD.match(data, at)
        assert head is not None  # the parser has read it
        found.append(Span(at, head.end(), head.end(), head.end()))
        stack.append(found[-1])

    def end(tag: str) -> None:
        span, at = stack.pop(), parser.CurrentByteIndex
        if not data[span.start : span.inside].endswith(b"/>"):
            span.tail, span.end = at, data.index(b">", at) + 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(data, True)
    return found
