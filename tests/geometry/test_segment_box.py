"""Segments and boxes: distances beside points sampled on segments, the shortest way out, derivatives beside differences."""

import numpy as np
import pytest

from lissom.geometry.segment_box import segment_box

COUNT = 1500


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    ends, half = rng.uniform(-1.2, 1.2, (COUNT, 6)), rng.uniform(0.1, 0.6, (COUNT, 3))
    ends[:200, 3:] = ends[:200, :3]  # points
    return ends, half, segment_box(ends, half)


def test_distances_are_those_of_points_on_the_segment(drawn):
    ends, half, found = drawn
    share = np.linspace(0, 1, 2001)[:, None]
    for k in range(0, COUNT, 5):
        points = ends[k, :3] + share * (ends[k, 3:] - ends[k, :3])
        sampled = np.linalg.norm(np.maximum(np.abs(points) - half[k], 0.0), axis=1).min()
        assert (sampled - 1e-3 < found.distance[k] <= sampled + 1e-12) if found.distance[k] > 0 else sampled < 1e-3


def test_a_negative_distance_is_the_shortest_way_out(drawn):
    ends, half, found = drawn
    inside = np.flatnonzero(found.distance < -1e-3)
    assert len(inside) > 200
    ends, half, depth = ends[inside], half[inside], -found.distance[inside]
    way = found.gradient[inside, :3] + found.gradient[inside, 3:]
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0)
    out = segment_box(ends + np.tile(way * (depth + 1e-6)[:, None], 2), half).distance
    assert np.allclose(out, 1e-6, atol=1e-12)
    rng = np.random.default_rng(1)
    for _ in range(50):
        other = rng.normal(size=way.shape)
        other *= 0.999 * (depth / np.linalg.norm(other, axis=1))[:, None]
        assert segment_box(ends + np.tile(other, 2), half).distance.max() < 1e-9


def test_derivatives_are_those_of_differences(drawn):
    ends, half, found = drawn
    h = 1e-6
    for i in range(6):
        sides = [segment_box(ends[200:] + sign * h * np.eye(6)[i], half[200:]) for sign in (1, -1)]
        slope = (sides[0].distance - sides[1].distance) / (2 * h)
        assert np.abs(slope - found.gradient[200:, i]).max() < 1e-8
        bend = (sides[0].gradient - sides[1].gradient) / (2 * h)
        size = 1.0 + np.abs(found.hessian[200:]).max(axis=(1, 2))
        assert (np.abs(bend - found.hessian[200:, i]).max(axis=1) / size).max() < 1e-5
    for i in range(3):  # points: both ends move together
        both = np.tile(np.eye(3)[i], 2)
        sides = [segment_box(ends[:200] + sign * h * both, half[:200]) for sign in (1, -1)]
        slope = (sides[0].distance - sides[1].distance) / (2 * h)
        assert np.abs(slope - found.gradient[:200] @ both).max() < 1e-8
        bend = (sides[0].gradient - sides[1].gradient) @ both / (2 * h)
        expected = np.einsum("i,nij,j->n", both, found.hessian[:200], both)
        assert (np.abs(bend - expected) / (1.0 + np.abs(expected))).max() < 1e-5


def test_segments_beside_a_face_are_pushed_in_their_middle():
    found = segment_box(np.array([[-0.2, 0.1, 0.9, 0.2, 0.1, 0.9]]), np.array([[0.5, 0.5, 0.5]]))
    assert found.distance[0] == pytest.approx(0.4)
    assert np.allclose(found.gradient, [[0, 0, 0.5, 0, 0, 0.5]])


@pytest.mark.slow
def test_distances_are_continuous_at_the_surface():
    rng = np.random.default_rng(3)
    half = np.tile([0.3, 0.4, 0.5], (400, 1))
    ends = rng.uniform(-1, 1, (400, 6))
    way = rng.normal(size=(400, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    moved = [segment_box(ends + np.tile(s * way, 2), half).distance for s in np.linspace(0, 2, 2001)]
    assert np.abs(np.diff(moved, axis=0)).max() < 1.001e-3
