"""YAML as entries with line numbers, safe for untrusted files.

No objects are constructed: numbers and names are read from the text, without YAML's type guessing (`no` is a name, `1e-3` a
number). Aliases are errors, since a few lines of them can expand to terabytes, and so are tags.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

from ..errors import FileError, similar, suggest
from .number import parse_expression
from .source import Source

MAX_DEPTH = 40

_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map", "timestamp")}


@dataclass(frozen=True)
class Entry:
    """One value of a document: its YAML node, its file, and its label in messages."""

    node: yaml.Node
    source: Source
    label: str

    @property
    def line(self) -> int:
        """Line of the value, from 1."""
        return int(self.node.start_mark.line) + 1

    def error(self, message: str) -> FileError:
        """Return an error with `message` at this entry's line."""
        return self.source.error(message, self.line)

    def mapping(self, allowed: Collection[str], required: Collection[str] = ()) -> dict[str, Entry]:
        """Return the entries of a mapping by key; unknown, repeated and missing keys are errors."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error(f"{self.label} must be a mapping with the keys {', '.join(allowed)}, got {self._shown()}")
        found: dict[str, Entry] = {}
        for key_node, value in self.node.value:
            key = Entry(key_node, self.source, f"a key of {self.label}").text()
            line = key_node.start_mark.line + 1
            if key in found:
                raise self.source.error(f"key {key!r} of {self.label} is given twice", line)
            if key not in allowed:
                raise self.source.error(f"unknown key {key!r} in {self.label}; {suggest(key, allowed)}", line)
            found[key] = Entry(value, self.source, f"{key!r} of {self.label}")
        for key in required:
            if key not in found:
                raise self.error(f"{self.label} has no key {key!r}")
        return found

    def items(self) -> list[Entry]:
        """Return the entries of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error(f"{self.label} must be a list, got {self._shown()}")
        return [Entry(node, self.source, f"item {i} of {self.label}") for i, node in enumerate(self.node.value, 1)]

    def called(self, label: str) -> Entry:
        """Return the same entry with another label for messages."""
        return Entry(self.node, self.source, label)

    def text(self) -> str:
        """Return a text as written in the file."""
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag.endswith(":null"):
            raise self.error(f"{self.label} must be a text, got {self._shown()}")
        return str(self.node.value)

    def choice(self, choices: Collection[str]) -> str:
        """Return a text that is one of `choices`."""
        value = self.text()
        if value not in choices:
            close = similar(value, choices)
            raise self.error(f"{self.label} must be one of {', '.join(choices)}, got {value!r}" + (f"; {close}" if close else ""))
        return value

    def number(self, infinite: bool = False) -> float:
        """Return a number; `pi/2` and `90deg` are numbers too."""
        value = parse_expression(self.node.value, infinite) if isinstance(self.node, yaml.ScalarNode) else None
        if value is None:
            raise self.error(f"{self.label} must be a number such as 0.5, 1e-3, -pi/2 or 90deg, got {self._shown()}")
        return value

    def numbers(self, count: int) -> np.ndarray:
        """Return a list of `count` numbers as an array."""
        items = self.items()
        if len(items) != count:
            raise self.error(f"{self.label} must be {count} numbers, got {len(items)}")
        return np.array([item.number() for item in items])

    def matrix(self) -> np.ndarray:
        """Return three rows of three numbers as an array (3, 3)."""
        rows = self.items()
        if len(rows) != 3:
            raise self.error(f"{self.label} must be three rows of three numbers, got {len(rows)} rows")
        return np.array([row.numbers(3) for row in rows])

    def flag(self) -> bool:
        """Return true or false."""
        return self.choice(("true", "false")) == "true"

    def _shown(self) -> str:
        if isinstance(self.node, yaml.ScalarNode):
            return "nothing" if self.node.tag.endswith(":null") else repr(self.node.value[:60])
        return "a list" if isinstance(self.node, yaml.SequenceNode) else "a mapping"


def compose_yaml(text: str, source: Source) -> Entry:
    """Return the one document in `text` as an entry."""
    try:
        loader = _Composer(text)
        loader.source = source
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        raise source.error(f"not a YAML document: {said}", mark.line + 1 if mark else None) from None
    except yaml.reader.ReaderError as error:
        # libyaml counts bytes
        before = text.encode()[: error.position] if _Parser else text[: error.position].encode()
        line = before.count(b"\n") + 1
        raise source.error("not a YAML document: it holds a character that YAML does not allow", line) from None
    except (ValueError, OverflowError) as error:
        if isinstance(error, FileError):
            raise
        # a broken escape in a quoted text
        raise source.error(f"not a YAML document: {error}") from None
    if node is None:
        raise source.error("the file is empty; a robot starts with 'lissom: 1'")
    return Entry(node, source, "the document")


# libyaml gives the parts of a document four times faster than Python does; nodes are composed in Python either way, since C would
# have no limit of depth
_Parser: Any = yaml.cyaml.CParser if yaml.__with_libyaml__ else None  # type: ignore[attr-defined]
_PARTS: tuple[Any, ...] = (yaml.composer.Composer, _Parser, yaml.resolver.Resolver) if _Parser else (yaml.SafeLoader,)


class _Composer(*_PARTS):  # type: ignore[misc]
    """PyYAML's own composer, with limits."""

    source: Source
    depth = 0

    def __init__(self, text: str) -> None:
        for part in _PARTS:
            part.__init__(self, *((text,) if part in (_Parser, yaml.SafeLoader) else ()))

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise self.source.error("aliases (*name) are not allowed: a few can fill the memory; write the value out", line)
        if self.depth > MAX_DEPTH:
            raise self.source.error(f"values are nested more than {MAX_DEPTH} deep", line)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node is not None and node.tag not in _PLAIN_TAGS:
            raise self.source.error(f"tag {node.tag!r} is not allowed; lissom reads plain YAML", line)
        return node
