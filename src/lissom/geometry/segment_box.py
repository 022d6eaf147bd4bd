"""Signed distances of segments from boxes, with first and second derivatives, for many at once.

Outside, the squared distance of the point a + t w of a segment is convex in t,

    g(t) = sum_i max(|x_i| - h_i, 0)^2,   x = a + t w,   d = sqrt(min g over 0 <= t <= 1)

and g' is piecewise linear and rising, so its zero t* lies between two of the places where |x_i| = h_i. By the ends u = (a, e) of
the segment, x = (1 - t) a + t e, the gradient of the minimum is that of g at t*. Its second derivatives are g_uu at the ends of
the segment, and g_uu - g_tu g_tu^T / g_tt between them, where t* moves with u.

A segment that reaches into the box has a negative distance, the shortest way out with its sign turned: the largest separation
along the three normals of the box and the three axes across the segment and an edge (Gottschalk 1996, for boxes),

    min(s a_i, s e_i) - h_i,   s = 1 or -1,   and   (|a_j e_k - a_k e_j| - h_j |w_k| - h_k |w_j|) / sqrt(w_j^2 + w_k^2).

The distance is continuous. Its gradient jumps where the nearest point does: for a segment beside a face it is parallel to, and
inside the box where two ways out are equally long. Everywhere else first and second derivatives are exact.
Symbols: h half lengths of the edges | a, e ends of a segment in the axes of the box, from its center | w = e - a.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

TOUCH = 1e-9  # share of the sizes below which a distance counts as none: its curvature has no value there
FLAT = 1e-13  # share of its terms below which a slope counts as zero
PARALLEL = 1e-12  # squared share of the segment's length that an axis across it must have


class SegmentBox(NamedTuple):
    """Distances (N,) [m], their gradients (N, 6) by both ends of the segments, and second derivatives (N, 6, 6)."""

    distance: np.ndarray
    gradient: np.ndarray
    hessian: np.ndarray


def segment_box(ends: np.ndarray, half: np.ndarray) -> SegmentBox:
    """Return signed distances of segments from boxes.

    Args:
        ends: of the segments (N, 6), in the axes of the boxes, from their centers [m]; twice the same point for a point.
        half: lengths of the edges of the boxes (N, 3) [m].
    """
    a, w = ends[:, :3], ends[:, 3:] - ends[:, :3]
    t, single = _nearest(a, w, half)
    x = a + t[:, None] * w
    beyond = np.maximum(np.abs(x) - half, 0.0)
    d = np.sqrt((beyond * beyond).sum(axis=1))
    outside = d > TOUCH * (np.abs(half).max(axis=1) + np.abs(ends).max(axis=1))
    found = SegmentBox(d, np.zeros_like(ends), np.zeros((len(ends), 6, 6)))
    for which, function in ((outside, _outside), (~outside, _inside)):
        if which.any():
            parts = function(ends[which], half[which], t[which], single[which])
            for whole, part in zip(found, parts, strict=True):
                whole[which] = part
    return found


def _nearest(a: np.ndarray, w: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return t* (N,), in the middle where an interval is equally near, and whether it is a single point between the ends."""
    N = len(a)
    moving = np.abs(w) > 0.0
    with np.errstate(over="ignore"):
        breaks = [np.where(moving, (side * half - a) / np.where(moving, w, 1.0), 0.0) for side in (-1.0, 1.0)]
    places = np.concatenate([np.zeros((N, 1)), np.ones((N, 1)), *breaks], axis=1)
    T = np.sort(np.clip(places, 0.0, 1.0), axis=1)  # (N, 8)
    x = a[:, None] + T[..., None] * w[:, None]
    beyond = np.sign(x) * np.maximum(np.abs(x) - half[:, None], 0.0)
    slope = (beyond * w[:, None]).sum(axis=2)
    none = FLAT * (np.abs(w).max(axis=1) * (np.abs(a).max(axis=1) + np.abs(w).max(axis=1)))[:, None]
    falling, rising = (slope < -none).sum(axis=1), (slope > none).sum(axis=1)
    rows, last = np.arange(N), T.shape[1] - 1
    low, high = np.minimum(falling, last), np.maximum(last - rising, 0)  # first that does not fall, last that does not rise
    t = 0.5 * (T[rows, low] + T[rows, high])  # of an interval that is flat, or of one end
    single = (falling + rising == last + 1) & (falling > 0) & (rising > 0)
    before, after = np.maximum(falling - 1, 0), np.minimum(falling, last)
    s0, s1 = slope[rows, before], slope[rows, after]
    share = np.where(single, -s0 / np.where(single, s1 - s0, 1.0), 0.0)
    t = np.where(single, T[rows, before] + share * (T[rows, after] - T[rows, before]), t)
    corner = (falling + rising == last) & (falling > 0) & (rising > 0)  # a zero slope at one of the places itself
    return t, single | corner


