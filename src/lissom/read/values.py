"""Values in problem files: numbers for all entries, one per entry, or by name; degrees only for angles."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import yaml

from ..errors import FileError, LissomError, suggest
from .entry import Entry


@contextmanager
def line_of(entry: Entry) -> Iterator[None]:
    """Turn errors of the problem into a FileError at the line of an entry."""
    try:
        yield
    except FileError:
        raise
    except LissomError as error:
        raise entry.error(str(error)) from error


def is_text(entry: Entry, text: str) -> bool:
    """Return whether an entry is exactly this word."""
    return isinstance(entry.node, yaml.ScalarNode) and entry.node.value.strip() == text


def number(entry: Entry, angles: bool = False, infinite: bool = False) -> float:
    """Return a number in SI units; "90deg" only for angles or their rates."""
    value = entry.number(infinite)
    if not angles and str(entry.node.value).strip().endswith(("deg", "°")):
        raise entry.error(f"{entry.label} is {entry.node.value.strip()!r}, but not an angle; give a number in SI units")
    return value


def whole(entry: Entry, least: int = 0) -> int:
    """Return a whole number of at least `least`."""
    value = number(entry)
    if value != int(value) or value < least:
        raise entry.error(f"{entry.label} must be a whole number of at least {least}, got {entry.node.value!r}")
    return int(value)


def numbers(entry: Entry, angles: bool = False) -> list[float]:
    """Return a list of numbers."""
    return [number(item, angles) for item in entry.items()]


def vector(entry: Entry) -> tuple[float, ...]:
    """Return three numbers, a point [m]."""
    return tuple(float(x) for x in entry.numbers(3))


def values(entry: Entry, names: Collection[str], angles: bool = False, infinite: bool = False) -> Any:
    """Return a number for all entries, a list with one per entry, or a dictionary by name.

    Args:
        entry: the entry of the file.
        names: keys that a dictionary may use.
        angles: whether degrees are allowed.
        infinite: whether infinite numbers are allowed.
    """
    if isinstance(entry.node, yaml.SequenceNode):
        items = entry.items()
        if len(items) != len(names):
            raise entry.error(f"{entry.label} has {len(items)} numbers, expected {len(names)}: {', '.join(names)}")
        return [number(item, angles, infinite) for item in items]
    if isinstance(entry.node, yaml.MappingNode):
        return {key: number(value, angles, infinite) for key, value in entry.mapping(names).items()}
    return number(entry, angles, infinite)


def texts(entry: Entry, choices: Collection[str] | None = None) -> list[str]:
    """Return one text or a list of them, each in `choices` if given."""
    items = entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]
    found = [item.text() for item in items]
    for item, text in zip(items, found, strict=True):
        if choices is not None and text not in choices:
            raise item.error(f"no {text!r} here; {suggest(text, choices)}")
    return found


def numbers_of(entry: Entry, names: Collection[str], angles: bool = False) -> np.ndarray:
    """Return numbers (n,): one for all, a list, or by all their names."""
    found: Any = values(entry, names, angles)
    if isinstance(found, dict):
        for name in names:
            if name not in found:
                raise entry.error(f"{entry.label} has no value for {name!r}; expected {', '.join(names)}")
        found = [found[name] for name in names]
    return np.array(np.broadcast_to(np.asarray(found, dtype=float), len(names)))


def only_key(entry: Entry, what: str, choices: Collection[str]) -> tuple[str, Entry]:
    """Return the only key of a mapping {name: ...}, and its value."""
    if isinstance(entry.node, yaml.ScalarNode) and entry.node.value in choices:
        raise entry.error(f"{what} {entry.node.value!r} needs more: {{{entry.node.value}: ...}}")
    keys = entry.called(f"the {what}").mapping(choices)
    if len(keys) != 1:
        listed = ", ".join(keys) or "none"
        raise entry.error(f"expected one {what} of {', '.join(choices)}, got {len(keys)}: {listed}")
    ((name, own),) = keys.items()
    return name, own.called(f"{what} {name!r}")
