"""Stage: long rows go through shared memory, in pieces of a few entries of the 32 samples of a warp.

A warp fetches a piece together, so that neighboring threads read neighboring numbers, and each thread then takes its own row; it
writes results in the same way. Only the threads of one warp wait for one another. A piece of inputs is asked for some
instructions before its first use (`cp.async`), and a piece of results leaves when its last entry is there. Pieces that are in use
at once need a buffer each; those for which there is none are read and written directly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..program import Port, Program
from .emitter import Emitter
from .tiers import FIXED, LOAD, RESULT, Plan, Step

WARP = 32
AHEAD = 400  # steps between asking for a piece and its first use
WIDTH = 8  # entries of a piece


@dataclass
class Piece:
    """Entries `start` to `start + count` of a port, in `buffer` from step `first`, or `filled`, to step `last`."""

    port: int
    start: int
    count: int
    is_input: bool
    first: int
    last: int
    buffer: int = -1
    filled: int = 0
    since: int = -1  # the step after which the buffer is free, -1 if it was not used before
    group: int = -1  # number of its copy
    constants: dict[int, float] = field(default_factory=dict)  # by entry


def find_pieces(program: Program, plan: Plan, staged: set[int], width: int = WIDTH) -> list[Piece]:
    """Return the pieces of the staged ports in the order of their first steps; a piece of constants alone has the last step."""
    found: dict[tuple[int, int], Piece] = {}
    n_in = len(program.inputs)
    ports = (*program.inputs, *program.outputs)
    for i, step in enumerate(plan.steps):
        if step.what not in (LOAD, RESULT, FIXED):
            continue
        port, entry = _place(program, step, n_in)
        if port in staged:
            start = entry // width * width
            count = min(width, ports[port].size - start)
            piece = found.setdefault((port, start), Piece(port, start, count, port < n_in, i, i))
            if step.what == FIXED:
                piece.constants[entry] = float(program.code[step.value][1])
            else:
                piece.last = i
    return sorted(found.values(), key=lambda piece: piece.first)


def _place(program: Program, step: Step, n_in: int) -> tuple[int, int]:
    if step.what == LOAD:
        _, port, entry = program.code[step.value][:3]
        return int(port), int(entry or 0)
    return n_in + step.port, step.entry


def assign_buffers(pieces: Sequence[Piece], buffers: int) -> list[Piece]:
    """Give pieces buffers while there are any, those that are needed longest last; return the pieces that have one."""
    pieces = [x for x in pieces if len(x.constants) < x.count]
    busy: list[Piece] = []
    kept: list[Piece] = []
    free_since = dict.fromkeys(range(buffers), -1)  # the step after which a buffer is free
    for piece in pieces:
        for other in [x for x in busy if x.last < piece.first]:
            busy.remove(other)
            free_since[other.buffer] = other.last
        if not free_since:
            longest = max((*busy, piece), key=lambda x: x.last)
            if longest is piece:
                continue
            busy.remove(longest)
            kept.remove(longest)
            free_since[longest.buffer] = longest.since
        piece.buffer = min(free_since, key=lambda b: free_since[b])
        piece.since = free_since.pop(piece.buffer)
        busy.append(piece)
        kept.append(piece)
    for piece in kept:
        piece.filled = max(piece.since + 1, piece.first - AHEAD) if piece.is_input else piece.first
    return kept


class Stage:
    """Emits the pieces of a kernel."""

    def __init__(self, e: Emitter, ports: Sequence[Port], pieces: Sequence[Piece], width: int, buffers: int) -> None:
        self.e, self.ports, self.width = e, ports, width
        self.pitch = width + 1  # an odd number of entries: the rows of a warp then lie in different banks
        self.bytes = WARP * self.pitch * e.size
        self.buffers = buffers
        self.plain = [x for x in pieces if len(x.constants) == x.count]  # these need no buffer
        pieces = [x for x in pieces if len(x.constants) < x.count]
        self.starts: Mapping[int, list[Piece]] = _grouped((x.filled, x) for x in pieces)
        self.ends: Mapping[int, list[Piece]] = _grouped((x.last, x) for x in pieces if not x.is_input)
        self.where = {(x.port, x.start): x for x in pieces}
        same = [x for x in self.plain if len(set(x.constants.values())) == 1]
        self.plain = same  # others are written number by number
        self.constant = {(x.port, entry) for x in (*same, *pieces) for entry in x.constants}
        self.used = sorted({x.port for x in (*self.plain, *pieces)})
        self.sent = 0  # groups of copies asked for
        self.ready = 0  # groups known to have arrived

    def shared_bytes(self, block: int) -> int:
        """Return the shared memory of a block."""
        return self.bytes * self.buffers * (block // WARP) if self.used else 0

    def prologue(self, index: str, count: str) -> None:
        """Append what finds a thread's place in the warp; `count` is the number of samples."""
        if not self.used:
            return
        e, w = self.e, self.width
        e.line(".reg .u32 %lane, %row, %col, %mine, %copy, %left")
        e.line(".reg .u64 %begin, %rest, %place")
        e.line(f"and.b32 %lane, %thread, {WARP - 1}")
        e.line(f"shr.u32 %row, %lane, {w.bit_length() - 1}")
        e.line(f"and.b32 %col, %lane, {w - 1}")
        # first sample of the warp, and how many samples it has from this thread's row on
        e.line("cvt.u64.u32 %place, %lane")
        e.line(f"sub.u64 %begin, {index}, %place")
        e.line(f"sub.u64 %rest, {count}, %begin")
        e.line(f"min.u64 %rest, %rest, {WARP}")
        e.line("cvt.u32.u64 %left, %rest")
        e.line("sub.u32 %left, %left, %row")
        warp = e.value("shr.u32", "%thread", "5", kind="i")
        start = e.value("mad.lo.u32", warp, str(self.bytes * self.buffers), "%shared", kind="i")
        e.line(f"mad.lo.u32 %mine, %lane, {self.pitch * e.size}, {start}")
        e.line(f"mad.lo.u32 %copy, %row, {self.pitch * e.size}, {start}")
        e.line(f"mad.lo.u32 %copy, %col, {e.size}, %copy")
        for k in self.used:
            size = self.ports[k].size * e.size
            e.line(f".reg .u64 %piece{k}")
            e.line("cvt.u64.u32 %place, %row")
            e.line("add.u64 %place, %place, %begin")
            e.line(f"ld.param.u64 %piece{k}, [p{k}]")
            e.line(f"mad.lo.u64 %piece{k}, %place, {size}, %piece{k}")
            e.line("cvt.u64.u32 %place, %col")
            e.line(f"mad.lo.u64 %piece{k}, %place, {e.size}, %piece{k}")

    def before(self, i: int) -> None:
        """Append what has to be done before step i."""
        for piece in self.starts.get(i, ()):
            if piece.since >= 0:
                self.e.line("bar.warp.sync 0xffffffff")
            if piece.is_input:
                self._fill(piece)

    def after(self, i: int) -> None:
        """Append what has to be done after step i."""
        for piece in self.ends.get(i, ()):
            for entry, x in piece.constants.items():
                self.store(piece.port, entry, self.e.constant(x))
            self._flush(piece)

    def finish(self) -> None:
        """Append the pieces that are constants alone."""
        for piece in self.plain:
            value = self.e.constant(next(iter(piece.constants.values())))
            for guard, _, place in self._rows(piece):
                self.e.line(f"{guard}st.global.{self.e.real} {place}, {value}")

    def load(self, port: int, entry: int) -> str | None:
        """Append a load of an entry from its piece; return its register, or None if there is no piece."""
        piece = self.where.get((port, entry // self.width * self.width))
        if piece is None:
            return None
        if piece.group > self.ready:
            self.e.line(f"cp.async.wait_group {self.sent - piece.group}")
            self.e.line("bar.warp.sync 0xffffffff")
            self.ready = piece.group
        return self.e.value(f"ld.volatile.shared.{self.e.real}", self._own(piece, entry))

    def store(self, port: int, entry: int, value: str) -> bool:
        """Append a store of an entry to its piece; return whether there is one."""
        piece = self.where.get((port, entry // self.width * self.width))
        if piece is not None:
            self.e.line(f"st.volatile.shared.{self.e.real} {self._own(piece, entry)}, {value}")
        return piece is not None

    def _own(self, piece: Piece, entry: int) -> str:
        return f"[%mine+{piece.buffer * self.bytes + (entry - piece.start) * self.e.size}]"

    def _rows(self, piece: Piece) -> list[tuple[str, str, str]]:
        """Return guard, place in shared and place in global memory of each number that this thread moves."""
        e, at_once = self.e, WARP // self.width
        left = "%left"
        if piece.count < self.width:
            inside = e.value("setp.lt.u32", "%col", str(piece.count), kind="p")
            left = e.value("selp.b32", "%left", "0", inside, kind="i")
        rows = []
        for k in range(self.width):
            guard = e.value("setp.gt.s32", left, str(k * at_once), kind="p")
            shared = f"[%copy+{piece.buffer * self.bytes + k * at_once * self.pitch * e.size}]"
            skipped = k * at_once * self.ports[piece.port].size + piece.start
            rows.append((f"@{guard} ", shared, f"[%piece{piece.port}+{skipped * e.size}]"))
        return rows

    def _fill(self, piece: Piece) -> None:
        for guard, shared, place in self._rows(piece):
            self.e.line(f"{guard}cp.async.ca.shared.global {shared}, {place}, {self.e.size}")
        self.e.line("cp.async.commit_group")
        self.sent += 1
        piece.group = self.sent

    def _flush(self, piece: Piece) -> None:
        self.e.line("bar.warp.sync 0xffffffff")
        for guard, shared, place in self._rows(piece):
            value = self.e.value(f"ld.volatile.shared.{self.e.real}", shared)
            self.e.line(f"{guard}st.global.{self.e.real} {place}, {value}")


def _grouped(pairs: object) -> dict[int, list[Piece]]:
    found: dict[int, list[Piece]] = defaultdict(list)
    for k, piece in pairs:  # type: ignore[attr-defined]
        found[k].append(piece)
    return found
