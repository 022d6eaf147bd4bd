"""Writing files: whole or not at all, and never over what was read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import FileError


def refuse_overwriting(out: Path, *inputs: str | Path) -> None:
    """Raise a FileError if `out` is one of `inputs`, under whatever name."""
    for source in inputs:
        if out.exists() and Path(source).exists() and os.path.samefile(out, source):
            raise FileError(f"the output would overwrite the input {source}; choose another name", out)


def write_table(path: Path, header: Sequence[str], table: np.ndarray) -> None:
    """Write a CSV with a header, numbers exact to the last bit; an interrupted run leaves no half file."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(partial, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(_quoted(name) for name in header) + "\n")
            np.savetxt(file, table, fmt="%.17g", delimiter=",")
        os.replace(partial, path)
    except OSError as error:
        raise FileError(f"cannot be written: {error.strerror}", path) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def _quoted(name: str) -> str:
    return f'"{name.replace(chr(34), chr(34) * 2)}"' if any(c in name for c in ',"\n') else name
