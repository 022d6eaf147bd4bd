"""Numbers as people write them in files: 0.5, 1e-3, pi/2, -3*pi/4, 90deg. No eval."""

from __future__ import annotations

import math
import re

_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"([+-]?)\.?inf(inity)?", re.IGNORECASE)
_PI = re.compile(r"([+-]?)\s*(?:(\d+\.?\d*|\.\d+)\s*\*?\s*)?(?:pi|π)(?:\s*/\s*(\d+\.?\d*|\.\d+))?", re.ASCII)
_DEGREES = re.compile(r"(.*\S)\s*(?:deg|°)")


def parse_number(text: str, infinite: bool = False) -> float | None:
    """Return a plain decimal number, or None where `text` is none; infinities only where `infinite` allows them."""
    text = text.strip()
    if infinite and (match := _INFINITE.fullmatch(text)):
        return -math.inf if match[1] == "-" else math.inf
    if not _PLAIN.fullmatch(text):
        return None
    value = float(text)
    # a number too large for a float, such as 1e999, is a mistake and not infinity
    return value if math.isfinite(value) else None


def parse_expression(text: str, infinite: bool = False) -> float | None:
    """Return a number that may also be a multiple of pi, or an angle in degrees that becomes radians; None for anything else."""
    text = text.strip()
    if match := _DEGREES.fullmatch(text):
        degrees = parse_number(match[1])
        return None if degrees is None else math.radians(degrees)
    if match := _PI.fullmatch(text):
        factor, divisor = float(match[2] or 1), float(match[3] or 1)
        value = factor * math.pi / divisor if divisor else math.inf
        return None if not math.isfinite(value) else -value if match[1] == "-" else value
    return parse_number(text, infinite)
