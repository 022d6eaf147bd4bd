"""Mesh files of a robot: where they are searched, and which of them may be read.

A robot file from a stranger must not reach other files. A mesh therefore has to lie, after following links, inside one of these:

- the folder of the robot file;
- its package: the nearest folder above it with a package.xml, or else the folder above one called urdf, robots, mjcf, ...;
- the folder of a package that the address names, `package://NAME/rest`: a folder called NAME above the robot file (at most
  NEAR folders above, or with a package.xml), or one with a package.xml next to a folder above it;
- a folder of the search path: the argument `mesh_path`, then the variable LISSOM_MESH_PATH.

The home folder, those above it and the top folders of the system are packages only with a package.xml. Packages are also searched
in ROS_PACKAGE_PATH, and in share/ of AMENT_PREFIX_PATH; there, links may lead out of a package, as colcon's do.

Files are only looked for here; nothing is opened. What is not found is reported once for all.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from urllib.parse import unquote

from ..doubts import Remark, doubt
from ..errors import FileError
from ..model.show import counted
from .source import Source

ENDINGS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply")
VARIABLE, ROS, AMENT = "LISSOM_MESH_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"
LISTED = 2  # addresses and folders named in a message
MOST = 20_000  # different files of a robot that are searched
NEAR = 3  # folders above a robot file that are its package by name alone
SUBFOLDERS = ("urdf", "robots", "robot", "xacro", "mjcf", "xml", "sdf", "model", "models", "description")  # of a package
SCHEMES = ("package://", "model://")

StrPath = str | os.PathLike[str]
MeshPath = StrPath | Sequence[StrPath] | None


def search_folders(mesh_path: MeshPath) -> tuple[Path, ...]:
    """Return the folders of the argument `mesh_path`, then those of LISSOM_MESH_PATH that exist.

    Raises:
        FileError: an entry of `mesh_path` is not a folder.
    """
    given = () if mesh_path is None else mesh_path
    folders = []
    for entry in given if isinstance(given, Sequence) and not isinstance(given, str | bytes) else (given,):
        if not isinstance(entry, str | os.PathLike) or isinstance(os.fspath(entry), bytes):
            raise FileError(f"mesh_path must be a folder or a list of folders, got {entry!r:.60}")
        if not os.path.isdir(entry):
            raise FileError("mesh_path must name folders that hold mesh files or packages; this is not a folder", entry)
        folders.append(Path(os.path.abspath(entry)))
    return (*folders, *_from_environment(VARIABLE))


def package_of(address: str) -> tuple[str, str]:
    """Return the name of a package and the path of a file in it, for an address `package://NAME/rest`; else two empty texts."""
    for scheme in SCHEMES:
        if address.startswith(scheme):
            name, _, rest = address[len(scheme) :].lstrip("/").partition("/")
            return name, rest
    return "", ""


def _from_environment(variable: str) -> Iterator[Path]:
    for entry in os.environ.get(variable, "").split(os.pathsep):
        if entry.strip() and os.path.isdir(entry):
            yield Path(os.path.abspath(entry))


class MeshPaths:
    """The mesh files of one robot.

    Args:
        file: the robot's file; None for a text, which has no folder.
        mesh_path: folders to search, see the text of this module.
        trusted: True lets meshes lie anywhere.
    """

    def __init__(self, file: StrPath | None, mesh_path: MeshPath = None, trusted: bool = False) -> None:
        self.folders = search_folders(mesh_path)
        self.trusted = trusted
        # a file that is a link has two folders: its own, and that of the file it links to
        places = [] if file is None else [os.path.abspath(file), os.path.realpath(file)]
        self.homes = tuple(dict.fromkeys(Path(place).parent for place in places))
        self.found: dict[str, str | None] = {}
        self.missing: dict[str, int | None] = {}
        self.outside: dict[str, int | None] = {}
        self.unreadable: dict[str, int | None] = {}
        self._packages: dict[str, tuple[Path, ...]] = {}
        self._installed: set[Path] = set()
        self._reals: dict[Path, str] = {}

    def find(self, address: str, line: int | None = None, other: str | None = None) -> str | None:
        """Return the path of the mesh file at an address, as written in the robot's file; None if there is none to be read.

        Args:
            address: a path, or `package://NAME/rest` or the like.
            line: of the robot's file, for `report`.
            other: address where the file is searched if it is not at the first.
        """
        if address not in self.found:
            self.found[address] = self._find(address, line, other)
        return self.found[address]

    def relative(self, file: str) -> str:
        """Return the address of a file: relative to the robot's folder if the file is inside it, else its absolute path."""
        for home in self.homes:
            if Path(file).is_relative_to(home):
                return Path(file).relative_to(home).as_posix()
        return file

    def _find(self, address: str, line: int | None, other: str | None) -> str | None:
        tables = [self._look(place) for place in dict.fromkeys((address, address if other is None else other))]
        for table in tables:
            if isinstance(table, str):
                return table
        tables[0][address] = line  # type: ignore[index]
        return None

    def _look(self, address: str) -> str | dict[str, int | None]:
        """Return the path of a file, or the table of the reason why there is none."""
        if not address.lower().endswith(ENDINGS):
            return self.unreadable
        if len(self.found) >= MOST:
            return self.missing
        beyond = False
        for place, roots in self._places(address):
            if not self.trusted and on_another_drive(place, roots):
                beyond = True
                continue
            if not _is_file(place):
                continue
            real = os.path.realpath(place)
            if self.trusted or any(Path(real).is_relative_to(self._real(root)) for root in roots):
                return real
            # ".." behind a link would leave the folder that the link leads to
            if ".." not in place.parts and any(root in self._installed and place.is_relative_to(root) for root in roots):
                return real
            beyond = True
        return self.outside if beyond else self.missing

    def _real(self, folder: Path) -> str:
        if folder not in self._reals:
            self._reals[folder] = os.path.realpath(folder)
        return self._reals[folder]

    def _places(self, address: str) -> Iterator[tuple[Path, tuple[Path, ...]]]:
        """Yield paths where the file may be, and the folders of which it must lie inside one."""
        if address.startswith(SCHEMES):
            yield from self._in_packages(*package_of(address))
            return
        plain = unquote(address[len("file://") :]) if address.startswith("file://") else address
        for home in self.homes:
            yield home / plain, self.own
        for folder in self.folders:
            yield folder / plain, (folder,)

    def _in_packages(self, name: str, rest: str) -> Iterator[tuple[Path, tuple[Path, ...]]]:
        if name in ("", ".", "..") or not rest:
            return
        for folder in self.folders:
            for place in _packages_in(folder, name):
                yield place / rest, (folder,)
        if name not in self._packages:
            self._packages[name] = tuple(self._packages_called(name))
        for package in self._packages[name]:
            yield package / rest, (package,)
        for folder in self.folders:  # the folder of the meshes, without that of their package
            yield folder / rest, (folder,)

    def _packages_called(self, name: str) -> Iterator[Path]:
        for home in self.homes:
            for level, folder in enumerate((home, *home.parents)):
                if folder.name == name and (level < NEAR and not _is_shared(folder) or _has_manifest(folder)):
                    yield folder
                if _has_manifest(folder / name):
                    yield folder / name
        installed = [package for folder in _from_environment(ROS) for package in _packages_in(folder, name)]
        installed += [folder / "share" / name for folder in _from_environment(AMENT)]
        self._installed.update(installed)
        yield from installed

    @cached_property
    def own(self) -> tuple[Path, ...]:
        """The folder of the robot file, its package, and the folders of the search path."""
        found = []
        for home in self.homes:
            found.append(home)
            package = next((folder for folder in (home, *home.parents) if _has_manifest(folder)), None)
            if package is None and home.name.lower() in SUBFOLDERS and not _is_shared(home.parent):
                package = home.parent
            if package is not None:
                found.append(package)
        return (*found, *self.folders)

    def report(self, source: Source) -> None:
        """Warn once of all meshes that cannot be drawn."""
        tables = (
            (
                self.missing,
                "not found",
                f"give the folder that contains them or their packages as mesh_path (--mesh-path, {VARIABLE})",
            ),
            (self.outside, "outside the folder and the package of the robot", "give their folder as mesh_path to allow them"),
            (self.unreadable, "of a kind that lissom does not read", f"it reads {', '.join(ENDINGS)}"),
        )
        parts = [
            f"{len(table)} {what}{_examples(table)}{self._looked() if table is self.missing else ''}; {advice}"
            for table, what, advice in tables
            if table
        ]
        if parts:
            lines = [line for table, *_ in tables for line in table.values() if line is not None]
            text = f"of {counted(len(self.found), 'mesh file')}, which only drawing needs, {'; '.join(parts)}"
            doubt(Remark(source.error(text, min(lines, default=None))), stacklevel=3)

    def _looked(self) -> str:
        """Return where missing meshes were looked for, for a message."""
        packages = any(package_of(address)[0] for address in self.missing)
        places = ["the folder of the robot"] if self.homes else []
        places += ["the folders above it"] if self.homes and packages else []
        found = [str(folder) for folder in dict.fromkeys(self.own) if folder not in self.homes]
        places += found[:LISTED] + ([f"{len(found) - LISTED} more folders"] if len(found) > LISTED else [])
        places += [variable for variable in (ROS, AMENT) if packages and os.environ.get(variable)]
        return f" in {', '.join(places)}" if places else ""


def _examples(table: dict[str, int | None]) -> str:
    """Return the first of some addresses, for a message; meshes of one package are named by the package."""
    names = {address: package_of(address)[0] for address in table}
    shown = list(dict.fromkeys(f"package {name[:200]!r}" if name else f"{address[:200]!r}" for address, name in names.items()))
    return f" ({', '.join(shown[:LISTED])}{', ...' if len(shown) > LISTED else ''})"


def _packages_in(folder: Path, name: str) -> Iterator[Path]:
    if folder.name == name:
        yield folder
    yield folder / name
    yield folder / "share" / name


def on_another_drive(place: PurePath, roots: Iterable[PurePath]) -> bool:
    """Return whether a path is on another drive of Windows than all folders.

    The drive may be a stranger's computer, which looking for the file would send the user's credentials to.
    """
    return place.drive != "" and all(place.drive.lower() != root.drive.lower() for root in roots)


def _is_shared(folder: Path) -> bool:
    """Return whether a folder holds more than one thing: the home folder, one above it, or a top folder such as /tmp."""
    return len(folder.parents) < 2 or Path(os.path.expanduser("~")).is_relative_to(folder)


def _has_manifest(folder: Path) -> bool:
    return _is_file(folder / "package.xml")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a zero byte
        return False
