"""Handler: the function that XLA's programs call on the processor, made by LLVM; it hands buffers to the kernel of an operation.

Its attributes beside those of `frame.py` are
    kernel    address of the kernel
    single    1 for a kernel of one sample, 0 for one of many
"""

from __future__ import annotations

import ctypes

import jax

from ..compiler import jit
from ..locks import once
from . import frame
from .frame import DATA, MOST, RESOURCE_EXHAUSTED, error, load, text

TARGET = "lissom_call"
ATTRIBUTES = ("kernel", "process", "single")


@once
def register() -> None:
    """Make the handler and tell JAX of it."""
    register_on("cpu", TARGET, _ir())


def register_on(platform: str, target: str, ir: str) -> None:
    """Tell JAX of a handler for a platform, given in LLVM's language."""
    loaded = jit.Loaded(jit.compile_object(ir), "handler")
    _alive.append(loaded)
    handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(loaded.address("handler"))
    jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(handler), platform=platform)
    if hasattr(jax.ffi, "register_ffi_target_as_batch_partitionable"):  # leading axes may be on several devices
        jax.ffi.register_ffi_target_as_batch_partitionable(target)


_alive: list[jit.Loaded] = []


def _ir() -> str:
    """Return the handler in LLVM's language."""
    room = f"  %table = alloca [{MOST} x ptr], align 8\n"
    body = f"""  br label %input
input:
  %k = phi i64 [0, %run], [%k1, %copy]
  %another = icmp slt i64 %k, %inputs
  br i1 %another, label %copy, label %call
copy:
  %bufferat = getelementptr ptr, ptr %arguments, i64 %k
  %buffer = load ptr, ptr %bufferat
{load("data", "buffer", DATA)}  %placeat = getelementptr ptr, ptr %table, i64 %k
  store ptr %data, ptr %placeat
  %k1 = add i64 %k, 1
  br label %input
call:
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
{error("memory", RESOURCE_EXHAUSTED)}"""
    return frame.handler(ATTRIBUTES, room, body, text("memory", "no memory for the intermediate values of a batch"))
