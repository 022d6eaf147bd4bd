"""Robots of very many shapes: memory and time are bounded, and a warning says what is left out."""

import pytest

import lissom
from lissom.errors import ModelWarning
from lissom.view.scene import shapes
from lissom.view.scene.build import robot_scene


def robot(folder, count, mesh):
    """A link with one mesh in many sizes."""
    (folder / "a.obj").write_text(mesh)
    visual = "<visual><geometry><mesh filename='a.obj' scale='1 1 {}'/></geometry></visual>"
    text = "".join(visual.format(1 + k) for k in range(count))
    (folder / "r.urdf").write_text(f"<robot name='r'><link name='a'>{text}</link></robot>")
    return lissom.load(folder / "r.urdf")


def test_triangles_of_all_shapes_together_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(shapes, "TRIANGLES", 3)
    many = robot(tmp_path, 20, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.warns(ModelWarning, match=r"'r' has more than 3 triangles: 16 shapes .* are not drawn; .* extra view"):
        scene = robot_scene(many, many.neutral())
    assert sum(part.layer == "visual" and len(part.form.faces) == 1 for part in scene.parts) == 4


def test_a_mesh_that_cannot_be_read_is_tried_once(tmp_path):
    many = robot(tmp_path, 20, "v 0 0 0\nf 1 2 3\n")
    with pytest.warns(ModelWarning) as said:
        robot_scene(many, many.neutral())
    assert len(said) == 1 and "a mesh is not drawn" in str(said[0].message)
