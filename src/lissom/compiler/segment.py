"""Segment: cut a long program into pieces that fit the processor's instruction cache.

Straight-line code of 50,000 instructions does not: every tile of samples would fetch all of it again, and compile time grows
faster than the length. Each piece instead runs over several tiles before the next piece starts. Values that cross a cut are
stored in numbered slots of a scratch memory; constants and inputs are loaded again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from .program import ADD, CONST, COS, EXP, INPUT, LEAVES, LESS, LOG, SELECT, SIN, SQRT, TANH, Port, Program, operands

LIMIT = 2000  # cost of a piece: about 4,000 machine instructions, 30 KiB
_LONG = 20000  # cost of a program from which pieces are half as long: the compiler is faster then, and the code not slower
_LONG_DELIVERED = 50000  # the same where results are delivered, which takes a block of one or two tiles
_COST = {CONST: 0, INPUT: 0, SIN: 14, COS: 14, SQRT: 8, EXP: 26, LOG: 34, TANH: 48, LESS: 4, SELECT: 4}  # others 1
_WRITING = 4  # transposing and storing an entry
_WIDE = 128  # numbers in a row from which it is long
_DELIVERED = 1024  # numbers in a row from which it is delivered from slots; shorter ones gain nothing, and take a tenth more time
CHUNK = 64  # results of a long row that are delivered at a time, eight lines of the cache
CARRIED = 8  # results before a chunk that share its first line


@dataclass
class Segment:
    """A piece of a program.

    Attributes:
        start, stop: positions in the code.
        loads, stores: slot of each value from an earlier piece, or for a later one.
        outputs: (output, first entry) of the groups of results that it writes.
        chunks: (output, chunk) of longer rows that are complete after it, to be delivered from the slots.
        slots: slot of each result in these.
    """

    start: int
    stop: int
    loads: dict[int, int] = field(default_factory=dict)
    stores: dict[int, int] = field(default_factory=dict)
    outputs: list[tuple[int, int]] = field(default_factory=list)
    chunks: list[tuple[int, int]] = field(default_factory=list)
    slots: dict[int, int] = field(default_factory=dict)


def cut(program: Program, group: int, limit: int | None = None) -> tuple[list[Segment], int]:
    """Return the pieces and the number of slots; results are written in groups of `group` entries."""
    if limit is None:
        long = _LONG_DELIVERED if delivered(program, group) else _LONG
        limit = LIMIT if sum(_costs(program)) < long else LIMIT // 2
    segments, home = _pieces(program, limit)
    last_use = _last_uses(program, segments, home, group, limit)
    waiting = [_delivered_by(program, segment, group) for segment in segments]
    kept = {x for values in waiting for x in values}
    free: list[int] = []
    leaving: dict[int, list[int]] = {}
    slot_of: dict[int, int] = {}
    slots = 0
    for k, segment in enumerate(segments):
        # a slot is free again one piece after its last reader
        free += leaving.pop(k - 1, [])
        own = [x for x in range(segment.start, segment.stop) if last_use.get(x, k) > k or x in kept and x in last_use]
        for position in own + sorted(x for x in waiting[k] if x not in last_use):
            slot = free.pop() if free else slots
            slots = max(slots, slot + 1)
            segment.stores[position] = slot_of[position] = slot
            leaving.setdefault(last_use.get(position, k), []).append(slot)
        segment.slots = {x: slot_of[x] for x in waiting[k]}
    for k, segment in enumerate(segments):
        used = {x for position in range(segment.start, segment.stop) for x in _operands(program, position)}
        used |= {x for output, first in segment.outputs for x in program.results[output][first : first + group]}
        segment.loads = {x: slot_of[x] for x in sorted(used) if x in last_use and x in slot_of and home[x] < k}
    return segments, slots


def delivered(program: Program, group: int) -> list[int]:
    """Return the outputs with rows so long that they wait in slots to be delivered; of one sample, none do."""
    return [k for k, port in enumerate(program.outputs) if group > 1 and port.size >= _DELIVERED]


def groups_of(n: int, chunk: int, group: int) -> tuple[list[int], list[int]]:
    """Return the groups of a chunk of a row of n results by their first: to be written in place, and by whole lines.

    In place, the last group overlaps the one before it, so as not to write past the row. Whole lines may begin with results
    before the chunk, and beyond a row there is nothing.
    """
    start = chunk * CHUNK
    near = [min(first, n - group) for first in range(start, min(start + CHUNK, n), group)]
    return near, list(range(start - CARRIED, start + CHUNK, group))


def are_zero(program: Program, values: Iterable[int]) -> bool:
    """Return whether all values are zero for all inputs."""
    return all(program.code[x] == (CONST, 0.0, None) for x in values)


def _chunk_values(program: Program, output: int, chunk: int, group: int) -> set[int]:
    """Return the values that a chunk needs in slots."""
    entries = program.results[output]
    near, far = groups_of(len(entries), chunk, group)
    groups = [entries[max(first, 0) : max(first + group, 0)] for first in (*near, *far)]
    return {x for values in groups for x in values if not are_zero(program, values)}


def _delivered_by(program: Program, segment: Segment, group: int) -> set[int]:
    return {x for output, chunk in segment.chunks for x in _chunk_values(program, output, chunk, group)}


def is_wide(port: Port) -> bool:
    """Return whether an output has long rows; see `lower/stage.py`."""
    return port.size >= _WIDE


def blank_groups(program: Program, output: int, group: int) -> set[int]:
    """Return the groups of a long row, by their first entry, that are zero for all inputs: no piece writes them."""
    if not is_wide(program.outputs[output]):
        return set()
    entries = program.results[output]
    firsts = range(0, len(entries), group)
    return {first for first in firsts if are_zero(program, entries[first : first + group])}


def angle(program: Program, position: int) -> tuple[int, float]:
    """Return the value and the constant whose sum is the argument of a sine or cosine; see `trigonometry.py`."""
    a = int(program.code[position][1])
    op, x, y = program.code[a][:3]
    if op == ADD:
        for constant, other in ((int(x), int(y or 0)), (int(y or 0), int(x))):
            value = program.code[constant][1]
            if program.code[constant][0] == CONST and abs(value) <= math.pi / 4:
                return other, float(value)
    return a, 0.0


def _operands(program: Program, position: int) -> tuple[int, ...]:
    instruction = program.code[position]
    return (angle(program, position)[0],) if instruction[0] in (SIN, COS) else operands(instruction)


def _costs(program: Program) -> list[int]:
    return [_COST.get(instruction[0], 1) for instruction in program.code]


def _pieces(program: Program, limit: int) -> tuple[list[Segment], list[int]]:
    """Cut where the cost reaches the limit; return the pieces and the piece of every instruction."""
    cost = _costs(program)
    count = max(1, -(-sum(cost) // limit))
    share = sum(cost) / count
    segments: list[Segment] = []
    home: list[int] = []
    done = start = 0
    for position, c in enumerate(cost):
        if done >= share * (len(segments) + 1):
            segments.append(Segment(start, position))
            start = position
        done += c
        home.append(len(segments))
    segments.append(Segment(start, len(cost)))
    return segments, home


def _last_uses(program: Program, segments: list[Segment], home: list[int], group: int, limit: int) -> dict[int, int]:
    """Return the last piece that reads each computed value, and set the piece that writes each group of results.

    A piece writes complete groups, up to the limit; the rest gets separate pieces at the end.
    """
    last: dict[int, int] = {}
    for position in range(len(program.code)):
        for x in _operands(program, position):
            last[x] = home[position]
    room = max(1, limit // (_WRITING * group))  # groups that a piece may write
    long = delivered(program, group)
    for output, entries in enumerate(program.results):
        if output in long:
            for chunk in range(-(-(len(entries) + CARRIED - 1) // CHUNK)):
                values = _chunk_values(program, output, chunk, group)
                writer = max((home[x] for x in values if program.code[x][0] not in LEAVES), default=0)
                segments[writer].chunks.append((output, chunk))
                for x in values:
                    last[x] = max(last.get(x, 0), writer)
            continue
        blank = blank_groups(program, output, group)
        for first in range(0, len(entries), group):
            if first in blank:
                continue
            writer = max(home[x] for x in entries[first : first + group])
            if len(segments[writer].outputs) >= room:
                if segments[-1].start < len(program.code) or len(segments[-1].outputs) >= room:
                    segments.append(Segment(len(program.code), len(program.code)))
                writer = len(segments) - 1
            segments[writer].outputs.append((output, first))
            for x in entries[first : first + group]:
                last[x] = max(last.get(x, 0), writer)
    # constants and inputs are loaded again, not kept
    return {x: k for x, k in last.items() if program.code[x][0] not in LEAVES}
