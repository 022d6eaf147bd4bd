"""Kernel: a task of one robot as machine code, made when first needed, kept on disk."""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..locks import Lock, lazy_property
from . import cache, jit
from .identity import CORE, Identity, program_digest, source_digest
from .lower.kernel import kernel_ir

if TYPE_CHECKING:
    from ..model.model import Model
    from .program import Program
    from .task import Task

_ONE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


class Kernel:
    """The two functions `one` and `batch` of a task (see `lower/kernel.py`)."""

    def __init__(self, model: Model, task: Task) -> None:
        self.model, self.task = model, task
        self.addresses = (ctypes.c_int64 * 2)()  # of `one` and `batch`; zero until they are made
        self._loaded: list[jit.Loaded] = []
        self._lock = Lock()
        self._program: Program | None = None  # of a text that is not lissom's own

    @lazy_property
    def one(self) -> Callable[..., int]:
        """`one` as a function of ctypes."""
        return _ONE(self._address(0, 1, "one"))

    @lazy_property
    def batch(self) -> Callable[..., int]:
        """`batch` as a function of ctypes, which lets other threads run meanwhile."""
        return _BATCH(self._address(1, jit.vector_width(), "batch"))

    def _address(self, slot: int, width: int, name: str) -> int:
        with self._lock:  # threads that come first together compile once
            if not self.addresses[slot]:
                loaded = self._load(width, name)
                self._loaded.append(loaded)
                self.addresses[slot] = loaded.address(name)
        return int(self.addresses[slot])

    def ir(self, width: int) -> str:
        """Return the program in LLVM's language."""
        return kernel_ir(self._program or self.task.program(self.model.name), width)

    def parts(self) -> tuple[str, ...]:
        """Return the dependencies of the code beside the machine and its width."""
        identity = Identity(self.task)
        if not identity.foreign:
            return self.model.fingerprint, self.task.key, *identity.parts()
        if self._program is None:
            self._program = self.task.program(self.model.name)
        return "program", program_digest(self._program), source_digest(*CORE)

    def _load(self, width: int, function: str) -> jit.Loaded:
        name = cache.entry_name(*self.parts(), f"width {width}", jit.version())
        self._dump(width)
        code = cache.read(name)
        if code is not None:
            try:
                return jit.Loaded(code, function)
            except jit.CompilerError:
                pass  # verified but not loadable here: make it again
        code = jit.compile_object(self.ir(width))
        loaded = jit.Loaded(code, function)
        cache.write(name, code)
        return loaded

    def _dump(self, width: int) -> None:
        """Write program, LLVM IR and assembly to the folder $LISSOM_DUMP, if set."""
        where = os.environ.get("LISSOM_DUMP")
        if not where:
            return
        stem = "".join(c if c.isalnum() or c in "._-" else "_" for c in f"{self.model.name}-{self.task.key}-x{width}")[:150]
        ir = self.ir(width)
        texts = {".txt": self.task.program(self.model.name).text(), ".ll": ir, ".s": jit.assembly(ir)}
        try:
            folder = Path(where)
            folder.mkdir(parents=True, exist_ok=True)
            for ending, text in texts.items():
                (folder / f"{stem}{ending}").write_text(text, encoding="utf-8")
        except (OSError, UnicodeError) as error:  # some systems cannot write every name
            warnings.warn(f"LISSOM_DUMP={where}: {error}; programs are not written there", RuntimeWarning, stacklevel=2)
