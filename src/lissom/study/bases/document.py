"""Documents with places in them that parameters change: problem files, scenarios, and parts of study files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from ...errors import StateError, suggest
from ...read.entry import Entry, compose_yaml
from ...read.source import Source
from ..expression import Expression
from ..parameters import Value

KEPT = 64  # documents and robots that a process remembers
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")

Step = str | int
Place = tuple[Step, ...]


def place(text: str) -> Place:
    """Return the steps of a place such as "limits[0].within"; raise StateError for anything else."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (text[at] == "." if at == 0 else text[at] not in ".["):
            break
        steps.append(match[1] if match[1] is not None else int(match[2]))
        at = match.end()
    if not steps or at < len(text) or isinstance(steps[0], int):
        raise StateError(f"{text!r} is no place in a file; expected keys such as end.position[0] or limits[1].within")
    return tuple(steps)


@dataclass(frozen=True)
class Document:
    """A YAML document, or a part of one.

    Attributes:
        text: of the whole file.
        path: of the file, for messages.
        folder: from which other files are named.
        within: the place of the part.
    """

    text: str
    path: str
    folder: str
    within: Place = ()

    @property
    def entry(self) -> Entry:
        """The document as it is written."""
        return _composed(self)

    @property
    def plain(self) -> str:
        """Its content, without comments."""
        return yaml.serialize(self.entry.node)

    def changed(self, values: Mapping[Place, Value]) -> Entry:
        """Return the document with other values at places; raise a FileError where there is no such place."""
        entry = self.entry
        node = entry.node
        for where, value in values.items():
            text = value if isinstance(value, str) else repr(float(value))
            node = _with(Entry(node, entry.source, entry.label), where, where, text)
        return Entry(node, entry.source, entry.label)


def read_file(path: str, text: str, folder: Path) -> Document:
    """Return the document of a file's text."""
    return Document(text, path, str(folder))


@lru_cache(KEPT)
def _composed(document: Document) -> Entry:
    entry = compose_yaml(document.text, Source(document.path))
    for step in document.within:
        assert isinstance(entry.node, yaml.MappingNode)  # a reader was there before
        value = next(value for key, value in entry.node.value if key.value == step)
        entry = Entry(value, entry.source, f"'{step}'")
    return entry.called("the document") if document.within else entry


def _with(entry: Entry, where: Place, whole: Place, text: str) -> yaml.Node:
    """Return a node with the text at a place; other nodes are shared."""
    node = entry.node
    if not where:
        if not isinstance(node, yaml.ScalarNode):
            raise entry.error(f"{spelled(whole)} is {_kind(node)}, and a parameter replaces one value; name a place inside it")
        return yaml.ScalarNode("tag:yaml.org,2002:str", text, node.start_mark, node.end_mark)
    step, *rest = where
    if isinstance(step, int):
        if not isinstance(node, yaml.SequenceNode):
            raise entry.error(f"{_before(whole, where)} is {_kind(node)}, not a list, so there is no {spelled(whole)}")
        if step >= len(node.value):
            raise entry.error(
                f"{_before(whole, where)} has {len(node.value)} items, counted from 0: there is no {spelled(whole)}"
            )
        parts = list(node.value)
        parts[step] = _with(Entry(parts[step], entry.source, entry.label), tuple(rest), whole, text)
        return yaml.SequenceNode(node.tag, parts, node.start_mark, node.end_mark, node.flow_style)
    if not isinstance(node, yaml.MappingNode):
        raise entry.error(f"{_before(whole, where)} is {_kind(node)}, so there is no {spelled(whole)}; write it as a mapping")
    pairs = list(node.value)
    for number, (key, value) in enumerate(pairs):
        if key.value == step:
            pairs[number] = (key, _with(Entry(value, entry.source, entry.label), tuple(rest), whole, text))
            break
    else:
        if rest:
            keys = [str(key.value) for key, _ in pairs]
            raise entry.error(
                f"{_before(whole, where)} has no key {step!r}, so there is no {spelled(whole)}; {suggest(step, keys)}"
            )
        key = yaml.ScalarNode("tag:yaml.org,2002:str", step, node.start_mark, node.end_mark)
        pairs.append((key, yaml.ScalarNode("tag:yaml.org,2002:str", text, node.start_mark, node.end_mark)))
    return yaml.MappingNode(node.tag, pairs, node.start_mark, node.end_mark, node.flow_style)


def spelled(where: Sequence[Step]) -> str:
    """Return a place as it is written."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).removeprefix(".")


def _before(whole: Place, where: Place) -> str:
    return spelled(whole[: len(whole) - len(where)]) or "the document"


def _kind(node: yaml.Node) -> str:
    return "a mapping" if isinstance(node, yaml.MappingNode) else "a list" if isinstance(node, yaml.SequenceNode) else "one value"


@dataclass(frozen=True)
class Settings:
    """What is written into a document: formulas of parameters, by place."""

    formulas: Mapping[Place, Expression]

    def values(self, values: Mapping[str, Value]) -> dict[Place, Value]:
        """Return the values at all places for those of the parameters."""
        return {where: formula(values) for where, formula in self.formulas.items()}

    def digest(self) -> dict[str, str]:
        """Return the formulas by place, as texts."""
        return {spelled(where): formula.text for where, formula in self.formulas.items()}
