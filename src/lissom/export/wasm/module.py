"""Module: programs of a robot as one WebAssembly module, made by LLVM from the IR that machine code comes from.

    i32 NAME(ptr input, ..., ptr output, ...)                  one sample
    i32 NAME_batch(i32 n, ptr input, ..., ptr output, ...)     n samples, rows without gaps
    ptr alloc(i32 bytes)                                       memory for arrays of doubles, from `memory`; it is never given back
Arguments are addresses in `memory`. The functions return 0; 1 if a result (or an input that no result shows) is not finite; 2 if
memory cannot grow. The module imports nothing and serves one thread; several instances are independent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...compiler.jit import cross_compile
from ...compiler.lower.kernel import kernel_ir
from ...compiler.program import Program
from .binary import PAGE, standalone

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
SIMD = "+simd128"  # two doubles at once

STACK = 16 * PAGE  # address from which the stack grows down; data lie below it, at the bottom
_PAGES = 24
_FREE = 17 * PAGE  # address of the first array

# memory goes up; what is given back last in, first out, as the kernels do, is used again
_MEMORY = f"""@free_at = internal global i32 {_FREE}
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
define ptr @malloc(i64 %bytes) noinline {{
entry:
  %start = load i32, ptr @free_at
  %size = trunc i64 %bytes to i32
  %up = add i32 %size, 63
  %whole = and i32 %up, -64
  %end = add i32 %start, %whole
  %over = icmp ult i32 %end, %start
  br i1 %over, label %refuse, label %fits
fits:
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %last = sub i32 %end, 1
  %lastpage = lshr i32 %last, 16
  %needed = add i32 %lastpage, 1
  %more = icmp ugt i32 %needed, %pages
  br i1 %more, label %grow, label %done
grow:
  %missing = sub i32 %needed, %pages
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %missing)
  %failed = icmp eq i32 %before, -1
  br i1 %failed, label %refuse, label %done
done:
  store i32 %end, ptr @free_at
  %found = inttoptr i32 %start to ptr
  ret ptr %found
refuse:
  ret ptr null
}}
define void @free(ptr %p) noinline {{
entry:
  %at = ptrtoint ptr %p to i32
  %top = load i32, ptr @free_at
  %below = icmp ult i32 %at, %top
  %some = icmp ne i32 %at, 0
  %both = and i1 %below, %some
  br i1 %both, label %back, label %done
back:
  store i32 %at, ptr @free_at
  br label %done
done:
  ret void
}}
define ptr @alloc(i32 %bytes) {{
  %wide = zext i32 %bytes to i64
  %p = call ptr @malloc(i64 %wide)
  ret ptr %p
}}
"""


def wasm_module(programs: Mapping[str, Program], *, simd: bool = True) -> bytes:
    """Return the module with a function for each program, by name.

    Args:
        programs: by the names of their functions.
        simd: whether batches use vectors of two doubles, which every browser since 2023 has.

    Raises:
        CompilerError: this llvmlite makes no WebAssembly code.
    """
    texts, exported = [_MEMORY], ["alloc"]
    for name, program in programs.items():
        texts += _function(name, program, simd)
        exported += [name, f"{name}_batch"]
    obj = cross_compile(texts, TRIPLE, f"{FEATURES},{SIMD}" if simd else FEATURES)
    return standalone(obj, exported, _PAGES, STACK)


def _function(name: str, program: Program, simd: bool) -> list[str]:
    """Return modules in LLVM IR: the kernel of one sample, of a batch, and the functions that are exported."""
    inner = f"{name}.one", f"{name}.many"  # no function of a robot has a dot in its name
    texts = [_renamed(kernel_ir(program, 1, fused=False), "one", inner[0])]
    if simd:
        texts.append(_renamed(kernel_ir(program, 2, fused=False), "batch", inner[1]))
    sizes = [port.size for port in (*program.inputs, *program.outputs)]
    return [*texts, _exported(name, inner, sizes, simd)]


def _renamed(ir: str, old: str, new: str) -> str:
    return re.sub(rf"@{old}\b(?=\()", f'@"{new}"', ir)


def _exported(name: str, inner: tuple[str, str], sizes: list[int], simd: bool) -> str:
    arguments = ", ".join(f"ptr %p{k}" for k in range(len(sizes)))
    put = "".join(f"  %s{k} = getelementptr ptr, ptr %all, i32 {k}\n  store ptr %p{k}, ptr %s{k}\n" for k in range(len(sizes)))
    head = f"  %all = alloca [{len(sizes)} x ptr]\n{put}"
    one = f"""declare i64 @"{inner[0]}"(ptr)
define i32 @"{name}"({arguments}) {{
{head}  %bad = call i64 @"{inner[0]}"(ptr %all)
  %flag = trunc i64 %bad to i32
  ret i32 %flag
}}
"""
    if simd:
        return f"""{one}declare i64 @"{inner[1]}"(ptr, i64)
define i32 @"{name}_batch"(i32 %n, {arguments}) {{
{head}  %rows = sext i32 %n to i64
  %bad = call i64 @"{inner[1]}"(ptr %all, i64 %rows)
  %flag = trunc i64 %bad to i32
  ret i32 %flag
}}
"""
    step = "".join(
        f"  %o{k} = mul i32 %i, {size}\n  %r{k} = getelementptr double, ptr %p{k}, i32 %o{k}\n  store ptr %r{k}, ptr %s{k}\n"
        for k, size in enumerate(sizes)
    )
    return f"""{one}define i32 @"{name}_batch"(i32 %n, {arguments}) {{
entry:
{head}  %any = icmp sgt i32 %n, 0
  br i1 %any, label %row, label %done
row:
  %i = phi i32 [0, %entry], [%next, %row]
  %worst = phi i64 [0, %entry], [%all_bad, %row]
{step}  %bad = call i64 @"{inner[0]}"(ptr %all)
  %all_bad = or i64 %worst, %bad
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %row, label %done
done:
  %found = phi i64 [0, %entry], [%all_bad, %row]
  %flag = trunc i64 %found to i32
  ret i32 %flag
}}
"""
