"""MJCF compiled by MuJoCo in a child process: no file can hang this process, fill its memory or crash it.

A child is kept for the next file, so that Python and MuJoCo start only once per program. A child that failed other than by
rejecting the file is ended, so that later files are not affected.
"""

from __future__ import annotations

import math
import os
import signal
import time
from types import SimpleNamespace
from typing import Any

from ...errors import FileError, StateError
from ..source import Source
from .process import Child, Ended, Pool

SECONDS, MEMORY = "LISSOM_MJCF_SECONDS", "LISSOM_MJCF_MEMORY"
_DEFAULTS = {SECONDS: 8.0, MEMORY: 768.0}  # s; MiB, beyond the 170 of MuJoCo itself
_pool = Pool()


class Compiled(SimpleNamespace):
    """A file compiled by MuJoCo: arrays and options by MuJoCo's names, and `model`, `sizes`, `names`, `enums`, `geoms`.

    Arrays that this version of MuJoCo does not have are missing.
    """

    model: str
    sizes: dict[str, int]
    names: dict[str, list[str | None]]
    enums: dict[str, int]
    geoms: dict[str, Any]  # as `child.drawn` returns it

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this MuJoCo has no {name!r}")


def limit(name: str) -> float:
    """Return a limit of the child, SECONDS [s] or MEMORY [MiB]: from the environment, or the default."""
    text = os.environ.get(name)
    if text is None:
        return _DEFAULTS[name]
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1e9:
        raise StateError(f"{name} must be a positive number of {'seconds' if name == SECONDS else 'MiB'}, got {text!r}")
    return value


def compile_mjcf(path: str | os.PathLike[str], source: Source) -> Compiled:
    """Compile the file at `path` with MuJoCo, and pass its warnings on.

    Raises:
        FileError: MuJoCo rejects the file, exceeds the time or memory limit, or crashes; or the child does not start.
        MissingExtraError: the child cannot import MuJoCo.
        StateError: a limit in the environment is invalid.
    """
    seconds, memory = limit(SECONDS), int(limit(MEMORY) * 2**20)
    request = {"file": os.path.abspath(path), "seconds": seconds}
    with _pool.turn():
        try:
            header, arrays = _ask(request, seconds, memory)
        except FileError as error:
            raise source.error(str(error)) from None
    if "error" in header:
        raise source.error(_refusal(header))
    for message in header["warnings"]:
        source.warn(f"MuJoCo warns: {message}")
    return Compiled(**arrays, **{key: header[key] for key in ("model", "sizes", "names", "enums", "geoms")})


def _ask(request: dict[str, Any], seconds: float, memory: int) -> tuple[dict[str, Any], dict[str, Any]]:
    while True:
        child = _pool.take(memory)
        began, fresh, kept = time.monotonic(), child.files == 0, False
        try:
            header, arrays = child.ask(request, seconds)
            kept = not header["spent"]
            if kept or "error" not in header or _final(fresh, began, seconds):
                return header, arrays
        except Ended:
            child.end()
            if child.late or _final(fresh, began, seconds):
                raise FileError(_why(child)) from None
        finally:
            if kept:
                _pool.put_back(child)
            else:
                child.end()


def _final(fresh: bool, began: float, seconds: float) -> bool:
    """Return whether a failure is final: earlier files may have filled a child, or it may have ended after idling."""
    return fresh or time.monotonic() - began > 0.25 * seconds


def _refusal(header: dict[str, Any]) -> str:
    said = " ".join(str(header["error"]).split())
    if header.get("ours"):
        return said
    if "unknown exception" in said:
        return f"MuJoCo fails on it without a reason; an attribute may be empty, or a size too large: {_memory_advice()}"
    lowered = said.lower()
    advice = f"; {_memory_advice()}" if "memory" in lowered or "alloc" in lowered else ""
    return f"MuJoCo rejects the file: {said[:2000]}{advice}"


def _memory_advice() -> str:
    return f"MuJoCo may use {limit(MEMORY):g} MiB for a file; set {MEMORY} for another limit"


def _why(child: Child) -> str:
    """Return the reason why a child gave no answer."""
    if child.late:
        return (
            f"MuJoCo did not finish compiling it in {limit(SECONDS):g} s; make it smaller (replicate, composite, flexcomp, "
            f"height fields and meshes cost most), or increase {SECONDS}"
        )
    code = child.process.returncode
    names = {int(s): s.name for s in signal.Signals}
    how = f"signal {names.get(-code, -code)}" if code < 0 else f"exit status {code}"
    return f"MuJoCo crashed while compiling it ({how}); {_memory_advice()}"
