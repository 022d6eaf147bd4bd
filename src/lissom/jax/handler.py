"""Handler: the function that XLA's programs call, made by LLVM; it hands XLA's buffers to the kernel of an operation.

XLA calls it with a frame (`XLA_FFI_CallFrame` in jaxlib's `xla/ffi/api/c_api.h`) of arguments, results and attributes.
Structures of that interface only grow at their ends, so that the places below hold for every version of it. The attributes are
    kernel    address of the kernel
    process   a number of this process: programs that JAX stored in another one, whose addresses mean nothing here, are refused
    single    1 for a kernel of one sample, 0 for one of many
"""

from __future__ import annotations

import ctypes
import re
import secrets
from pathlib import Path

import jax

from ..compiler import jit
from ..locks import once

TARGET = "lissom_call"
MOST = 32  # buffers of a call
PROCESS = secrets.randbits(62)

_SIZE, _NEXT = 0, 16  # of an extension; its type is at 8
_METADATA, _MAJOR, _MINOR, _TRAITS = 24, 24, 28, 32
_API, _STAGE = 16, 32
_ARGUMENTS, _RESULTS, _ATTRIBUTES = 72, 112, 160  # lists of pointers; the count is 16 before, of attributes 24
_DATA, _RANK, _DIMS = 24, 32, 40  # of a buffer
_CREATE_ERROR = 48
_RESOURCE_EXHAUSTED, _FAILED_PRECONDITION = 8, 9


@once
def register() -> None:
    """Make the handler and tell JAX of it."""
    loaded = jit.Loaded(jit.compile_object(_ir(*_version())))
    _alive.append(loaded)
    handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(loaded.address("handler"))
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(handler), platform="cpu")
    if hasattr(jax.ffi, "register_ffi_target_as_batch_partitionable"):  # leading axes may be on several devices
        jax.ffi.register_ffi_target_as_batch_partitionable(TARGET)


_alive: list[jit.Loaded] = []


def _version() -> tuple[int, int]:
    """Return the version of the interface that this jaxlib has, by its header."""
    text = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text(encoding="utf-8")
    found = [re.search(rf"#define XLA_FFI_API_{word} (\d+)", text) for word in ("MAJOR", "MINOR")]
    major, minor = (int(x[1]) if x else 0 for x in found)
    return major, minor


def _load(name: str, base: str, offset: int, kind: str = "ptr") -> str:
    return f"  %{name}at = getelementptr i8, ptr %{base}, i64 {offset}\n  %{name} = load {kind}, ptr %{name}at\n"


def _attribute(name: str, place: int) -> str:
    """Return lines that load attribute number `place`, in the order of their names, a scalar i64."""
    return (
        _load(f"{name}scalar", "attributes", 8 * place)
        + _load(f"{name}value", f"{name}scalar", 8)
        + _load(name, f"{name}value", 0, "i64")
    )


def _error(name: str, code: int) -> str:
    """Return lines that end the call with an error."""
    create = _load(f"{name}api", "frame", _API) + _load(f"{name}create", f"{name}api", _CREATE_ERROR)
    return f"""{create}  store i64 28, ptr %problem
  %{name}extension = getelementptr i8, ptr %problem, i64 8
  store ptr null, ptr %{name}extension
  %{name}text = getelementptr i8, ptr %problem, i64 16
  store ptr @{name}, ptr %{name}text
  %{name}code = getelementptr i8, ptr %problem, i64 24
  store i32 {code}, ptr %{name}code
  %{name}error = call ptr %{name}create(ptr %problem)
  ret ptr %{name}error
"""


def _text(name: str, words: str) -> str:
    return f'@{name} = private constant [{len(words) + 1} x i8] c"{words}\\00"\n'


def _ir(major: int, minor: int) -> str:
    """Return the handler in LLVM's language."""
    gone = "a program with functions of lissom was stored by another process; clear JAX's cache of compiled programs"
    memory = "no memory for the intermediate values of a batch"
    return f"""{_text("memory", memory)}{_text("gone", gone)}
define ptr @handler(ptr %frame) {{
entry:
  %problem = alloca [32 x i8], align 8
  %table = alloca [{MOST} x ptr], align 8
{_load("first", "frame", 8)}  br label %extension
extension:
  %e = phi ptr [%first, %entry], [%next, %other]
  %none = icmp eq ptr %e, null
  br i1 %none, label %stage, label %look
look:
{_load("type", "e", 8, "i32")}  %ismetadata = icmp eq i32 %type, 1
  br i1 %ismetadata, label %metadata, label %other
other:
{_load("next", "e", _NEXT)}  br label %extension
metadata:
{_load("m", "e", _METADATA)}  %majorat = getelementptr i8, ptr %m, i64 {_MAJOR}
  store i32 {major}, ptr %majorat
  %minorat = getelementptr i8, ptr %m, i64 {_MINOR}
  store i32 {minor}, ptr %minorat
  %traitsat = getelementptr i8, ptr %m, i64 {_TRAITS}
  store i32 0, ptr %traitsat
  ret ptr null
stage:
{_load("when", "frame", _STAGE, "i32")}  %execute = icmp eq i32 %when, 3
  br i1 %execute, label %attributes_, label %nothing
nothing:
  ret ptr null
attributes_:
{_load("attributes", "frame", _ATTRIBUTES)}{_attribute("kernel", 0)}{_attribute("process", 1)}{_attribute("single", 2)}
  %ours = icmp eq i64 %process, {PROCESS}
  br i1 %ours, label %buffers, label %stranger
stranger:
{_error("gone", _FAILED_PRECONDITION)}
buffers:
{_load("inputs", "frame", _ARGUMENTS - 16, "i64")}{_load("arguments", "frame", _ARGUMENTS)}{_load("results", "frame", _RESULTS)}
{_load("out", "results", 0)}{_load("outdata", "out", _DATA)}{_load("rank", "out", _RANK, "i64")}{_load("dims", "out", _DIMS)}
  %last = sub i64 %rank, 1
  br label %axis
axis:
  %i = phi i64 [0, %buffers], [%i1, %times]
  %n = phi i64 [1, %buffers], [%n1, %times]
  %more = icmp slt i64 %i, %last
  br i1 %more, label %times, label %input
times:
  %dimat = getelementptr i64, ptr %dims, i64 %i
  %dim = load i64, ptr %dimat
  %n1 = mul i64 %n, %dim
  %i1 = add i64 %i, 1
  br label %axis
input:
  %k = phi i64 [0, %axis], [%k1, %copy]
  %another = icmp slt i64 %k, %inputs
  br i1 %another, label %copy, label %run
copy:
  %bufferat = getelementptr ptr, ptr %arguments, i64 %k
  %buffer = load ptr, ptr %bufferat
{_load("data", "buffer", _DATA)}  %placeat = getelementptr ptr, ptr %table, i64 %k
  store ptr %data, ptr %placeat
  %k1 = add i64 %k, 1
  br label %input
run:
  %endat = getelementptr ptr, ptr %table, i64 %inputs
  store ptr %outdata, ptr %endat
  %code = inttoptr i64 %kernel to ptr
  %isone = icmp eq i64 %single, 1
  br i1 %isone, label %sample, label %batch
sample:
  %flag1 = call i64 %code(ptr %table)
  br label %done
batch:
  %flag2 = call i64 %code(ptr %table, i64 %n)
  br label %done
done:
  %flag = phi i64 [%flag1, %sample], [%flag2, %batch]
  %full = icmp eq i64 %flag, 2
  br i1 %full, label %nomemory, label %nothing
nomemory:
{_error("memory", _RESOURCE_EXHAUSTED)}
}}
"""
