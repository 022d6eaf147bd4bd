"""DAE files: units, up axis, poses, polygons and colors; beside assimp's reading, through Pinocchio's library coal."""

import numpy as np
import pytest

from lissom.geometry import load_mesh
from lissom.geometry.mesh import read_mesh

from ...support.surfaces import is_closed, volume

CUBE = "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1"
SIDES = ["0 3 2 1", "4 5 6 7", "0 1 5 4", "1 2 6 5", "2 3 7 6", "3 0 4 7"]

HEAD = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01</created><modified>2020-01-01</modified>{unit}<up_axis>{up}</up_axis></asset>
<library_effects>
<effect id="red-fx"><profile_COMMON><technique sid="c"><phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique>
</profile_COMMON></effect>
<effect id="blue-fx"><profile_COMMON><technique sid="c"><lambert><diffuse><color>0 0 1 1</color></diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="red"><instance_effect url="#red-fx"/></material>
<material id="blue"><instance_effect url="#blue-fx"/></material></library_materials>
<library_geometries><geometry id="cube"><mesh>
<source id="xyz"><float_array id="xyz-a" count="24">{cube}</float_array><technique_common>
<accessor source="#xyz-a" count="8" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#xyz"/></vertices>
<polylist material="one" count="4"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4</vcount>
<p>{four}</p></polylist>
<polylist material="two" count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4</vcount><p>{two}</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""

CUBES = """<instance_geometry url="#cube"><bind_material><technique_common><instance_material symbol="one" target="#red"/>
<instance_material symbol="two" target="#blue"/></technique_common></bind_material></instance_geometry>"""
NODES = (
    f"<node id='a'><translate>0.5 0 0</translate><rotate>0 0 1 30</rotate><scale>1 2 3</scale>{CUBES}"
    f"<node id='b'><matrix>0 -1 0 4  1 0 0 5  0 0 -1 6  0 0 0 1</matrix>{CUBES}</node></node>"
)


def dae(unit='<unit name="meter" meter="1"/>', up="Z_UP", nodes=NODES):
    return HEAD.format(unit=unit, up=up, cube=CUBE, four=" ".join(SIDES[:4]), two=" ".join(SIDES[4:]), nodes=nodes)


def read(folder, **more):
    path = folder / "a.dae"
    path.write_text(dae(**more))
    return path


def test_poses_of_nodes_are_applied_and_mirrored_parts_look_outward(tmp_path):
    found = load_mesh(str(read(tmp_path)))
    assert volume(found) == pytest.approx(12.0)
    a, h = np.array([[np.cos(np.pi / 6), -0.5], [0.5, np.cos(np.pi / 6)]]), 0.5
    corner = a @ [1.0, 2.0] + [h, 0.0]  # of the first cube, far from the origin
    assert np.linalg.norm(found.vertices[:, :2] - corner, axis=1).min() < 1e-9
    assert found.vertices[:, 2].max() == pytest.approx(18.0)


def test_materials_give_colors_per_vertex(tmp_path):
    found = load_mesh(str(read(tmp_path, nodes=f"<node>{CUBES}</node>")))
    assert is_closed(found)
    assert sorted({tuple(color) for color in found.colors}) == [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    back = found.vertices[(found.normals[:, 1] > 0.9)]  # side 5 of the cube
    assert (found.colors[found.normals[:, 1] > 0.9] == (0.0, 0.0, 1.0)).all() and len(back) == 4


@pytest.mark.parametrize("up", ["Z_UP", "Y_UP", "X_UP"])
@pytest.mark.parametrize("meter", ["1", "0.001", "0.0254"])
def test_units_are_applied_and_the_up_axis_is_not(tmp_path, up, meter):
    path = read(tmp_path, unit=f'<unit name="x" meter="{meter}"/>', up=up)
    found = read_mesh(path).vertices
    coal = pytest.importorskip("coal")  # ignores the unit
    other = float(meter) * np.array(coal.MeshLoader().load(str(path), np.ones(3)).vertices())
    np.testing.assert_allclose(found.min(axis=0), other.min(axis=0), atol=1e-5 * float(meter))
    np.testing.assert_allclose(found.max(axis=0), other.max(axis=0), atol=1e-5 * float(meter))


def test_triangles_polygons_strips_and_fans_are_read(tmp_path):
    # a square, of two triangles each
    groups = {
        "triangles": "0 1 2 0 2 3",
        "polygons": "0 1 2 3",
        "polylist": "0 1 2 3",
        "tristrips": "1 2 0 3",
        "trifans": "0 1 2 3",
    }
    old = dae(nodes=f"<node>{CUBES}</node>")
    start, end = old.index("<polylist"), old.rindex("</polylist>") + len("</polylist>")
    inputs = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="TEXCOORD" source="#t" offset="0"/>'
    for tag, corners in groups.items():
        count = "<vcount>4</vcount>" if tag == "polylist" else ""
        pairs = " ".join(f"0 {word}" for word in corners.split())
        path = tmp_path / "a.dae"
        path.write_text(old[:start] + f"<{tag}>{inputs}{count}<p>{pairs}</p></{tag}>" + old[end:])
        found = load_mesh(str(path))
        assert len(found.faces) == 2, tag
        np.testing.assert_allclose(np.abs(found.normals[:, 2]), 1.0)
        assert np.ptp(found.normals[:, 2]) == 0.0, tag


def test_nodes_of_libraries_are_instanced(tmp_path):
    path = tmp_path / "a.dae"
    library = f"<library_nodes><node id='n'>{CUBES}</node></library_nodes><library_visual_scenes>"
    nodes = "<node><instance_node url='#n'/></node><node><translate>3 0 0</translate><instance_node url='#n'/></node>"
    path.write_text(dae(nodes=nodes).replace("<library_visual_scenes>", library))
    found = load_mesh(str(path))
    assert volume(found) == pytest.approx(2.0)
    assert found.vertices[:, 0].max() == 4.0
