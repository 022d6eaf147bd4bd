"""Values in problem files: whole numbers, numbers for all entries, one for each, or by their names; degrees only for angles."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from ..errors import FileError, LissomError, suggest
from .entry import Entry


@contextmanager
def line_of(entry: Entry) -> Iterator[None]:
    """Turn what the problem refuses into a FileError at the line of an entry."""
    try:
        yield
    except FileError:
        raise
    except LissomError as error:
        raise entry.error(str(error)) from error


def is_text(entry: Entry, text: str) -> bool:
    """Tell whether an entry is exactly this word."""
    return isinstance(entry.node, yaml.ScalarNode) and entry.node.value.strip() == text


def number(entry: Entry, angles: bool = False, infinite: bool = False) -> float:
    """Return a number in SI units; "90deg" only where angles, or rates of them, are meant."""
    value = entry.number(infinite)
    if not angles and str(entry.node.value).strip().endswith(("deg", "°")):
        raise entry.error(f"{entry.label} is {entry.node.value.strip()!r}, but it is no angle; give a number in SI units")
    return value


def whole(entry: Entry, least: int = 0) -> int:
    """Return a whole number from `least` on."""
    value = number(entry)
    if value != int(value) or value < least:
        raise entry.error(f"{entry.label} must be a whole number from {least} on, got {entry.node.value!r}")
    return int(value)


def numbers(entry: Entry, angles: bool = False) -> list[float]:
    """Return a list of numbers."""
    return [number(item, angles) for item in entry.items()]


def vector(entry: Entry) -> tuple[float, ...]:
    """Return three numbers, a point [m]."""
    return tuple(float(x) for x in entry.numbers(3))


def values(entry: Entry, names: Collection[str], angles: bool = False, infinite: bool = False) -> Any:
    """Return a number for all entries, a list with one for each, or a dictionary by names.

    Args:
        entry: what the file says.
        names: those that a dictionary may use.
        angles: whether degrees are allowed.
        infinite: whether infinite numbers are.
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
    """Return one text or a list of them, each among `choices` where given."""
    items = entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]
    found = [item.text() for item in items]
    for item, text in zip(items, found, strict=True):
        if choices is not None and text not in choices:
            raise item.error(f"no {text!r} here; {suggest(text, choices)}")
    return found
