"""Products: rows of sums of products of numbers, for many samples: sparse matrices, splines, chain rules.

    out_i = sum over the terms of row i of  factor * u_first * u_second
Numbers of all samples side by side are rows of one array; ONE in the place of `first` or `second` stands for the number 1. A warp
computes rows of 32 samples: what it reads of the terms is the same for all of its threads, and numbers lie side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...locks import once
from .arrays import DeviceArray, to_card
from .device import Device
from .emitter import Emitter
from .kernel import Kernel
from .module import Module, assembled
from .stage import WARP

ONE = 2**32 - 1  # in the place of the number of a row: the number 1
_BLOCK = 128
_ROWS = 32  # of a block
_TERM = np.dtype([("factor", "<f8"), ("first", "<u4"), ("second", "<u4")])


class Table:
    """Terms of all rows, on a card.

    Args:
        starts: (rows + 1,), where the terms of each row begin.
        factors, first, second: of the terms.
    """

    def __init__(self, on: Device, starts: np.ndarray, factors: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
        counts = np.diff(starts)
        empty = np.flatnonzero(counts == 0)  # a row has one term at least
        terms = np.zeros(len(factors), _TERM)
        terms["factor"], terms["first"], terms["second"] = factors, first, second
        terms = np.insert(terms, starts[empty], np.array((0.0, ONE, ONE), _TERM))
        self.rows = len(counts)
        ends = np.concatenate([[0], np.cumsum(np.maximum(counts, 1))]).astype(np.uint32)
        self._starts, self._terms = to_card(ends, on), to_card(terms.view(np.uint8), on)

    @property
    def arrays(self) -> Sequence[DeviceArray]:
        """Starts and terms."""
        return self._starts, self._terms


def launch(module: Module, table: Table, numbers: tuple[int, int], out: tuple[int, int], n: int, stream: int) -> None:
    """Compute the rows of a table for n samples, given address and step of the numbers and of the result."""
    if not table.rows:
        return
    groups = -(-table.rows // _ROWS)
    starts, terms = (x._pointer for x in table.arrays)
    with module.on:
        module.launch([numbers, (starts, table.rows), (terms, groups), out], n, 0, stream, groups * -(-n // WARP))


@once
def summer(on: Device, single: bool) -> Module:
    """Return the kernel on a card."""
    kernel = make_products(single)
    return Module(on, kernel, assembled(on, kernel.text))


def make_products(single: bool) -> Kernel:
    """Return the kernel.

    .entry kernel(u64 numbers, u32 step, u64 starts, u32 rows, u64 terms, u32 groups, u64 out, u32 step, u64 n, u64 unused)
    """
    e = Emitter(single)
    names: dict[str, Any] = {
        "u32": "%thread, %block, %row, %last, %rows, %groups, %step, %outstep, %k, %end",
        "u64": "%numbers, %starts, %terms, %out, %n, %sample, %term",
        e.real: "%sum",
        "pred": "%outside, %more",
    }
    for kind, listed in names.items():
        e.line(f".reg .{kind} {listed}")
    loads = [("numbers", "p0"), ("starts", "p1"), ("terms", "p2"), ("out", "p3"), ("n", "n")]
    for name, parameter in loads:
        e.line(f"ld.param.u64 %{name}, [{parameter}]")
    for name, parameter in (("step", "s0"), ("rows", "s1"), ("groups", "s2"), ("outstep", "s3")):
        e.line(f"ld.param.u32 %{name}, [{parameter}]")
    e.line("mov.u32 %thread, %tid.x")
    e.line("mov.u32 %block, %ctaid.x")
    tile, group = (e.value(f"{op}.u32", "%block", "%groups", kind="i") for op in ("div", "rem"))
    lane = e.value("and.b32", "%thread", str(WARP - 1), kind="i")
    first = e.value("mul.wide.u32", tile, str(WARP), kind="a")
    e.line(f"add.u64 %sample, {first}, {e.value('cvt.u64.u32', lane, kind='a')}")
    e.line("setp.ge.u64 %outside, %sample, %n")
    e.line("@%outside ret")
    start = e.value("mul.lo.u32", group, str(_ROWS), kind="i")
    warp = e.value("shr.u32", "%thread", str(WARP.bit_length() - 1), kind="i")
    e.line(f"add.u32 %row, {start}, {warp}")
    e.line("setp.ge.u32 %outside, %row, %rows")
    e.line("@%outside ret")
    e.line(f"min.u32 %last, {e.value('add.u32', start, str(_ROWS), kind='i')}, %rows")
    base = e.value("mad.lo.u64", "%sample", str(e.size), "%numbers", kind="a")
    to = e.value("mad.lo.u64", "%sample", str(e.size), "%out", kind="a")
    e.lines.append("$rows:")
    at = e.value("mad.wide.u32", "%row", "4", "%starts", kind="a")
    e.line(f"ld.global.nc.u32 %k, [{at}]")
    e.line(f"ld.global.nc.u32 %end, [{at}+4]")
    e.line(f"mad.wide.u32 %term, %k, {_TERM.itemsize}, %terms")
    e.line(f"mov.{e.real} %sum, {e.constant(0.0)}")
    e.lines.append("$terms:")
    factor = e.value("ld.global.nc.f64", "[%term]", kind="h")
    found = e.value("cvt.rn.f32.f64", factor) if single else factor
    for offset in (8, 12):
        which = e.value("ld.global.nc.u32", f"[%term+{offset}]", kind="i")
        some = e.value("setp.ne.u32", which, str(ONE), kind="p")
        number = e.value(f"mov.{e.real}", e.constant(1.0))
        e.line(f"@{some} ld.global.{e.real} {number}, [{e.value('mad.wide.u32', which, '%step', base, kind='a')}]")
        if offset == 8:
            found = e.number("mul.rn", found, number)
        else:
            e.line(f"fma.rn.{e.real} %sum, {found}, {number}, %sum")
    e.line(f"add.u64 %term, %term, {_TERM.itemsize}")
    e.line("add.u32 %k, %k, 1")
    e.line("setp.lt.u32 %more, %k, %end")
    e.line("@%more bra $terms")
    e.line(f"st.global.{e.real} [{e.value('mad.wide.u32', '%row', '%outstep', to, kind='a')}], %sum")
    e.line(f"add.u32 %row, %row, {_BLOCK // WARP}")
    e.line("setp.lt.u32 %more, %row, %last")
    e.line("@%more bra $rows")
    parameters = ", ".join(f".param .u64 p{k}, .param .u32 s{k}" for k in range(4))
    head = [".version 7.0", ".target sm_75", ".address_size 64"]
    head += [f".visible .entry kernel({parameters}, .param .u64 n, .param .u64 flag)", f".maxntid {_BLOCK}, 1, 1", "{"]
    return Kernel("\n".join([*head, *e.declarations(), *e.lines, "\tret;", "}", ""]), _BLOCK, 0)
