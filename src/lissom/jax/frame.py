"""Frame: what XLA calls a handler with, `XLA_FFI_CallFrame` in jaxlib's `xla/ffi/api/c_api.h`, in LLVM's language.

It holds arguments, results and attributes. Structures of that interface only grow at their ends, so the places below hold for
every version of it. Attributes are whole numbers, in the order of their names. One of them is `process`, a number of this
process: programs that JAX stored in another one, whose addresses mean nothing here, are refused.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path

import jax

MOST = 32  # buffers of a call
PROCESS = secrets.randbits(62)
RESOURCE_EXHAUSTED, FAILED_PRECONDITION, INTERNAL = 8, 9, 13  # codes of errors

CONTEXT = 24
ARGUMENTS, RESULTS = 72, 112  # lists of pointers; the count is 16 before
DATA = 24  # of a buffer
_RANK, _DIMS = 32, 40
_SIZE, _NEXT = 0, 16  # of an extension; its type is at 8
_METADATA, _MAJOR, _MINOR, _TRAITS = 24, 24, 28, 32
API, _STAGE, _ATTRIBUTES = 16, 32, 160
_CREATE_ERROR = 48
_GONE = "a program with functions of lissom was stored by another process; clear JAX's cache of compiled programs"


def version() -> tuple[int, int]:
    """Return the version of the interface that this jaxlib has, by its header."""
    text = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text(encoding="utf-8")
    found = [re.search(rf"#define XLA_FFI_API_{word} (\d+)", text) for word in ("MAJOR", "MINOR")]
    major, minor = (int(x[1]) if x else 0 for x in found)
    return major, minor


def load(name: str, base: str, offset: int, kind: str = "ptr") -> str:
    """Return lines that load what lies at an offset from a pointer."""
    return f"  %{name}at = getelementptr i8, ptr %{base}, i64 {offset}\n  %{name} = load {kind}, ptr %{name}at\n"


def _attribute(name: str, place: int) -> str:
    """Return lines that load attribute number `place`, a scalar i64."""
    return (
        load(f"{name}scalar", "attributes", 8 * place)
        + load(f"{name}value", f"{name}scalar", 8)
        + load(name, f"{name}value", 0, "i64")
    )


def error(name: str, code: int) -> str:
    """Return lines that end the call with the error of a text."""
    create = load(f"{name}api", "frame", API) + load(f"{name}create", f"{name}api", _CREATE_ERROR)
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


def text(name: str, words: str) -> str:
    """Return the line of a text."""
    return f'@{name} = private constant [{len(words) + 1} x i8] c"{words}\\00"\n'


def handler(attributes: Sequence[str], room: str, body: str, texts: str) -> str:
    """Return a handler, to the block `run`, which `body` begins, and which returns.

    In it are the attributes, %inputs (how many arguments), %arguments and %results, %outdata (memory of the only result) and %n
    (the product of the leading axes). `room` are lines of memory that the call needs, `texts` those of its errors.
    """
    return _handler(attributes, room, body, texts, *version())


def _handler(attributes: Sequence[str], room: str, body: str, texts: str, major: int, minor: int) -> str:
    loaded = "".join(_attribute(name, k) for k, name in enumerate(attributes))
    return f"""{texts}{text("gone", _GONE)}
define ptr @handler(ptr %frame) {{
entry:
  %problem = alloca [32 x i8], align 8
{room}{load("first", "frame", 8)}  br label %extension
extension:
  %e = phi ptr [%first, %entry], [%next, %other]
  %none = icmp eq ptr %e, null
  br i1 %none, label %stage, label %look
look:
{load("type", "e", 8, "i32")}  %ismetadata = icmp eq i32 %type, 1
  br i1 %ismetadata, label %metadata, label %other
other:
{load("next", "e", _NEXT)}  br label %extension
metadata:
{load("m", "e", _METADATA)}  %majorat = getelementptr i8, ptr %m, i64 {_MAJOR}
  store i32 {major}, ptr %majorat
  %minorat = getelementptr i8, ptr %m, i64 {_MINOR}
  store i32 {minor}, ptr %minorat
  %traitsat = getelementptr i8, ptr %m, i64 {_TRAITS}
  store i32 0, ptr %traitsat
  ret ptr null
stage:
{load("when", "frame", _STAGE, "i32")}  %execute = icmp eq i32 %when, 3
  br i1 %execute, label %attributes_, label %nothing
nothing:
  ret ptr null
attributes_:
{load("attributes", "frame", _ATTRIBUTES)}{loaded}  %ours = icmp eq i64 %process, {PROCESS}
  br i1 %ours, label %buffers, label %stranger
stranger:
{error("gone", FAILED_PRECONDITION)}
buffers:
{load("inputs", "frame", ARGUMENTS - 16, "i64")}{load("arguments", "frame", ARGUMENTS)}{load("results", "frame", RESULTS)}
{load("out", "results", 0)}{load("outdata", "out", DATA)}{load("rank", "out", _RANK, "i64")}{load("dims", "out", _DIMS)}
  %last = sub i64 %rank, 1
  br label %axis
axis:
  %i = phi i64 [0, %buffers], [%i1, %times]
  %n = phi i64 [1, %buffers], [%n1, %times]
  %more = icmp slt i64 %i, %last
  br i1 %more, label %times, label %run
times:
  %dimat = getelementptr i64, ptr %dims, i64 %i
  %dim = load i64, ptr %dimat
  %n1 = mul i64 %n, %dim
  %i1 = add i64 %i, 1
  br label %axis
run:
{body}}}
"""
