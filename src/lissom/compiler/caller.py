"""Caller: a built-in function of Python, made by the compiler, that calls a kernel directly.

It takes `f(a, b, ..., out=None)` with the arguments of a task. If every one is a plain float64 array of the right size, without
gaps, of one sample (n,) or of a batch (N, n), it runs the kernel at once: some 30 ns beside the work itself, where ctypes would
take microseconds. Other keywords of the Python function may be there with their defaults. In every other case, and whenever a
result is not finite, it passes the call unchanged to this Python function, which checks, converts, reports errors and takes every
option. The same code is used for all robots: `self` is a bytes object with addresses and sizes, in the order of `_context` below.
"""

from __future__ import annotations

import ctypes
import math
import platform
import sys
import sysconfig
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..locks import once
from . import cache, jit
from .identity import CORE, source_digest
from .lower.caller import DATA, DESCR, DIMS, FLAGS, HEAD, MAX_AXES, MAX_INPUTS, NDIM, PLAIN, WRITEABLE, caller_ir

_SYMBOLS = (
    *("PyObject_Vectorcall", "PyLong_FromSsize_t", "PyTuple_New", "PyTuple_SetItem", "Py_IncRef", "Py_DecRef"),
    *("PyObject_GetItem", "PyEval_SaveThread", "PyEval_RestoreThread"),
)

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object, ctypes.c_void_p)(
    ("PyCMethod_New", ctypes.pythonapi)
)

# numbers in the largest batch that is not split over threads; the caller leaves larger ones to Python
inline_limit = ctypes.c_int64(2**62)


def make(
    name: str, doc: str, addresses: Any, sizes: Sequence[int], shape: tuple[int, ...], fallback: Callable[..., Any], owner: Any
) -> Callable[..., Any] | None:
    """Return the built-in function, or None where this Python does not allow one (the fallback then serves alone).

    `addresses` is a ctypes array that holds the addresses of `one` and `batch`; while one is zero, the fallback is called.
    `sizes` are those of the arguments of one sample, `shape` is that of its result: () is a number, no array. `fallback` is a
    method, whose defaults of keywords count; `owner` keeps the code alive.
    """
    if len(sizes) > MAX_INPUTS or len(shape) > MAX_AXES or not _layout_is_known():
        return None
    context, pointed_to = _context(addresses, sizes, shape, fallback)
    context.robot = fallback.__self__  # type: ignore[attr-defined]
    module = _Module("lissom.robot")
    module.alive = (pointed_to, owner)
    return _new(ctypes.addressof(_method(name, doc)), context, module, None)  # type: ignore[no-any-return]


class _Context(bytes):
    """What the code reads, as `self` of a built-in function; pickles as the robot, whose attribute the function then is."""

    robot: Any

    def __reduce__(self) -> tuple[Any, ...]:
        return _same, (self.robot,)


def _same(x: Any) -> Any:
    return x


class _Module(str):
    """The name of a module; a built-in function holds on to it, and so to everything that its code points to."""

    alive: Any


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@once
def _method(name: str, doc: str) -> _MethodDef:
    """Return the definition of a built-in function: FASTCALL | KEYWORDS; the same one in all threads, kept for good."""
    return _MethodDef(name.encode(), _code().address("call"), 0x0080 | 0x0002, doc.encode())


def _context(addresses: Any, sizes: Sequence[int], shape: tuple[int, ...], fallback: Any) -> tuple[_Context, Any]:
    defaults = {"out": None, **(fallback.__func__.__kwdefaults__ or {})}
    keywords = [(sys.intern(name), default) for name, default in defaults.items()]
    numbers = [len(keywords), *(id(x) for pair in keywords for x in pair)]
    table = (ctypes.c_int64 * len(numbers))(*numbers)
    alive = (addresses, fallback, keywords, table, shape, np.empty)
    words = [ctypes.addressof(addresses), len(sizes), math.prod(shape), id(fallback), id(np.ndarray), id(np.dtype(np.float64))]
    words += [id(np.empty), id(shape), ctypes.addressof(table), ctypes.addressof(inline_limit), len(shape)]
    words += [*shape, *[0] * (MAX_AXES - len(shape)), sum(sizes) + math.prod(shape), *sizes]
    return _Context(b"".join(word.to_bytes(8, sys.byteorder, signed=True) for word in words)), alive


@once
def _layout_is_known() -> bool:
    """Check that arrays look in memory as the code below reads them."""
    if platform.python_implementation() != "CPython" or HEAD != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # other headers, and arrays that may change while they are read
        return False
    a = np.arange(6.0).reshape(2, 3)

    def word(at: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(a) + at).value)

    dims = word(DIMS)
    return (
        word(HEAD - 8) == id(np.ndarray)
        and word(DATA) == a.ctypes.data
        and word(NDIM, ctypes.c_int32) == 2
        and [ctypes.c_int64.from_address(dims + 8 * k).value for k in range(2)] == [2, 3]
        and word(DESCR) == id(np.dtype(np.float64))
        and word(FLAGS, ctypes.c_int32) & (PLAIN | WRITEABLE) == PLAIN | WRITEABLE
    )


@once
def _code() -> jit.Loaded:
    symbols = {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in _SYMBOLS}
    name = cache.entry_name("caller", jit.version(), source_digest(*CORE), sys.version, np.__version__)
    code = cache.read(name)
    if code is None:
        code = jit.compile_object(caller_ir())
        cache.write(name, code)
    return jit.Loaded(code, "call", symbols=symbols)
