"""Caller: a built-in function of Python, made by the compiler, that calls a kernel without a detour.

It takes `f(a, b, ..., out=None)` with the arguments of a task. If every one is a plain float64 array of the right size, without
gaps, of one sample (n,) or of a batch (N, n), it runs the kernel at once: some 30 ns beside the work itself, where ctypes would
take microseconds. In every other case, and whenever a result is not finite, it hands the call unchanged to a Python function
that checks, converts, explains and knows every option. One piece of code serves all robots: `self` is a bytes object
that holds addresses and sizes, in the order of `_context` below.
"""

from __future__ import annotations

import ctypes
import functools
import platform
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import cache, jit

MAX_INPUTS = 8
_SYMBOLS = ("PyObject_Vectorcall", "Py_IncRef", "Py_DecRef", "PyEval_SaveThread", "PyEval_RestoreThread")
_RELEASE = 256  # samples from which other Python threads may run meanwhile

# the largest batch that is not split over threads; the caller leaves larger ones to Python
inline_limit = ctypes.c_int64(2**62)

_HEAD = object.__basicsize__  # an object's header ends with its type
_DATA, _NDIM, _DIMS, _DESCR, _FLAGS = _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 40, _HEAD + 48  # of an array, as NumPy's ABI fixes them
_PLAIN, _WRITEABLE = 0x0101, 0x0400  # contiguous and aligned; writeable


def make(
    name: str, doc: str, one: int, batch: int, sizes: Sequence[int], out_size: int, fallback: Callable[..., Any]
) -> Callable[..., Any] | None:
    """Return the built-in function, or None where this Python does not allow one (the fallback then serves alone)."""
    if len(sizes) > MAX_INPUTS or not _layout_is_known():
        return None
    new = ctypes.pythonapi.PyCMethod_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p]
    context, alive = _context(one, batch, sizes, out_size, fallback)
    method = _MethodDef(name.encode(), _code().address("call"), 0x0080 | 0x0002, doc.encode())  # FASTCALL | KEYWORDS
    _alive.append((method, context, alive))
    return new(ctypes.addressof(method), context, None, None)  # type: ignore[no-any-return]


_alive: list[Any] = []  # what built-in functions point to; as long as the process


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


def _context(one: int, batch: int, sizes: Sequence[int], out_size: int, fallback: Any) -> tuple[bytes, Any]:
    keyword, length = sys.intern("out"), out_size
    alive = (fallback, keyword, length, np.empty)
    words = [one, batch, len(sizes), out_size, id(fallback), id(np.ndarray), id(np.dtype(np.float64)), id(np.empty), id(length)]
    words += [id(keyword), ctypes.addressof(inline_limit), *sizes]
    return b"".join(word.to_bytes(8, sys.byteorder, signed=True) for word in words), alive


@functools.cache
def _layout_is_known() -> bool:
    """Check that arrays look in memory as the code below reads them."""
    if platform.python_implementation() != "CPython" or _HEAD != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    a = np.arange(6.0).reshape(2, 3)

    def word(at: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(a) + at).value)

    dims = word(_DIMS)
    return (
        word(_HEAD - 8) == id(np.ndarray)
        and word(_DATA) == a.ctypes.data
        and word(_NDIM, ctypes.c_int32) == 2
        and [ctypes.c_int64.from_address(dims + 8 * k).value for k in range(2)] == [2, 3]
        and word(_DESCR) == id(np.dtype(np.float64))
        and word(_FLAGS, ctypes.c_int32) & 0x0501 == 0x0501
    )


@functools.cache
def _code() -> jit.Loaded:
    llvm = jit._llvm()
    for symbol in _SYMBOLS:
        llvm.add_symbol(symbol, ctypes.cast(getattr(ctypes.pythonapi, symbol), ctypes.c_void_p).value)
    name = cache.entry_name("caller", jit.version(), cache.code_fingerprint(), sys.version, np.__version__)
    code = cache.read(name)
    if code is None:
        code = jit.compile_object(_ir())
        cache.write(name, code)
    return jit.Loaded(code)


