"""lissom's YAML files: the common header (`lissom: 1` and a `kind`) is checked before the keys."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from ..errors import similar
from .entry import Entry, compose_yaml
from .source import Source, decode, exists, read_bytes

VERSION = "1"
HEADER = ("lissom", "kind")


class Kind(NamedTuple):
    """A kind of document: its description, its command, and how it begins."""

    what: str
    command: str
    begins: str


_ROBOT = Kind("a robot", "", "a robot starts with 'lissom: 1', 'kind: tree' or 'dh', and a name")
KINDS = {
    "tree": _ROBOT,
    "dh": _ROBOT,
    "motion": Kind(
        "a motion problem", ", for `lissom predict`", "a motion problem starts with 'lissom: 1', 'kind: motion' and a name"
    ),
    "scenario": Kind("a scenario", ", for `lissom simulate`", "a scenario starts with 'lissom: 1' and 'kind: scenario'"),
    "study": Kind("a study", ", for `lissom study`", "a study starts with 'lissom: 1', 'kind: study' and a name"),
    "work": Kind("a job", ", for `lissom work`", "a job starts with 'lissom: 1' and 'kind: work'"),
    "loops": Kind(
        "the loops of a robot",
        " in a separate file, for `load(robot, loops=...)` and `--loops`",
        "the loops of a robot start with 'lissom: 1' and 'kind: loops'",
    ),
}


def open_document(path: str | os.PathLike[str], limit: int) -> Entry:
    """Return the document of a YAML file of at most `limit` bytes."""
    return compose_yaml(decode(read_bytes(path, limit), path), Source(path))


def is_kind(path: str | os.PathLike[str], kind: str) -> bool:
    """Return whether `path` is a YAML file with this `kind:` in its first MiB; the rest is not read."""
    if Path(path).suffix.lower() not in (".yaml", ".yml") or not exists(Path(path)) or not Path(path).is_file():
        return False
    says = re.compile(rf"""^(?:\{{.*?)?["']?kind["']?\s*:\s*["']?{kind}\b""".encode(), re.MULTILINE)
    with open(path, "rb") as file:
        return says.search(file.read(1 << 20)) is not None


def read_header(
    document: Entry,
    kinds: Collection[str],
    keys: Collection[str],
    required: Collection[str] = (),
    hints: Mapping[str, str] | None = None,
) -> dict[str, Entry]:
    """Return the entries of a document by key, after checking its kind and version.

    Args:
        document: the whole file.
        kinds: the expected kinds.
        keys: allowed keys beside the header.
        required: required keys beside the header.
        hints: message for a missing required key, by key; by default how such a document begins.
    """
    wanted = KINDS[next(iter(kinds))]
    if not isinstance(document.node, yaml.MappingNode):
        raise document.error(f"this is not {wanted.what}; {wanted.begins}")
    _expect_kind(document, kinds, wanted)
    found = document.mapping((*HEADER, *keys))
    for key in (*HEADER, *required):
        if key not in found:
            raise document.error(f"the document has no key {key!r}; {(hints or {}).get(key, wanted.begins)}")
    if (version := found["lissom"].text()) != VERSION:
        raise found["lissom"].error(f"this is version {version!r} of the format; this lissom reads version {VERSION}")
    found["kind"].choice(kinds)
    return found


def _expect_kind(document: Entry, kinds: Collection[str], wanted: Kind) -> None:
    """Raise a FileError if the kind of a document is not an expected one."""
    for key, value in document.node.value:
        if key.value == "kind" and isinstance(value, yaml.ScalarNode):
            entry = Entry(value, document.source, f"'kind' of {document.label}")
            kind = entry.text()
            if kind not in KINDS:
                close = similar(kind, KINDS)
                raise entry.error(
                    f"{entry.label} must be one of {', '.join(kinds)}, got {kind!r}" + (f"; {close}" if close else "")
                )
            if kind not in kinds:
                other = KINDS[kind]
                raise entry.error(f"this file is {other.what}{other.command} (kind: {kind}), not {wanted.what}")
