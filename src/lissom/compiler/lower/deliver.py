"""Deliver: how results with very long rows get from the scratch to the caller's array.

Pieces store such results in slots, as they store what a later piece needs: a vector holds one result of every sample of a tile.
As soon as 64 results in a row are complete, a loop transposes them and writes them to the rows of all tiles of the block; then
their slots are free. A batch that does not fit the caches is written past them, by whole lines: a line that is not in the cache
would be read before it is written. Rows begin anywhere in a line, so that lines are put together in a buffer.
docs/why/mass-matrix-memory.md has the figures.

    deliver(ptr to, ptr scratch, i64 stride, i64 size, ptr near, i64 nears, ptr far, i64 fars, i64 tiles, i1 past)
writes those parts of rows of `size` results that records tell of; `stride`: bytes of a tile's scratch. A record of `near` is the
first of `width` results and where each is in the scratch; one of `far`, for batches past the caches, is the number of a chunk of
64 results, and where the eight before it and these are. -1: all of a group are zero.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..program import Program
from ..segment import CARRIED, CHUNK, Segment, are_zero, groups_of
from .emitter import Emitter
from .memory import LINE
from .transpose import transpose

_ROW = 8 * (CHUNK + CARRIED)  # bytes of a row of the buffer


class Records:
    """Tables that say where results are in the scratch, of all pieces of a program."""

    def __init__(self, program: Program, segments: list[Segment], width: int) -> None:
        self.program, self.width = program, width
        self.near: list[int] = []
        self.far: list[int] = []
        self.calls: list[list[tuple[int, int, int, int, int]]] = []  # of each piece: output, near from, count, far from, count
        for segment in segments:
            calls = []
            for output in sorted({output for output, _ in segment.chunks}):
                chunks = [chunk for o, chunk in segment.chunks if o == output]
                a, b = len(self.near), len(self.far)
                for chunk in chunks:
                    self._add(output, chunk, segment.slots)
                calls.append((output, a, (len(self.near) - a) // (width + 1), b, len(chunks)))
            self.calls.append(calls)

    def _add(self, output: int, chunk: int, slots: Mapping[int, int]) -> None:
        near, far = groups_of(len(self.program.results[output]), chunk, self.width)
        for first in near:
            self.near += [first, *self._group(output, first, slots)]
        self.far.append(chunk)
        for first in far:
            self.far += self._group(output, first, slots)

    def _group(self, output: int, first: int, slots: Mapping[int, int]) -> list[int]:
        """Return where the results of a group are in the scratch, in bytes; what is beyond the row is wherever another is."""
        results = self.program.results[output]
        entries = {k: results[k] for k in range(max(first, 0), min(first + self.width, len(results)))}
        if are_zero(self.program, entries.values()):
            return [-1] * self.width
        other = slots[next(iter(entries.values()))]
        return [8 * self.width * (slots[entries[k]] if k in entries else other) for k in range(first, first + self.width)]

    def text(self) -> str:
        """Return the tables and the functions that read them; nothing if there is nothing to deliver."""
        if not self.far:
            return ""
        tables = "".join(
            f"@{name} = internal constant [{len(table)} x i32] [{', '.join(f'i32 {x}' for x in table)}]\n"
            for name, table in (("near", self.near), ("far", self.far))
        )
        return tables + _deliver(self.width)

    def after(self, piece: int, stride: int, to: str, count: str, past: str) -> str:
        """Return the calls that deliver what is complete after a piece; `to`: how pointers to the rows of arguments begin."""
        text = ""
        for output, near, n_near, far, n_far in self.calls[piece]:
            rows = f"ptr {to}{len(self.program.inputs) + output}"
            size = len(self.program.results[output])
            text += f"""  call void @deliver({rows}, ptr %scratch, i64 {stride}, i64 {size},
    ptr getelementptr (i32, ptr @near, i64 {near}), i64 {n_near},
    ptr getelementptr (i32, ptr @far, i64 {far}), i64 {n_far}, i64 {count}, i1 {past})
"""
        return text


def _block(width: int, name: str, to: str, row: str, at: str, then: str) -> str:
    """Return basic blocks that transpose a group of results: `width` vectors become parts of `width` rows.

    Args:
        name: that other names begin with.
        to, row: the first of the rows, and the bytes from one to the next.
        at: where the vectors are.
        then: the basic block that comes next.
    """
    e = Emitter(width, name=name)
    vectors = []
    for k in range(width):
        offset = e.value(f"load i32, ptr {e.value(f'getelementptr i32, ptr {at}, i64 {k}')}, align 4")
        place = e.value(f"getelementptr i8, ptr %from, i64 {e.value(f'zext i32 {offset} to i64')}")
        vectors.append(e.value(f"load {e.vector}, ptr {place}, align 8"))
    _store(e, transpose(e, vectors), to, row)
    filled, e.lines = "\n".join(e.lines), []
    _store(e, ["zeroinitializer"] * width, to, row)
    blank = "\n".join(e.lines)
    return f"""  %{name}offset = load i32, ptr {at}, align 4
  %{name}none = icmp slt i32 %{name}offset, 0
  br i1 %{name}none, label %{name}blank, label %{name}filled
{name}filled:
{filled}
  br label %{then}
{name}blank:
{blank}
  br label %{then}
