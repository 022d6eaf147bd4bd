"""Numbers in files: 0.5, 1e-3, pi/2, -3*pi/4, 90deg. No eval."""

from __future__ import annotations

import math
import re

LONGEST = 100  # characters; the longest float that Python writes has 24

# every pattern matches in one way only, so that the time is proportional to the length of the text
_DIGITS = r"(?:\d+(?:\.\d*)?|\.\d+)"
_PLAIN = re.compile(rf"[+-]?{_DIGITS}(?:[eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"([+-]?)\.?inf(inity)?", re.IGNORECASE)
_PI = re.compile(rf"([+-]?)\s*(?:({_DIGITS})\s*(?:\*\s*)?)?(?:pi|π)(?:\s*/\s*({_DIGITS}))?", re.ASCII)


def parse_number(text: str, infinite: bool = False) -> float | None:
    """Return a plain decimal number, or None if `text` is not one; infinities only with `infinite`."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if infinite and (match := _INFINITE.fullmatch(text)):
        return -math.inf if match[1] == "-" else math.inf
    if not _PLAIN.fullmatch(text):
        return None
    value = float(text)
    # a number too large for a float, such as 1e999, is a mistake and not infinity
    return value if math.isfinite(value) else None


def parse_expression(text: str, infinite: bool = False) -> float | None:
    """Return a number, a multiple of pi, or an angle in degrees as radians; None for anything else."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if text.endswith(("deg", "°")):
        degrees = parse_number(text[:-1] if text.endswith("°") else text[:-3])
        return None if degrees is None else math.radians(degrees)
    if match := _PI.fullmatch(text):
        factor, divisor = float(match[2] or 1), float(match[3] or 1)
        value = factor * math.pi / divisor if divisor else math.inf
        return None if not math.isfinite(value) else -value if match[1] == "-" else value
    return parse_number(text, infinite)


def shown(text: str) -> str:
    """Return `text` quoted for a message, shortened if long."""
    return repr(text) if len(text) <= LONGEST else f"{text[:60]!r}.. ({len(text)} characters)"
