"""XML as nodes, and nodes as XML: an element is a Map of its attributes, and of its children under their tags in <angles>."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from . import nodes, raw
from .nodes import Map

# characters that XML has no way to write; bytes are mutated elsewhere
_FORBIDDEN = dict.fromkeys((*range(9), 11, 12, *range(14, 32)), "?")


def mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return a changed document: mostly its elements and attributes, sometimes its bytes."""
    if rng.random() < 0.25:
        return raw.mutate(rng, data, others)
    root = ElementTree.fromstring(data)
    text = write(nodes.mutate(rng, Map([[f"<{root.tag}>", _node(root)]]))).encode("utf-8", "replace")
    return raw.mutate(rng, text, others) if rng.random() < 0.05 else text


def _node(element: ElementTree.Element) -> Map:
    found = Map([key, value] for key, value in element.attrib.items())
    if element.text and element.text.strip():
        found.append(["text()", element.text.strip()])
    found.extend([f"<{child.tag}>", _node(child)] for child in element)
    return found


def write(root: Any) -> str:
    """Return the text of a document; what cannot stand where it is becomes an element or an attribute all the same."""
    out: list[str] = []
    stack: list[Any] = [("node", "", root)]
    while stack:
        kind, tag, node = stack.pop()
        if kind == "end":
            out.append(f"</{tag}>\n")
            continue
        attributes, children = [], []
        for item in node if isinstance(node, list) else []:
            key, value = item if isinstance(node, Map) else (f"<{tag or 'item'}>", item)
            if key == "text()" and isinstance(value, str):
                children.append(("text", "", value))
            elif isinstance(value, str) and not key.startswith("<"):
                attributes.append(f' {key.translate(_FORBIDDEN)}="{_quoted(value)}"')
            else:
                children.append(("node", key.strip("<>") or "a", value))
        if kind == "text":
            out.append(escape(str(node).translate(_FORBIDDEN)))
            continue
        if isinstance(node, str):
            children.append(("text", "", node))
        if tag:
            out.append(f"<{tag.translate(_FORBIDDEN)}{''.join(attributes)}>")
            stack.append(("end", tag.translate(_FORBIDDEN), None))
        stack.extend(reversed(children))
    return "".join(out)


def _quoted(text: str) -> str:
    return escape(text.translate(_FORBIDDEN), {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
