"""Kinds of YAML documents: a file that is of another kind than asked for says so, before its keys are looked at."""

from __future__ import annotations

from collections.abc import Collection

import yaml

from ..errors import suggest
from .entry import Entry

KINDS = {
    "tree": "a robot",
    "dh": "a robot",
    "motion": "a motion problem, for `lissom predict`",
    "scenario": "a scenario, for `lissom simulate`",
    "loops": "the loops of a robot that stands in a file of its own, for `load(robot, loops=...)` and `--loops`",
}


def expect_kind(document: Entry, wanted: Collection[str], what: str) -> None:
    """Raise the error of a document whose `kind` is known, or mistyped, and not among `wanted`; `what` says what was expected."""
    if not isinstance(document.node, yaml.MappingNode):
        return
    for key, value in document.node.value:
        if key.value == "kind" and isinstance(value, yaml.ScalarNode):
            entry = Entry(value, document.source, f"'kind' of {document.label}")
            kind = entry.text()
            if kind in KINDS and kind not in wanted:
                raise entry.error(f"this file is {KINDS[kind]} (kind: {kind}), not {what}")
            if kind not in KINDS:
                raise entry.error(f"{entry.label} must be one of {', '.join(wanted)}, got {kind!r}; {suggest(kind, KINDS)}")
