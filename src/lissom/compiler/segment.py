"""Segment: cut a long program into pieces that fit the processor's instruction cache.

Straight-line code of 50,000 instructions does not: every tile of samples would fetch all of it again, and compile time grows
faster than the length. Each piece instead runs over several tiles before the next piece starts. Values that cross a cut are
stored in numbered slots of a scratch memory; constants and inputs are loaded again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .program import ADD, CONST, COS, EXP, INPUT, LESS, LOG, SELECT, SIN, SQRT, TANH, Port, Program, operands

LIMIT = 2000  # cost of a piece: about 4,000 machine instructions, 30 KiB
_LONG = 20000  # cost of a program from which pieces are half as long: the compiler is faster then, and the code not slower
_COST = {CONST: 0, INPUT: 0, SIN: 14, COS: 14, SQRT: 8, EXP: 26, LOG: 34, TANH: 48, LESS: 4, SELECT: 4}  # others 1
_WRITING = 4  # transposing and storing an entry
_WIDE = 128  # numbers in a row from which it is long


@dataclass
class Segment:
    """A piece of a program.

    Attributes:
        start, stop: positions in the code.
        loads, stores: slot of each value from an earlier piece, or for a later one.
        outputs: (output, first entry) of the groups of results that it writes.
    """

    start: int
    stop: int
    loads: dict[int, int] = field(default_factory=dict)
    stores: dict[int, int] = field(default_factory=dict)
    outputs: list[tuple[int, int]] = field(default_factory=list)


def cut(program: Program, group: int, limit: int | None = None) -> tuple[list[Segment], int]:
    """Return the pieces and the number of slots; results are written in groups of `group` entries."""
    if limit is None:
        limit = LIMIT if sum(_costs(program)) < _LONG else LIMIT // 2
    segments, home = _pieces(program, limit)
    last_use = _last_uses(program, segments, home, group, limit)
    free: list[int] = []
    leaving: dict[int, list[int]] = {}
    slot_of: dict[int, int] = {}
    slots = 0
    for k, segment in enumerate(segments):
        # a slot is free again one piece after its last reader
        free += leaving.pop(k - 1, [])
        for position in range(segment.start, segment.stop):
            last = last_use.get(position, k)
            if last > k:
                slot = free.pop() if free else slots
                slots = max(slots, slot + 1)
                segment.stores[position] = slot_of[position] = slot
                leaving.setdefault(last, []).append(slot)
    for k, segment in enumerate(segments):
        used = {x for position in range(segment.start, segment.stop) for x in _operands(program, position)}
        used |= {x for output, first in segment.outputs for x in program.results[output][first : first + group]}
        segment.loads = {x: slot_of[x] for x in sorted(used) if x in slot_of and home[x] < k}
    return segments, slots


def is_wide(port: Port) -> bool:
    """Return whether an output has long rows; see `lower/stage.py`."""
    return port.size >= _WIDE


def blank_groups(program: Program, output: int, group: int) -> set[int]:
    """Return the groups of a long row, by their first entry, that are zero for all inputs: no piece writes them."""
    if not is_wide(program.outputs[output]):
        return set()
    entries = program.results[output]
    is_zero = [program.code[x] == (CONST, 0.0, None) for x in entries]
    return {first for first in range(0, len(entries), group) if all(is_zero[first : first + group])}


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
    for output, entries in enumerate(program.results):
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
    return {x: k for x, k in last.items() if program.code[x][0] not in (CONST, INPUT)}
