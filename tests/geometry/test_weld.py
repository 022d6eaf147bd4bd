"""Welding of vertices and normals with creases."""

import numpy as np
import pytest

from lissom.geometry.primitives import box, ellipsoid, turned
from lissom.geometry.weld import MANY, compact, shaded, welded

from ..support.surfaces import is_closed, outward


def soup(surface):
    """Return the corners of all triangles as vertices of their own."""
    return surface.vertices[surface.faces].reshape(-1, 3), np.arange(3 * len(surface.faces)).reshape(-1, 3)


def test_a_soup_of_a_box_becomes_eight_places_and_flat_sides():
    vertices, faces, kept = welded(*soup(box((1, 2, 3))))
    assert len(vertices) == 8 and len(faces) == 12 and len(kept) == 12
    found = shaded(vertices, faces)
    assert len(found.vertices) == 24
    assert outward(found) == pytest.approx(1.0)


def test_normals_of_a_sphere_are_its_radii():
    found = shaded(*welded(*soup(ellipsoid((2.0, 2.0, 2.0), 0.0005)))[:2])
    np.testing.assert_allclose(found.normals, found.vertices / 2.0, atol=0.02)
    assert is_closed(found)


@pytest.mark.parametrize("number", [12, MANY + 36])
def test_a_tip_of_many_triangles_is_smooth_where_it_is_flat_and_sharp_where_it_is_not(number):
    for height, places in ((0.1, 1), (10.0, number)):
        profile = np.array([(1.0, 0.0, 1.0, 0.0), (0.0, height, 0.0, 1.0)])
        found = shaded(*welded(*soup(turned([profile], number)))[:2])
        tips = found.vertices[:, 2] > height / 2
        assert tips.sum() == places


def test_results_do_not_depend_on_size_and_place():
    plain = ellipsoid((1.0, 2.0, 3.0))
    base = shaded(*welded(*soup(plain))[:2])
    for factor in (1e-9, 1e9):
        other = shaded(*welded(*soup(plain._replace(vertices=plain.vertices * factor)))[:2])
        assert len(other.faces) == len(base.faces) and len(other.vertices) == len(base.vertices)
        np.testing.assert_allclose(
            np.sort(other.vertices, axis=0), np.sort(base.vertices, axis=0) * factor, rtol=1e-9, atol=1e-9 * factor
        )


def test_vertices_without_triangles_are_dropped():
    vertices, faces = compact(np.arange(15.0).reshape(5, 3), np.array([[4, 0, 2]]))
    np.testing.assert_array_equal(vertices[faces[0]], [[12, 13, 14], [0, 1, 2], [6, 7, 8]])
    assert len(vertices) == 3
