"""Stage: where blocks of results with long rows are computed, and how they get from there to the caller's array.

A batch of such results may be more than the caches hold. Pieces write them line by line all over a block, and every line of an
array out of the cache would be read before it is written. So a block is then computed in a stage of a few hundred KiB that stays
in the cache, and copied out in one go, past the caches; what is zero in every row is zero on the stage from the start. A batch
that fits the caches is computed in place, with zeros filled in block by block. docs/why/mass-matrix-memory.md has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..program import Program
from ..segment import blank_groups, delivered, is_wide
from .memory import HEAP, LINE, aligned, zero


@dataclass(frozen=True)
class Stage:
    """IR around the pieces: once before the blocks, before and after the pieces of a block, and at the end.

    Attributes:
        where: the prefix of the pointer that the pieces write to, for the outputs concerned, by number among all arguments.
    """

    declared: str = ""
    get: str = "  br label %start\nstart:\n"
    place: str = ""
    away: str = ""
    give: str = ""
    where: frozenset[int] = frozenset()


def wide_outputs(program: Program, width: int) -> dict[int, int]:
    """Return the sizes of the outputs with long rows that pieces write, by number among all arguments."""
    apart, ports = delivered(program, width), enumerate(program.outputs)
    return {len(program.inputs) + k: port.size for k, port in ports if is_wide(port) and k not in apart}


def zero_outputs(program: Program, width: int, prefix: str) -> str:
    """Return instructions that set a tile to zero for every output with groups that no piece writes."""
    wide = wide_outputs(program, width)
    return "".join(zero(f"%{prefix}{k}", str(wide[k] * width * 8)) for k in _blank(program, width))


def stage(program: Program, width: int, in_turn: int, refuse: str) -> Stage:
    """Return the stage of a program; `refuse` frees the memory already held if the stage gets none."""
    wide, blank = wide_outputs(program, width), _blank(program, width)
    if not wide:
        return Stage()
    parts = place = away = ""
    size = 0
    for k, n in wide.items():
        parts += f"  %g{k} = getelementptr double, ptr %stage, i64 {size}\n"
        place += f"""  %c{k} = mul i64 %count, {n * width * 8}
  %d{k} = select i1 %large, i64 0, i64 %c{k}
  %e{k} = select i1 %large, i64 %c{k}, i64 0
  %w{k} = select i1 %large, ptr %g{k}, ptr %a{k}
"""
        place += zero(f"%w{k}", f"%d{k}") if k in blank else ""
        away += f"  call void @stream(ptr %a{k}, ptr %w{k}, i64 %e{k})\n"
        size += n * width * in_turn
    get = f"""  br i1 %large, label %build, label %start
build:
  %raw = call ptr @malloc(i64 {size * 8 + LINE})
  %noplace = icmp eq ptr %raw, null
  br i1 %noplace, label %refusestage, label %built
refusestage:
{refuse}  ret i64 2
built:
{aligned("%raw", "%board")}{zero("%board", str(size * 8))}  br label %start
start:
  %stage = phi ptr [null, %ready], [%board, %built]
  %held = phi ptr [null, %ready], [%raw, %built]
{parts}"""
    return Stage(HEAP, get, place, away, "  call void @free(ptr %held)\n", frozenset(wide))


def _blank(program: Program, width: int) -> list[int]:
    return [k for k in wide_outputs(program, width) if blank_groups(program, k - len(program.inputs), width)]
