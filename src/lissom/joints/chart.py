"""Charts: rotations by exponential coordinates r, R = exp(r), with their rates along a path, over any scalar.

A spline of quaternions has no length of one, a spline of r needs none. With t = |r| the quaternion of exp(r) is
(r sin(t/2) / t, cos(t/2)). Both factors are functions of r . r: series at r / 16, then four times the double angle, so that they
are smooth at zero. The chart is smooth for turns of less than 2 pi; there all r of that length are one rotation, and it is
singular.

Rates are those of series in time (`spatial/series.py`): with u' of the quaternion u, w = 2 vec(u* u') in the child's axes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..spatial.quaternion import quaternion_log, unit
from ..spatial.scalar import Scalar, add, mul, sub
from ..spatial.series import Series, terms_of
from ..spatial.vector import Vector
from .series import HALF_COSINE, HALF_SINE, product, series

Path = Sequence[Sequence[Scalar]]  # columns of a path, their rates, and so on

DOUBLINGS = 4
TERMS = 7  # of the series: what is left out at a full turn is below 1e-17
TURN = 2.0 * np.pi


def quaternion_of(r: Sequence[Scalar]) -> list[Scalar]:
    """Return the quaternion x y z w of exp(r)."""
    t2 = Vector(*r).dot(Vector(*r))
    share = 0.5**DOUBLINGS
    small = mul(share**2, t2)
    sine, cosine = mul(share, series(HALF_SINE[:TERMS], small)), series(HALF_COSINE[:TERMS], small)  # sin(t/32) / t
    for _ in range(DOUBLINGS):
        sine, cosine = mul(2.0, mul(sine, cosine)), sub(1.0, mul(2.0, mul(t2, mul(sine, sine))))
    return [*(mul(sine, x) for x in r), cosine]


def in_time(path: Path, first: int = 0) -> list[Scalar]:
    """Return the columns of a path from derivative number `first` on as series in time, or as scalars where it is the last."""
    entries = list(zip(*path[first:], strict=True))
    return [terms[0] if len(terms) == 1 else Series(terms) for terms in entries]


def cut(x: Scalar, first: int, count: int) -> Scalar:
    """Return `count` derivatives of a series from number `first` on, again a series, or a scalar."""
    terms = terms_of(x, first + count)[first:]
    return terms[0] if count == 1 else Series(terms)


def by_order(entries: Sequence[Scalar], count: int) -> list[list[Scalar]]:
    """Return values, rates and so on of several series, `count` lists."""
    columns = [terms_of(x, count) for x in entries]
    return [[column[order] for column in columns] for order in range(count)]


def turning(u: Sequence[Scalar], count: int) -> list[Scalar]:
    """Return the angular velocity in the child's axes, with `count` terms, of a quaternion's series that has one more."""
    still = [cut(x, 0, count) for x in u]
    moving = [cut(x, 1, count) for x in u]
    back = [*(sub(0.0, x) for x in still[:3]), still[3]]
    return [add(x, x) for x in product(back, moving)[:3]]


def rotation_columns(u: np.ndarray) -> np.ndarray:
    """Return r (..., 3) of quaternions x y z w (..., 4) of any length, at most pi long."""
    return quaternion_log(unit(u))


def nearest_turn(r: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Return the r (3,) of the same rotation that is nearest to another one, of those shorter than a full turn."""
    length = float(np.linalg.norm(r))
    if length == 0.0:
        return r
    other = r * (1.0 - TURN / length)
    return other if np.linalg.norm(other - near) < np.linalg.norm(r - near) - 1e-12 else r
