"""Shapes of MJCF files against MuJoCo's own geoms: poses in the world, sizes, and the vertices of meshes."""

import struct

import numpy as np
import pytest

import lissom
from lissom.errors import ModelWarning
from lissom.model import Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere
from lissom.read import load_model
from lissom.read.mesh_paths import MeshPaths
from lissom.read.mjcf.compile import Compiled
from lissom.read.mjcf.shapes import read_shapes
from lissom.read.source import Source

mujoco = pytest.importorskip("mujoco")

CORNERS = np.array([[0.3, 0.1, -0.2], [0.4, 0.1, -0.2], [0.3, 0.3, -0.2], [0.3, 0.1, 0.1]])
ASSETS = """<asset>
  <material name="green" rgba="0 1 0 0.5"/>
  <mesh name="plain" file="t.stl"/>
  <mesh name="scaled" file="t.stl" scale="0.5 2 1"/>
  <mesh name="mirrored" file="t.stl" scale="1 1 -1"/>
  <mesh name="moved" file="t.stl" scale="0.5 2 1" refpos="0.1 0.3 -0.2"/>
  <mesh name="turned" file="deep/u.stl" scale="2 2 2" refpos="0.1 0.3 -0.2" refquat="0.5 0.1 -0.2 0.8"/>
</asset>"""
PLACE = 'pos="0.1 -0.2 0.3" euler="20 -50 130"'
FORMS = {
    "box": 'type="box" size="0.1 0.2 0.3"',
    "sphere": 'type="sphere" size="0.1"',
    "ellipsoid": 'type="ellipsoid" size="0.1 0.2 0.3"',
    "cylinder": 'type="cylinder" size="0.1 0.2"',
    "capsule": 'type="capsule" size="0.1 0.2"',
    **{f"mesh_{name}": f'type="mesh" mesh="{name}"' for name in ("plain", "scaled", "mirrored", "moved", "turned")},
}
HFIELD, VERTICES = '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>', 'type="mesh" mesh="v"'
GEOMS = "".join(f'<geom name="{name}" {form} {PLACE}/>' for name, form in FORMS.items())
ARM = f"""<mujoco model="m"><compiler meshdir="meshes"/>{ASSETS}<worldbody>
<geom name="floor" type="plane" size="1 1 1"/><geom name="table" type="box" size="1 1 0.1" pos="0 0 -2"/>
<body name="a" pos="0 0 1" euler="10 0 0"><joint axis="0 1 0" pos="0.1 0 0"/><joint axis="1 0 0"/>{GEOMS}
<body name="b" pos="0.3 0 0"><freejoint/><geom size="0.1"/></body></body></worldbody></mujoco>""".replace(
    "<freejoint/>", '<joint type="ball"/>'
)

EXPECTED = {
    "box": lambda size: Box(2 * size),
    "sphere": lambda size: Sphere(size[0]),
    "ellipsoid": Ellipsoid,
    "cylinder": lambda size: Cylinder(size[0], 2 * size[1]),
    "capsule": lambda size: Capsule(size[0], 2 * size[1]),
}


@pytest.fixture
def folder(tmp_path):
    triangles = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]].astype("<f4")
    data = bytes(80) + struct.pack("<I", 4) + b"".join(bytes(12) + t.tobytes() + bytes(2) for t in triangles)
    (tmp_path / "meshes/deep").mkdir(parents=True)
    for name in ("t.stl", "deep/u.stl"):
        (tmp_path / "meshes" / name).write_bytes(data)
    return tmp_path


def load(folder, text, **options):
    (folder / "m.xml").write_text(text)
    return load_model(folder / "m.xml", **options), mujoco.MjModel.from_xml_path(str(folder / "m.xml"))


def test_geoms_have_mujocos_poses_sizes_and_vertices(folder):
    model, m = load(folder, ARM)
    shapes = {shape.name: shape for shape in model.shapes}
    assert set(shapes) == {*FORMS, "table", ""}
    robot, data = lissom.Robot(model, backend="numpy"), mujoco.MjData(m)
    data.qpos[:] = [0.4, -0.7, 0.5, 0.5, -0.5, 0.5]
    mujoco.mj_kinematics(m, data)
    poses = {name: robot.link_pose([0.4, -0.7, 0.5, -0.5, 0.5, 0.5], name) for name in ("world", "a", "b")}
    for name, shape in shapes.items():
        g = next(g for g in range(m.ngeom) if m.geom(g).name == name)
        link = poses[shape.link]
        R, p = link[:3, :3] @ shape.origin.R, link[:3, :3] @ shape.origin.p + link[:3, 3]
        form, size = shape.geometry, m.geom_size[g]
        if isinstance(form, Mesh):
            k = m.geom_dataid[g]
            vertices = m.mesh_vert[m.mesh_vertadr[k] :][: m.mesh_vertnum[k]]
            theirs = vertices @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]
            ours = (CORNERS * form.scale) @ R.T + p
            apart = np.linalg.norm(ours[:, None] - theirs[None], axis=-1)
            assert apart.min(axis=0).max() < 1e-7 and apart.min(axis=1).max() < 1e-7  # their vertices are 32-bit numbers
            assert form.file == str(folder / "meshes" / ("deep/u.stl" if name == "mesh_turned" else "t.stl"))
            assert not form.source.startswith("/")
            continue
        assert np.allclose(R, data.geom_xmat[g].reshape(3, 3), rtol=0, atol=1e-14)
        assert np.allclose(p, data.geom_xpos[g], rtol=0, atol=1e-14)
        kind = {"": "sphere", "table": "box"}.get(name, name)
        assert form == EXPECTED[kind](size)


