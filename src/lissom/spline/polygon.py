"""Control polygons: of derivatives, of the same curve with twice the knots, and as bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Hull(NamedTuple):
    """Bounds of a path from its control points: each (2, n), the lowest and the highest value of every joint.

    A curve lies in the convex hull of its control points. The bounds hold for the whole path, between grid points too, but need
    not be reached: the gap shrinks with the square of the spans' length (`SplinePath.refined`).

    Attributes:
        q: of positions [rad or m].
        qd: of velocities [rad/s or m/s].
        qdd: of accelerations [rad/s^2 or m/s^2]; of a path of degree 1, only between the knots, where they are zero.
    """

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def derivative_points(points: np.ndarray, degree: int) -> np.ndarray:
    """Return the control points (m - 1, n) of the derivative by s, a clamped uniform spline of one degree less.

    Q_i = p (P_(i+1) - P_i) / (t_(i+p+1) - t_(i+1)). Equal control points give exact zeros.
    """
    spans = len(points) - degree
    i = np.arange(len(points) - 1)
    lengths = np.minimum(i + 1, spans) - np.maximum(i + 1 - degree, 0)  # in spans, exact
    return np.diff(points, axis=0) * (degree * spans / lengths)[:, None]


def bounds(points: np.ndarray) -> np.ndarray:
    """Return the lowest and the highest control value of each joint (2, n)."""
    return np.stack([points.min(axis=0), points.max(axis=0)])


def halved(points: np.ndarray, degree: int) -> np.ndarray:
    """Return the control points of the same curve with a new knot in the middle of every span, by the Oslo algorithm.

    Cohen, Lyche and Riesenfeld 1980: new point i is the polar form of the curve at the new knots tau_(i+1) ... tau_(i+p),
    found by de Boor's algorithm in the old span that holds tau_i, with another argument in each round.
    """
    p, spans = degree, len(points) - degree
    # lengths in half spans: whole numbers
    old = 2 * np.clip(np.arange(-p, spans + p + 1), 0, spans)
    new = np.clip(np.arange(-p, 2 * spans + p + 1), 0, 2 * spans)
    i = np.arange(2 * spans + p)
    j = np.searchsorted(old, new[i], side="right") - 1
    d = [points[j - p + a] for a in range(p + 1)]
    for k in range(1, p + 1):
        for a in range(p, k - 1, -1):
            low, high = old[j - p + a], old[j + 1 + a - k]
            share = ((new[i + k] - low) / (high - low))[:, None]
            d[a] = (1.0 - share) * d[a - 1] + share * d[a]
    return d[p]
