"""One piece of a program as a function of LLVM IR.

    vector piece_k(ptr base_0, ..., ptr scratch, i64 count)
runs the piece for `count` tiles and returns a vector that is not a number where a result is not finite. One sample (width 1) is
a tile of one row.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import program as ops
from ..program import Program, operands
from ..segment import Segment, angle, delivered
from .choices import emit_guard, emit_less, emit_select, emit_sign
from .emitter import Emitter
from .functions import emit_exp, emit_log, emit_sqrt, emit_tanh
from .transpose import load_columns, store_rows
from .trigonometry import emit_sincos

# a product may be fused into a sum; nothing else is rearranged
_ARITHMETIC = {ops.ADD: "fadd contract", ops.SUB: "fsub contract", ops.MUL: "fmul contract", ops.DIV: "fdiv", ops.NEG: "fneg"}
_FUNCTIONS: dict[str, Callable[..., str]] = {ops.SQRT: emit_sqrt, ops.EXP: emit_exp, ops.LOG: emit_log, ops.TANH: emit_tanh}
_FUNCTIONS |= {ops.SIGN: emit_sign, ops.GUARD: emit_guard, ops.LESS: emit_less, ops.SELECT: emit_select}
_NEAR = 20  # lines of code for which a loaded value is kept
_SUMS = 4  # sums of results side by side, so that an addition need not wait for the last one


class Piece:
    """Writes the function of one piece."""

    def __init__(self, program: Program, segment: Segment, number: int, slots: int, e: Emitter, shown: set[int]) -> None:
        self.program, self.segment, self.number, self.slots = program, segment, number, slots
        self.ports = [*program.inputs, *program.outputs]
        self.e, self.shown, width = e, shown, e.width
        self.columns: dict[tuple[int, int], str] = {}
        self.names: dict[int, str] = {}
        self.loaded: dict[int, int] = {}  # lines at which values of earlier pieces were loaded
        self.kept = {x for k in delivered(program, width) for x in program.results[k]}
        self.sums: list[str] = []
        self.summed: set[str] = set()
        # groups of results by the position that completes them
        self.due: dict[int, list[tuple[int, int]]] = {}
        for output, first in segment.outputs:
            entries = program.results[output][first : first + width]
            self.due.setdefault(max(entries), []).append((output, first))

    def text(self, watched: list[tuple[int, int]]) -> str:
        """Return the function; `watched` are inputs to be checked here because no result shows whether they are finite."""
        e, width = self.e, self.e.width
        offsets = [e.value(f"mul i64 %t, {port.size * width}") for port in self.ports]
        self.here = [e.value(f"getelementptr double, ptr %base{k}, i64 {offset}") for k, offset in enumerate(offsets)]
        self.scratch = e.value(f"getelementptr double, ptr %scratch, i64 {e.value(f'mul i64 %t, {self.slots * width}')}")
        self._instructions()
        self._leaves()
        self._results([group for groups in self.due.values() for group in groups])  # complete before this piece, or constant
        for entry in watched:
            self._check(self._input(*entry))
        bad = "%bad"
        for x in self.sums:
            bad = e.fma(x, e.constant(0.0), bad)
        parameters = ", ".join([*(f"ptr %base{k}" for k in range(len(self.ports))), "ptr %scratch", "i64 %count"])
        # aligned: a value that waits on the stack lies in one line of the cache
        head = f"""define internal {e.vector} @piece{self.number}({parameters}) noinline alignstack(64) {{
entry:
  br label %tile
tile:
  %t = phi i64 [0, %entry], [%next, %tile]
  %bad = phi {e.vector} [{e.constant(0.0)}, %entry], [{bad}, %tile]
"""
        tail = f"""
  %next = add i64 %t, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %tile, label %done
done:
  ret {e.vector} {bad}
}}
"""
        return head + "\n".join(e.lines) + tail

    def _leaves(self) -> None:
        """Store constants and inputs that are results with long rows."""
        for position, slot in self.segment.stores.items():
            if (op := self.program.code[position][0]) in ops.LEAVES:
                self.e.line(f"store {self.e.vector} {self._name(position)}, ptr {self._slot(slot)}, align 8")
                if op != ops.CONST and position not in self.shown:
                    self._check(self._name(position))

    def _instructions(self) -> None:
        e, code, v = self.e, self.program.code, self.e.vector
        trigonometric: dict[int, tuple[str, str]] = {}
        for position in range(self.segment.start, self.segment.stop):
            op, a = code[position][:2]
            if op in ops.LEAVES:
                continue  # taken where they are used
            if op in (ops.SIN, ops.COS):
                if a not in trigonometric:
                    x, shift = angle(self.program, position)
                    trigonometric[int(a)] = emit_sincos(e, self._name(x), shift)
                name = trigonometric[int(a)][op == ops.COS]
            else:
                used = [self._name(x) for x in operands(code[position])]
                name = _FUNCTIONS[op](e, *used) if op in _FUNCTIONS else e.value(f"{_ARITHMETIC[op]} {v} {', '.join(used)}")
            self.names[position] = name
            if position in self.segment.stores:
                e.line(f"store {v} {name}, ptr {self._slot(self.segment.stores[position])}, align 8")
            # at once, while the values are in registers
            self._results(self.due.pop(position, []))
            if position in self.segment.stores and position in self.kept and position not in self.shown:
                self._check(name)

    def _name(self, position: int) -> str:
        """Return the value computed at a position: here, in an earlier piece, or a constant or input."""
        if len(self.e.lines) - self.loaded.get(position, len(self.e.lines)) > _NEAR:
            del self.names[position]  # load it again: that is cheaper than keeping it in a register, or on the stack
        if position not in self.names:
            op, a, b = self.program.code[position][:3]
            if op == ops.CONST:
                self.names[position] = self.e.constant(float(a))
            elif op == ops.INPUT:
                self.names[position] = self._input(int(a), int(b or 0))
            else:
                at = self._slot(self.segment.loads[position])
                self.loaded[position] = len(self.e.lines)
                self.names[position] = self.e.value(f"load {self.e.vector}, ptr {at}, align 8")
        return self.names[position]

    def _slot(self, slot: int) -> str:
        return self.e.value(f"getelementptr double, ptr {self.scratch}, i64 {slot * self.e.width}")

    def _input(self, argument: int, entry: int) -> str:
        if (argument, entry) not in self.columns:
            start = entry - entry % self.e.width
            for k, x in enumerate(load_columns(self.e, self.here[argument], self.ports[argument].size, start)):
                self.columns[argument, start + k] = x
        return self.columns[argument, entry]

    def _results(self, groups: list[tuple[int, int]]) -> None:
        """Write groups of results that are complete."""
        by_output: dict[int, dict[int, list[str]]] = {}
        for output, first in groups:
            entries = self.program.results[output][first : first + self.e.width]
            by_output.setdefault(output, {})[first] = [self._name(x) for x in entries]
            for x in entries:
                if self.program.code[x][0] != ops.CONST and x not in self.shown:
                    self._check(self._name(x))
        for output, columns in by_output.items():
            store_rows(self.e, self.here[len(self.program.inputs) + output], len(self.program.results[output]), columns)

    def _check(self, x: str) -> None:
        """Add a value to the sums that show at the end whether one was not finite: no sum comes back from infinity.

        Finite values may add up to infinity, if they are near the largest numbers there are; the caller then finds nothing wrong.
        """
        if x in self.summed:
            return
        self.summed.add(x)
        if len(self.sums) == _SUMS:
            x = self.e.value(f"fadd {self.e.vector} {self.sums.pop(0)}, {x}")
        self.sums.append(x)
