"""Distances of segments, beside coal's capsules and dense sampling."""

import coal
import numpy as np
import pytest

from lissom.spatial.distances import Segment, between_segments
from lissom.spatial.vector import Vector

RNG = np.random.default_rng(3)
RADIUS = 1e-3


def squared(one, two):
    """Return the squared distances (N,) of segments (N, 2, 3), the first with one length each."""
    return np.array([float(between_segments(segment(a), segment(b))) for a, b in zip(one, two, strict=True)])


def segment(ends):
    way = ends[1] - ends[0]
    return Segment(Vector.of(ends[0]), Vector.of(way), float(way @ way))


def capsule(ends):
    """Return coal's capsule, along z in a frame of its own, and its pose."""
    way = ends[1] - ends[0]
    z = way / np.linalg.norm(way)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    R = np.column_stack([x, np.cross(z, x), z])
    return coal.Capsule(RADIUS, float(np.linalg.norm(way))), coal.Transform3s(R, ends.mean(axis=0))


def test_distances_are_those_of_coal():
    one, two = RNG.normal(size=(200, 2, 3)), RNG.normal(size=(200, 2, 3))
    expected = []
    for a, b in zip(one, two, strict=True):
        asked, result = coal.DistanceRequest(), coal.DistanceResult()
        asked.gjk_tolerance = 1e-10
        (first, at), (second, there) = capsule(a), capsule(b)
        expected.append(coal.distance(first, at, second, there, asked, result) + 2 * RADIUS)
    assert np.allclose(np.sqrt(squared(one, two)), expected, atol=1e-6)


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
def test_distances_of_nearly_parallel_segments_are_those_of_dense_sampling(tilt):
    share = np.linspace(0, 1, 301)
    for _ in range(20):
        start, way, off = RNG.normal(size=(3, 3))
        one = np.array([start, start + way])
        two = one + off + RNG.uniform(-0.5, 0.5) * way
        two[1] += tilt * RNG.normal(size=3)
        points = [a + share[:, None] * (b - a) for a, b in (one, two)]
        sampled = np.linalg.norm(points[0][:, None] - points[1], axis=-1).min()
        found = np.sqrt(squared([one], [two])[0])
        assert sampled - 1e-2 * np.linalg.norm(way) < found < sampled + 2e-6


def test_points_are_segments_without_length():
    a, b, c = RNG.normal(size=(3, 3))
    line, point, other = np.array([a, b]), np.array([c, c]), np.array([a, a])
    share = np.linspace(0, 1, 100_001)[:, None]
    nearest = np.linalg.norm(a + share * (b - a) - c, axis=1).min()
    assert np.sqrt(squared([line], [point])) == pytest.approx(nearest, rel=1e-8)
    assert np.sqrt(squared([point], [line])) == pytest.approx(nearest, rel=1e-8)
    assert squared([point], [other]) == pytest.approx((a - c) @ (a - c), rel=1e-14)


def test_segments_that_meet_have_no_distance():
    cross = np.array([[-1.0, 0, 0], [1.0, 0, 0]]), np.array([[0, -1.0, 0], [0, 2.0, 0]])
    assert squared([cross[0]], [cross[1]]) == 0.0
