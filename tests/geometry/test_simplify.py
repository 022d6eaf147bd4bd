"""Simplification of surfaces: fewer triangles within the stated error."""

import builtins

import numpy as np
import pytest

from lissom import MissingExtraError
from lissom.geometry import load_mesh, simplified, surface
from lissom.geometry.deviation import distances, to_triangles
from lissom.geometry.primitives import box, cylinder, ellipsoid, turned
from lissom.geometry.surface import joined, moved
from lissom.geometry.weld import shaded, welded
from lissom.model.shape import Mesh

from ..support.surfaces import area, is_closed, outward, volume

pytest.importorskip("fast_simplification")


def fine(rings=100):
    """A closed body with a waist, of 2 * rings^2 triangles or so."""
    height = np.linspace(0.0, np.pi, rings)
    radius = np.sin(height) * (1.0 - 0.3 * np.sin(2 * height) ** 2)
    radius[[0, -1]] = 0.0
    profile = np.column_stack([radius, -np.cos(height), radius, -np.cos(height)])
    found = turned([profile], rings)
    return shaded(*welded(found.vertices, found.faces)[:2])


@pytest.mark.sweep("0.003")
@pytest.mark.parametrize("error", [0.003, 0.0005])
def test_fewer_triangles_are_within_the_error_of_the_surface_from_both_sides(error):
    before = fine()
    after = simplified(before, 500, error)
    assert len(after.faces) < len(before.faces) / 2
    for one, other in ((before, after), (after, before)):
        points = np.concatenate([one.vertices, one.vertices[one.faces].mean(axis=1)])
        bound = 1.1 * error * before.size
        assert distances(points, other.vertices, other.faces, bound).max() <= bound
    assert is_closed(after)
    assert outward(after) > 0.5
    assert volume(after) == pytest.approx(volume(before), rel=0.02)


def test_a_larger_error_leaves_fewer_triangles():
    before = fine()
    counts = [len(simplified(before, 100, error).faces) for error in (0.0003, 0.001, 0.003, 0.01)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] / 3


def test_colors_stay_on_their_parts_without_gaps():
    before = fine()
    upper = before.vertices[before.faces].mean(axis=1)[:, 2] > 0
    colors = np.where(upper[:, None], (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    painted = shaded(*welded(before.vertices, before.faces)[:2], colors)
    after = simplified(painted, 500, 0.003)
    assert len(after.faces) < len(before.faces) / 3
    red = after.colors[:, 0] > 0.5
    assert after.vertices[red, 2].min() > -0.03 and after.vertices[~red, 2].max() < 0.03
    assert is_closed(after)  # both parts share the vertices of their border


def test_pieces_of_few_triangles_are_kept_as_they_are():
    screws = [moved(cylinder(0.01, 0.05), np.eye(3), np.array([0.2 * k, 0.0, 1.5])) for k in range(5)]
    after = simplified(joined([fine(), *screws]), 200, 0.003)
    high = after.vertices[:, 2] > 1.4
    assert high.any()
    kept = after.faces[high[after.faces[:, 0]]]
    assert area(after._replace(faces=kept)) == pytest.approx(sum(map(area, screws)), rel=0.05)


def test_few_triangles_are_returned_as_they_are():
    plain = box((1, 1, 1))
    assert simplified(plain) is plain


def test_a_file_of_many_triangles_is_simplified_when_it_is_drawn(tmp_path):
    import trimesh

    before = fine(120)
    trimesh.Trimesh(before.vertices, before.faces).export(tmp_path / "a.stl")
    shape = Mesh("a.stl", str(tmp_path / "a.stl"))
    drawn, whole = surface(shape, triangles=20_000), surface(shape)
    assert len(drawn.faces) <= 20_500 < len(whole.faces)
    assert volume(drawn) == pytest.approx(volume(whole), rel=0.01)


def test_without_the_package_meshes_stay_whole_and_simplified_says_what_to_install(tmp_path, monkeypatch):
    import trimesh

    before = fine(50)
    trimesh.Trimesh(before.vertices, before.faces).export(tmp_path / "a.stl")
    plain = builtins.__import__

    def refuse(name, *args, **more):
        if name == "fast_simplification":
            raise ImportError(name)
        return plain(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match=r"lissom\[view\]"):
        simplified(before, 100)
    assert len(load_mesh(str(tmp_path / "a.stl"), triangles=100).faces) == len(before.faces)


def test_distances_to_triangles_are_those_to_planes_edges_and_corners():
    triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    points = np.array([[0.2, 0.2, 0.7], [0.5, -2.0, 0.0], [-3.0, -4.0, 0.0], [1.0, 1.0, 0.0], [0.1, 0.1, 0.0]])
    expected = [0.7, 2.0, 5.0, np.sqrt(0.5), 0.0]
    np.testing.assert_allclose(to_triangles(points, np.broadcast_to(triangle, (5, 3, 3))), expected, atol=1e-12)


def test_distances_to_a_sphere_are_those_to_its_triangles():
    ball = ellipsoid((1.0, 1.0, 1.0), 0.0005)
    points = np.random.default_rng(2).normal(size=(500, 3))
    found = distances(points, ball.vertices, ball.faces)
    np.testing.assert_allclose(found, np.abs(np.linalg.norm(points, axis=1) - 1.0), atol=0.004)


def test_a_fan_of_very_many_triangles_stays_as_it_is(monkeypatch):
    angle = np.linspace(0.0, 6.0, 400)
    rim = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)
    k = np.arange(1, len(rim))
    fan = shaded(np.vstack([np.zeros(3), rim]), np.stack([0 * k, k, k + 1], axis=-1))
    monkeypatch.setattr("lissom.geometry.simplify.VALENCE", 300)
    assert len(simplified(fan, 100).faces) == len(fan.faces)
