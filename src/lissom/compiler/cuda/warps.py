"""Warps: a kernel in which warps of a block work on different limbs of the same 32 samples.

A thread's values are those of a part of the robot: fewer have to leave the registers, and more of those that do fit into shared
memory. What goes from warp to warp lies there, and all warps of 32 samples wait for each other between phases; see `limbs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.model import Model
from ..lower.kernel import shown_results, unwatched_inputs
from ..program import CONST, INPUT, Port, Program
from .emitter import Emitter
from .kernel import RESERVED, Kernel, Maker, Shape, make_kernel
from .layout import ROWS, Direct
from .limbs import Share, Shared, limbs_of, shared_out
from .order import needs
from .stage import WARP
from .tiers import COMPUTE, KEEP, RESULT, Step, early, plan

WARPS = 4  # of a block
LOADS, FETCHES = 80, 6  # values computed between a load and its use
FEW, LOCAL = 60, 200  # values in registers where three blocks run beside each other, and numbers of a block in local memory then
MANY = 90  # values in registers otherwise


def best_kernel(program: Program, layouts: Sequence[str], single: bool, shape: Shape, model: Model | None = None) -> Kernel:
    """Return the kernel of a program for a robot: where values of a thread go to local memory, one with a limb a warp."""
    plain = make_kernel(program, layouts, single, shape)
    if model is None or single or ROWS in layouts or not plain.local:
        return plain
    limbs = limbs_of(model, WARPS)
    shared = None if limbs is None else shared_out(program, needs(program), limbs, WARPS)
    return plain if shared is None else make_warps(program, layouts, shape, shared) or plain


def make_warps(program: Program, layouts: Sequence[str], shape: Shape, shared: Shared) -> Kernel | None:
    """Return a kernel in double precision with a warp for each share of a program, None where shared memory is too small."""
    three = replace(shape, shared=2 * (shape.shared + RESERVED) // 3 - RESERVED)
    made = _Warps(program, tuple(layouts), three, shared, FEW)
    if made.room <= three.shared and sum(part.beyond for part in made.parts) <= LOCAL:
        return made.made().bounded(3)
    made = _Warps(program, tuple(layouts), shape, shared, MANY)
    return made.made() if made.room <= shape.shared else None


class _Part(Maker):
    """The steps of one warp."""

    def __init__(self, of: _Warps, share: Share) -> None:
        self.of, self.shape, self.e, self.layouts = of, of.shape, of.e, of.layouts
        cross, code = of.shared.cross, list(of.program.code)
        for x in share.given:
            code[x] = (INPUT, len(of.program.inputs), cross[x])
        mine = set(share.need.operands)
        across = tuple(x if x in mine else -1 for x in cross)
        inputs = (*of.program.inputs, Port("cross", len(cross)))
        outputs = (*of.program.outputs, Port("cross", len(cross)))
        self.program = replace(of.program, code=tuple(code), inputs=inputs, outputs=outputs, results=(*share.results, across))
        self.ports, self.direct, self.names = of.ports, of.direct, {}
        self.shown, self.flagged, self.bad = of.shown, set(), "%bad"
        self.need = share.need
        made = plan(self.program, share.need, share.order, of.registers)
        phases = [max(of.shared.phase[step.value], 1) for step in made.steps if step.what == COMPUTE]
        floor = {x: sum(phase <= of.shared.phase[x] for phase in phases) for x in share.given}
        self.plan = made._replace(steps=early(made.steps, LOADS, FETCHES, floor))
        self.base = self.in_shared = 0

    def steps(self) -> None:
        """Append all steps, with a barrier before each phase but the first."""
        phases = self.of.shared.phase
        ahead, phase = [], self.of.last
        for step in reversed(self.plan.steps):
            if step.what == COMPUTE:
                phase = max(phases[step.value], 1)
            ahead.append(phase)
        at = 1
        for step, phase in zip(self.plan.steps, reversed(ahead), strict=True):
            while at < phase and step.what not in (RESULT, KEEP):  # these belong to what was computed before
                self.of.barrier()
                at += 1
            self.step(step)
        while at < self.of.last:
            self.of.barrier()
            at += 1

    @property
    def beyond(self) -> int:
        """Number of slots in local memory."""
        return self.plan.slots - self.in_shared

    def _slot(self, slot: int) -> tuple[str, str]:
        e = self.e
        if slot < self.in_shared:
            return "volatile.shared", f"[%shared+{(self.base + slot) * WARP * e.size}]"
        return "local", f"[%far+{(slot - self.in_shared) * e.size}]"

    def _load(self, step: Step) -> None:
        _, port, entry = self.program.code[step.value][:3]
        if int(port) < len(self.of.program.inputs):
            self.names[step.value] = self.direct.load(int(port), int(entry or 0))
        else:
            address = f"[%shared+{int(entry or 0) * WARP * self.e.size}]"
            self.names[step.value] = self.e.value(f"ld.volatile.shared.{self.e.real}", address)

    def _result(self, step: Step) -> None:
        value = self._name(step.value)
        if step.port == len(self.of.program.outputs):
            self.e.line(f"st.volatile.shared.{self.e.real} [%shared+{step.entry * WARP * self.e.size}], {value}")
            return
        if self.program.code[step.value][0] != CONST:
            self._watch(step.value, value)
        self.direct.store(len(self.of.program.inputs) + step.port, step.entry, value, "@%inside ")


class _Warps:
    def __init__(self, program: Program, layouts: tuple[str, ...], shape: Shape, shared: Shared, registers: int) -> None:
        self.program, self.layouts, self.shape, self.shared = program, layouts, shape, shared
        self.registers, self.warps = registers, len(shared.shares)
        self.e = Emitter(single=False)
        self.ports = (*program.inputs, *program.outputs)
        self.direct = Direct(self.e, self.ports, layouts)
        self.shown = shown_results(program)
        self.last = max(1, *shared.phase.values())
        self.block = self.warps * WARP
        self.parts = [_Part(self, share) for share in shared.shares]
        self.room = self._room()

    def _room(self) -> int:
        """Give slots in shared memory to the parts, in turn; return the bytes of all 32 samples."""
        line = WARP * self.e.size
        most = self.shape.shared // line - len(self.shared.cross)
        wanted = [part.plan.slots for part in self.parts]
        given = [0] * self.warps
        while most > 0 and sum(given) < sum(wanted):
            k = max(range(self.warps), key=lambda k: wanted[k] - given[k])
            given[k] += 1
            most -= 1
        base = len(self.shared.cross)
        for part, count in zip(self.parts, given, strict=True):
            part.base, part.in_shared = base, count
            base += count
        self.far = max(part.beyond for part in self.parts)
        return base * line

    def barrier(self) -> None:
        """Append that all warps of the same samples wait for each other."""
        self.e.line("bar.sync 0")

    def made(self) -> Kernel:
        e = self.e
        head = self._prologue()
        for k in range(1, self.warps):
            e.line(f"setp.eq.u32 %outside, %role, {k}")
            e.line(f"@%outside bra $role{k}")
        for k, part in enumerate(self.parts):
            if k:
                e.lines.append(f"$role{k}:")
            part.steps()
            if not k:
                for port, entry in unwatched_inputs(self.program):
                    value = self.direct.load(port, entry)
                    e.line(f"fma.rn.{e.real} %bad, {value}, {e.constant(0.0)}, %bad")
            self._finish()
        text = "\n".join([*head, *e.declarations(), *e.lines, "}", ""])
        return Kernel(text, self.block, self.room, WARP)

    def _finish(self) -> None:
        e = self.e
        e.line(f"setp.nan.{e.real} %outside, %bad, %bad")
        e.line("and.pred %outside, %outside, %inside")
        flag = e.register("a")
        e.line(f"ld.param.u64 {flag}, [flag]")
        e.line(f"@%outside st.global.u32 [{flag}], 1")
        e.line("ret")

    def _prologue(self) -> list[str]:
        e = self.e
        parameters = [f".param .u64 p{k}, .param .u32 s{k}" for k in range(len(self.ports))]
        head = [".version 7.0", ".target sm_75", ".address_size 64", ".extern .shared .align 16 .b8 scratch[];"]
        head.append(f".visible .entry kernel({', '.join([*parameters, '.param .u64 n, .param .u64 flag'])})")
        head += [f".maxntid {self.block}, 1, 1", "{", "\t.reg .u32 %thread, %at, %shared, %role, %warp;"]
        head += ["\t.reg .u64 %index, %n;", f"\t.reg .{e.real} %bad;", "\t.reg .pred %inside, %outside;"]
        if self.far:
            head += [f"\t.local .align 16 .b8 far[{self.far * e.size}];", "\t.reg .u64 %far;"]
        e.line("mov.u32 %thread, %tid.x")
        e.line("mov.u32 %at, %ctaid.x")
        e.line(f"shr.u32 %warp, %thread, {WARP.bit_length() - 1}")
        lane = e.value("and.b32", "%thread", str(WARP - 1), kind="i")
        # every other block is turned round: the parts of a processor have warps of long and of short limbs
        odd = e.value("and.b32", "%at", "1", kind="i")
        turned = e.value("mad.lo.u32", odd, str(self.warps // 2), "%warp", kind="i")
        e.line(f"rem.u32 %role, {turned}, {self.warps}")
        first = e.value("mul.wide.u32", "%at", str(WARP), kind="a")
        e.line(f"add.u64 %index, {first}, {e.value('cvt.u64.u32', lane, kind='a')}")
        e.line("ld.param.u64 %n, [n]")
        e.line("setp.lt.u64 %inside, %index, %n")
        e.line(f"min.u64 %index, %index, {e.value('sub.u64', '%n', '1', kind='a')}")
        self.direct.prologue("%index")
        e.line("mov.u32 %shared, scratch")
        e.line(f"mad.lo.u32 %shared, {lane}, {e.size}, %shared")
        if self.far:
            e.line("mov.u64 %far, far")
            height = e.value("sub.u32", e.value("mov.u32", "%ntid.y", kind="i"), "1", kind="i")
            e.line(f"mad.wide.u32 %far, {height}, 8, %far")
        e.line(f"mov.{e.real} %bad, {e.constant(0.0)}")
        return head
