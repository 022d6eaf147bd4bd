"""Files that use the same numbers very often: they are read once, and counted before more memory is taken."""

import base64
import json
import tracemalloc

import pytest

from lissom import FileError
from lissom.geometry.mesh import dae, gltf, read_mesh

SOURCE = "<source id='s'><float_array>{}</float_array></source>"
GROUP = "<triangles><input semantic='VERTEX' source='#{}' offset='0'/><p>{}</p></triangles>"
VERTICES = "<vertices id='{}'><input semantic='POSITION' source='#s'/></vertices>"


def collada(mesh, scene="", name="g"):
    return (
        f"<COLLADA><library_geometries><geometry id='{name}'><mesh>{mesh}</mesh></geometry></library_geometries>"
        f"<library_visual_scenes><visual_scene><node>{scene}</node></visual_scene></library_visual_scenes></COLLADA>"
    )


def read(folder, text, ending="dae"):
    path = folder / f"mesh.{ending}"
    path.write_text(text)
    return read_mesh(path)


@pytest.fixture
def floats_read(monkeypatch):
    """Texts of more than 100 bytes that were read as numbers."""
    found, floats = [], dae.floats

    def counted(text, *more):
        if len(text) > 100:
            found.append(len(text))
        return floats(text, *more)

    monkeypatch.setattr(dae, "floats", counted)
    return found


def test_an_array_under_many_names_is_read_once(tmp_path, floats_read):
    names = [f"v{k}" for k in range(50)]
    mesh = SOURCE.format("0 0 0 1 0 0 0 1 0 " * 20) + "".join(map(VERTICES.format, names))
    mesh += "".join(GROUP.format(name, "0 1 2") for name in names)
    assert len(read(tmp_path, collada(mesh, "<instance_geometry url='#g'/>")).faces) == 50
    assert len(floats_read) == 1


def test_a_geometry_without_a_name_is_read_once(tmp_path, floats_read):
    mesh = SOURCE.format("0 0 0 1 0 0 0 1 0 " * 20) + VERTICES.format("v") + GROUP.format("v", "0 1 2")
    assert len(read(tmp_path, collada(mesh, "<instance_geometry url='#'/>" * 50, name="")).faces) == 50
    assert len(floats_read) == 1


def test_a_node_of_many_elements_is_not_visited_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(dae, "MAX_STEPS", 1000)
    mesh = SOURCE.format("0 0 0 1 0 0 0 1 0") + VERTICES.format("v") + GROUP.format("v", "0 1 2")
    node = f"<node id='n'>{'<translate>0 0 1</translate>' * 50}<instance_geometry url='#g'/></node>"
    assert len(read(tmp_path, collada(mesh, node + "<instance_node url='#n'/>" * 10)).faces) == 11
    with pytest.raises(FileError, match="more than 10000 nodes and meshes"):
        read(tmp_path, collada(mesh, node + "<instance_node url='#n'/>" * 30))


def test_small_parts_of_a_large_list_have_their_own_vertices(tmp_path):
    places = " ".join(f"{k} 0 {k * k}" for k in range(200))
    mesh = SOURCE.format(places) + VERTICES.format("v") + GROUP.format("v", "150 199 7")
    soup = read(tmp_path, collada(mesh, "<instance_geometry url='#g'/>"))
    assert soup.vertices[soup.faces[0]].tolist() == [[150, 0, 150**2], [199, 0, 199**2], [7, 0, 49]]


def buffers(count, accessors, primitives):
    data = base64.b64encode(bytes(4 * count)).decode()
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": primitives}],
            "accessors": [{"bufferView": 0, "componentType": 5121, **each} for each in accessors],
            "bufferViews": [{"buffer": 0, "byteLength": 4 * count}],
            "buffers": [{"byteLength": 4 * count, "uri": f"data:;base64,{data}"}],
        }
    )


def test_primitives_on_one_accessor_are_counted_before_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("lissom.geometry.mesh.soup.MAX_VERTICES", 200_000)
    accessors = [{"type": "VEC3", "count": 100_000}, {"type": "SCALAR", "count": 3}]
    text = buffers(100_000, accessors, [{"attributes": {"POSITION": 0}, "indices": 1}] * 100)
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="300000 vertices, the limit is 200000"):
            read(tmp_path, text, "gltf")
        assert tracemalloc.get_traced_memory()[1] < 20 << 20  # all of them take 240 MB
    finally:
        tracemalloc.stop()


def test_accessors_of_one_buffer_are_limited_together(tmp_path, monkeypatch):
    monkeypatch.setattr(gltf, "MAX_ARRAYS", 1 << 20)
    accessors = [{"type": "VEC3", "count": 3}, {"type": "SCALAR", "count": 3}, *[{"type": "VEC4", "count": 50_000}] * 20]
    primitives = [{"attributes": {"POSITION": 0, "COLOR_0": 2 + k}, "indices": 1} for k in range(20)]
    with pytest.raises(FileError, match="accessors of more than 1 MiB"):
        read(tmp_path, buffers(50_000, accessors, primitives), "gltf")
