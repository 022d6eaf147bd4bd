"""Kernel: the functions that a program becomes.

    i64 one(ptr arguments)              one sample; `arguments` points to the addresses of inputs, then outputs
    i64 batch(ptr arguments, i64 n)     n samples, arrays (n, size) without gaps, in tiles of `width` rows
Both return 0, or 1 if any result (or an input that no result shows) is not finite: the caller then finds out why.
"""

from __future__ import annotations

from ..program import ADD, BINARY, CONST, COS, DIV, INPUT, MUL, NEG, SIGN, SIN, SUB, Program
from .emitter import Emitter, declarations
from .transpose import load_columns, store_columns
from .trigonometry import emit_sincos

# a product may be fused into a sum; nothing else is rearranged
_ARITHMETIC = {ADD: "fadd contract", SUB: "fsub contract", MUL: "fmul contract", DIV: "fdiv"}


def kernel_ir(program: Program, width: int) -> str:
    """Return LLVM IR of `one` (width 1) or of `batch`."""
    return declarations(width) + (_one(program) if width == 1 else _batch(program, width))


def _one(program: Program) -> str:
    e = Emitter(1)
    pointers = _pointers(e, program)

    def load(argument: int, entry: int) -> str:
        return e.value(f"load double, ptr {e.value(f'getelementptr double, ptr {pointers[argument]}, i64 {entry}')}, align 8")

    results, bad = _body(e, program, load, "0.0")
    for port, values in enumerate(results):
        for k, x in enumerate(values):
            at = e.value(f"getelementptr double, ptr {pointers[len(program.inputs) + port]}, i64 {k}")
            e.line(f"store double {x}, ptr {at}, align 8")
    flag = e.value(f"zext i1 {e.value(f'fcmp uno double {bad}, {bad}')} to i64")
    return "define i64 @one(ptr %arguments) {\n" + "\n".join(e.lines) + f"\n  ret i64 {flag}\n}}\n"


def _pointers(e: Emitter, program: Program) -> list[str]:
    names = []
    for k in range(len(program.inputs) + len(program.outputs)):
        names.append(e.value(f"load ptr, ptr {e.value(f'getelementptr ptr, ptr %arguments, i64 {k}')}, align 8"))
    return names


def _body(e: Emitter, program: Program, load: object, bad: str) -> tuple[list[list[str]], str]:
    """Append every instruction; return the names of the results and of the sum that is not a number if one of them is not."""
    v = e.vector
    names: list[str] = []
    trigonometric: dict[int, tuple[str, str]] = {}
    for op, a, b in program.code:
        if op == CONST:
            names.append(e.constant(float(a)))
        elif op == INPUT:
            names.append(load(a, b))  # type: ignore[operator]
        elif op in BINARY:
            names.append(e.value(f"{_ARITHMETIC[op]} {v} {names[int(a)]}, {names[int(b or 0)]}"))
        elif op == NEG:
            names.append(e.value(f"fneg {v} {names[int(a)]}"))
        elif op in (SIN, COS):
            if a not in trigonometric:
                trigonometric[int(a)] = emit_sincos(e, names[int(a)])
            names.append(trigonometric[int(a)][op == COS])
        elif op == SIGN:
            names.append(_emit_sign(e, names[int(a)]))
    results = [[names[k] for k in entries] for entries in program.results]
    watched = [x for values in results for x in values] + [load(i, k) for i, k in unwatched_inputs(program)]  # type: ignore[operator]
    for x in watched:
        bad = e.fma(x, e.constant(0.0), bad)
    return results, bad


def _emit_sign(e: Emitter, x: str) -> str:
    v, zero = e.vector, e.constant(0.0)
    above, below = e.value(f"fcmp ogt {v} {x}, {zero}"), e.value(f"fcmp olt {v} {x}, {zero}")
    plus = e.value(f"select {e.mask} {above}, {v} {e.constant(1.0)}, {v} {zero}")
    return e.value(f"select {e.mask} {below}, {v} {e.constant(-1.0)}, {v} {plus}")


