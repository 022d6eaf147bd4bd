"""Bounds on sizes, grids and copies in an MJCF file, which a few characters can make huge.

MuJoCo's compiler runs under limits anyway; these checks name the number and the line, at once.
"""

from __future__ import annotations

import math

from ..source import Source
from ..xml import Element

MOST_COPIES = 100_000  # by <replicate>, nested ones multiplied
MOST_POINTS = 20_000_000  # of a height field, a grid or a texture
MOST_ROOM = 1_000_000  # of everything in <size>, and of sizes in <custom>, <sensor> and <actuator>
_GRIDS = {"hfield": ("nrow", "ncol"), "flexcomp": ("count",), "composite": ("count",), "texture": ("width", "height")}
_ROOM = {"numeric": ("size",), "user": ("dim",), "general": ("actdim",), "plugin": ("actdim",)}


def check_counts(root: Element, source: Source) -> None:
    """Raise a FileError if a number of copies, points or reserved places exceeds its bound."""
    stack = [(root, 1.0)]
    while stack:
        element, copies = stack.pop()
        if element.tag == "replicate":
            copies *= _product(element, "count")
            _check(copies, MOST_COPIES, "copies (nested ones multiplied)", element, source)
        elif element.tag in _GRIDS:
            _check(_product(element, *_GRIDS[element.tag]), MOST_POINTS, "points", element, source)
        elif element.tag == "size":
            for key in element.attributes:
                if key not in ("memory", "nstack"):
                    _check(_product(element, key), MOST_ROOM, f"of {key!r}", element, source)
        for key in _ROOM.get(element.tag, ()):
            _check(_product(element, key), MOST_ROOM, f"of {key!r}", element, source)
        stack.extend((child, copies) for child in element.children)


def _check(count: float, most: int, what: str, element: Element, source: Source) -> None:
    if count > most:
        raise source.error(f"<{element.tag}> asks for {count:g} {what}, expected at most {most}", element.line)


def _product(element: Element, *keys: str) -> float:
    """Return the product of the numbers in attributes, each at least one; MuJoCo reports what is not a number."""
    found = 1.0
    for word in " ".join(element.attributes.get(key, "") for key in keys).split()[:6]:
        try:
            number = float(word)
        except ValueError:
            continue
        found *= max(1.0, number) if math.isfinite(number) else 1.0
    return found
