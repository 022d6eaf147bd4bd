"""Mesh files of all formats, followed to a surface."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from .. import raw, xml_text
from ..reader import Mutate, Reader

_VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
_FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
_COUNTS = (0, 1, 2, 3, 5, 12, 255, 65_535, 2**31 - 1, 2**31, 2**32 - 1)


def _stl() -> list[bytes]:
    corners = _VERTICES[_FACES]
    text = "".join("facet\nouter loop\n" + "".join(f"vertex {x:g} {y:g} {z:g}\n" for x, y, z in t) + "endloop\n" for t in corners)
    return [
        bytes(80) + struct.pack("<I", 4) + b"".join(bytes(12) + t.tobytes() + bytes(2) for t in corners),
        b"solid a\n" + text.encode(),
    ]


def _obj() -> list[bytes]:
    points = "".join(f"v {x:g} {y:g} {z:g}\n" for x, y, z in _VERTICES)
    return [(points + "".join(f"f {a + 1}/1/1 {b + 1} {c + 1}//2\n" for a, b, c in _FACES)).encode(),
            (points + "mtllib a.mtl\nusemtl a\nf -4 -2 -3\nf 1 2 4 \\\n3\n").encode()]  # fmt: skip


def _ply() -> list[bytes]:
    def header(form: str) -> bytes:
        head = f"ply\nformat {form} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        head += "property uchar red\nproperty uchar green\nproperty uchar blue\n"
        head += "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        return head.encode()

    text = "".join(f"{x:g} {y:g} {z:g} 255 0 9\n" for x, y, z in _VERTICES) + "".join(f"3 {a} {b} {c}\n" for a, b, c in _FACES)
    binary = b"".join(v.tobytes() + b"\xff\0\x09" for v in _VERTICES) + b"".join(struct.pack("<B3i", 3, *f) for f in _FACES)
    quad = binary[:60] + struct.pack("<B4i", 4, 0, 1, 2, 3) + binary[60 + 13 :]
    little = header("binary_little_endian")
    return [header("ascii") + text.encode(), little + binary, little + quad]


def _dae() -> list[bytes]:
    xyz, corners = " ".join(f"{x:g}" for x in _VERTICES.ravel()), " ".join(map(str, _FACES.ravel()))
    return [
        f"""<COLLADA><asset><unit meter="0.001"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0 0 1</color></diffuse></phong>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">{xyz}</float_array><technique_common>
<accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
{group}</mesh></geometry></library_geometries>
<library_nodes><node id="n"><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="q" target="#m"/></technique_common></bind_material></instance_geometry></node></library_nodes>
<library_visual_scenes><visual_scene id="w"><node><translate>1 2 3</translate><rotate>0 0 1 30</rotate><scale>1 2 -3</scale>
<instance_node url="#n"/><node><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix><instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>""".encode()
        for group in (
            f'<triangles material="q" count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles>',
            f'<polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3 3 3</vcount><p>{corners}</p></polylist>',
            '<tristrips><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></tristrips>',
        )
    ]  # fmt: skip


def _scene(binary: bytes) -> bytes:
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "children": [1]},
                  {"mesh": 0, "translation": [1, 2, 3], "rotation": [0, 0, 0, 1], "scale": [1, 2, 3]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 0}, "indices": 1, "material": 0, "mode": 4}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "byteOffset": 0},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48, "byteStride": 12}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": len(binary)}],
    }  # fmt: skip
    return json.dumps(scene).encode()


def _glb() -> list[bytes]:
    binary = _VERTICES.tobytes() + _FACES.astype("<u2").tobytes()
    return [_packed(_scene(binary), binary)]


def _packed(text: bytes, binary: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(binary)) + b"BIN\0" + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def _bytes(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change bytes, or a number of four of them to one that lies."""
    if rng.random() < 0.4 and len(data) > 4:
        at = rng.choice((80, rng.randrange(len(data) - 3)))
        return data[:at] + struct.pack("<I", rng.choice(_COUNTS)) + data[at + 4 :]
    return raw.mutate(rng, data, others)


def _json(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change the JSON of a GLB file and pack it again, or its bytes."""
    if rng.random() < 0.3:
        return _bytes(rng, data, others)
    size = struct.unpack("<I", data[12:16])[0]
    return _packed(raw.mutate(rng, data[20 : 20 + size], [data[20 : 20 + size]]), data[28 + size :])


def _follow(path: Path, rng: Random) -> list[np.ndarray]:
    from lissom.geometry import load_mesh

    found = load_mesh(str(path))
    assert found.faces.min() >= 0 and found.faces.max() < len(found.vertices)
    return [found.vertices, found.normals, *([] if found.colors is None else [found.colors])]


def _reader(ending: str, seeds: Callable[[], list[bytes]], mutate: Mutate) -> Reader:
    return Reader(f"mesh-{ending}", f".{ending}", cache(seeds), mutate, _follow)


MESHES = (
    _reader("stl", _stl, _bytes),
    _reader("obj", _obj, raw.mutate),
    _reader("ply", _ply, _bytes),
    _reader("dae", _dae, xml_text.mutate),
    _reader("glb", _glb, _json),
)
