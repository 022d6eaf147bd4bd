"""The files a command writes: never over what was read, and never one over another."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from ..errors import FileError
from ..files import write_whole


def refuse_overwriting(out: Path, *inputs: str | Path) -> None:
    """Raise a FileError if `out` is one of `inputs`, under whatever name."""
    for source in inputs:
        if out.exists() and Path(source).exists() and os.path.samefile(out, source):
            raise FileError(f"the output would overwrite the input {source}; choose another name", out)


def refuse_same(*outputs: Path) -> None:
    """Raise a FileError if two of `outputs` are the same file, under whatever name; devices and pipes may be."""
    for k, out in enumerate(outputs):
        for other in outputs[:k]:
            if out.exists() and not out.is_file():
                continue
            if os.path.realpath(out) == os.path.realpath(other) or (
                out.exists() and other.exists() and os.path.samefile(out, other)
            ):
                raise FileError("is named for two outputs, and one would overwrite the other; choose two names", out)


def refuse_unwritable(target: Path) -> None:
    """Refuse a file that cannot be written, before time is spent on what it is to hold."""
    if target.is_dir():
        raise FileError("is a folder; give the name of a file to write", target)
    folder = next(parent for parent in target.absolute().parents if parent.exists())
    if not folder.is_dir():
        raise FileError(f"cannot be written: {folder} is not a folder", target)
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise FileError("cannot be written: permission denied; give another file with -o or --plot", target)


def write_table(path: Path, header: Sequence[str], table: np.ndarray) -> None:
    """Write a CSV with a header, numbers exact to the last bit; an interrupted run leaves no half file."""

    def write(file: IO[bytes]) -> None:
        file.write((",".join(_quoted(name) for name in header) + "\n").encode())
        np.savetxt(file, table, fmt="%.17g", delimiter=",")

    write_whole(path, write, folders=True)


def _quoted(name: str) -> str:
    return f'"{name.replace(chr(34), chr(34) * 2)}"' if any(c in name for c in ',"\n') else name
