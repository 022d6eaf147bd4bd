"""GLB and glTF 2.0: a scene as JSON, with arrays in the same file. Other files and compressed meshes are not read.

Coordinates are taken as they are: glTF's up axis is y, but robots' files give the pose of the mesh, and so do other programs.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import FileError
from .soup import Soup, check_counts, joined

_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_DATA = "data:"
MAX_ENTRIES = 2_000_000  # of the JSON: each takes a hundred bytes
MAX_NODES = 100_000
MAX_DEPTH = 500
MAX_ARRAYS = 512 << 20  # bytes of all accessors, which may name the same part of a buffer


def read_glb(data: bytes, path: str) -> Soup:
    """Return the triangles of a GLB file."""
    if data[:4] != b"glTF" or len(data) < 20:
        raise FileError("a GLB file begins with 'glTF'", path)
    if int.from_bytes(data[4:8], "little") != 2:
        raise FileError(f"glTF of version {int.from_bytes(data[4:8], 'little')}, expected 2", path)
    chunks: dict[bytes, bytes] = {}
    start = 12
    while start + 8 <= len(data):
        size, kind = int.from_bytes(data[start : start + 4], "little"), data[start + 4 : start + 8]
        if start + 8 + size > len(data):
            raise FileError(f"a chunk of {size} bytes, the file ends before", path)
        chunks.setdefault(kind, data[start + 8 : start + 8 + size])
        start += 8 + size
    if b"JSON" not in chunks:
        raise FileError("a GLB file without a JSON chunk", path)
    return _File(chunks[b"JSON"], chunks.get(b"BIN\0"), path).soup()


def read_gltf(data: bytes, path: str) -> Soup:
    """Return the triangles of a glTF file whose buffers are in it, as base64."""
    return _File(data, None, path).soup()


class _File:
    """The JSON of a file, of which nothing is trusted: `get` and `entry` check every type."""

    def __init__(self, text: bytes, binary: bytes | None, path: str) -> None:
        self.path, self.binary = path, binary
        self.arrays: dict[int, np.ndarray] = {}
        self.buffers: dict[int, bytes] = {}
        self.bytes = 0
        if sum(map(text.count, (b"[", b"{", b","))) > MAX_ENTRIES:
            raise FileError(f"more than {MAX_ENTRIES} entries of JSON", path)
        try:
            self.root = json.loads(text)
        except ValueError as error:
            raise FileError(f"not JSON: {error!s:.100}", path) from None
        if not isinstance(self.root, dict):
            raise FileError("the JSON of a glTF file is an object", path)
        needed = self.get(self.root, "extensionsRequired", list, [])
        compressed = [x for x in needed if isinstance(x, str) and ("draco" in x.lower() or "meshopt" in x.lower())]
        if compressed:
            raise FileError(f"compressed meshes ({compressed[0]:.60}) are not read; export it without compression", path)

    def get(self, owner: dict[str, Any], key: str, kind: type, default: Any = None) -> Any:
        """Return a member of an object, checked; `default` where it is missing, an error without a default."""
        value: Any = owner.get(key, default)
        if value is None and default is None and key not in owner:
            raise FileError(f"{key!r} is missing", self.path)
        sound = 0 <= value < 2**40 if isinstance(value, int) and not isinstance(value, bool) else kind is not int
        if not isinstance(value, kind) or not sound:
            raise FileError(f"{key!r} must be of type {kind.__name__}, got {value!r:.60}", self.path)
        return value

    def entry(self, table: str, index: object) -> dict:
        """Return an entry of a table of the root, such as "meshes"."""
        rows = self.get(self.root, table, list, [])
        if (
            not isinstance(index, int)
            or isinstance(index, bool)
            or not 0 <= index < len(rows)
            or not isinstance(rows[index], dict)
        ):
            raise FileError(f"{table} has no entry {index!r:.60}", self.path)
        return rows[index]

    def numbers(self, owner: dict, key: str, count: int, default: list[float]) -> np.ndarray:
        """Return numbers (count,) of an object."""
        values = self.get(owner, key, list, default)
        if len(values) != count or not all(isinstance(x, int | float) and abs(x) < 1e300 for x in values):
            raise FileError(f"{key!r} must be {count} numbers, got {values!r:.80}", self.path)
        return np.array(values, dtype=float)

    def soup(self) -> Soup:
        nodes = self.get(self.root, "nodes", list, [])
        if len(nodes) > MAX_NODES:
            raise FileError(f"{len(nodes)} nodes, the limit is {MAX_NODES}", self.path)
        if "scenes" in self.root:
            roots = self.get(self.entry("scenes", self.get(self.root, "scene", int, 0)), "nodes", list, [])
        else:
            below = {
                k for node in nodes if isinstance(node, dict) for k in self.get(node, "children", list, []) if isinstance(k, int)
            }
            roots = [k for k in range(len(nodes)) if k not in below]
        parts: list[Soup] = []
        seen: set[object] = set()
        stack = [(root, np.eye(4), 0) for root in roots]
        triangles = vertices = 0
        while stack:
            index, above, depth = stack.pop()
            node = self.entry("nodes", index)
            if index in seen or depth > MAX_DEPTH:
                raise FileError(f"node {index} is used twice, or nested more than {MAX_DEPTH} deep", self.path)
            seen.add(index)
            with np.errstate(all="ignore"):  # vertices are checked at the end
                pose = above @ self.pose(node)
            if "mesh" in node:
                for part in self.mesh(self.entry("meshes", node["mesh"])):
                    triangles, vertices = triangles + len(part.faces), vertices + len(part.vertices)
                    check_counts(self.path, vertices, triangles)
                    parts.append(_moved(part, pose))
            stack += [(child, pose, depth + 1) for child in self.get(node, "children", list, [])]
        return joined(parts, self.path)

    def pose(self, node: dict) -> np.ndarray:
        if "matrix" in node:
            return self.numbers(node, "matrix", 16, []).reshape(4, 4).T
        pose = np.eye(4)
        x, y, z, w = self.numbers(node, "rotation", 4, [0.0, 0.0, 0.0, 1.0])
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        pose[:3, :3] = turn * self.numbers(node, "scale", 3, [1.0, 1.0, 1.0])
        pose[:3, 3] = self.numbers(node, "translation", 3, [0.0, 0.0, 0.0])
        return pose

    def mesh(self, mesh: dict) -> Iterator[Soup]:
        """Yield the primitives of a mesh, one at a time: they are counted before the next is read."""
        for primitive in self.get(mesh, "primitives", list):
            if not isinstance(primitive, dict):
                raise FileError("a primitive must be an object", self.path)
            mode = self.get(primitive, "mode", int, _TRIANGLES)
            if mode not in (_TRIANGLES, _STRIP, _FAN):
                continue  # points and lines
            attributes = self.get(primitive, "attributes", dict)
            vertices = self.array(attributes.get("POSITION"), 3).astype(float)
            if "indices" in primitive:
                indices = self.array(primitive["indices"], 1).reshape(-1)
                if indices.dtype.kind == "f":
                    raise FileError("indices must be whole numbers", self.path)
                corners = indices.astype(np.int64)
            else:
                corners = np.arange(len(vertices))
            faces = _faces(corners, mode)
            yield Soup(vertices, faces, self.color(primitive, attributes, faces))

    def color(self, primitive: dict, attributes: dict, faces: np.ndarray) -> np.ndarray | None:
        if "COLOR_0" in attributes:
            colors = self.array(attributes["COLOR_0"], None)[:, :3]
            largest = float(np.iinfo(colors.dtype).max) if colors.dtype.kind in "iu" else 1.0
            valid = faces < len(colors)
            return (colors[np.where(valid, faces, 0)].mean(axis=1) / largest) if len(colors) else None
        if "material" not in primitive:
            return None
        surface = self.get(self.entry("materials", primitive["material"]), "pbrMetallicRoughness", dict, {})
        if "baseColorFactor" not in surface:
            return None
        linear = np.clip(self.numbers(surface, "baseColorFactor", 4, [])[:3], 0.0, 1.0)
        screen = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)  # sRGB
        return np.broadcast_to(screen, (len(faces), 3))

    def array(self, index: object, width: int | None) -> np.ndarray:
        """Return the array (count, width) of an accessor; width None: 3 or 4."""
        if isinstance(index, int) and index in self.arrays:
            found = self.arrays[index]
        else:
            found = self._array(self.entry("accessors", index))
            self.arrays[index] = found  # type: ignore[index]
            self.bytes += found.nbytes
            if self.bytes > MAX_ARRAYS:
                raise FileError(f"accessors of more than {MAX_ARRAYS >> 20} MiB; simplify the mesh", self.path)
        if found.shape[1] != width and not (width is None and found.shape[1] in (3, 4)):
            raise FileError(f"accessor {index} has {found.shape[1]} numbers each, expected {width or '3 or 4'}", self.path)
        return found

    def _array(self, accessor: dict) -> np.ndarray:
        if "sparse" in accessor or "bufferView" not in accessor:
            raise FileError("sparse and compressed arrays are not read; export the mesh without", self.path)
        kind = np.dtype(_COMPONENTS.get(self.get(accessor, "componentType", int), "V1"))
        width, count = _WIDTHS.get(self.get(accessor, "type", str), 0), self.get(accessor, "count", int)
        if not width or kind.kind == "V":
            raise FileError("an accessor of unknown type", self.path)
        check_counts(self.path, vertices=count if width > 1 else 0, triangles=count / 3 if width == 1 else 0)
        view = self.entry("bufferViews", accessor["bufferView"])
        buffer = self.buffer(self.get(view, "buffer", int))
        start = self.get(view, "byteOffset", int, 0)
        end = start + self.get(view, "byteLength", int)
        start += self.get(accessor, "byteOffset", int, 0)
        size = width * kind.itemsize
        stride = self.get(view, "byteStride", int, size) or size
        if not size <= stride <= 1024 or count < 1 or start + (count - 1) * stride + size > min(end, len(buffer)):
            raise FileError(f"an accessor of {count} elements exceeds its buffer", self.path)
        raw = np.frombuffer(buffer, np.uint8)
        rows = np.lib.stride_tricks.as_strided(raw[start:], (count, size), (stride, 1), writeable=False)
        return np.ascontiguousarray(rows).view(kind)

    def buffer(self, index: int) -> bytes:
        if index not in self.buffers:
            entry = self.entry("buffers", index)
            if "uri" not in entry:
                if self.binary is None or index != 0:
                    raise FileError(f"buffer {index} has no data", self.path)
                self.buffers[index] = self.binary
            else:
                self.buffers[index] = self._decoded(self.get(entry, "uri", str))
        return self.buffers[index]

    def _decoded(self, address: str) -> bytes:
        head, _, text = address.partition(",")
        if not head.startswith(_DATA) or not head.endswith(";base64"):
            raise FileError(f"the buffer is another file, {address!r:.60}, which is not read; export the mesh as GLB", self.path)
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise FileError("a buffer is not base64", self.path) from None


def _faces(corners: np.ndarray, mode: int) -> np.ndarray:
    if mode == _TRIANGLES:
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    if len(corners) < 3:
        return np.empty((0, 3), np.int64)
    if mode == _FAN:
        return np.column_stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]])
    strip = np.column_stack([corners[:-2], corners[1:-1], corners[2:]])
    strip[1::2] = strip[1::2, [1, 0, 2]]  # every other triangle of a strip turns the other way
    return strip


def _moved(part: Soup, pose: np.ndarray) -> Soup:
    """Return a part in the frame of the scene; a mirrored one is turned."""
    with np.errstate(over="ignore", invalid="ignore"):  # checked later
        vertices = part.vertices @ pose[:3, :3].T + pose[:3, 3]
        mirrored = np.linalg.det(pose[:3, :3]) < 0
    return Soup(vertices, part.faces[:, ::-1] if mirrored else part.faces, part.colors)
