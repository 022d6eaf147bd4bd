"""Fingerprint: a text with every number of a description, so that equal models have equal digests on every machine."""

from __future__ import annotations

import dataclasses
from typing import Any


def full_text(x: Any) -> str:
    """Return all fields of a description and its parts; fields in `_later` are left out if None.

    Digests of models are made from this text: a change of its form recompiles all cached code.
    """
    if isinstance(x, tuple):
        parts = [full_text(value) for value in x]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        later = getattr(x, "_later", ())
        shown = [f.name for f in dataclasses.fields(x) if f.repr and (f.name not in later or getattr(x, f.name) is not None)]
        return f"{type(x).__qualname__}({', '.join(f'{name}={full_text(getattr(x, name))}' for name in shown)})"
    return repr(x)
