"""Control polygons: of derivatives, of the same curve with twice the knots, and as bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .basis import Basis


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


class Polygon(NamedTuple):
    """Control points (k, n) of a spline in s, and its knots (k + degree + 1,)."""

    points: np.ndarray
    knots: np.ndarray


def derivatives(points: np.ndarray, basis: Basis, orders: int) -> list[Polygon]:
    """Return control points of a spline and of its derivatives by s, orders 0 ... `orders`, the degree at most."""
    found = [Polygon(points, basis.knots)]
    for degree in range(basis.degree, basis.degree - orders, -1):
        last = found[-1]
        if basis.even:
            found.append(Polygon(derivative_points(last.points, degree), last.knots[1:-1]))
        else:
            found.append(_derivative(last, degree))
    return found


def derivative_points(points: np.ndarray, degree: int) -> np.ndarray:
    """Return the control points (m - 1, n) of the derivative by s, a clamped uniform spline of one degree less.

    Q_i = p (P_(i+1) - P_i) / (t_(i+p+1) - t_(i+1)). Equal control points give exact zeros.
    """
    spans = len(points) - degree
    i = np.arange(len(points) - 1)
    lengths = np.minimum(i + 1, spans) - np.maximum(i + 1 - degree, 0)  # in spans, exact
    return np.diff(points, axis=0) * (degree * spans / lengths)[:, None]


def _derivative(polygon: Polygon, degree: int) -> Polygon:
    """Return the polygon of the derivative with any knots.

    Where the spline jumps at a break, one difference is that of its values on both sides and belongs to a function without
    support: it is left out, with one of the repeated knots, so that the hull of the others holds only what is reached.
    """
    points, knots = polygon
    i = np.arange(len(points) - 1)
    lengths = knots[i + degree + 1] - knots[i + 1]
    kept = lengths > 0.0
    slopes = np.diff(points, axis=0)[kept] * (degree / lengths[kept])[:, None]
    return Polygon(slopes, np.delete(knots[1:-1], i[~kept]))


def bounds(points: np.ndarray) -> np.ndarray:
    """Return the lowest and the highest control value of each joint (2, n)."""
    return np.stack([points.min(axis=0), points.max(axis=0)])


def halved(points: np.ndarray, basis: Basis) -> np.ndarray:
    """Return the control points of the same curve with a new knot in the middle of every span, for `basis.refined()`."""
    if basis.even:
        return _evenly_halved(points, basis.degree)
    knots, middles = basis.knots, basis.refined().span_ends[1::2]
    for k in range(basis.degree):
        points, knots = _inserted(points, knots, basis.degree, middles[k :: basis.degree])
    return points


def _evenly_halved(points: np.ndarray, degree: int) -> np.ndarray:
    """Return them for uniform knots, by the Oslo algorithm.

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


def _inserted(points: np.ndarray, knots: np.ndarray, degree: int, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return control points and knots of the same curve with new knots (k,), at least `degree` spans apart.

    Boehm 1980: each replaces p - 1 control points by p others, means of two neighbors. Shares lie in 0 ... 1, so that no digits
    are lost, also where a short span is beside a long one; the Oslo algorithm would extrapolate there. That far apart,
    insertions do not see each other.
    """
    p, last = degree, np.searchsorted(knots, new, side="right") - 1  # the knot before each new one
    i = last[:, None] + np.arange(1 - p, 1)
    share = ((new[:, None] - knots[i]) / (knots[i + p] - knots[i]))[..., None]
    found = np.insert(points, last, points[last], axis=0)
    found[i + np.arange(len(new))[:, None]] = (1.0 - share) * points[i - 1] + share * points[i]
    return found, np.insert(knots, last + 1, new)
