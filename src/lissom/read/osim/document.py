"""A model's file as it was read, kept so that it can be written again with other numbers (`write/osim.py`)."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..source import Source, decode, read_bytes
from ..xml import MAX_BYTES, Element, parse_xml
from .file import parts_of
from .parts import OsimParts
from .read import complete


@dataclass(frozen=True)
class Document:
    """The text of an .osim file, its root element, and the parts that were read from it.

    Attributes:
        path, text, root: of the file.
        parts: complete ones, whose elements are below the root.
    """

    path: object
    text: str
    root: Element
    parts: OsimParts


def read_document(path: str | os.PathLike[str]) -> Document:
    """Return the document of the .osim file at `path`.

    Raises:
        FileError: the file is not an OpenSim model; with the line.
    """
    text = decode(read_bytes(path, MAX_BYTES), path)
    root = parse_xml(text, path)
    source = Source(path)
    return Document(path, text, root, complete(parts_of(root, source), source))
