"""Kernel: a program as PTX, one thread a sample.

    .entry kernel(u64 p0, u32 s0, u64 p1, u32 s1, ..., u64 n, u64 flag)
p are the addresses of inputs, then outputs; s the bytes from one entry to the next where the layout is "columns"; n is the
number of samples. The word at `flag` becomes 1 if a result (or an input that no result shows) is not finite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..lower.kernel import shown_results, unwatched_inputs
from ..program import CONST, COS, SIN, Program
from ..segment import angle
from .arithmetic import EMIT
from .emitter import Emitter
from .layout import ROWS, Direct
from .order import best_order, most_alive, needs
from .stage import WARP, WIDTH, Stage, assign_buffers, find_pieces
from .tiers import COMPUTE, FETCH, FIXED, KEEP, LOAD, RESULT, Plan, Step, plan
from .trigonometry import emit_sincos

RESERVED = 1024  # bytes of shared memory that the driver keeps of each block


@dataclass(frozen=True)
class Shape:
    """Choices of a kernel that depend on the card and on measurements.

    Attributes:
        block: threads of a block, a multiple of 32.
        registers: values kept in registers where more than `fit` are alive at once, None for all; those of single precision
            take half the room.
        fit: values alive up to which the driver's compiler is left to place them.
        shared: bytes of shared memory that a block may use.
        rows_from: bytes of a row from which it is staged; see `stage.py`.
        width: doubles in a piece of a staged row, a power of two up to 16.
        buffers: pieces in shared memory at once, of each warp.
        few: values kept in registers where the others then fit into the shared memory of three blocks beside each other.
        resident: blocks that a processor should hold at once, which bounds the registers; 0 leaves that to the driver's compiler.
        warp: shared memory of a block of one warp, with `many` values in registers, taken where all others then fit there.
        many: values kept in registers then.
        beside_rows: values more in registers where rows are staged, in double precision: the nearest cache is larger then.
    """

    block: int = 128
    registers: int | None = 80
    fit: int = 124
    shared: int = 112 << 10
    rows_from: int = 128
    width: int = WIDTH
    buffers: int = 10
    few: int | None = 50
    resident: int = 0
    warp: int | None = 37_000
    many: int = 100
    beside_rows: int = 10


@dataclass(frozen=True)
class Kernel:
    """Text of a kernel, threads of a block, its shared memory in bytes, and samples of a block, 0 for one of every thread."""

    text: str
    block: int
    shared: int
    samples: int = 0

    @property
    def local(self) -> bool:
        """Whether values go to local memory by its own choice."""
        return ".local" in self.text

    def bounded(self, blocks: int) -> Kernel:
        """Return the same kernel with so few registers that a processor holds this many blocks at once."""
        threads = f".maxntid {self.block}, 1, 1"
        return replace(self, text=self.text.replace(threads, f"{threads} .minnctapersm {blocks}", 1))


def make_kernel(program: Program, layouts: Sequence[str], single: bool = False, shape: Shape | None = None) -> Kernel:
    """Return the kernel of a program for these layouts of its inputs and outputs, in single or double precision."""
    shape = shape or Shape()
    maker = Maker(program, tuple(layouts), single, shape)
    if maker.far and not single and shape.registers is not None and shape.warp is not None:
        most = shape.warp // (WARP * maker.e.size)
        if maker.plan.slots - (shape.many - shape.registers) <= most:
            own = replace(shape, block=WARP, shared=min(shape.warp, shape.shared), registers=shape.many, few=None, warp=None)
            other = Maker(program, tuple(layouts), single, own)
            maker = maker if other.far else other
    return maker.made()


class Maker:
    """Steps of a program as PTX."""

    def __init__(self, program: Program, layouts: tuple[str, ...], single: bool, shape: Shape) -> None:
        self.program, self.layouts, self.shape = program, layouts, shape
        self.e = Emitter(single)
        self.ports = (*program.inputs, *program.outputs)
        self.direct = Direct(self.e, self.ports, layouts)
        self.names: dict[int, str] = {}
        self.shown = shown_results(program)
        self.flagged: set[int] = set()
        self.bad = "%bad"
        self.need = need = needs(program)
        order = best_order(program, need)
        registers, room = shape.registers, 2 if single else 1
        if registers is not None and not single and any(map(self._is_long, range(len(layouts)))):
            registers += shape.beside_rows
        if registers is not None:
            registers = None if most_alive(order, need.operands) <= shape.fit * room else registers * room
        self.plan: Plan = plan(program, need, order, registers)
        self.resident = shape.resident
        self.stage = self._stage()
        if registers is not None and shape.few is not None and not (single or self.stage.used or shape.resident):
            other = plan(program, need, order, shape.few)
            if other.slots * shape.block * self.e.size <= 2 * (shape.shared + RESERVED) // 3 - RESERVED:
                self.plan, self.resident = other, 3
        staged = self.stage.shared_bytes(shape.block)
        self.in_shared = max(0, min(self.plan.slots, (shape.shared - staged) // (shape.block * self.e.size)))
        self.shared = staged + self.in_shared * shape.block * self.e.size
        self.far = self.plan.slots > self.in_shared  # whether values go to local memory

    def _is_long(self, port: int) -> bool:
        """Return whether a port is a row that is staged."""
        return self.layouts[port] == ROWS and self.ports[port].size * self.e.size >= self.shape.rows_from

    def _stage(self) -> Stage:
        shape, e = self.shape, self.e
        staged = set(filter(self._is_long, range(len(self.layouts))))
        width = shape.width * 8 // e.size
        pieces = find_pieces(self.program, self.plan, staged, width)
        one = WARP * (width + 1) * e.size * (shape.block // WARP)
        # at least half of the shared memory is left to values
        room = shape.shared // 2 if self.plan.slots else shape.shared
        buffers = min(shape.buffers, room // one, len(pieces))
        kept = [*assign_buffers(pieces, buffers), *(x for x in pieces if len(x.constants) == x.count)]
        return Stage(e, self.ports, kept, width, buffers)

    def made(self) -> Kernel:
        """Return the kernel."""
        head = self._prologue()
        for i, step in enumerate(self.plan.steps):
            self.stage.before(i)
            self.step(step)
            self.stage.after(i)
        self.stage.finish()
        self._finish()
        return Kernel("\n".join([*head, *self.e.declarations(), *self.e.lines, "\tret;", "}", ""]), self.shape.block, self.shared)

    def _prologue(self) -> list[str]:
        """Append where this thread's sample is; return the lines before the declarations."""
        e, shape = self.e, self.shape
        parameters = [f".param .u64 p{k}, .param .u32 s{k}" for k in range(len(self.ports))]
        head = [".version 7.0", ".target sm_80" if self.stage.used else ".target sm_75", ".address_size 64"]
        if self.shared or self.stage.used:
            head.append(".extern .shared .align 16 .b8 scratch[];")
        head.append(f".visible .entry kernel({', '.join([*parameters, '.param .u64 n, .param .u64 flag'])})")
        bounds = f".maxntid {shape.block}, 1, 1" + (f" .minnctapersm {self.resident}" if self.resident else "")
        head += [bounds, "{", "\t.reg .u32 %thread, %at, %shared;", "\t.reg .u64 %index, %n;"]
        head += [f"\t.reg .{e.real} %bad;", "\t.reg .pred %inside, %outside;"]
        if self.plan.slots > self.in_shared:
            head += [f"\t.local .align 16 .b8 far[{(self.plan.slots - self.in_shared) * e.size}];", "\t.reg .u64 %far;"]
        e.line("mov.u32 %thread, %tid.x")
        e.line("mov.u32 %at, %ctaid.x")
        e.line(f"mul.wide.u32 %index, %at, {shape.block}")
        thread = e.value("cvt.u64.u32", "%thread", kind="a")
        e.line(f"add.u64 %index, %index, {thread}")
        e.line("ld.param.u64 %n, [n]")
        if self.shared or self.stage.used:
            e.line("mov.u32 %shared, scratch")
        if self.stage.used:
            # the threads of a warp work together: those beyond the end do what the last sample needs, and store nothing
            lane = e.value("cvt.u64.u32", e.value("and.b32", "%thread", str(WARP - 1), kind="i"), kind="a")
            first = e.value("sub.u64", "%index", lane, kind="a")
            e.line(f"setp.ge.u64 %outside, {first}, %n")
            e.line("@%outside ret")
            self.stage.prologue("%index", "%n")
            e.line("setp.lt.u64 %inside, %index, %n")
            last = e.value("sub.u64", "%n", "1", kind="a")
            e.line(f"min.u64 %index, %index, {last}")
        else:
            e.line("setp.ge.u64 %outside, %index, %n")
            e.line("@%outside ret")
        self.direct.prologue("%index")
        if self.in_shared:
            staged = self.shared - self.in_shared * shape.block * e.size
            e.line(f"mad.lo.u32 %shared, %thread, {e.size}, %shared")
            e.line(f"add.u32 %shared, %shared, {staged}")
        if self.plan.slots > self.in_shared:
            # the driver's compiler must not see through the address, or it would bring the values back into registers
            e.line("mov.u64 %far, far")
            height = e.value("sub.u32", e.value("mov.u32", "%ntid.y", kind="i"), "1", kind="i")
            e.line(f"mad.wide.u32 %far, {height}, 8, %far")
        e.line(f"mov.{e.real} %bad, {e.constant(0.0)}")
        return head

    def _slot(self, slot: int) -> tuple[str, str]:
        if slot < self.in_shared:
            return "volatile.shared", f"[%shared+{slot * self.shape.block * self.e.size}]"
        return "local", f"[%far+{(slot - self.in_shared) * self.e.size}]"

    def _load(self, step: Step) -> None:
        _, port, entry = self.program.code[step.value][:3]
        found = self.stage.load(int(port), int(entry or 0))
        self.names[step.value] = found or self.direct.load(int(port), int(entry or 0))

    def _fetch(self, step: Step) -> None:
        where, address = self._slot(step.slot)
        self.names[step.value] = self.e.value(f"ld.{where}.{self.e.real}", address)

    def _keep(self, step: Step) -> None:
        where, address = self._slot(step.slot)
        self.e.line(f"st.{where}.{self.e.real} {address}, {self.names[step.value]}")

    def _name(self, k: int) -> str:
        """Return the register of a value, or a constant."""
        op, a, _ = self.program.code[k][:3]
        return self.e.constant(float(a)) if op == CONST else self.names[k]

    def _compute(self, step: Step) -> None:
        k = step.value
        instruction = self.program.code[k]
        op = instruction[0]
        if op in (SIN, COS):
            value, shift = angle(self.program, k)
            both = emit_sincos(self.e, self._name(value), shift)
            self.names[k] = both[op == COS]
            if k in self.need.partner:
                self.names[self.need.partner[k]] = both[op == SIN]
            return
        used = [self._name(int(x)) for x in instruction[1:] if x is not None]
        if all(self.program.code[int(x)][0] == CONST for x in instruction[1:] if x is not None):
            used[0] = self.e.number("mov", used[0])
        self.names[k] = EMIT[op](self.e, *used)

    def _result(self, step: Step) -> None:
        k, port, entry = step.value, len(self.program.inputs) + step.port, step.entry
        value = self._name(k)
        if self.program.code[k][0] == CONST and (port, entry) in self.stage.constant:
            return
        if self.program.code[k][0] != CONST:
            self._watch(k, value)
            if self.stage.store(port, entry, value):
                return
        self.direct.store(port, entry, value, "@%inside " if self.stage.used else "")

    def _watch(self, k: int, value: str) -> None:
        """Let the flag tell whether a value is finite."""
        if k not in self.shown and k not in self.flagged:
            self.flagged.add(k)
            self.e.line(f"fma.rn.{self.e.real} %bad, {value}, {self.e.constant(0.0)}, %bad")

    def _finish(self) -> None:
        """Append the flag."""
        e = self.e
        for port, entry in unwatched_inputs(self.program):
            value = self.direct.load(port, entry)
            e.line(f"fma.rn.{e.real} %bad, {value}, {e.constant(0.0)}, %bad")
        e.line(f"setp.nan.{e.real} %outside, %bad, %bad")
        if self.stage.used:
            e.line("and.pred %outside, %outside, %inside")
        flag = e.register("a")
        e.line(f"ld.param.u64 {flag}, [flag]")
        e.line(f"@%outside st.global.u32 [{flag}], 1")

    def step(self, step: Step) -> None:
        """Append a step."""
        getattr(self, self._STEPS[step.what])(step)

    _STEPS: ClassVar[Mapping[str, str]] = {
        LOAD: "_load",
        FETCH: "_fetch",
        KEEP: "_keep",
        COMPUTE: "_compute",
        RESULT: "_result",
        FIXED: "_result",
    }