"""


def _store(e: Emitter, rows: list[str], to: str, row: str) -> None:
    for k, values in enumerate(rows):
        to = e.value(f"getelementptr i8, ptr {to}, i64 {row}") if k else to
        e.line(f"store {e.vector} {values}, ptr {to}, align 8")


def _deliver(width: int) -> str:
    groups = (CHUNK + CARRIED) // width
    lines = "".join(
        f"""  %s{k} = getelementptr i8, ptr %source, i64 {LINE * k}
  %d{k} = getelementptr i8, ptr %line, i64 {LINE * k}
  %x{k} = load <8 x double>, ptr %s{k}, align 8
  store <8 x double> %x{k}, ptr %d{k}, align 64, !nontemporal !0
"""
        for k in range(8 * CHUNK // LINE)
    )
    return f"""
define internal void @deliver(ptr %to, ptr %scratch, i64 %stride, i64 %size, ptr %near, i64 %nears, ptr %far, i64 %fars,
    i64 %tiles, i1 %past) noinline {{
entry:
  %buffer = alloca i8, i64 {_ROW * width}, align 64
  %row = shl i64 %size, 3
  %rows = mul i64 %row, {width}
  br label %tile
tile:
  %t = phi i64 [0, %entry], [%nexttile, %done]
  %intotal = mul i64 %t, %stride
  %from = getelementptr i8, ptr %scratch, i64 %intotal
  %outtotal = mul i64 %t, %rows
  %base = getelementptr i8, ptr %to, i64 %outtotal
  br i1 %past, label %chunk, label %any
any:
  %some = icmp sgt i64 %nears, 0
  br i1 %some, label %group, label %done
group:
  %g = phi i64 [0, %any], [%nextgroup, %grouped]
  %place = mul i64 %g, {width + 1}
  %record = getelementptr i32, ptr %near, i64 %place
  %number = load i32, ptr %record, align 4
  %first = zext i32 %number to i64
  %target = getelementptr double, ptr %base, i64 %first
  %offsets = getelementptr i32, ptr %record, i64 1
{_block(width, "near", "%target", "%row", "%offsets", "grouped")}grouped:
  %nextgroup = add i64 %g, 1
  %moregroups = icmp slt i64 %nextgroup, %nears
  br i1 %moregroups, label %group, label %done
chunk:
  %c = phi i64 [0, %tile], [%nextchunk, %chunkdone]
  %placec = mul i64 %c, {1 + CHUNK + CARRIED}
  %recordc = getelementptr i32, ptr %far, i64 %placec
  %numberc = load i32, ptr %recordc, align 4
  %chunknumber = zext i32 %numberc to i64
  %start = mul i64 %chunknumber, {8 * CHUNK}
  %offsetsc = getelementptr i32, ptr %recordc, i64 1
  br label %fill
fill:
  %f = phi i64 [0, %chunk], [%nextfill, %filled]
  %fplace = mul i64 %f, {8 * width}
  %within = getelementptr i8, ptr %buffer, i64 %fplace
  %fentry = mul i64 %f, {width}
  %fat = getelementptr i32, ptr %offsetsc, i64 %fentry
{_block(width, "far", "%within", str(_ROW), "%fat", "filled")}filled:
  %nextfill = add i64 %f, 1
  %morefill = icmp slt i64 %nextfill, {groups}
  br i1 %morefill, label %fill, label %copy
copy:
  %r = phi i64 [0, %filled], [%nextrow, %copied]
  %rowplace = mul i64 %r, %row
  %rowstart = getelementptr i8, ptr %base, i64 %rowplace
  %address = ptrtoint ptr %rowstart to i64
  %over = and i64 %address, {LINE - 1}
  %shift = sub i64 %start, %over
  %line = getelementptr i8, ptr %rowstart, i64 %shift
  %bufferplace = mul i64 %r, {_ROW}
  %back = sub i64 {8 * CARRIED}, %over
  %sourceplace = add i64 %bufferplace, %back
  %source = getelementptr i8, ptr %buffer, i64 %sourceplace
  %low = call i64 @llvm.smax.i64(i64 %shift, i64 0)
  %end = add i64 %shift, {8 * CHUNK}
  %high = call i64 @llvm.smin.i64(i64 %end, i64 %row)
  %length = sub i64 %high, %low
  %whole = icmp eq i64 %length, {8 * CHUNK}
  br i1 %whole, label %lines, label %ends
lines:
{lines}  br label %copied
ends:
  %rest = icmp sgt i64 %length, 0
  br i1 %rest, label %part, label %copied
part:
  %skipped = sub i64 %low, %shift
  %psource = getelementptr i8, ptr %source, i64 %skipped
  %ptarget = getelementptr i8, ptr %rowstart, i64 %low
  call void @stream(ptr %ptarget, ptr %psource, i64 %length)
  br label %copied
copied:
  %nextrow = add i64 %r, 1
  %morerows = icmp slt i64 %nextrow, {width}
  br i1 %morerows, label %copy, label %chunkdone
chunkdone:
  %nextchunk = add i64 %c, 1
  %morechunks = icmp slt i64 %nextchunk, %fars
  br i1 %morechunks, label %chunk, label %done
done:
  %nexttile = add i64 %t, 1
  %moretiles = icmp slt i64 %nexttile, %tiles
  br i1 %moretiles, label %tile, label %finished
finished:
  ret void
}}
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
"""
