"""Transpose: tables in columns to rows, in squares of 32 by 32 numbers that go through shared memory.

Long results in rows take less time this way: computed in columns, in which every store is whole, and turned afterwards, at the
speed of a copy.
"""

from __future__ import annotations

from .emitter import Emitter
from .kernel import Kernel

SIDE = 32
_BLOCK = 256
_AT_ONCE = _BLOCK // SIDE


def make_transpose(single: bool) -> Kernel:
    """Return a kernel that turns columns (size, n) into rows (n, size).

    .entry kernel(u64 source, u32 step, u64 rows, u32 size, u64 n, u32 tiles): step is that of the columns in bytes; tiles is the
    number of squares beside each other in a row. One block a square.
    """
    e = Emitter(single)
    e.line(".reg .u32 %tile, %thread, %x, %y, %tiles, %size, %step, %shared")
    e.line(".reg .u64 %source, %rows, %n")
    e.line("mov.u32 %tile, %ctaid.x")
    e.line("mov.u32 %thread, %tid.x")
    e.line("ld.param.u64 %source, [p0]")
    e.line("ld.param.u32 %step, [s0]")
    e.line("ld.param.u64 %rows, [p1]")
    e.line("ld.param.u32 %size, [s1]")
    e.line("ld.param.u64 %n, [n]")
    e.line("ld.param.u32 %tiles, [flag]")
    e.line("mov.u32 %shared, scratch")
    e.line(f"and.b32 %x, %thread, {SIDE - 1}")
    e.line(f"shr.u32 %y, %thread, {SIDE.bit_length() - 1}")
    down = e.value("div.u32", "%tile", "%tiles", kind="i")
    across = e.value("rem.u32", "%tile", "%tiles", kind="i")
    sample, entry = e.value("mul.wide.u32", down, str(SIDE), kind="a"), e.value("mul.lo.u32", across, str(SIDE), kind="i")
    # threads side by side read samples side by side
    own = e.value("add.u64", sample, e.value("cvt.u64.u32", "%x", kind="a"), kind="a")
    inside = e.value("setp.lt.u64", own, "%n", kind="p")
    start = e.value("mad.lo.u64", own, str(e.size), "%source", kind="a")
    to = e.value("mad.lo.u32", "%x", str(e.size), "%shared", kind="i")
    line = e.value("add.u32", entry, "%y", kind="i")
    for k in range(0, SIDE, _AT_ONCE):
        which = e.value("add.u32", line, str(k), kind="i")
        fits = e.value("setp.lt.u32", which, "%size", kind="p")
        both = e.value("and.pred", inside, fits, kind="p")
        value = e.value(f"mov.{e.real}", e.constant(0.0))
        e.line(f"@{both} ld.global.{e.real} {value}, [{e.value('mad.wide.u32', which, '%step', start, kind='a')}]")
        place = e.value("add.u32", "%y", str(k), kind="i")
        e.line(f"st.shared.{e.real} [{e.value('mad.lo.u32', place, str((SIDE + 1) * e.size), to, kind='i')}], {value}")
    e.line("bar.sync 0")
    # threads side by side write entries side by side
    column = e.value("add.u32", entry, "%x", kind="i")
    fits = e.value("setp.lt.u32", column, "%size", kind="p")
    source = e.value("mad.lo.u32", "%x", str((SIDE + 1) * e.size), "%shared", kind="i")
    wide = e.value("cvt.u64.u32", "%size", kind="a")
    for k in range(0, SIDE, _AT_ONCE):
        place = e.value("add.u32", "%y", str(k), kind="i")
        row = e.value("add.u64", sample, e.value("cvt.u64.u32", place, kind="a"), kind="a")
        both = e.value("and.pred", e.value("setp.lt.u64", row, "%n", kind="p"), fits, kind="p")
        value = e.value(f"ld.shared.{e.real}", f"[{e.value('mad.lo.u32', place, str(e.size), source, kind='i')}]")
        begin = e.value("mad.lo.u64", row, wide, e.value("cvt.u64.u32", column, kind="a"), kind="a")
        e.line(f"@{both} st.global.{e.real} [{e.value('mad.lo.u64', begin, str(e.size), '%rows', kind='a')}], {value}")
    parameters = ".param .u64 p0, .param .u32 s0, .param .u64 p1, .param .u32 s1, .param .u64 n, .param .u32 flag"
    head = [".version 7.0", ".target sm_75", ".address_size 64", ".extern .shared .align 16 .b8 scratch[];"]
    head += [f".visible .entry kernel({parameters})", f".maxntid {_BLOCK}, 1, 1", "{"]
    text = "\n".join([*head, *e.declarations(), *e.lines, "\tret;", "}", ""])
    return Kernel(text, _BLOCK, SIDE * (SIDE + 1) * e.size)