@pytest.mark.parametrize(
    ("attributes", "role", "color"),
    [
        ("", "both", None),
        ('contype="0" conaffinity="0"', "visual", None),
        ('group="2" contype="0" conaffinity="0" rgba="1 0 0 0.25"', "visual", (1, 0, 0, 0.25)),
        ('group="3"', "collision", None),
        ('group="3" conaffinity="0" material="green"', "collision", (0, 1, 0, 0.5)),
        ('material="green" rgba="0.2 0.4 0.6 1"', "both", (0.2, 0.4, 0.6, 1)),
    ],
)
def test_groups_and_contacts_give_the_role_and_material_or_rgba_the_color(folder, attributes, role, color):
    body = f'<body><joint/><geom size="0.1" {attributes}/></body>'
    model, _ = load(
        folder, f'<mujoco><asset><material name="green" rgba="0 1 0 0.5"/></asset><worldbody>{body}</worldbody></mujoco>'
    )
    (shape,) = model.shapes
    assert (shape.role, shape.color) == (role, color)


def test_what_is_neither_seen_nor_touched_is_left_out(folder):
    body = '<body><joint/><geom size="0.1" group="4" contype="0" conaffinity="0"/></body>'
    assert load(folder, f"<mujoco><worldbody>{body}</worldbody></mujoco>")[0].shapes == ()


@pytest.mark.parametrize(
    ("asset", "geom", "message"),
    [
        (HFIELD, 'type="hfield" hfield="h"', "lissom does not draw geoms of type 'hfield'"),
        ('<mesh name="v" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>', VERTICES, "its mesh is not in a file"),
        ('<mesh name="v" file="meshes/t.stl" refquat="1 1 0 0" scale="1 2 3"/>', VERTICES, "its mesh has a refquat and a scale"),
    ],
)
def test_geoms_that_cannot_be_drawn_are_left_out_with_a_warning(folder, asset, geom, message):
    body = f'<geom name="g" {geom}/><body name="b"><joint/><geom size="0.1"/></body>'
    text = f"<mujoco><asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>"
    with pytest.warns(ModelWarning, match=rf"m.xml: geom 'g' of body 'world' is left out: {message}"):
        model, _ = load(folder, text, strict=True)
    assert len(model.shapes) == 1


def test_more_geoms_than_can_be_drawn_do_not_stop_the_robot():
    compiled = Compiled(geoms={"count": 30_000, "names": None, "skins": 0, "meshes": []})
    with pytest.warns(ModelWarning, match="^m.xml: 30000 geoms are too many to be drawn; all are left out"):
        assert read_shapes(compiled, None, Source("m.xml"), MeshPaths(None)) == []


def test_shapes_of_sub_models_have_their_own_mesh_folder(folder):
    head = '<compiler meshdir="meshes/deep"/><asset><mesh file="u.stl" refpos="0.1 0.2 0.3"/></asset>'
    body = '<body name="s"><joint/><geom type="mesh" mesh="u"/></body>'
    (folder / "sub.xml").write_text(f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>")
    asset = '<asset><model name="sub" file="sub.xml"/></asset>'
    text = f'<mujoco>{asset}<worldbody><attach model="sub" body="s" prefix="p_"/></worldbody></mujoco>'
    (shape,) = load(folder, text)[0].shapes
    assert shape.geometry == Mesh("meshes/deep/u.stl", str(folder / "meshes/deep/u.stl"))
    assert np.allclose(shape.origin.p, [-0.1, -0.2, -0.3], rtol=0, atol=1e-7)


def test_mjcf_shapes_survive_yaml(folder):
    model, _ = load(folder, ARM)
    lissom.write.save(model, folder / "m.yaml")
    assert load_model(folder / "m.yaml").shapes == model.shapes
