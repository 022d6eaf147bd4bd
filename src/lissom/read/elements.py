"""Force elements of a YAML document, in trees and Denavit-Hartenberg tables.

    force_elements:
      - name: tendon
        kind: point_spring
        link_a: base
        point_a: [0, 0, 0.2]               # in the frame of the link [m]
        link_b: rod
        point_b: [0, 0, -0.4]
        stiffness: 800                     # [N/m]
        rest: 0.3                          # length without force [m]; default 0
        damping: 5                         # [N s/m]; default 0

The keys of a kind are the fields of its class (`model/elements/`); those with a default may be left out.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..model import ForceElement
from ..model.elements.table import KINDS
from .entry import Entry

KEYS = ("force_elements",)


def read_elements(keys: dict[str, Entry]) -> list[ForceElement]:
    """Return the force elements among the entries of a document."""
    return [_element(item) for item in keys["force_elements"].items()] if "force_elements" in keys else []


def _element(item: Entry) -> ForceElement:
    every = dict.fromkeys(field.name for kind in KINDS.values() for field in dataclasses.fields(kind))  # type: ignore[arg-type]
    kind = KINDS[item.mapping(("kind", *every), required=("kind",))["kind"].choice(KINDS)]
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    required = [field.name for field in fields if field.default is dataclasses.MISSING]
    found = item.mapping(("kind", *(field.name for field in fields)), required)
    name = found["name"].text()
    item.source.note("force element", name, item.line)
    own = {key: value.called(f"{key!r} of force element {name!r}") for key, value in found.items()}
    values = {field.name: _value(own[field.name], field.type) for field in fields if field.name in own}
    with item.source.at(item.line):
        return kind(**values)


def _value(entry: Entry, form: object) -> Any:
    if form == "str":
        return entry.text()
    return entry.numbers(3).tolist() if form == "Vector3" else entry.number()
