"""Inertias of the model's links: segments of the source, whole or divided.

A divided segment is again the source's one when its parts are put together, in mass, center and radii of gyration.
"""

from __future__ import annotations

import math

import numpy as np

from ...model import Inertia
from ...model.pose import Vector3
from .body import Segment


def hanging(segment: Segment, turned: bool = False) -> Inertia:
    """Return a segment in a frame at its upper end, z up; `turned`: a quarter turn about its axis (a hand beside the thigh)."""
    s, t = (segment.transverse, segment.sagittal) if turned else (segment.sagittal, segment.transverse)
    return _body(segment.mass, (0.0, 0.0, -segment.center), (s, t, segment.longitudinal))


def standing(segment: Segment) -> Inertia:
    """Return a segment in a frame at its lower end, z up."""
    radii = (segment.sagittal, segment.transverse, segment.longitudinal)
    return _body(segment.mass, (0.0, 0.0, segment.length - segment.center), radii)


def lying(segment: Segment, behind: float, height: float) -> Inertia:
    """Return a foot, x from heel to toes, in a frame `behind` [m] ahead of the heel and its center `height` [m] above that."""
    radii = (segment.longitudinal, segment.transverse, segment.sagittal)
    return _body(segment.mass, (segment.center - behind, 0.0, height), radii)


def bar(mass: float, end: Vector3, radius: float) -> Inertia:
    """Return a solid cylinder around the line from the origin to `end`."""
    r = np.array(end)
    along = np.outer(r, r) / (r @ r)
    tensor = mass * ((r @ r / 12 + radius**2 / 4) * (np.eye(3) - along) + radius**2 / 2 * along)
    return Inertia(mass, tuple(r / 2), tensor)


def box(mass: float, x: float, y: float, z: float) -> tuple[Vector3, Vector3, Vector3]:
    """Return the inertia of a box with these edges [m] about its center."""
    m = mass / 12
    return _diagonal(m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y))


def cut(segment: Segment, below: float) -> tuple[Inertia, Inertia]:
    """Cut a segment across; return its lower and its upper part, each in a frame at its lower end, z up.

    Mass along the segment is linear, as the center of mass asks for, and drawn together about that center until the spread along
    the segment is the source's. Cross-sections are the same everywhere.

    Args:
        segment: the segment.
        below: share of its length below the cut.
    """
    s, t, l = segment.sagittal**2, segment.transverse**2, segment.longitudinal**2
    # moments of inertia over mass are s = y^2 + z^2, t = x^2 + z^2, l = x^2 + y^2 (means)
    x2, y2, z2 = (t + l - s) / 2, (s + l - t) / 2, (s + t - l) / 2
    L, middle = segment.length, 1.0 - segment.center / segment.length
    # density 1 + k (u - 1/2) over u from 0 to 1 has its mean at 1/2 + k/12
    k = 12.0 * (middle - 0.5)
    drawn = math.sqrt(z2 / L**2 / (1 / 12 - (k / 12) ** 2))
    parts = []
    for a, b in ((0.0, below), (below, 1.0)):
        m0, m1, m2 = (_moment(a, b, k, n) for n in range(3))
        mean, spread = m1 / m0, m2 / m0 - (m1 / m0) ** 2
        center = L * (middle + drawn * (mean - middle) - a)
        along = (drawn * L) ** 2 * spread
        m = segment.mass * m0
        parts.append(Inertia(m, (0.0, 0.0, center), _diagonal(m * (y2 + along), m * (x2 + along), m * (x2 + y2))))
    return parts[0], parts[1]


def without(whole: Inertia, part: Inertia, at: Vector3 = (0.0, 0.0, 0.0)) -> Inertia:
    """Return the inertia of a body without one of its parts, whose frame is at `at` in the body's, axes parallel."""
    mass = whole.mass - part.mass
    c, d = np.array(whole.com), np.array(part.com) + np.array(at)
    center = (whole.mass * c - part.mass * d) / mass
    tensor = np.array(whole.tensor) + _far(whole.mass, c - center) - np.array(part.tensor) - _far(part.mass, d - center)
    return Inertia(mass, tuple(center), tensor)


def _far(mass: float, r: np.ndarray) -> np.ndarray:
    return mass * (r @ r * np.eye(3) - np.outer(r, r))


def _moment(a: float, b: float, k: float, n: int) -> float:
    """Return the integral of u^n (1 + k (u - 1/2)) from a to b."""
    return (1 - k / 2) * (b ** (n + 1) - a ** (n + 1)) / (n + 1) + k * (b ** (n + 2) - a ** (n + 2)) / (n + 2)


def _body(mass: float, com: Vector3, radii: Vector3) -> Inertia:
    return Inertia(mass, com, _diagonal(*(mass * r**2 for r in radii)))


def _diagonal(x: float, y: float, z: float) -> tuple[Vector3, Vector3, Vector3]:
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))
