"""Mesh files from strangers: each is refused with a FileError, soon and without much memory."""

import base64
import json
import os
import struct
import tracemalloc

import numpy as np
import pytest

from lissom import FileError, ModelWarning
from lissom.geometry import surface
from lissom.geometry.mesh import read, read_mesh
from lissom.model.shape import Mesh

from .test_dae import CUBES, dae

TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")


def stl(count=1, triangles=1, corners=TRIANGLE):
    return bytes(80) + struct.pack("<I", count) + (bytes(12) + corners.tobytes() + bytes(2)) * triangles


def gltf(change=None, **more):
    """A triangle as glTF, with `change` made to its JSON."""
    data = TRIANGLE.tobytes() + struct.pack("<3I", 0, 1, 2)
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "buffers": [{"byteLength": 48, "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        **more,
    }
    if change is not None:
        change(scene)
    return json.dumps(scene).encode()


def changed(*path, value):
    """Return a change of one entry of a glTF scene."""

    def change(scene):
        for key in path[:-1]:
            scene = scene[key]
        scene[path[-1]] = value

    return change


def ply(vertices="3", faces="1", body="0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", form="ascii", kind="uchar int"):
    head = f"ply\nformat {form} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n"
    return (head + f"element face {faces}\nproperty list {kind} vertex_indices\nend_header\n{body}").encode()


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
BRANCHES = "".join(f"<node id='n{k}'>" + f"<instance_node url='#n{k + 1}'/>" * 2 + "</node>" for k in range(40))

BAD = {
    "empty.stl": (b"", "empty"),
    "short.stl": (b"abc", "at least 84"),
    "huge_header.stl": (stl(4_000_000_000), "4000000000 triangles, 200000000084 bytes; the file has 134"),
    "no_triangles.stl": (stl(0, 0), "no triangles"),
    "nan.stl": (stl(corners=np.full((3, 3), np.nan, "<f4")), "vertex 1"),
    "inf.stl": (stl(corners=np.array([[0, 0, 0], [np.inf, 0, 0], [0, 1, 0]], "<f4")), "vertex 2"),
    "far.stl": (stl(corners=TRIANGLE * 1e20), "vertex 2"),
    "text.stl": (b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex a b c\nvertex 0 1 0\n", "three numbers"),
    "two.stl": (b"solid a\nvertex 0 0 0\nvertex 1 0 0\n", "three per facet"),
    "a.txt": (b"text", "'.txt' are not read"),
    "stl.dae": (stl(), "not well-formed XML"),
    "index.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1000000000\n", "vertex 1000000000 of 3"),
    "zero.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "vertex 0 of 3"),
    "back.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -9 1 2\n", "names vertex"),
    "nan.obj": (b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "finite numbers"),
    "big.obj": (b"v 1e400 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "vertex 1"),
    "long.obj": (b"v 0 0 0\nf 1 1 99999999999999999999999\n", "corners|names vertex"),
    "rows.obj": (b"v 0 0 0\nv 1 0\nf 1 1 1\n", "3 coordinates"),
    "none.obj": (b"# nothing\n", "no vertices"),
    "empty.ply": (b"ply\n", "end_header"),
    "huge.ply": (ply("4000000000"), "4000000000 vertices"),
    "huge_binary.ply": (ply("4000000000", form="binary_little_endian"), "4000000000 vertices"),
    "faces.ply": (ply(faces="999999999"), "999999999 triangles"),
    "twice.ply": (ply(vertices="3\nelement vertex 3"), "one name"),
    "corners.ply": (ply(body="0 0 0\n1 0 0\n0 1 0\n9 0 1 2\n"), "fewer corners"),
    "index.ply": (ply(body="0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"), "vertex 8 of 3"),
    "lists.ply": (ply(form="binary_little_endian", kind="float float"), "whole numbers"),
    "cut.ply": (ply(form="binary_little_endian", body="abc"), "ends before"),
    "bomb.dae": (dae().replace("<COLLADA", BOMB + "<COLLADA").encode(), "DOCTYPE"),
    "outside.dae": (dae().replace("<COLLADA", OUTSIDE + "<COLLADA").encode(), "DOCTYPE"),
    "deep.dae": (b"<COLLADA>" + b"<node>" * 100_000, "deep"),
    "many.dae": (b"<COLLADA>" + b"<a/>" * 100_001 + b"</COLLADA>", "elements"),
    "branches.dae": (
        dae(nodes="<node><instance_node url='#n0'/></node>" + BRANCHES + f"<node id='n40'>{CUBES}</node>").encode(),
        "10000",
    ),
    "cycle.dae": (dae(nodes="<node id='n'><instance_node url='#n'/></node>").encode(), "deep"),
    "index.dae": (dae().replace("<p>0 3 2 1", "<p>0 3 2 99").encode(), "vertex 100 of 8"),
    "count.dae": (dae().replace("<vcount>4 4 4 4", "<vcount>4 4 4 4000000000").encode(), "corners"),
    "wrap.dae": (dae().replace("<vcount>4 4 4 4", "<vcount>" + "9000000000000000000 " * 3 + "4").encode(), "corners"),
    "other.dae": (b"<robot/>", "COLLADA"),
    "unit.dae": (dae(unit='<unit meter="0"/>').encode(), "unit"),
    "turn.dae": (dae().replace("0 0 1 30", "0 0 1 1e999").encode(), "finite numbers"),
    "words.dae": (dae().replace("1 0 0  1 1 0", "a b c").encode(), "finite numbers"),
    "not.gltf": (b"{", "not JSON"),
    "list.gltf": (b"[]", "object"),
    "deep.gltf": (b'{"a":' + b"[" * 100_000, "not JSON|deep"),
    "file.gltf": (gltf(changed("buffers", 0, "uri", value="../secret.bin")), "not read"),
    "net.gltf": (gltf(changed("buffers", 0, "uri", value="http://example.com/a.bin")), "not read"),
    "count.gltf": (gltf(changed("accessors", 0, "count", value=3_000_000)), "exceeds its buffer"),
    "huge.gltf": (gltf(changed("accessors", 0, "count", value=10**9)), "1000000000 vertices"),
    "negative.gltf": (gltf(changed("accessors", 0, "byteOffset", value=-4)), "byteOffset"),
    "index.gltf": (gltf(changed("bufferViews", 1, "byteOffset", value=4)), "names vertex"),
    "twice.gltf": (gltf(nodes=[{"mesh": 0, "children": [1, 1]}, {"mesh": 0}]), "used twice"),
    "cycle.gltf": (gltf(nodes=[{"children": [0]}]), "used twice"),
    "node.gltf": (gltf(changed("nodes", 0, "mesh", value=7)), "no entry 7"),
    "draco.gltf": (gltf(extensionsRequired=["KHR_draco_mesh_compression"]), "without compression"),
    "sparse.gltf": (gltf(changed("accessors", 0, "sparse", value={})), "sparse"),
    "matrix.gltf": (gltf(nodes=[{"mesh": 0, "matrix": [1e200] * 16}]), "vertex 1"),
    "bad.glb": (b"glTF" + bytes(30), "version 0"),
    "chunk.glb": (b"glTF" + struct.pack("<4I", 2, 20, 2**31, 0x4E4F534A), "the file ends before"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_its_name_and_little_memory(tmp_path, name):
    data, message = BAD[name]
    path = tmp_path / name
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=message) as error:
            read_mesh(path)
        assert tracemalloc.get_traced_memory()[1] < 30 * len(data) + (40 << 20)
    finally:
        tracemalloc.stop()
    assert str(path) in str(error.value)


def test_good_files_of_the_same_makers_are_read(tmp_path):
    for name, data in {"a.stl": stl(), "a.gltf": gltf(), "a.ply": ply(), "a.dae": dae().encode()}.items():
        (tmp_path / name).write_bytes(data)
        assert len(read_mesh(tmp_path / name).faces)


def test_a_file_beyond_the_limit_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(read, "MAX_BYTES", 100)
    (tmp_path / "a.stl").write_bytes(stl())
    with pytest.raises(FileError, match="bytes, the limit"):
        read_mesh(tmp_path / "a.stl")


def test_folders_missing_files_and_pipes_are_refused(tmp_path):
    (tmp_path / "folder.stl").mkdir()
    for name in ("folder.stl", "missing.stl", "nul\0.stl"):
        with pytest.raises(FileError, match="cannot be read|not a file"):
            read_mesh(str(tmp_path / name))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.stl")
        with pytest.raises(FileError, match="not a file"):
            read_mesh(tmp_path / "pipe.stl")


OBJ = "mtllib {}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"


def test_materials_are_read_from_the_folder_of_the_mesh_alone(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "a.mtl").write_text("newmtl red\nKd 1 0 0\n")
    os.symlink(tmp_path / "a.mtl", inner / "link.mtl")
    (inner / "a.obj").write_text(OBJ.format("a.mtl"))
    np.testing.assert_array_equal(read_mesh(inner / "a.obj").colors, [[1.0, 0.0, 0.0]])
    for name in ("../a.mtl", str(tmp_path / "a.mtl"), "link.mtl", "missing.mtl", "a.obj", "http://example.com/a.mtl"):
        (inner / "b.obj").write_text(OBJ.format(name))
        assert read_mesh(inner / "b.obj").colors is None, name


def test_a_mesh_that_cannot_be_read_is_a_warning_and_no_surface(tmp_path):
    path = tmp_path / "huge.stl"
    path.write_bytes(stl(4_000_000_000))
    with pytest.warns(ModelWarning, match="huge.stl: the header says 4000000000 triangles"):
        assert surface(Mesh("huge.stl", str(path))) is None
    (tmp_path / "line.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    with pytest.warns(ModelWarning, match="no triangle of the mesh has an area"):
        assert surface(Mesh("line.obj", str(tmp_path / "line.obj"))) is None
    with pytest.warns(ModelWarning, match="cannot be read"):
        assert surface(Mesh("gone.obj", str(tmp_path / "gone.obj"))) is None
