"""De Boor's recurrences for clamped uniform knots, for many points at once.

Lengths are counted in spans here: knots are whole numbers, t_i = clip(i - p, 0, n), and their differences are exact.
De Boor, A Practical Guide to Splines (2001), chapters IX and X.

Symbols: p degree | n number of spans | j span of a point (...) | u its position in that span (...), 0 ... 1
    b the k + 1 functions of degree k that are not zero in span j, first axis; they belong to control points j ... j + k of a
    spline of degree k with n spans
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def place(s: np.ndarray, spans: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the span and the position in it for s in 0 ... 1; a knot begins a span, but s = 1 ends the last one."""
    # comparing with the knots as numbers, not flooring s n: a rounded product may fall short of a knot that s is equal to
    j = np.minimum(np.searchsorted(np.arange(spans + 1) / spans, s, side="right") - 1, spans - 1)
    return j, np.clip(s * spans - j, 0.0, 1.0)


def values(spans: int, degree: int, j: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
    """Return the functions of every degree 0 ... p, arrays (k + 1, ...), each from those of one degree less."""
    triangle = [np.ones((1, *u.shape))]
    for k in range(1, degree + 1):
        b = np.zeros((k + 1, *u.shape))
        for a, lower in enumerate(triangle[-1]):
            share = lower / width(spans, k, a, j)
            b[a] += share * (np.minimum(a + 1, spans - j) - u)
            b[a + 1] += share * (np.minimum(k - a - 1, j) + u)
        triangle.append(b)
    return triangle


def differentiated(spans: int, k: int, lower: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return derivatives (k + 1, ...) of functions of degree k, given those (k, ...) of degree k - 1, one order lower."""
    b = np.zeros((k + 1, *j.shape))
    for a, x in enumerate(lower):
        slope = k * x / width(spans, k, a, j)
        b[a] -= slope
        b[a + 1] += slope
    return b


def width(spans: int, k: int, a: int, j: np.ndarray) -> np.ndarray:
    """Return the length of the support of function a of degree k - 1 in span j, cut at the ends of the path."""
    return np.minimum(a + 1, spans - j) + np.minimum(k - a - 1, j)  # type: ignore[no-any-return]


def combined(b: np.ndarray, first: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the sums over a of b_a times control point first + a, (..., n)."""
    total = b[0][..., None] * points[first]
    for a in range(1, len(b)):
        total += b[a][..., None] * points[first + a]
    return total  # type: ignore[no-any-return]


def lifted(spans: int, triangle: Sequence[np.ndarray], order: int, j: np.ndarray) -> np.ndarray:
    """Return derivatives (p + 1, ...) of any order by s of the functions of degree p, zero where the order exceeds p."""
    p = len(triangle) - 1
    if order > p:
        return np.zeros_like(triangle[p])
    b = triangle[p - order]
    for k in range(p - order + 1, p + 1):
        b = differentiated(spans, k, b, j)
    return b * float(spans) ** order
