"""Card handler: the function that XLA's programs call on NVIDIA cards, made by LLVM; it launches the kernel of an operation.

It reads the stream and the number of the card from the frame, and calls the driver. Its attributes beside those of `frame.py` are
    block, shared    threads of a block, and its shared memory in bytes
    flag             address of the word that tells of numbers that are not finite
    functions        address of a table of the kernel's handles, one for each card
    launch           address of cuLaunchKernel
"""

from __future__ import annotations

import ctypes
from typing import Any

from ..compiler.cuda.backend import CUDA, Prepared
from ..compiler.cuda.device import Device, Flag
from ..compiler.cuda.driver import open_driver
from ..compiler.cuda.layout import ROWS
from ..locks import once
from ..operations import Operation
from . import frame
from .frame import API, CONTEXT, DATA, INTERNAL, MOST, PROCESS, error, load, text
from .handler import register_on

TARGET = "lissom_launch"
ATTRIBUTES = ("block", "flag", "functions", "launch", "process", "shared")
_STREAM, _ORDINAL = 80, 184  # functions of the interface


@once
def register() -> None:
    """Make the handler and tell JAX of it."""
    register_on("CUDA", TARGET, ir())


@once
def attributes(operation: Operation) -> dict[str, int]:
    """Return the attributes of a call, with the kernel loaded on every card; it lives as long as the process."""
    driver = open_driver()
    cards = [CUDA("double", k) for k in range(driver.integer("cuDeviceGetCount"))]
    layouts = [ROWS] * (len(operation.task.inputs) + 1)
    made = [Prepared(card, operation.robot.model, operation.task).module(layouts) for card in cards]
    table = (ctypes.c_void_p * len(made))(*(module.function.value for module in made))
    launch = ctypes.cast(driver.library.cuLaunchKernel, ctypes.c_void_p).value or 0
    flag = _flag(cards[0].card())
    _alive.append((made, table))
    found = {"flag": flag.pointer, "functions": ctypes.addressof(table), "launch": launch, "process": PROCESS}
    return {**found, "block": made[0].kernel.block, "shared": made[0].kernel.shared}


_alive: list[Any] = []


@once
def _flag(card: Device) -> Flag:
    return Flag(card)


def ir() -> str:
    """Return the handler in LLVM's language.

    What the driver takes is a table of places of values: address and 0 of every buffer, the number of samples, the flag.
    """
    room = "".join(
        f"  %{name} = alloca [{count} x i8], align 8\n" for name, count in (("asked", 40), ("which", 40), ("values", 16 * MOST))
    )
    room += f"  %places = alloca [{2 * MOST} x ptr], align 8\n"
    body = f"""  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %nothing, label %input
input:
  %k = phi i64 [0, %run], [%k1, %put]
  %isinput = icmp slt i64 %k, %inputs
  br i1 %isinput, label %argument, label %isout
isout:
  %isresult = icmp eq i64 %k, %inputs
  br i1 %isresult, label %put, label %rest
argument:
  %bufferat = getelementptr ptr, ptr %arguments, i64 %k
  %buffer = load ptr, ptr %bufferat
{load("data", "buffer", DATA)}  br label %put
put:
  %address = phi ptr [%data, %argument], [%outdata, %isout]
  %even = mul i64 %k, 2
  %odd = add i64 %even, 1
  %addressat = getelementptr i64, ptr %values, i64 %even
  store ptr %address, ptr %addressat
  %stepat = getelementptr i64, ptr %values, i64 %odd
  store i64 0, ptr %stepat
  %place0 = getelementptr ptr, ptr %places, i64 %even
  store ptr %addressat, ptr %place0
  %place1 = getelementptr ptr, ptr %places, i64 %odd
  store ptr %stepat, ptr %place1
  %k1 = add i64 %k, 1
  br label %input
rest:
  %end = mul i64 %k, 2
  %end1 = add i64 %end, 1
  %countat = getelementptr i64, ptr %values, i64 %end
  store i64 %n, ptr %countat
  %flagat_ = getelementptr i64, ptr %values, i64 %end1
  store i64 %flag, ptr %flagat_
  %place2 = getelementptr ptr, ptr %places, i64 %end
  store ptr %countat, ptr %place2
  %place3 = getelementptr ptr, ptr %places, i64 %end1
  store ptr %flagat_, ptr %place3
{load("api", "frame", API)}{load("context", "frame", CONTEXT)}{load("getstream", "api", _STREAM)}
{load("size", "api", 0, "i64")}{_ask("stream", "asked", 32, "card")}\
{load("stream", "asked", 24)}  %knows = icmp ugt i64 %size, {_ORDINAL}
  br i1 %knows, label %ask, label %launch_
ask:
{load("getordinal", "api", _ORDINAL)}{_ask("ordinal", "which", 28, "ordinal")}\
{load("found", "which", 24, "i32")}  br label %launch_
launch_:
  %number = phi i32 [0, %card], [%found, %ordinal]
  %functions_ = inttoptr i64 %functions to ptr
  %functionat = getelementptr ptr, ptr %functions_, i32 %number
  %function = load ptr, ptr %functionat
  %before = add i64 %n, %block
  %more1 = sub i64 %before, 1
  %blocks = udiv i64 %more1, %block
  %grid = trunc i64 %blocks to i32
  %threads = trunc i64 %block to i32
  %bytes = trunc i64 %shared to i32
  %driver = inttoptr i64 %launch to ptr
  %failed = call i32 %driver(ptr %function, i32 %grid, i32 1, i32 1, i32 %threads, i32 1, i32 1, i32 %bytes,
    ptr %stream, ptr %places, ptr null)
  %wrong = icmp ne i32 %failed, 0
  br i1 %wrong, label %refused_, label %nothing
refused_:
{error("refused", INTERNAL)}"""
    return frame.handler(ATTRIBUTES, room, body, text("refused", "the driver of the card refused to launch a kernel of lissom"))


def _ask(what: str, room: str, size: int, then: str) -> str:
    """Return the call of %get`what` of the interface with its `size` bytes in %`room`; a failure ends the handler."""
    return f"""  store i64 {size}, ptr %{room}
  %{room}extension = getelementptr i8, ptr %{room}, i64 8
  store ptr null, ptr %{room}extension
  %{room}context = getelementptr i8, ptr %{room}, i64 16
  store ptr %context, ptr %{room}context
  %{what}problem = call ptr %get{what}(ptr %{room})
  %{what}fails = icmp ne ptr %{what}problem, null
  br i1 %{what}fails, label %{what}failed, label %{then}
{what}failed:
  ret ptr %{what}problem
{then}:
"""
