"""Kernel: the functions that a program becomes.

    i64 one(ptr arguments)              one sample; `arguments` points to the addresses of inputs, then outputs
    i64 batch(ptr arguments, i64 n)     n samples, arrays (n, size) without gaps, in tiles of `width` rows
Both return 0, or 1 if any result (or an input that no result shows) is not finite: the caller then finds out why; 2 says that
there is no memory for the scratch.

Tiles are run in blocks of a few, so that what a block keeps in memory stays in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..program import ADD, COS, DIV, GUARD, INPUT, LOG, MUL, NEG, SIN, SQRT, SUB, Program, operands
from ..segment import cut, delivered, is_wide
from .deliver import Records
from .emitter import Emitter, declarations
from .memory import INTRINSICS, STREAM, scratch, spread
from .segment import Piece
from .stage import stage, wide_outputs, zero_outputs

_TILES = 16  # tiles in a block
_NEAR = 2**18  # bytes of scratch, or of long rows, that are worth keeping in the cache
_LONG = 30000  # instructions of a program whose code, about half a MiB, leaves the cache between two tiles; then it pays to run
_FAR = 2**23  # each piece over more tiles, and to fetch from a farther cache what so many bytes of their numbers hold
_SOON = 2**17  # bytes of scratch where results are delivered from it, worth keeping nearest,
_LATER = 2**22  # and in programs of more than twice _LONG
LARGE = 2**24  # bytes of a batch's long rows from which they pass the caches: about what the last cache leaves to one thread
# operations that are not finite where one of their first operands is not; 1 / inf, exp(-inf), tanh(inf) and sign(inf) are finite
_SHOWING = {ADD: 2, SUB: 2, MUL: 2, DIV: 1, NEG: 1, SIN: 1, COS: 1, GUARD: 1, SQRT: 1, LOG: 1}


def kernel_ir(program: Program, width: int, fused: bool = True) -> str:
    """Return LLVM IR of `one` (width 1) or of `batch`; `fused`: whether the machine has a fused multiply-add."""
    segments, slots = cut(program, width)
    text = declarations(width) + INTRINSICS
    watched, shown = unwatched_inputs(program), shown_results(program)
    for k, segment in enumerate(segments):
        text += Piece(program, segment, k, slots, Emitter(width, fused), shown).text(watched if k == 0 else [])
    if width == 1:
        return text + _one(program, len(segments), slots)
    records = Records(program, segments, width)
    return text + spread(width) + records.text() + _batch(program, width, records, slots)


def unwatched_inputs(program: Program) -> list[tuple[int, int]]:
    """Return the inputs that need not show in a result if they are NaN or infinite: unused ones, and those seen only through
    operations that may make a finite number of it.
    """
    seen = {k for entries in program.results for k in entries}
    for k in reversed(range(len(program.code))):
        op = program.code[k][0]
        if k in seen and op in _SHOWING:
            seen.update(operands(program.code[k])[: _SHOWING[op]])
    inputs = [instruction[1:3] for k, instruction in enumerate(program.code) if instruction[0] == INPUT and k in seen]
    shown = {(int(i), int(entry or 0)) for i, entry in inputs}
    return [(i, k) for i, port in enumerate(program.inputs) for k in range(port.size) if (i, k) not in shown]


def shown_results(program: Program) -> set[int]:
    """Return the results that another result depends on in such a way that it is not finite either if they are not."""
    found = {k for entries in program.results for k in entries}
    shown: set[int] = set()
    for k in reversed(range(len(program.code))):
        if k in found and program.code[k][0] in (ADD, SUB, MUL, NEG):
            shown.update(operands(program.code[k]))
            found.update(operands(program.code[k]))
    return shown


def _pointers(count: int) -> str:
    at = [f"  %p{k}a = getelementptr ptr, ptr %arguments, i64 {k}\n" for k in range(count)]
    return "".join(f"{where}  %p{k} = load ptr, ptr %p{k}a\n" for k, where in enumerate(at))


def _calls(e: Emitter, ports: str, after: Sequence[str], count: str, bad: str, prefix: str) -> tuple[str, str]:
    """Return calls of all pieces in turn, each with what is done after it, and the name of the sum of what they return."""
    text = ""
    for k, then in enumerate(after):
        text += f"  %{prefix}r{k} = call {e.vector} @piece{k}({ports}, ptr %scratch, i64 {count})\n"
        text += f"  %{prefix}b{k} = fadd {e.vector} {bad}, %{prefix}r{k}\n{then}"
        bad = f"%{prefix}b{k}"
    return text, bad


def _one(program: Program, pieces: int, slots: int) -> str:
    e = Emitter(1)
    count = len(program.inputs) + len(program.outputs)
    get, give, declared = scratch(slots * 8)
    calls, bad = _calls(e, ", ".join(f"ptr %p{k}" for k in range(count)), [""] * pieces, "1", "0.0", "one")
    return f"""{declared}define i64 @one(ptr %arguments) {{
entry:
{_pointers(count)}{get}ready:
{zero_outputs(program, 1, "p")}{calls}{give}  %nan = fcmp uno double {bad}, {bad}
  %flag = zext i1 %nan to i64
  ret i64 %flag
}}
"""


def _room(program: Program, width: int) -> int:
    """Return the bytes of numbers that a block of tiles may keep."""
    if delivered(program, width):
        return _LATER if len(program.code) > 2 * _LONG else _SOON
    return _FAR if len(program.code) > _LONG else _NEAR


def _batch(program: Program, width: int, records: Records, slots: int) -> str:
    """Run the full tiles in place, some at a time; put the rows that are left into a tile behind the scratch."""
    ports, n_in = [*program.inputs, *program.outputs], len(program.inputs)
    e = Emitter(width)
    v = e.vector
    long_rows = [port.size for port in program.outputs if is_wide(port)]
    kept = max(slots, 2 * sum(wide_outputs(program, width).values()))  # rows are written all over, so they get half the room
    in_turn = max(1, min(_TILES, _room(program, width) // max(kept * width * 8, 1)))
    fill = take = place = ""
    size = slots * width * in_turn
    for k, p in enumerate(ports):
        fill += f"  %b{k} = getelementptr double, ptr %scratch, i64 {size}\n"
        size += p.size * width
        place += f"  %o{k} = mul i64 %first, {p.size * width}\n  %a{k} = getelementptr double, ptr %p{k}, i64 %o{k}\n"
        rows = f"  %l{k} = mul i64 %done, {p.size}\n  %s{k} = getelementptr double, ptr %p{k}, i64 %l{k}\n"
        if k < n_in:
            fill += rows + f"  call void @spread(ptr %b{k}, ptr %s{k}, i64 {p.size * 8}, i64 %left)\n"
        else:
            take += rows + f"  %z{k} = mul i64 %left, {p.size * 8}\n"
            take += f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{k}, ptr %b{k}, i64 %z{k}, i1 false)\n"
    fill += zero_outputs(program, width, "b")
    get, give, declared = scratch(size * 8)
    long = stage(program, width, in_turn, give)
    in_place = ", ".join(f"ptr %{'w' if k in long.where else 'a'}{k}" for k in range(len(ports)))
    aside = ", ".join(f"ptr %b{k}" for k in range(len(ports)))
    after = [records.after(k, slots * width * 8, "%a", "%count", "%large") for k in range(len(records.calls))]
    whole, bad_whole = _calls(e, in_place, after, "%count", "%bad0", "w")
    after = [records.after(k, slots * width * 8, "%b", "1", "false") for k in range(len(records.calls))]
    rest, bad_rest = _calls(e, aside, after, "1", e.constant(0.0), "t")
    # a single piece that keeps nothing may run over all tiles at once
    step = "%full" if len(records.calls) == 1 and not slots and not long.where else str(in_turn)
    large = seen = ""
    if long_rows:
        large = f"  %large = icmp sgt i64 %n, {LARGE // (8 * sum(long_rows))}\n"
        seen = "  fence seq_cst\n"  # other threads must see what went past the caches
    return f"""{long.declared or declared}{STREAM if long_rows else ""}define i64 @batch(ptr %arguments, i64 %n) {{
entry:
{_pointers(len(ports))}{get}ready:
  %full = sdiv i64 %n, {width}
  %done = mul i64 %full, {width}
  %left = sub i64 %n, %done
{large}{long.get}  %any = icmp sgt i64 %full, 0
  br i1 %any, label %block, label %rest
block:
  %first = phi i64 [0, %start], [%after, %block]
  %bad0 = phi {v} [{e.constant(0.0)}, %start], [{bad_whole}, %block]
  %after = add i64 %first, {step}
  %remaining = sub i64 %full, %first
  %short = icmp slt i64 %remaining, {step}
  %count = select i1 %short, i64 %remaining, i64 {step}
{place}{long.place}{whole}{long.away}  %more = icmp slt i64 %after, %full
  br i1 %more, label %block, label %rest
rest:
  %bad1 = phi {v} [{e.constant(0.0)}, %start], [{bad_whole}, %block]
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %tail, label %end
tail:
{fill}{rest}{take}  br label %end
end:
  %bad2 = phi {v} [{e.constant(0.0)}, %rest], [{bad_rest}, %tail]
  %bad = fadd {v} %bad1, %bad2
{give}{long.give}{seen}  %nan = fcmp uno {v} %bad, %bad
  %bits = bitcast <{width} x i1> %nan to i{width}
  %isbad = icmp ne i{width} %bits, 0
  %flag = zext i1 %isbad to i64
  ret i64 %flag
}}
"""
