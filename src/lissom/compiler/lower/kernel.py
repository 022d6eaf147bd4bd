"""Kernel: the functions that a program becomes.

    i64 one(ptr arguments)              one sample; `arguments` points to the addresses of inputs, then outputs
    i64 batch(ptr arguments, i64 n)     n samples, arrays (n, size) without gaps, in tiles of `width` rows
Both return 0, or 1 if any result (or an input that no result shows) is not finite: the caller then finds out why; 2 says that
there is no memory for the scratch.
"""

from __future__ import annotations

from ..program import CONST, INPUT, SIGN, Program
from ..segment import cut
from .emitter import Emitter, declarations
from .segment import Piece

_STACK = 2**18  # bytes of scratch that may lie on the stack
_TILES = 16  # tiles that a piece of several runs over in turn
_SCRATCH = 2**18  # bytes of scratch that are worth keeping in the cache


def kernel_ir(program: Program, width: int) -> str:
    """Return LLVM IR of `one` (width 1) or of `batch`."""
    segments, slots = cut(program, width)
    text = declarations(width)
    watched = unwatched_inputs(program)
    for k, segment in enumerate(segments):
        text += Piece(program, segment, k, slots, width).text(watched if k == 0 else [])
    if width == 1:
        return text + _one(program, len(segments), slots)
    in_turn = max(2, min(_TILES, _SCRATCH // max(slots * width * 8, 1)))
    return text + _spread(width) + _batch(program, width, len(segments), slots, in_turn)


def unwatched_inputs(program: Program) -> list[tuple[int, int]]:
    """Return the inputs whose NaN would reach no result: unused ones, and those used only through a sign."""
    seen = {k for entries in program.results for k in entries}
    for k in reversed(range(len(program.code))):
        op, a, b = program.code[k]
        if k in seen and op not in (CONST, INPUT, SIGN):
            seen.update((int(a), int(b)) if b is not None else (int(a),))
    shown = {(int(a), int(b or 0)) for k, (op, a, b) in enumerate(program.code) if op == INPUT and k in seen}
    return [(i, k) for i, port in enumerate(program.inputs) for k in range(port.size) if (i, k) not in shown]


def _pointers(count: int) -> str:
    at = [f"  %p{k}a = getelementptr ptr, ptr %arguments, i64 {k}\n" for k in range(count)]
    return "".join(f"{where}  %p{k} = load ptr, ptr %p{k}a\n" for k, where in enumerate(at))


def _scratch(size: int) -> tuple[str, str, str]:
    """Return how to get `size` bytes of scratch, how to give them back, and the declarations that takes."""
    if size <= _STACK:
        return f"  %scratch = alloca i8, i64 {max(size, 8)}, align 64\n  br label %ready\n", "", ""
    get = f"""  %scratch = call ptr @malloc(i64 {size})
  %nomemory = icmp eq ptr %scratch, null
  br i1 %nomemory, label %refuse, label %ready
refuse:
  ret i64 2
"""
    return get, "  call void @free(ptr %scratch)\n", "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"


def _calls(e: Emitter, ports: str, pieces: int, first: str, count: str, bad: str, prefix: str) -> tuple[str, str]:
    """Return calls of all pieces in turn, and the name of the sum of what they return."""
    text = ""
    for k in range(pieces):
        text += f"  %{prefix}r{k} = call {e.vector} @piece{k}({ports}, ptr %scratch, i64 {first}, i64 {count})\n"
        text += f"  %{prefix}b{k} = fadd {e.vector} {bad}, %{prefix}r{k}\n"
        bad = f"%{prefix}b{k}"
    return text, bad


def _one(program: Program, pieces: int, slots: int) -> str:
    e = Emitter(1)
    count = len(program.inputs) + len(program.outputs)
    get, give, declared = _scratch(slots * 8)
    calls, bad = _calls(e, ", ".join(f"ptr %p{k}" for k in range(count)), pieces, "0", "1", "0.0", "one")
    return f"""{declared}define i64 @one(ptr %arguments) {{
entry:
{_pointers(count)}{get}ready:
{calls}{give}  %nan = fcmp uno double {bad}, {bad}
  %flag = zext i1 %nan to i64
  ret i64 %flag
}}
"""


def _spread(width: int) -> str:
    """Copy rows into a tile, filling it up with copies of the last."""
    return f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @spread(ptr %to, ptr %from, i64 %bytes, i64 %rows) noinline {{
entry:
  %last = sub i64 %rows, 1
  br label %row
row:
  %r = phi i64 [0, %entry], [%next, %row]
  %past = icmp sgt i64 %r, %last
  %source = select i1 %past, i64 %last, i64 %r
  %so = mul i64 %source, %bytes
  %do = mul i64 %r, %bytes
  %s = getelementptr i8, ptr %from, i64 %so
  %d = getelementptr i8, ptr %to, i64 %do
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %bytes, i1 false)
  %next = add i64 %r, 1
  %more = icmp slt i64 %next, {width}
  br i1 %more, label %row, label %done
done:
  ret void
}}
"""


def _batch(program: Program, width: int, pieces: int, slots: int, in_turn: int) -> str:
    """Run the full tiles in place, some at a time; put the rows that are left into a tile on the stack."""
    ports, n_in = [*program.inputs, *program.outputs], len(program.inputs)
    e = Emitter(width)
    v = e.vector
    buffers = "".join(f"  %b{k} = alloca [{max(p.size, 1) * width} x double], align 64\n" for k, p in enumerate(ports))
    fill = take = ""
    for k, p in enumerate(ports):
        rows = f"  %o{k} = mul i64 %done, {p.size}\n  %s{k} = getelementptr double, ptr %p{k}, i64 %o{k}\n"
        if k < n_in:
            fill += rows + f"  call void @spread(ptr %b{k}, ptr %s{k}, i64 {p.size * 8}, i64 %left)\n"
        else:
            take += rows + f"  %z{k} = mul i64 %left, {p.size * 8}\n"
            take += f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{k}, ptr %b{k}, i64 %z{k}, i1 false)\n"
    get, give, declared = _scratch(slots * width * 8 * in_turn)
    in_place, on_stack = (", ".join(f"ptr %{c}{k}" for k in range(len(ports))) for c in "pb")
    whole, bad_whole = _calls(e, in_place, pieces, "%first", "%count", "%bad0", "w")
    rest, bad_rest = _calls(e, on_stack, pieces, "0", "1", e.constant(0.0), "t")
    # a single piece keeps nothing, so it may run over all tiles at once
    step = "%full" if pieces == 1 else str(in_turn)
    return f"""{declared}define i64 @batch(ptr %arguments, i64 %n) {{
entry:
{_pointers(len(ports))}{buffers}{get}ready:
  %full = sdiv i64 %n, {width}
  %done = mul i64 %full, {width}
  %left = sub i64 %n, %done
  %any = icmp sgt i64 %full, 0
  br i1 %any, label %block, label %rest
block:
  %first = phi i64 [0, %ready], [%after, %block]
  %bad0 = phi {v} [{e.constant(0.0)}, %ready], [{bad_whole}, %block]
  %after = add i64 %first, {step}
  %remaining = sub i64 %full, %first
  %short = icmp slt i64 %remaining, {step}
  %count = select i1 %short, i64 %remaining, i64 {step}
{whole}  %more = icmp slt i64 %after, %full
  br i1 %more, label %block, label %rest
rest:
  %bad1 = phi {v} [{e.constant(0.0)}, %ready], [{bad_whole}, %block]
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %tail, label %end
tail:
{fill}{rest}{take}  br label %end
end:
  %bad2 = phi {v} [{e.constant(0.0)}, %rest], [{bad_rest}, %tail]
  %bad = fadd {v} %bad1, %bad2
{give}  %nan = fcmp uno {v} %bad, %bad
  %bits = bitcast <{width} x i1> %nan to i{width}
  %isbad = icmp ne i{width} %bits, 0
  %flag = zext i1 %isbad to i64
  ret i64 %flag
}}
"""
