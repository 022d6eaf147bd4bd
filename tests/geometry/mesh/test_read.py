"""Mesh files written by trimesh and by hand, read back."""

import numpy as np
import pytest

from lissom.geometry import load_mesh, surface
from lissom.geometry.mesh import read_mesh
from lissom.model.shape import Mesh

from ...support.surfaces import area, is_closed, outward, volume

trimesh = pytest.importorskip("trimesh")


def body():
    """A closed form with edges and smooth sides."""
    return trimesh.creation.cylinder(0.3, 1.0, sections=40).apply_translation((0.1, 0.2, 0.3))


def write(mesh, path, **more):
    mesh.export(path, **more)
    return path


@pytest.mark.parametrize("name", ["a.stl", "a.STL", "a.obj", "a.ply", "a.glb", "a.dae", "text.stl", "text.ply", "a.gltf"])
def test_a_mesh_keeps_its_volume_area_and_place_in_every_format(tmp_path, name):
    mesh, path = body(), tmp_path / name
    if name == "a.gltf":
        path.write_bytes(mesh.export(file_type="gltf", embed_buffers=True)["model.gltf"])
    elif name == "text.stl":
        path.write_text(mesh.export(file_type="stl_ascii"))
    else:
        write(mesh, path, **({"encoding": "ascii"} if name == "text.ply" else {}))
    found = load_mesh(str(path))
    assert volume(found) == pytest.approx(mesh.volume, rel=1e-5)
    assert area(found) == pytest.approx(mesh.area, rel=1e-5)
    np.testing.assert_allclose(found.vertices.min(axis=0), mesh.bounds[0], atol=1e-6)
    assert is_closed(found)
    assert outward(found) > 0.7


def test_normals_are_smooth_on_the_side_of_a_cylinder_and_have_a_crease_at_its_rim(tmp_path):
    found = load_mesh(str(write(body(), tmp_path / "a.stl")))
    assert len(found.vertices) == 4 * 40 + 2  # both rims twice, and the centers of the discs
    across = np.abs(found.normals[:, 2])
    np.testing.assert_allclose(np.minimum(across, 1 - across), 0.0, atol=1e-6)


def scene():
    """Two boxes, red and blue, the second of them turned, moved and mirrored."""
    red, blue = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((1, 2, 3))
    for mesh, color in ((red, (255, 0, 0, 255)), (blue, (0, 0, 255, 255))):
        material = trimesh.visual.material.PBRMaterial(baseColorFactor=color)
        mesh.visual = trimesh.visual.TextureVisuals(material=material)
    both = trimesh.Scene()
    both.add_geometry(red)
    pose = trimesh.transformations.rotation_matrix(0.5, (1, 2, 3), (0.2, 0, 0)) @ np.diag([-1.0, 1.0, 1.0, 1.0])
    pose[:3, 3] += (5, 0, 0)
    both.add_geometry(blue, transform=pose)
    return both


@pytest.mark.parametrize("ending", ["glb", "obj"])
def test_scenes_are_flattened_with_poses_and_colors(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    scene().export(path)
    found = load_mesh(str(path))
    whole = scene().to_mesh()
    assert volume(found) == pytest.approx(7.0, rel=1e-5)
    np.testing.assert_allclose(found.vertices.max(axis=0), whole.bounds[1], atol=1e-5)
    assert found.colors is not None
    red = found.colors[found.vertices[:, 0] < 2]
    np.testing.assert_allclose(red, np.broadcast_to((1.0, 0.0, 0.0), red.shape), atol=0.01)
    assert (found.colors[found.vertices[:, 0] > 2][:, 2] > 0.9).all()


@pytest.mark.parametrize("encoding", ["binary", "ascii"])
def test_colors_of_vertices_are_read_from_ply(tmp_path, encoding):
    mesh = trimesh.creation.box((1, 1, 1))
    mesh.visual.vertex_colors = np.tile([255, 128, 0, 255], (8, 1))
    found = load_mesh(str(write(mesh, tmp_path / "a.ply", encoding=encoding)))
    np.testing.assert_allclose(found.colors, np.tile([1.0, 0.5, 0.0], (len(found.vertices), 1)), atol=0.01)


def test_polygons_and_negative_indices_of_obj_become_triangles(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("# a pyramid\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\nvn 0 0 1\nf -2 -3 -4 -5\n"
                    "f 1//1 2//1 5//1\nf 2/1/1 3/1/1 \\\n5/1/1\nf 3 4 5\nf 4 1 5\n")  # fmt: skip
    found = load_mesh(str(path))
    assert volume(found) == pytest.approx(1 / 3)
    assert is_closed(found)


def test_polygons_of_binary_ply_become_triangles(tmp_path):
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]], ">f8")
    faces = b"".join(bytes([len(f), *f]) for f in ([3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]))
    header = "ply\nformat binary_big_endian 1.0\nelement vertex 5\nproperty double x\nproperty double y\nproperty double z\n"
    header += "element face 5\nproperty list uchar uchar vertex_index\nend_header\n"
    path = tmp_path / "a.ply"
    path.write_bytes(header.encode() + corners.tobytes() + faces)
    assert volume(load_mesh(str(path))) == pytest.approx(1 / 3)


def test_a_mesh_is_scaled_mirrored_and_kept_while_its_file_stays(tmp_path):
    path = write(body(), tmp_path / "a.stl")
    plain, mirrored = surface(Mesh("a.stl", str(path))), surface(Mesh("a.stl", str(path), (-2.0, 1.0, 1.0)))
    assert volume(mirrored) == pytest.approx(2 * volume(plain))
    assert outward(mirrored) > 0.7
    assert surface(Mesh("a.stl", str(path))).vertices is plain.vertices
    write(body().apply_scale(2.0), path)
    assert volume(surface(Mesh("a.stl", str(path)))) == pytest.approx(8 * volume(plain), rel=1e-5)


def test_a_mesh_without_a_file_has_no_surface():
    assert surface(Mesh("package://nowhere/a.stl")) is None


def test_vertices_at_one_place_are_one_and_triangles_without_area_are_dropped(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 2 0 0\nf 1 2 3\nf 4 3 2\nf 1 2 5\nf 1 1 2\n")
    assert len(read_mesh(path).faces) == 4
    found = load_mesh(str(path))
    assert len(found.faces) == 2
    assert len(np.unique(found.vertices, axis=0)) == 3
