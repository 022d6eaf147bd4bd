"""Safe reading of NumPy's npz files: members and sizes are checked first, and nothing is unpickled.

An npz file is a zip archive of arrays. Its directory gives the size of each member: only requested members are read, up to that
size, and only if their total stays below a limit. An array's header is matched against the form that NumPy writes, not evaluated.
"""

from __future__ import annotations

import math
import os
import re
import stat
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import IO

import numpy as np

from .errors import FileError, LissomError, StateError

MEMORY = "LISSOM_NPZ_MEMORY"
MEBIBYTES = 512.0  # total of all arrays of a file, unless set in the environment
MOST_MEMBERS = 200
LARGEST_DIRECTORY = 1 << 20  # bytes
LONGEST_HEADER = 10_000  # bytes; NumPy's own bound
_CHUNK = 1 << 20
_END = 22  # bytes of the record at the end of an archive, which a comment of up to 65535 may follow
_END64 = 76  # bytes of the two records before it in archives of 4 GiB and more
_TYPES = re.compile(r"[<>|](?:f[48]|[iu][1248]|U\d{1,9})")
_HEADER = re.compile(
    r"\{'descr': '([^']{1,20})', 'fortran_order': (True|False), 'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\),? ?\} *\n?"
)
_FIX = "use another copy of the file, or write it again"


def read_npz(path: str | os.PathLike[str], names: Collection[str]) -> tuple[dict[str, np.ndarray], list[str]]:
    """Read the arrays called `names` of an npz file.

    Returns:
        The arrays found, of real or whole numbers in native byte order or of text; and the names of the other members, which are
        not read.

    Raises:
        FileError: the file is not an npz file of such arrays, is damaged, or declares more than $LISSOM_NPZ_MEMORY (512 MiB).
    """
    path = Path(path)
    most = limit()
    try:
        kind = os.stat(path).st_mode  # before opening: a pipe would wait for a writer
        if not stat.S_ISREG(kind):
            raise FileError(f"is {'a folder' if stat.S_ISDIR(kind) else 'a device or a pipe'}; expected an npz file", path)
        with open(path, "rb") as file:
            _check_end(path, file)
            with zipfile.ZipFile(file) as archive:
                return _read(path, archive, names, most)
    except LissomError:
        raise
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", path) from None
    except Exception as error:  # zipfile raises exceptions of many kinds, also those of its decompressors
        raise FileError(f"is not an npz file of numbers and names, or is damaged ({_short(error)}); {_FIX}", path) from None


def limit() -> int:
    """Return the largest total size of the arrays of a file [bytes]: $LISSOM_NPZ_MEMORY [MiB], or 512 MiB."""
    text = os.environ.get(MEMORY)
    try:
        value = MEBIBYTES if text is None else float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1e9:
        raise StateError(f"{MEMORY} must be a positive number of MiB, got {text!r}")
    return int(value * 2**20)


