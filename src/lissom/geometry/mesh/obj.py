"""OBJ: vertices and polygons as text, with colors of materials from an MTL file in the same folder."""

from __future__ import annotations

import os
import re
from itertools import islice

import numpy as np

from ...errors import FileError
from .numbers import counts_of_lines, floats, integers
from .soup import GRAY, Soup, check_counts, fans

MAX_MTL = 1 << 20  # bytes
MAX_LINES = 20_000_000
MAX_USES = 100_000  # changes of the material
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)
_COMMENT = re.compile(rb"#[^\n]*")
_USE = re.compile(rb"^usemtl[ \t]+([^\r\n]*)", re.MULTILINE)
_LIBRARY = re.compile(rb"^mtllib[ \t]+([^\r\n]*)", re.MULTILINE)
_MATERIAL = re.compile(rb"^[ \t]*(newmtl|Kd)[ \t]+([^\r\n]*)", re.MULTILINE)
_OTHER = re.compile(rb"/[^ \t\r\n]*")  # texture and normal of a corner


def read_obj(data: bytes, path: str) -> Soup:
    """Return the triangles of an OBJ file; polygons become fans, curves, lines and points are left out."""
    if b"\\" in data:
        data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")  # a line goes on
    if data[:1].isspace() or b"\n " in data or b"\n\t" in data:
        data = _INDENT.sub(b"", data)
    if data.count(b"\n") > MAX_LINES:
        raise FileError(f"more than {MAX_LINES} lines", path)
    raw = np.frombuffer(data, np.uint8)
    starts = np.append(0, np.flatnonzero(raw == 10) + 1)
    text, above = _lines(raw, starts, "v")
    check_counts(path, vertices=len(above))
    words = counts_of_lines(text)
    if not len(words) or words.min() != words.max() or words[0] not in (3, 4, 6, 7):
        raise FileError(f"vertices must all have 3 coordinates, or 6 numbers with colors; found {_range(words)}", path)
    table = floats(text, path, "vertices").reshape(len(words), -1)
    text, places = _lines(raw, starts, "f")
    check_counts(path, triangles=len(places))
    text = _OTHER.sub(b"", text)
    counts = counts_of_lines(text)
    corners = integers(text, path, "corners of faces")
    if len(corners) and corners.min() < 0:  # counted back from the vertices above the face
        corners = np.where(corners < 0, corners + np.repeat(np.searchsorted(above, places), counts) + 1, corners)
    triangles, owner = fans(corners - 1, counts, path)
    colors = None
    if table.shape[1] >= 6:
        valid = (triangles >= 0) & (triangles < len(table))  # indices are checked later
        colors = table[:, -3:][np.where(valid, triangles, 0)].mean(axis=1)
    elif len(places):
        colors = _colors(data, path, places[owner])
    return Soup(table[:, :3], triangles, colors)


def _lines(raw: np.ndarray, starts: np.ndarray, letter: str) -> tuple[bytes, np.ndarray]:
    """Return the lines that begin with a letter and a blank, without the letter and comments; and where they begin.

    Args:
        raw: bytes of the file.
        starts: where its lines begin.
        letter: "v" or "f".
    """
    inside = np.minimum(starts, max(len(raw) - 1, 0))
    after = raw[np.minimum(starts + 1, len(raw) - 1)]
    wanted = (raw[inside] == ord(letter)) & ((after == 32) | (after == 9)) & (starts + 1 < len(raw))
    kept = np.repeat(wanted, np.diff(np.append(starts, len(raw))))
    kept[starts[wanted]] = False
    text = raw[kept].tobytes()
    return _COMMENT.sub(b"", text) if b"#" in text else text, starts[wanted]


def _range(words: np.ndarray) -> str:
    return f"{words.min()} to {words.max()} numbers" if len(words) and words.max() else "no vertices"


def _colors(data: bytes, path: str, places: np.ndarray) -> np.ndarray | None:
    """Return the colors (F, 3) of faces at these places of the file, by the materials in use there; None without materials."""
    uses = list(islice(_USE.finditer(data), MAX_USES))
    known: dict[bytes, tuple[float, ...]] = {}
    for match in islice(_LIBRARY.finditer(data), 16):
        known.update(_materials(path, match.group(1).strip()))
    if not known or not uses:
        return None
    table = np.array([(GRAY,) * 3, *(known.get(match.group(1).strip(), (GRAY,) * 3) for match in uses)])
    return table[np.searchsorted([match.start() for match in uses], places)]


def _materials(path: str, name: bytes) -> dict[bytes, tuple[float, ...]]:
    """Return the diffuse colors of an MTL file; none where it is not a small file in the folder of the mesh."""
    folder = os.path.realpath(os.path.dirname(path) or ".")
    try:
        whole = os.path.join(folder, name.decode())
        if os.path.dirname(os.path.normpath(whole)) != folder:  # not even looked at: it may be on another computer
            return {}
        whole = os.path.realpath(whole)
        if os.path.dirname(whole) != folder or not whole.lower().endswith(".mtl") or not os.path.isfile(whole):
            return {}
        with open(whole, "rb") as file:
            text = file.read(MAX_MTL + 1)
    except (OSError, ValueError):
        return {}
    found: dict[bytes, tuple[float, ...]] = {}
    current = b""
    for match in _MATERIAL.finditer(text[:MAX_MTL]):
        if match.group(1) == b"newmtl":
            current = match.group(2).strip()
            continue
        try:
            color = tuple(float(x) for x in match.group(2).split()[:3])
        except ValueError:
            continue
        if len(color) == 3:
            found[current] = color
    return found
