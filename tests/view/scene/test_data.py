"""The data of scenes: rounding, sharing, names of any text, and bounds."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lissom.model.pose import rotation_about
from lissom.view.scene.data import scene_json
from lissom.view.scene.forms import box, cone, cylinder, ring, sphere, triad
from lissom.view.scene.poses import placed, quaternions
from lissom.view.scene.scene import LAYERS, Arrow, Lines, Part, Scene, Span, Triangles
from support.scenes import matrices, placed_points, read_back

GRAY = (0.5, 0.5, 0.5, 1.0)


def scene_of(*parts, name="a scene", K=1, B=2, **more):
    poses = np.broadcast_to(np.eye(4), (K, B, 4, 4)).copy()
    return Scene(name, tuple(f"body {k}" for k in range(B)), poses, np.arange(K, dtype=float), parts, **more)


@given(st.integers(0, 10_000))
def test_vertices_are_rounded_by_half_a_step_at_most(seed):
    rng = np.random.default_rng(seed)
    vertices = rng.normal(size=(50, 3)) * 10.0 ** rng.integers(-4, 4, 3)
    form = Triangles(vertices, rng.integers(0, 50, (20, 3)))
    data = read_back(scene_of(Part(0, form, "visual", GRAY)))
    found, size = placed_points(data, data["parts"][0]), np.ptp(vertices, axis=0)
    assert (np.abs(found - vertices) <= 0.5001 * size / 65535 + 1e-12 * np.abs(vertices).max()).all()
    np.testing.assert_array_equal(data["forms"][0]["faces"], form.faces)


def test_a_flat_form_keeps_its_height():
    vertices = np.array([[0, 0, 0.25], [1, 0, 0.25], [0, 1, 0.25]])
    data = read_back(scene_of(Part(0, Triangles(vertices, np.array([[0, 1, 2]])), "visual", GRAY)))
    np.testing.assert_allclose(placed_points(data, data["parts"][0]), vertices, atol=1e-15)


def test_a_form_of_many_vertices_has_wide_faces():
    vertices = np.random.default_rng(0).normal(size=(70_000, 3))
    faces = np.array([[0, 69_999, 1]])
    data = read_back(scene_of(Part(0, Triangles(vertices, faces), "visual", GRAY)))
    assert data["forms"][0]["faces"].tolist() == faces.tolist()


def test_a_form_that_parts_share_is_stored_once():
    parts = [Part(k, sphere(), "visual", GRAY, f"ball {k}") for k in range(5)]
    data = read_back(scene_of(*parts, Part(0, box(), "visual", GRAY), B=5))
    assert [part["form"] for part in data["parts"]] == [0, 0, 0, 0, 0, 1] and len(data["forms"]) == 2


@pytest.mark.parametrize(
    "name", ["</script><script>alert(1)</script>", "a \"quoted\" & 'other'", "\u2028\u2029", "\x1b[31mred\x00", "\ud800", "Ω < 3"]
)
def test_any_name_survives_as_data_and_cannot_end_the_script_around_it(name):
    span = Span(name, "springs", GRAY, 0, np.zeros(3), 1, np.ones(3), 0.1)
    scene = scene_of(Part(0, box(), "visual", GRAY, name), name=name, spans=(span,), events=((0.0, name),))
    text = scene_json(scene)
    assert text.isascii() and text.isprintable() and not any(c in text for c in "<>&")
    data = json.loads(text)
    assert [data["name"], data["parts"][0]["name"], data["spans"][0]["name"], data["events"][0][1]] == [name] * 4


@given(st.integers(0, 10_000))
def test_quaternions_turn_as_their_rotations_do(seed):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    R = np.array([rotation_about(axis / np.linalg.norm(axis), angle) for angle in (0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi, 5.0)])
    found = quaternions(R)
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), 1.0)
    both = np.concatenate([np.zeros((len(R), 3)), found], axis=-1)
    np.testing.assert_allclose(matrices(both)[:, :3, :3], R, atol=1e-14)


def test_quaternions_do_not_jump_along_a_motion():
    R = np.array([rotation_about((0.6, 0.0, 0.8), angle) for angle in np.linspace(0, 20, 400)])
    assert (np.sum(quaternions(R)[1:] * quaternions(R)[:-1], axis=-1) > 0.99).all()


def test_the_camera_sees_what_moves_at_all_times_but_not_the_ground():
    scene = scene_of(
        Part(1, box(), "visual", GRAY, pose=placed([0, 0, 1.0]), scale=(2.0, 1.0, 1.0)),
        Part(0, Lines(np.array([[[-100.0, 0, 0], [100.0, 0, 0]]])), "ground", GRAY),
        K=3,
    )
    scene.poses[2, 1, :3, 3] = [5.0, 0.0, 0.0]
    data = read_back(scene)
    np.testing.assert_allclose(data["low"], [-1.0, -0.5, 0.5])
    np.testing.assert_allclose(data["high"], [6.0, 0.5, 1.5])


def test_arrows_layers_and_colors_are_kept():
    at, vector = np.arange(6.0).reshape(2, 3), -np.arange(6.0).reshape(2, 3)
    arrow = Arrow("push", "wrenches", GRAY, "N", 0.25, at, vector)
    data = read_back(scene_of(Part(0, triad(), "frames", GRAY), K=2, arrows=(arrow,)))
    found = data["arrows"][0]
    assert (found["unit"], found["scale"], found["color"]) == ("N", 0.25, list(GRAY))
    np.testing.assert_array_equal(found["at"], at)
    np.testing.assert_array_equal(found["vector"], vector)
    assert [layer["key"] for layer in data["layers"]] == ["frames", "wrenches"]
    assert data["forms"][0]["colors"].tolist() == [[217, 38, 38], [26, 153, 38], [38, 76, 230]]
    assert len({layer.key for layer in LAYERS}) == len(LAYERS)


@pytest.mark.parametrize(
    "form, volume",
    [(box, 1.0), (cylinder, np.pi), (cone, np.pi / 3), (sphere, 4 * np.pi / 3), (ring, 2 * np.pi**2 * 0.01)],
)
def test_forms_face_outwards_and_have_their_volume(form, volume):
    triangles = form()
    corners = triangles.vertices[triangles.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.einsum("ni,ni->", corners[:, 0], normals) / 6 == pytest.approx(volume, rel=0.12)
    np.testing.assert_allclose(np.linalg.norm(triangles.normals, axis=-1), 1.0)
    flat = normals / np.linalg.norm(normals, axis=1)[:, None]
    assert np.einsum("ni,nki->nk", flat, triangles.normals[triangles.faces]).min() > 0.9