def _outside(ends: np.ndarray, half: np.ndarray, t: np.ndarray, single: np.ndarray) -> SegmentBox:
    """Return the distance as the root of g at t*."""
    a, w = ends[:, :3], ends[:, 3:] - ends[:, :3]
    x = a + t[:, None] * w
    beyond = np.maximum(np.abs(x) - half, 0.0)
    d = np.sqrt((beyond * beyond).sum(axis=1))
    slope, bend = 2.0 * np.sign(x) * beyond, 2.0 * (beyond > 0.0)
    share = np.stack([1.0 - t, t], axis=1)  # of both ends in x
    gradient = (share[:, :, None] * slope[:, None]).reshape(-1, 6)
    hessian = np.einsum("np,nq,ni,ij->npiqj", share, share, bend, np.eye(3)).reshape(-1, 6, 6)
    mixed = (np.array([-1.0, 1.0])[None, :, None] * slope[:, None] + share[:, :, None] * (bend * w)[:, None]).reshape(-1, 6)
    twice = (bend * w * w).sum(axis=1)
    moves = single & (twice > 0.0)
    hessian -= np.where(moves, 1.0 / np.where(moves, twice, 1.0), 0.0)[:, None, None] * mixed[:, :, None] * mixed[:, None]
    root = 0.5 / d[:, None]
    gradient = gradient * root
    return SegmentBox(d, gradient, hessian * root[..., None] - gradient[:, :, None] * gradient[:, None] / d[:, None, None])


def _inside(ends: np.ndarray, half: np.ndarray, *_: np.ndarray) -> SegmentBox:
    """Return the largest separation along the axes."""
    rows = np.arange(len(ends))
    a, e = ends[:, :3], ends[:, 3:]
    w = e - a
    faces = np.stack([np.minimum(s * a, s * e) - half for s in (1.0, -1.0)], axis=1).reshape(-1, 6)
    across = np.stack([_across(a, w, half, axis)[0] for axis in range(3)], axis=1)
    best = np.argmax(np.concatenate([faces, across], axis=1), axis=1)
    found = SegmentBox(np.zeros(len(ends)), np.zeros_like(ends), np.zeros((len(ends), 6, 6)))
    flat = np.flatnonzero(best < 6)
    sign, axis = np.where(best[flat] < 3, 1.0, -1.0), best[flat] % 3
    at_end = sign * e[flat, axis] < sign * a[flat, axis]
    found.distance[flat] = faces[flat, best[flat]]
    found.gradient[flat, axis + 3 * at_end] = sign
    for axis_number in range(3):
        own = rows[best == 6 + axis_number]
        if len(own):
            for whole, part in zip(found, _across(a[own], w[own], half[own], axis_number), strict=True):
                whole[own] = part
    return found


def _across(a: np.ndarray, w: np.ndarray, half: np.ndarray, axis: int) -> SegmentBox:
    """Return the separation along the axis across segments and the edges along an axis; -inf where these are parallel.

    It is N / L, with N bilinear in the ends, whose projections along the edge are a and w here, and L the length of w.
    """
    j, k = (axis + 1) % 3, (axis + 2) % 3
    L2 = w[:, j] ** 2 + w[:, k] ** 2
    good = PARALLEL * (w * w).sum(axis=1) < L2
    L = np.sqrt(np.where(good, L2, 1.0))
    turn = a[:, j] * w[:, k] - a[:, k] * w[:, j]  # a x e = a x w
    s, sj, sk = (np.where(x < 0.0, -1.0, 1.0) for x in (turn, w[:, j], w[:, k]))
    N = s * turn - half[:, j] * sk * w[:, k] - half[:, k] * sj * w[:, j]
    places = [j, k, 3 + j, 3 + k]  # of a_j, a_k, e_j, e_k
    ej, ek = a[:, j] + w[:, j], a[:, k] + w[:, k]
    by_w = [-half[:, k] * sj, -half[:, j] * sk]
    N1 = np.stack([s * ek - by_w[0], -s * ej - by_w[1], -s * a[:, k] + by_w[0], s * a[:, j] + by_w[1]], axis=1)
    N2 = np.zeros((len(a), 4, 4))
    N2[:, 0, 3] = N2[:, 3, 0] = s
    N2[:, 1, 2] = N2[:, 2, 1] = -s
    way = np.stack([-w[:, j], -w[:, k], w[:, j], w[:, k]], axis=1) / L[:, None]  # dL
    turns = np.block([[np.eye(2), -np.eye(2)], [-np.eye(2), np.eye(2)]])
    L_2 = (turns - way[:, :, None] * way[:, None]) / L[:, None, None]
    value = np.where(good, N / L, -np.inf)
    first = (N1 - (N / L)[:, None] * way) / L[:, None]
    both = first[:, :, None] * way[:, None]
    second = (N2 - both - both.swapaxes(1, 2) - (N / L)[:, None, None] * L_2) / L[:, None, None]
    gradient, hessian = np.zeros((len(a), 6)), np.zeros((len(a), 6, 6))
    gradient[:, places] = first
    hessian[:, np.array(places)[:, None], places] = second
    return SegmentBox(value, gradient, hessian)