def unwatched_inputs(program: Program) -> list[tuple[int, int]]:
    """Return the inputs whose NaN would reach no result: unused ones, and those used only through a sign."""
    seen = {k for entries in program.results for k in entries}
    for k in reversed(range(len(program.code))):
        op, a, b = program.code[k]
        if k in seen and op not in (CONST, INPUT, SIGN):
            seen.update((int(a), int(b)) if b is not None else (int(a),))
    shown = {(int(a), int(b or 0)) for k, (op, a, b) in enumerate(program.code) if op == INPUT and k in seen}
    return [(i, k) for i, port in enumerate(program.inputs) for k in range(port.size) if (i, k) not in shown]


def _batch(program: Program, width: int) -> str:
    ports = [*program.inputs, *program.outputs]
    parameters = "".join(f"ptr %base{k}, " for k in range(len(ports)))
    e = Emitter(width)
    v = e.vector
    done = [e.value(f"mul i64 %t, {port.size * width}") for port in ports]
    here = [e.value(f"getelementptr double, ptr %base{k}, i64 {offset}") for k, offset in enumerate(done)]
    columns: dict[tuple[int, int], str] = {}

    def load(argument: int, entry: int) -> str:
        if (argument, entry) not in columns:
            start = entry - entry % width
            for k, x in enumerate(load_columns(e, here[argument], ports[argument].size, start)):
                columns[argument, start + k] = x
        return columns[argument, entry]

    results, bad = _body(e, program, load, "%bad")
    for k, values in enumerate(results):
        store_columns(e, here[len(program.inputs) + k], values)
    tiles = f"""define internal {v} @tiles({parameters}i64 %count) noinline {{
entry:
  br label %tile
tile:
  %t = phi i64 [0, %entry], [%next, %tile]
  %bad = phi {v} [zeroinitializer, %entry], [{bad}, %tile]
""" + "\n".join(e.lines)
    tiles += f"""
  %next = add i64 %t, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %tile, label %done
done:
  ret {v} {bad}
}}
"""
    return tiles + _driver(program, width)


def _driver(program: Program, width: int) -> str:
    """Run the full tiles in place; put the rows that are left into a tile on the stack, filled up with copies of the last."""
    ports, n_in = [*program.inputs, *program.outputs], len(program.inputs)
    v = Emitter(width).vector
    at = [f"  %p{k}a = getelementptr ptr, ptr %arguments, i64 {k}\n" for k in range(len(ports))]
    pointers = "".join(f"{where}  %p{k} = load ptr, ptr %p{k}a\n" for k, where in enumerate(at))
    buffers = "".join(f"  %b{k} = alloca [{p.size * width} x double], align 64\n" for k, p in enumerate(ports))
    fill = take = ""
    for k, p in enumerate(ports):
        rows = f"  %o{k} = mul i64 %first, {p.size}\n  %s{k} = getelementptr double, ptr %p{k}, i64 %o{k}\n"
        if k < n_in:
            fill += rows + f"  call void @spread(ptr %b{k}, ptr %s{k}, i64 {p.size * 8}, i64 %left)\n"
        else:
            take += rows + f"  %z{k} = mul i64 %left, {p.size * 8}\n"
            take += f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{k}, ptr %b{k}, i64 %z{k}, i1 false)\n"
    in_place = ", ".join(f"ptr %p{k}" for k in range(len(ports)))
    on_stack = ", ".join(f"ptr %b{k}" for k in range(len(ports)))
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
define i64 @batch(ptr %arguments, i64 %n) {{
entry:
{pointers}{buffers}  %full = sdiv i64 %n, {width}
  %first = mul i64 %full, {width}
  %left = sub i64 %n, %first
  %any = icmp sgt i64 %full, 0
  br i1 %any, label %whole, label %rest
whole:
  %bad0 = call {v} @tiles({in_place}, i64 %full)
  br label %rest
rest:
  %bad1 = phi {v} [zeroinitializer, %entry], [%bad0, %whole]
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %tail, label %end
tail:
{fill}  %bad2 = call {v} @tiles({on_stack}, i64 1)
{take}  br label %end
end:
  %bad3 = phi {v} [zeroinitializer, %rest], [%bad2, %tail]
  %bad = fadd {v} %bad1, %bad3
  %nan = fcmp uno {v} %bad, %bad
  %bits = bitcast <{width} x i1> %nan to i{width}
  %isbad = icmp ne i{width} %bits, 0
  %flag = zext i1 %isbad to i64
  ret i64 %flag
}}
"""