def _ir() -> str:
    def context(k: int) -> str:
        return f"getelementptr i64, ptr %context, i64 {k}"

    def checked(obj: str, size: str, good: str, flags: int, prefix: str) -> str:
        """Go to block `good` if obj is a plain array with `size` entries a sample and as many samples as %shape says."""
        return f"""
  %{prefix}typeat = getelementptr i8, ptr {obj}, i64 {_HEAD - 8}
  %{prefix}type = load ptr, ptr %{prefix}typeat
  %{prefix}isarray = icmp eq ptr %{prefix}type, %ndarray
  br i1 %{prefix}isarray, label %{prefix}array, label %python
{prefix}array:
  %{prefix}descrat = getelementptr i8, ptr {obj}, i64 {_DESCR}
  %{prefix}descr = load ptr, ptr %{prefix}descrat
  %{prefix}isdouble = icmp eq ptr %{prefix}descr, %double
  %{prefix}flagsat = getelementptr i8, ptr {obj}, i64 {_FLAGS}
  %{prefix}flags = load i32, ptr %{prefix}flagsat
  %{prefix}plain = and i32 %{prefix}flags, {flags}
  %{prefix}isplain = icmp eq i32 %{prefix}plain, {flags}
  %{prefix}ndat = getelementptr i8, ptr {obj}, i64 {_NDIM}
  %{prefix}nd = load i32, ptr %{prefix}ndat
  %{prefix}sameend = icmp eq i32 %{prefix}nd, %nd
  %{prefix}ok1 = and i1 %{prefix}isdouble, %{prefix}isplain
  %{prefix}ok2 = and i1 %{prefix}ok1, %{prefix}sameend
  br i1 %{prefix}ok2, label %{prefix}shape, label %python
{prefix}shape:
  %{prefix}dimsat = getelementptr i8, ptr {obj}, i64 {_DIMS}
  %{prefix}dims = load ptr, ptr %{prefix}dimsat
  %{prefix}lastat = getelementptr i64, ptr %{prefix}dims, i64 %lastaxis
  %{prefix}last = load i64, ptr %{prefix}lastat
  %{prefix}rightsize = icmp eq i64 %{prefix}last, {size}
  %{prefix}firstdim = load i64, ptr %{prefix}dims
  %{prefix}count = select i1 %isbatch, i64 %{prefix}firstdim, i64 1
  %{prefix}samecount = icmp eq i64 %{prefix}count, %n
  %{prefix}ok3 = and i1 %{prefix}rightsize, %{prefix}samecount
  %{prefix}dataat = getelementptr i8, ptr {obj}, i64 {_DATA}
  %{prefix}data = load ptr, ptr %{prefix}dataat
  br i1 %{prefix}ok3, label %{good}, label %python
"""

    return f"""
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
define ptr @call(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {{
entry:
  %data = alloca [{MAX_INPUTS + 1} x ptr], align 16
  %emptyargs = alloca [1 x ptr], align 16
  %context = getelementptr i8, ptr %self, i64 {bytes.__basicsize__ - 1}
  %oneat = {context(0)}
  %one = load ptr, ptr %oneat, align 1
  %batchat = {context(1)}
  %batch = load ptr, ptr %batchat, align 1
  %ninat = {context(2)}
  %nin = load i64, ptr %ninat, align 1
  %outsizeat = {context(3)}
  %outsize = load i64, ptr %outsizeat, align 1
  %fallbackat = {context(4)}
  %fallback = load ptr, ptr %fallbackat, align 1
  %ndarrayat = {context(5)}
  %ndarray = load ptr, ptr %ndarrayat, align 1
  %doubleat = {context(6)}
  %double = load ptr, ptr %doubleat, align 1
  %enough = icmp eq i64 %nargs, %nin
  br i1 %enough, label %keywords, label %python
keywords:
  %none = icmp eq ptr %kwnames, null
  br i1 %none, label %shape, label %named
named:
  %kwsizeat = getelementptr i8, ptr %kwnames, i64 {_HEAD}
  %kwsize = load i64, ptr %kwsizeat
  %single = icmp eq i64 %kwsize, 1
  %kwfirstat = getelementptr i8, ptr %kwnames, i64 {tuple.__basicsize__}
  %kwfirst = load ptr, ptr %kwfirstat
  %outnameat = {context(9)}
  %outname = load ptr, ptr %outnameat, align 1
  %isout = icmp eq ptr %kwfirst, %outname
  %known = and i1 %single, %isout
  br i1 %known, label %given, label %python
given:
  %givenat = getelementptr ptr, ptr %args, i64 %nin
  %givenout = load ptr, ptr %givenat
  br label %shape
shape:
  %out = phi ptr [null, %keywords], [%givenout, %given]
  %firstobj = load ptr, ptr %args
  %firsttypeat = getelementptr i8, ptr %firstobj, i64 {_HEAD - 8}
  %firsttype = load ptr, ptr %firsttypeat
  %firstisarray = icmp eq ptr %firsttype, %ndarray
  br i1 %firstisarray, label %dimension, label %python
dimension:
  %ndat = getelementptr i8, ptr %firstobj, i64 {_NDIM}
  %nd = load i32, ptr %ndat
  %isbatch = icmp eq i32 %nd, 2
  %issingle = icmp eq i32 %nd, 1
  %isknown = or i1 %isbatch, %issingle
  br i1 %isknown, label %count, label %python
count:
  %lastaxis = select i1 %isbatch, i64 1, i64 0
  %dimsat = getelementptr i8, ptr %firstobj, i64 {_DIMS}
  %dims = load ptr, ptr %dimsat
  %rows = load i64, ptr %dims
  %n = select i1 %isbatch, i64 %rows, i64 1
  %limitat = {context(10)}
  %limitptr = load ptr, ptr %limitat, align 1
  %limit = load i64, ptr %limitptr
  %some = icmp sgt i64 %n, 0
  %small = icmp sle i64 %n, %limit
  %inrange = and i1 %some, %small
  br i1 %inrange, label %result, label %python
result:
  %isnew = icmp eq ptr %out, null
  br i1 %isnew, label %newresult, label %oldresult
newresult:
  br i1 %isbatch, label %python, label %inputs
oldresult:
{checked("%out", "%outsize", "inputs", _PLAIN | _WRITEABLE, "o")}
inputs:
  %outdata = phi ptr [null, %newresult], [%odata, %oshape]
  %outwidth = mul i64 %outsize, 8
  %outbytes = mul i64 %outwidth, %n
  %outend = getelementptr i8, ptr %outdata, i64 %outbytes
  br label %input
input:
  %i = phi i64 [0, %inputs], [%inext, %accepted]
  %objat = getelementptr ptr, ptr %args, i64 %i
  %obj = load ptr, ptr %objat
  %sizeindex = add i64 %i, 11
  %sizeat = getelementptr i64, ptr %context, i64 %sizeindex
  %size = load i64, ptr %sizeat, align 1
{checked("%obj", "%size", "apart", _PLAIN, "i")}
apart:
  %inwidth = mul i64 %size, 8
  %inbytes = mul i64 %inwidth, %n
  %inend = getelementptr i8, ptr %idata, i64 %inbytes
  %startsbefore = icmp ult ptr %idata, %outend
  %endsafter = icmp ugt ptr %inend, %outdata
  %overlaps = and i1 %startsbefore, %endsafter
  %clashes = select i1 %isnew, i1 false, i1 %overlaps
  br i1 %clashes, label %python, label %accepted
accepted:
  %slot = getelementptr ptr, ptr %data, i64 %i
  store ptr %idata, ptr %slot
  %inext = add i64 %i, 1
  %more = icmp slt i64 %inext, %nin
  br i1 %more, label %input, label %run
run:
  %outslot = getelementptr ptr, ptr %data, i64 %nin
  br i1 %isnew, label %allocate, label %reuse
allocate:
  %emptyat = {context(7)}
  %empty = load ptr, ptr %emptyat, align 1
  %lengthat = {context(8)}
  %length = load ptr, ptr %lengthat, align 1
  store ptr %length, ptr %emptyargs
  %fresh = call ptr @PyObject_Vectorcall(ptr %empty, ptr %emptyargs, i64 1, ptr null)
  %failed = icmp eq ptr %fresh, null
  br i1 %failed, label %error, label %allocated
allocated:
  %freshat = getelementptr i8, ptr %fresh, i64 {_DATA}
  %freshdata = load ptr, ptr %freshat
  br label %compute
reuse:
  call void @Py_IncRef(ptr %out)
  br label %compute
compute:
  %answer = phi ptr [%fresh, %allocated], [%out, %reuse]
  %answerdata = phi ptr [%freshdata, %allocated], [%outdata, %reuse]
  store ptr %answerdata, ptr %outslot
  br i1 %isbatch, label %many, label %single_sample
single_sample:
  %flag1 = call i64 %one(ptr %data)
  br label %finish
many:
  %long = icmp sge i64 %n, {_RELEASE}
  br i1 %long, label %release, label %hold
hold:
  %flag2 = call i64 %batch(ptr %data, i64 %n)
  br label %finish
release:
  %state = call ptr @PyEval_SaveThread()
  %flag3 = call i64 %batch(ptr %data, i64 %n)
  call void @PyEval_RestoreThread(ptr %state)
  br label %finish
finish:
  %flag = phi i64 [%flag1, %single_sample], [%flag2, %hold], [%flag3, %release]
  %fine = icmp eq i64 %flag, 0
  br i1 %fine, label %good, label %notfinite
good:
  ret ptr %answer
notfinite:
  call void @Py_DecRef(ptr %answer)
  br label %python
python:
  %answered = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %kwnames)
  ret ptr %answered
error:
  ret ptr null
}}
"""
