"""PLY: vertices and polygons in bytes or as text, with properties that its header names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import FileError
from .numbers import counts_of_lines, floats
from .soup import Soup, check_counts, fans

_TYPES = {  # both names of each type
    name: form
    for names, form in (
        *(("char int8", "i1"), ("uchar uint8", "u1"), ("short int16", "i2"), ("ushort uint16", "u2")),
        *(("int int32", "i4"), ("uint uint32", "u4"), ("float float32", "f4"), ("double float64", "f8")),
    )
    for name in names.split()
}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
MAX_LINES = 20_000_000
_HEADER = 1 << 16  # most bytes
_LISTS = ("vertex_indices", "vertex_index")


class _Element(NamedTuple):
    name: str
    number: int
    properties: list[tuple[str, str, str]]  # name, type, type of the length of a list or ""


def read_ply(data: bytes, path: str) -> Soup:
    """Return the triangles of a PLY file, with colors where vertices have `red`, `green` and `blue`."""
    order, elements, body = _header(data, path)
    reader = _text if order == "" else _binary
    table, colors, corners, counts = reader(body, order, elements, path)
    triangles, _ = fans(corners, counts, path)
    if colors is not None and len(colors):
        valid = (triangles >= 0) & (triangles < len(table))
        colors = colors[np.where(valid, triangles, 0)].mean(axis=1)
    return Soup(table, triangles, colors)


def _header(data: bytes, path: str) -> tuple[str, list[_Element], bytes]:
    end = data.find(b"end_header", 0, _HEADER)
    if not data.startswith(b"ply") or end < 0:
        raise FileError("a PLY file begins with 'ply' and has a line 'end_header'", path)
    line_end = data.find(b"\n", end)
    body = data[line_end + 1 :] if line_end >= 0 else b""
    order, elements = None, []
    for line in data[:end].decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:1] == ["format"] and len(words) > 1:
            order = _ORDERS.get(words[1])
        elif words[:1] == ["element"] and len(words) == 3:
            if not words[2].isdecimal() or len(words[2]) > 12:
                raise FileError(f"the number of elements {words[1]!r} is {words[2]!r}", path)
            elements.append(_Element(words[1], int(words[2]), []))
        elif words[:1] == ["property"] and elements and len(words) in (3, 5):
            kinds = words[1:-1] if words[1] != "list" else words[2:4]
            if any(kind not in _TYPES for kind in kinds) or (len(words) == 5) != (words[1] == "list"):
                raise FileError(f"unknown property {line!r:.100}", path)
            if len(kinds) == 2 and any(_TYPES[kind][0] == "f" for kind in kinds):
                raise FileError(f"lists must be of whole numbers, got {line!r:.100}", path)
            elements[-1].properties.append((words[-1], _TYPES[kinds[-1]], _TYPES[kinds[0]] if len(kinds) == 2 else ""))
    if order is None:
        raise FileError(f"the format must be one of {', '.join(_ORDERS)}", path)
    names = [element.name for element in elements]
    if len(set(names)) < len(names):
        raise FileError("two elements have one name", path)
    if "vertex" not in names or "face" not in names[names.index("vertex") :]:
        raise FileError("expected elements 'vertex' and 'face', in this order", path)
    if any(length for _, _, length in elements[names.index("vertex")].properties):
        raise FileError("vertices with lists are not read", path)
    if not {"x", "y", "z"} <= {name for name, _, _ in elements[names.index("vertex")].properties}:
        raise FileError("vertices have no x, y and z", path)
    return order, elements[: names.index("face") + 1], body


_Found = tuple[np.ndarray, np.ndarray | None, np.ndarray, np.ndarray]


def _vertices(columns: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
    table = np.column_stack([columns[name] for name in "xyz"]).astype(float)
    if not {"red", "green", "blue"} <= columns.keys():
        return table, None
    colors = np.column_stack([columns[name] for name in ("red", "green", "blue")])
    whole = colors.dtype.kind in "iu" or bool(len(colors) and colors.max() > 1)
    return table, colors / 255.0 if whole else colors.astype(float)


def _text(body: bytes, order: str, elements: list[_Element], path: str) -> _Found:
    if body.count(b"\n") > MAX_LINES:
        raise FileError(f"more than {MAX_LINES} lines", path)
    ends = np.append(0, np.flatnonzero(np.frombuffer(body, np.uint8) == 10) + 1)  # of lines, and where the first begins
    if body and not body.endswith(b"\n"):
        ends = np.append(ends, len(body))
    start, found = 0, None
    for element in elements:
        check_counts(path, element.number if element.name == "vertex" else 0, element.number if element.name == "face" else 0)
        if start + element.number >= len(ends):
            raise FileError(f"{element.number} elements {element.name!r}, the file ends before", path)
        text = body[ends[start] : ends[start + element.number]]
        start += element.number
        if element.name == "vertex":
            values = floats(text, path, "vertices")
            if values.size != element.number * len(element.properties):
                raise FileError(f"a vertex has {len(element.properties)} properties, lines have others", path)
            values = values.reshape(element.number, -1)
            found = _vertices({name: values[:, k] for k, (name, _, _) in enumerate(element.properties)})
        elif element.name == "face":
            if element.properties[:1] == [] or element.properties[0][0] not in _LISTS:
                raise FileError("faces must begin with the list 'vertex_indices'", path)
            words = counts_of_lines(text)[: element.number] if element.number else np.empty(0, np.int64)
            values = floats(text, path, "faces").astype(np.int64)
            first = np.cumsum(words) - words
            if (words < 1).any():
                raise FileError("a face is empty", path)
            counts = values[first] if len(words) else words
            if (counts < 0).any() or (counts + 1 > words).any():
                raise FileError("a face has fewer corners than it says", path)
            at = np.arange(len(values)) - np.repeat(first, words)
            corners = values[(at >= 1) & (at <= np.repeat(counts, words))]
            assert found is not None
            return (*found, corners, counts)
    raise AssertionError("the header has faces")


def _binary(body: bytes, order: str, elements: list[_Element], path: str) -> _Found:
    start, found = 0, None
    for element in elements:
        if element.name == "face" and element.properties:
            assert found is not None
            return (*found, *_faces(body, start, order, element, path))
        if not element.properties or any(length for _, _, length in element.properties):
            raise FileError(f"elements {element.name!r} without properties or with lists are not read", path)
        if len({name for name, _, _ in element.properties}) < len(element.properties):
            raise FileError(f"two properties of {element.name!r} have one name", path)
        kind = np.dtype([(name, order + form) for name, form, _ in element.properties])
        if element.name == "vertex":
            check_counts(path, element.number)
        if start + element.number * kind.itemsize > len(body):
            raise FileError(f"{element.number} elements {element.name!r}, the file ends before", path)
        if element.name == "vertex":
            rows = np.frombuffer(body, kind, element.number, start)
            found = _vertices({name: rows[name] for name, _, _ in element.properties})
        start += element.number * kind.itemsize
    raise FileError("faces have no list 'vertex_indices'", path)


def _faces(body: bytes, start: int, order: str, element: _Element, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of all faces, and how many each has."""
    check_counts(path, triangles=element.number)
    if [name for name, _, length in element.properties if length] not in ([x] for x in _LISTS):
        raise FileError("faces must have one list, 'vertex_indices'", path)
    kinds = [(f"{k}", order + (length or form)) for k, (_, form, length) in enumerate(element.properties)]
    at = next(k for k, (_, _, length) in enumerate(element.properties) if length)
    form = np.dtype(order + element.properties[at][1])
    triangle = np.dtype([*kinds[: at + 1], ("corners", form, (3,)), *kinds[at + 1 :]])
    if start + element.number * triangle.itemsize <= len(body):
        rows = np.frombuffer(body, triangle, element.number, start)
        if (rows[f"{at}"] == 3).all():
            return rows["corners"].astype(np.int64).reshape(-1), np.full(element.number, 3)
    before, after = np.dtype(kinds[: at + 1]), np.dtype(kinds[at + 1 :]).itemsize
    corners, counts = [], np.empty(element.number, np.int64)
    for k in range(element.number):
        if start + before.itemsize > len(body):
            raise FileError(f"{element.number} faces, the file ends before", path)
        number = int(np.frombuffer(body, before, 1, start)[f"{at}"][0])
        start += before.itemsize
        if number < 0 or start + number * form.itemsize + after > len(body):
            raise FileError(f"face {k + 1} has {number} corners, the file ends before", path)
        corners.append(np.frombuffer(body, form, number, start))
        counts[k] = number
        start += number * form.itemsize + after
    return np.concatenate([np.empty(0, np.int64), *corners]).astype(np.int64), counts
