"""STL: triangles as three corners each, in bytes or as text."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np

from ...errors import FileError
from .numbers import floats
from .soup import Soup, check_counts

_HEAD, _EACH = 84, 50
_BLOCK = 100_000  # lines of text that are held at once
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
_VERTEX = re.compile(rb"vertex\s+([-+.\deE]+\s+[-+.\deE]+\s+[-+.\deE]+)", re.IGNORECASE)


def read_stl(data: bytes, path: str) -> Soup:
    """Return the triangles of an STL file; normals and attribute bytes are left out."""
    claimed = int.from_bytes(data[80:84], "little") if len(data) >= _HEAD else -1
    fits = claimed >= 0 and len(data) >= _HEAD + _EACH * claimed
    # text begins with "solid", but so do many binary files
    if data[:5].lower() == b"solid" and not (fits and claimed > 0 and b"\0" in data[: _HEAD + _EACH]):
        return _text(data, path)
    if claimed < 0:
        raise FileError(f"{len(data)} bytes, a binary STL file has at least {_HEAD}", path)
    if not fits:
        raise FileError(f"the header says {claimed} triangles, {_HEAD + _EACH * claimed} bytes; the file has {len(data)}", path)
    check_counts(path, triangles=claimed)
    corners = np.frombuffer(data, _RECORD, claimed, _HEAD)["corners"]
    return Soup(corners.reshape(-1, 3).astype(float), np.arange(3 * claimed).reshape(-1, 3))


def _text(data: bytes, path: str) -> Soup:
    number = data.count(b"vertex") or data.lower().count(b"vertex")
    check_counts(path, triangles=number // 3)
    matches, blocks = _VERTEX.finditer(data), []
    while block := b"\n".join(match.group(1) for match in islice(matches, _BLOCK)):
        blocks.append(floats(block, path, "vertices").reshape(-1, 3))
    found = sum(map(len, blocks))
    if found != number or number % 3 or not found:
        raise FileError(f"{number} times 'vertex', followed by three numbers {found} times; expected three per facet", path)
    return Soup(np.concatenate(blocks), np.arange(number).reshape(-1, 3))
