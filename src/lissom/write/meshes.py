"""Addresses of mesh files in a written file, such that the file finds its meshes again.

The address of the file that the robot came from is kept where it leads to the same mesh. Otherwise it becomes a path relative to
the new file, if the reader allows it (`read/mesh_paths.py`). The rest needs `mesh_path`: addresses of packages are kept, others
become absolute paths.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..doubts import Remark, doubt
from ..model import Mesh, Model
from ..model.show import counted
from ..read.mesh_paths import MeshPaths, package_of

SHOWN = 3  # folders that a warning lists


def _is_text(path: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in path)  # bytes that are not UTF-8 cannot be written


class Addresses:
    """Addresses of the meshes of one written file.

    Args:
        path: the file that is written; None for a text, which has no folder.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = path
        self.meshes = MeshPaths(path)
        self.beyond: dict[str, str] = {}  # folders for `mesh_path`, by mesh file

    def of(self, mesh: Mesh) -> str:
        """Return the address of a mesh."""
        file = None if mesh.file is None or not _is_text(mesh.file) else os.path.realpath(mesh.file)
        if file is None or self.meshes.find(mesh.source) == file:
            return mesh.source
        for home in self.meshes.homes:
            near = Path(os.path.relpath(file, home)).as_posix()
            if self.meshes.find(near) == file:
                return near
        name, rest = package_of(mesh.source)
        named = bool(rest) and Path(file).as_posix().endswith(f"/{name}/{rest}")
        self.beyond[file] = file[: -len(rest) - 1] if named else os.path.dirname(file)
        return mesh.source if named else file

    def report(self, model: Model) -> None:
        """Warn once of meshes that readers of the new file will not find without `mesh_path`."""
        if self.path is None or not self.beyond:
            return
        folders = sorted(set(self.beyond.values()))
        if len(folders) > 1 and len({os.path.dirname(folder) for folder in folders}) == 1:
            folders = [os.path.dirname(folders[0])]
        shown = (
            repr(folders[0])
            if len(folders) == 1
            else f"[{', '.join(map(repr, folders[:SHOWN]))}{', ...' * (len(folders) > SHOWN)}]"
        )
        count = counted(len(self.beyond), "mesh file")
        text = f"{self.path}: {count} of {model.name!r} outside its folder; load it with mesh_path={shown} (--mesh-path)"
        doubt(Remark(text), stacklevel=3)
