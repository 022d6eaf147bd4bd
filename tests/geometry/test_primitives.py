"""Surfaces of boxes, spheres, cylinders and capsules, beside their closed forms."""

import math

import numpy as np
import pytest

from lissom.geometry import Surface, surface
from lissom.geometry.primitives import sides, tapered_capsule
from lissom.geometry.surface import joined, moved, scaled
from lissom.model.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Sphere

from ..support.surfaces import area, is_closed, outward, volume

PI = math.pi
# form, volume [m^3], area [m^2]
FORMS: list[tuple[Geometry, float, float]] = [
    (Box((1.0, 2.0, 3.0)), 6.0, 22.0),
    (Sphere(0.5), PI / 6, PI),
    (Ellipsoid((2.0, 2.0, 2.0)), 32 * PI / 3, 16 * PI),
    (Cylinder(0.3, 2.0), 0.18 * PI, 2 * PI * 0.3 * 2.3),
    (Capsule(0.3, 2.0), 0.18 * PI + 0.036 * PI, 2 * PI * 0.3 * 2.6),
]


@pytest.mark.parametrize(("form", "V", "A"), FORMS, ids=lambda x: getattr(x, "kind", ""))
def test_volumes_and_areas_approach_closed_forms(form, V, A):
    coarse, fine = surface(form, detail=0.01), surface(form, detail=0.0005)
    assert volume(fine) == pytest.approx(V, rel=0.01)
    assert area(fine) == pytest.approx(A, rel=0.01)
    assert abs(volume(fine) - V) <= abs(volume(coarse) - V)


@pytest.mark.parametrize("form", [form for form, _, _ in FORMS] + [Ellipsoid((1e-3, 1.0, 5.0))], ids=lambda x: x.kind)
def test_surfaces_are_closed_with_faces_and_unit_normals_outward(form):
    found = surface(form)
    assert is_closed(found)
    assert outward(found) > 0
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("detail", [0.02, 0.002, 0.001])
@pytest.mark.parametrize("radius", [1e-9, 1.0, 1e6])
def test_a_sphere_is_nowhere_farther_from_its_triangles_than_the_detail(detail, radius):
    found = surface(Sphere(radius), detail=detail)
    middles = found.vertices[found.faces].mean(axis=1)
    depth = radius - np.linalg.norm(middles, axis=1).min()
    assert 0 < depth <= detail * found.size


def test_a_circle_has_between_12_and_128_sides():
    assert sides(1.0, 2.0, 0.9) == 12
    assert sides(1.0, 2.0, 1e-9) == 128


def test_normals_have_a_crease_at_the_rim_of_a_cylinder_and_none_on_a_capsule():
    rims = surface(Cylinder(1.0, 1.0))
    again = np.unique(np.round(rims.vertices, 9), axis=0)
    assert len(again) < len(rims.vertices)
    smooth = surface(Capsule(1.0, 1.0))
    assert len(np.unique(np.round(smooth.vertices, 9), axis=0)) == len(smooth.vertices)


def test_a_tapered_capsule_has_the_volume_of_two_spheres_and_the_cone_between():
    a, b, L = 0.4, 0.2, 1.0
    found = tapered_capsule(a, b, 0.0, L, 0.0003)
    s = (a - b) / L
    # cone between the circles of contact, and spheres cut there, by their caps
    ra, rb, za, zb = a * math.sqrt(1 - s * s), b * math.sqrt(1 - s * s), a * s, L + b * s
    cone = PI * (zb - za) * (ra * ra + ra * rb + rb * rb) / 3
    caps = PI * (a + za) ** 2 * (3 * a - (a + za)) / 3 + PI * (b - b * s) ** 2 * (3 * b - (b - b * s)) / 3
    assert volume(found) == pytest.approx(cone + caps, rel=0.005)
    assert is_closed(found) and outward(found) > 0


def test_a_sphere_inside_of_the_other_leaves_one_sphere():
    found = tapered_capsule(1.0, 0.1, 0.0, 0.5, 0.0005)
    assert volume(found) == pytest.approx(4 * PI / 3, rel=0.01)


def test_a_mirrored_surface_still_looks_outward():
    found = scaled(surface(Capsule(0.3, 1.0)), (-2.0, 1.0, 0.5))
    assert outward(found) > 0
    assert volume(found) == pytest.approx(volume(surface(Capsule(0.3, 1.0))), rel=1e-12)


def test_surfaces_move_and_join():
    one = surface(Box((1.0, 1.0, 1.0)))
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    two = moved(one, turn, np.array([5.0, 0.0, 0.0]))
    both = joined([one, two._replace(colors=np.ones((24, 3)))])
    assert volume(both) == pytest.approx(2.0)
    assert both.vertices[:, 0].max() == 5.5
    assert both.colors is not None and both.colors.shape == (48, 3)
    assert outward(both) > 0


def test_the_size_of_a_surface_is_the_diagonal_of_its_box():
    assert surface(Box((2.0, 3.0, 6.0))).size == pytest.approx(7.0)
    assert surface(Box((2e-200, 3e-200, 6e-200))).size == pytest.approx(7e-200)
    assert Surface(np.empty((0, 3)), np.empty((0, 3), int), np.empty((0, 3))).size == 0.0
