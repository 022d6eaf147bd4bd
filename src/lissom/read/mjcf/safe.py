"""Checks of an untrusted MJCF file: it may read only files below its folder, and have only sizes within bounds.

Everything is checked before MuJoCo opens any file, including included files and sub-models with the files they name. Where MuJoCo
might search a file in several places (the folder of the main file or of the one that names it, a mesh folder, with or without
the path before the name), all of them are checked.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..source import Source, exists, read_bytes
from ..xml import MAX_BYTES, Element, parse_xml
from .counts import check_counts

TRUSTED = "lissom.load(path, trusted=True)"
MOST_NAMES, MOST_FOLDERS = 2000, 20  # of files and folders, in all documents together
_FOLDERS = ("meshdir", "texturedir", "assetdir")
_DOCUMENTS = ("include", "model")
# XML replaces line breaks in attributes by blanks, MuJoCo does not: the checked file would not be the one read
_BROKEN_NAME = re.compile(rb"""(file\w{0,8}|meshdir|texturedir|assetdir)\s*=\s*("[^"<]*[\r\n\t]|'[^'<]*[\r\n\t])""")


def check_stranger(path: str | os.PathLike[str], root: Element, source: Source) -> None:
    """Raise a FileError if a file or its includes read outside its folder or have huge sizes."""
    _Reach(Path(os.path.abspath(path)), source).check(root)


class _Reach:
    def __init__(self, main: Path, source: Source) -> None:
        self.main, self.source = main, source
        self.top = Path(os.path.realpath(main.parent))
        self.seen = {main}
        self.names = self.bytes = 0

    def check(self, root: Element) -> None:
        documents = [(self.main, root)]
        if not self._below(self.main):
            raise self._refusal("the file", "is a link to a place outside its folder", self.main, None)
        folders = {"": None}  # in order, of all documents: a sub-model may use those of the file that attaches it
        named: list[tuple[Path, Element, str]] = []
        for document, element in documents:  # grows on the way
            self._check_text(document)
            check_counts(element, self._source(document))
            for part in element.walk():
                for key, value in part.attributes.items():
                    if key not in _FOLDERS and not key.startswith("file"):
                        continue
                    self._check_name(document, part, key, value)
                    if key in _FOLDERS:
                        folders[value] = None
                    else:
                        named.append((document, part, value))
                        if part.tag in _DOCUMENTS:
                            documents += self._inner(document, part, value)
        if len(folders) > MOST_FOLDERS + 1:
            raise self.source.error(f"more than {MOST_FOLDERS} folders of meshes and textures; {TRUSTED} allows it")
        self._check_places(named, list(folders))

    def _check_text(self, document: Path) -> None:
        if match := _BROKEN_NAME.search(read_bytes(document, MAX_BYTES)):
            what = match[1].decode()
            raise self._refusal(f"attribute {what!r}", "has a line break or a tab in its value; remove it", document, None, False)

    def _check_name(self, document: Path, part: Element, key: str, value: str) -> None:
        self.names += 1
        if self.names > MOST_NAMES:
            raise self.source.error(f"more than {MOST_NAMES} files are named in it; {TRUSTED} allows it")
        inner = value.split("://", 1)[-1]  # package://meshes/a.stl
        for p in (PurePosixPath(value), PureWindowsPath(value), PurePosixPath(inner), PureWindowsPath(inner)):
            if p.drive or p.root or ".." in p.parts:
                raise self._refusal(f"{key}={value!r}", "reaches outside the folder of the file", document, part.line)
        if any(ord(c) < 32 for c in value):
            raise self._refusal(f"{key}={value!r}", "has characters that no file name can have", document, part.line, False)

    def _inner(self, document: Path, part: Element, value: str) -> list[tuple[Path, Element]]:
        """Return the documents that <include> or <model> may mean: existing ones not seen yet."""
        found = []
        for place in dict.fromkeys((document.parent / value, self.main.parent / value)):
            if place in self.seen or not exists(place):
                continue  # MuJoCo reports missing files
            self.seen.add(place)
            self._check_place(document, part, value, place)
            data = read_bytes(place, MAX_BYTES)
            self.bytes += len(data)
            if self.bytes > MAX_BYTES:
                raise self.source.error(f"the files that it includes are larger than {MAX_BYTES >> 20} MiB together")
            found.append((place, parse_xml(data, place)))
        return found

    def _check_places(self, named: list[tuple[Path, Element, str]], folders: list[str]) -> None:
        checked: set[Path] = set()
        for document, part, value in named:
            bare = re.split(r"[/\\]", value)[-1]  # strippath, and URDF in MuJoCo
            inner = value.split("://", 1)[-1]
            for base in (document.parent, self.main.parent):
                for folder in folders:
                    for place in (base / folder / value, base / folder / bare, base / folder / inner):
                        if place not in checked:
                            checked.add(place)
                            self._check_place(document, part, value, place)

    def _check_place(self, document: Path, part: Element, value: str, place: Path) -> None:
        try:
            kind = os.stat(place).st_mode
        except (OSError, ValueError):
            return  # missing: MuJoCo reports it
        if not self._below(place):
            raise self._refusal(f"file {value!r}", "is a link to a place outside the folder of the file", document, part.line)
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise self._refusal(f"file {value!r}", "is a device or a pipe", document, part.line, False)

    def _below(self, place: Path) -> bool:
        return Path(os.path.realpath(place)).is_relative_to(self.top)

    def _source(self, document: Path) -> Source:
        return self.source if document == self.main else Source(document)

    def _refusal(self, what: str, why: str, document: Path, line: int | None, trust: bool = True) -> Exception:
        allowed = f"; {TRUSTED} allows it" if trust else ""
        return self._source(document).error(f"{what} {why}{allowed}", line)
