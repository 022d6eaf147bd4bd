"""Reading of mesh files by their endings."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from ...errors import FileError, suggest
from .dae import read_dae
from .gltf import read_glb, read_gltf
from .obj import read_obj
from .ply import read_ply
from .soup import Soup, checked
from .stl import read_stl

MAX_BYTES = 256 << 20  # of a file
MAX_TEXT = 128 << 20  # of a file that is text
TEXTS = (".obj", ".dae", ".gltf")

READERS: dict[str, Callable[[bytes, str], Soup]] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".ply": read_ply,
    ".dae": read_dae,
    ".glb": read_glb,
    ".gltf": read_gltf,
}


def read_mesh(path: str | os.PathLike[str]) -> Soup:
    """Return the triangles of a mesh file, in its units, for DAE in m.

    STL, OBJ (with colors of an MTL file in the same folder), PLY, DAE, GLB and glTF, known by their endings. Scenes are
    flattened. Textures and other files are not read.

    Raises:
        FileError: the file is missing, larger than 256 MiB (OBJ, DAE, glTF: 128 MiB), of more than 1 million triangles, or not
            what its ending says.
    """
    name = os.fspath(path)
    ending = os.path.splitext(name)[1].lower()
    if ending not in READERS:
        raise FileError(f"meshes with the ending {ending!r} are not read; {suggest(ending, READERS)}", name)
    data = _bytes(name, MAX_TEXT if ending in TEXTS else MAX_BYTES)
    try:
        return checked(READERS[ending](data, name), name)
    except MemoryError:
        raise FileError("the mesh does not fit into memory", name) from None
    except RecursionError:
        raise FileError("the file is nested too deeply", name) from None


def _bytes(path: str, most: int) -> bytes:
    try:
        with open(path, "rb", opener=_open) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError("not a file", path)
            if status.st_size > most:
                raise FileError(f"{status.st_size} bytes, the limit of such meshes is {most >> 20} MiB; simplify it", path)
            data = file.read(status.st_size)  # a buffer of this size is made at once
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from None
    if not data:
        raise FileError("the file is empty", path)
    return data


def _open(path: str, flags: int) -> int:
    # a pipe would otherwise wait for its writer
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
