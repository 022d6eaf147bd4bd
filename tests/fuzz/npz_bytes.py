"""npz files: zip archives of arrays, changed as arrays, as members, as an archive and as bytes."""

from __future__ import annotations

import io
import zipfile
from random import Random
from typing import Any

import numpy as np

from . import raw
from .values import NAMES, scalar

_SHAPES = ((), (0,), (1,), (3,), (2, 0), (0, 2), (1, 1, 1), (200, 3), (2,) * 20)
_TYPES = ("f8", "f4", "f2", ">f8", "i8", "u1", "c16", "?", "U3", "S3", "M8[s]", "m8[s]", "i4,f8", "O", "V7", "g")
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return a changed archive."""
    which = rng.random()
    if which < 0.2:
        return raw.mutate(rng, data, others)
    with np.load(io.BytesIO(data)) as found:
        arrays: dict[str, Any] = dict(found)
    members: dict[str, bytes] = {}
    for _ in range(rng.choice((1, 1, 2))):
        rng.choice((_drop, _add, _replace, _replace, _entry, _entry, _entry, _reshape, _retype))(rng, arrays)
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, np.asanyarray(array), allow_pickle=True)
        members[f"{name}.npy"] = buffer.getvalue()
    if which < 0.5:
        name = rng.choice(list(members))
        members[name] = rng.choice((_header, _header, _not_an_array, raw.mutate))(rng, members[name], [data])
    packed = _zip(rng, members)
    return raw.mutate(rng, packed, others) if which > 0.9 else packed


def _zip(rng: Random, members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", rng.choice(_COMPRESSIONS)) as archive:
        for name, content in members.items():
            if rng.random() < 0.01:
                name = rng.choice(("../a.npy", "/a.npy", "a", "a/", *NAMES[:30])).replace("\0", "") or "a"
            archive.writestr(zipfile.ZipInfo(name), content)
            if rng.random() < 0.005:
                archive.writestr(zipfile.ZipInfo(name + "x"), b"more")
    data = bytearray(buffer.getvalue())
    if rng.random() < 0.03:  # the flag of an encrypted member, in the directory and before the member
        for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
            place = data.find(mark)
            data[place + at] |= 1
    return bytes(data)


def _drop(rng: Random, arrays: dict[str, Any]) -> None:
    del arrays[rng.choice(list(arrays))]


def _add(rng: Random, arrays: dict[str, Any]) -> None:
    arrays[rng.choice(("more", "x", "a/b", "t", "q", "format", "__class__"))] = np.zeros(3)


def _replace(rng: Random, arrays: dict[str, Any]) -> None:
    name = rng.choice(list(arrays))
    arrays[name] = rng.choice(
        (
            np.array(scalar(rng, []).replace("\0", "")),
            np.array(rng.choice((0, -1, 2**62, np.nan, np.inf, 1e308, True, None, {}, "text"))),
            np.full(rng.choice(_SHAPES), rng.choice((0.0, 1.0, np.nan, 1e300))),
            np.empty((0,)),
        )
    )


def _entry(rng: Random, arrays: dict[str, Any]) -> None:
    name = rng.choice(list(arrays))
    array = np.array(arrays[name])
    if array.size and array.dtype.kind in "fi":
        value = rng.choice((0, -1, 1, 3, 300, 10**6, 2**40)) if array.dtype.kind == "i" else 0.0
        if array.dtype.kind == "f":
            value = rng.choice((0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 1e155, 1e-300, 1e6, 1e9))
        array[np.unravel_index(rng.randrange(array.size), array.shape)] = value
        arrays[name] = array


def _reshape(rng: Random, arrays: dict[str, Any]) -> None:
    name = rng.choice(list(arrays))
    array = np.asarray(arrays[name])
    arrays[name] = rng.choice((array[None], array[..., None], array.ravel(), array.T, array[:0] if array.ndim else array))


def _retype(rng: Random, arrays: dict[str, Any]) -> None:
    name = rng.choice(list(arrays))
    try:
        arrays[name] = np.asarray(arrays[name]).astype(rng.choice(_TYPES))
    except (ValueError, TypeError):
        arrays[name] = np.zeros(2, rng.choice(_TYPES))


def _header(rng: Random, content: bytes, others: list[bytes]) -> bytes:
    """Write a header that lies of what follows it."""
    shapes = ("(1000000000,)", "(2147483648, 2147483648)", "(-1,)", "(3,", "()", "(1e9,)", "('a',)", "(600000000,)")
    shapes += ("(" + "1," * 40 + ")",)
    kinds = ("'|O'", "'<U1000000000'", "'<U2000000000'", "'<f80'", "'|V99999999'", "[('a', '<f8')]", "'" + "(" * 300, "1")
    shape, kind = rng.choice(shapes), rng.choice(kinds + ("'<f8'",) * 6)
    text = f"{{'descr': {kind}, 'fortran_order': {rng.choice(('False', 'True', '1', '[]'))}, 'shape': {shape}, }}"
    if rng.random() < 0.1:
        text = rng.choice(("", "{", "[" * 2000, "0", "'a'", "{'descr': 1}", "__import__('os')", "{'descr'" + "\x00", "{" * 300))
    body = (text + " " * (64 - (len(text) + 11) % 64) + "\n").encode()
    return b"\x93NUMPY\x01\x00" + (len(body) & 0xFFFF).to_bytes(2, "little") + body + content[128:]


def _not_an_array(rng: Random, content: bytes, others: list[bytes]) -> bytes:
    later = b"\x93NUMPY\x09\x09" + content[8:]
    return rng.choice((b"", b"text", b"\x80\x04N.", content[:20], later, b"PK\x03\x04", bytes(10_000)))