def _check_end(path: Path, file: IO[bytes]) -> None:
    """Raise a FileError if the directory is too large, before zipfile makes an object of every entry."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END - 65535))
    last = file.read()
    at = last.rfind(b"PK\5\6")
    if at < 0 or len(last) < at + _END:
        raise FileError(f"is not an npz file of numbers and names, or is damaged: it has no directory of members; {_FIX}", path)
    members = int.from_bytes(last[at + 10 : at + 12], "little")
    directory = int.from_bytes(last[at + 12 : at + 16], "little")
    if at >= _END64 and last[at - _END64 : at - _END64 + 4] == b"PK\6\6":
        directory = max(directory, int.from_bytes(last[at - _END64 + 40 : at - _END64 + 48], "little"))
    if members > MOST_MEMBERS or directory > LARGEST_DIRECTORY:
        raise FileError(f"declares {members} members and a directory of {directory} bytes; at most {MOST_MEMBERS} are read", path)


def _read(path: Path, archive: zipfile.ZipFile, names: Collection[str], most: int) -> tuple[dict[str, np.ndarray], list[str]]:
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if name in members:
            raise FileError(f"has two members {_short(name)}; {_FIX}", path)
        members[name] = member
    if len(members) > MOST_MEMBERS:
        raise FileError(f"has {len(members)} members; at most {MOST_MEMBERS} are read", path)
    wanted = {name: members[name] for name in names if name in members}
    for name, member in wanted.items():
        _check_member(path, name, member)
    total = sum(member.file_size for member in wanted.values())
    if total > most:
        allowed = f"at most {most / 2**20:g} MiB are read; {MEMORY} sets another limit"
        raise FileError(f"declares arrays of {total / 2**20:.0f} MiB; {allowed}", path)
    found = {}
    for name, member in wanted.items():
        try:
            with archive.open(member) as stream:
                found[name] = _array(stream, member.file_size)
        except MemoryError:
            raise FileError(f"member {name!r} needs {member.file_size / 2**20:.0f} MiB, more than is free", path) from None
        except Exception as error:
            why = f"is not an array of numbers or names, or is damaged ({_short(error)})"
            raise FileError(f"member {name!r} {why}; {_FIX}", path) from None
    return found, sorted(members.keys() - wanted.keys())


def _check_member(path: Path, name: str, member: zipfile.ZipInfo) -> None:
    if not member.filename.endswith(".npy"):
        raise FileError(f"member {name!r} is not an array: its name does not end in .npy", path)
    if member.flag_bits & 0x1:
        raise FileError(f"member {name!r} is encrypted; write it without a password", path)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileError(f"member {name!r} is compressed in a way that NumPy does not write; use numpy.savez_compressed", path)


def _array(stream: IO[bytes], size: int) -> np.ndarray:
    """Return the array of a member of `size` bytes; ValueError where it is not one."""
    start = _exactly(stream, 8)
    if start[:6] != b"\x93NUMPY" or start[6] not in (1, 2, 3):
        raise ValueError("it does not begin like an array")
    width = 2 if start[6] == 1 else 4
    length = int.from_bytes(_exactly(stream, width), "little")
    if length > LONGEST_HEADER:
        raise ValueError(f"a header of {length} bytes")
    header = _HEADER.fullmatch(_exactly(stream, length).decode("latin-1"))
    if header is None or not _TYPES.fullmatch(header[1]):
        raise ValueError("its header does not describe numbers or text")
    kind = np.dtype(header[1])
    shape = tuple(int(n) for n in header[3].split(",") if n.strip())
    count = math.prod(shape)
    if len(shape) > 8 or count * kind.itemsize != size - 8 - width - length:
        raise ValueError(f"its header gives {count} times {kind.itemsize} bytes, but it has {size - 8 - width - length}")
    data = np.empty(count * kind.itemsize, np.uint8)
    filled = 0
    while filled < len(data):
        part = stream.read(min(_CHUNK, len(data) - filled))
        if not part:
            raise ValueError("it ends too early")
        data[filled : filled + len(part)] = np.frombuffer(part, np.uint8)
        filled += len(part)
    if stream.read(1):  # this also compares the checksum
        raise ValueError("it is longer than its header says")
    if kind.kind == "U" and data.size and int(data.view(f"{header[1][0]}u4").max()) > 0x10FFFF:
        raise ValueError("an invalid character")
    if not kind.itemsize:  # empty texts have no bytes, however many there are
        if count > LONGEST_HEADER:
            raise ValueError(f"{count} empty texts")
        return np.zeros(shape, kind)
    array = data.view(kind).reshape(shape, order="F" if header[2] == "True" else "C")
    return array.astype(kind.newbyteorder("="), order="C", copy=False)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise ValueError("it ends too early")
    return data


def _short(what: object) -> str:
    """Return a name or an error, shortened for a message."""
    text = repr(what) if isinstance(what, str) else str(what) or type(what).__name__
    return text if len(text) <= 120 else text[:120] + ".."
