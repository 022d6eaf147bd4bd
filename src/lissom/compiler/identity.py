"""Identity: the dependencies of a task's program beside its key and model, so that cached machine code never serves changed code.

The key of a task names its options. Its functions determine the rest: the part of lissom they are in, and the constants they
refer to. A function outside of lissom may depend on anything (globals, files, other modules): it is traced, which takes
milliseconds to seconds, and the program itself is the identity.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import types
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..locks import lazy_property, once
from ..model.model import Model

if TYPE_CHECKING:
    from .program import Program
    from .task import Task

_ROOT = Path(__file__).parent.parent
_FOLDER = f"{_ROOT}{os.sep}"
CORE = ("model", "joints", "tree", "spatial", "algorithms", "compiler")  # count always
_PLAIN = (str, bytes, int, float, complex, bool, type(None), np.generic)
_CACHED = type(functools.cache(len))


@once
def source_digest(*parts: str) -> str:
    """Return a digest over the source of parts of lissom: folders, or files without their ending."""
    digest = hashlib.sha256()
    for part in parts:
        for path in sorted((_ROOT / part).rglob("*.py")) if (_ROOT / part).is_dir() else [_ROOT / f"{part}.py"]:
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def program_digest(program: Program) -> str:
    """Return a digest of a program; floats count to the last bit."""
    return hashlib.sha256(repr((program.inputs, program.outputs, program.code, program.results)).encode()).hexdigest()


class Identity:
    """Identity of the functions of a task.

    Attributes:
        foreign: whether any of them, or anything they refer to, is outside of lissom.
        rooms: parts of lissom beside CORE that they are in.
    """

    def __init__(self, task: Task) -> None:
        self.foreign = False
        self.rooms: set[str] = set()
        self._digest = hashlib.sha256()
        self._seen: dict[int, tuple[int, Any]] = {}  # objects are kept, so that no two have one address
        self._visit([task.texts, task.like])

    def parts(self) -> tuple[str, ...]:
        """Return the parts of a cache key: digests of lissom's core, of the other packages in use, and of the task."""
        return source_digest(*CORE), source_digest(*sorted(self.rooms)) if self.rooms else "", self._digest.hexdigest()

    def _put(self, *words: object) -> None:
        self._digest.update(repr(words).encode("utf-8", "backslashreplace") + b"\0")

    def _visit(self, x: Any) -> None:
        if isinstance(x, _PLAIN) and not isinstance(x, enum.Enum):
            self._put(type(x).__name__, x)
        elif id(x) in self._seen:
            self._put("again", self._seen[id(x)][0])
        else:
            self._seen[id(x)] = len(self._seen), x
            self._visit_object(x)

    def _visit_object(self, x: Any) -> None:
        if isinstance(x, list | tuple):
            self._put(type(x).__name__, len(x))
            self._each(x)
        elif isinstance(x, Mapping):
            self._put("mapping", len(x))
            self._each(x.keys())
            self._each(x.values())
        elif isinstance(x, set | frozenset):
            self._put("set", len(x))
            self._each(sorted(x, key=repr))
        elif isinstance(x, np.ndarray) and x.dtype != object:
            self._put("array", x.dtype.str, x.shape, x.tobytes())
        elif isinstance(x, Model):
            self._put("model", x.fingerprint, x.posture)
        elif isinstance(x, enum.Enum):
            self._put(type(x).__qualname__, x.name)
            self._stands_in(type(x).__module__)
        elif isinstance(x, types.FunctionType):
            self._function(x)
        elif isinstance(x, types.MethodType):
            self._each([x.__func__, x.__self__])
        elif isinstance(x, functools.partial):
            self._each([x.func, x.args, x.keywords])
        elif isinstance(x, _CACHED):
            self._visit(x.__wrapped__)
        elif isinstance(x, type):
            self._put("type", x.__qualname__)
            self._stands_in(x.__module__)
        elif isinstance(x, types.BuiltinFunctionType | np.ufunc):
            self._put("builtin", x.__name__)
        else:
            self._put("object", type(x).__qualname__)
            self._stands_in(type(x).__module__)
            if type(x).__module__ == "builtins":
                self._put(repr(x))  # slices, ranges
            elif not self.foreign:
                self._each(_contents(x))

    def _each(self, items: Any) -> None:
        for value in items:
            self._visit(value)

    def _function(self, f: types.FunctionType) -> None:
        self._put("function", f.__qualname__, f.__code__.co_firstlineno)
        if f.__code__.co_filename.startswith(_FOLDER):
            self._room(f.__code__.co_filename[len(_FOLDER) :].split(os.sep)[0].removesuffix(".py"))
        else:
            self.foreign = True
        for cell in f.__closure__ or ():
            try:
                self._visit(cell.cell_contents)
            except ValueError:  # a name that is not bound yet
                self._put("unbound")
        self._each([f.__defaults__, f.__kwdefaults__, f.__dict__])  # what it wraps is in its __dict__

    def _stands_in(self, module: str) -> None:
        names = module.split(".")
        if names[0] == "lissom" and len(names) > 1:
            self._room(names[1])
        elif names[0] != "builtins":
            self.foreign = True

    def _room(self, name: str) -> None:
        if name not in CORE:
            self.rooms.add(name)


def _contents(x: Any) -> list[Any]:
    """Return names and values of an object's attributes, but for those that are computed from the others."""
    slots = [name for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ())]
    names = [*getattr(x, "__dict__", ()), *slots]
    kept = [name for name in names if hasattr(x, name) and not isinstance(getattr(type(x), name, None), lazy_property)]
    return [part for name in kept for part in (name, getattr(x, name))]
