"""Transposing tiles in registers: rows of an (N, n) array in memory, columns in the program.

A tile is `width` rows. Reading loads them as vectors and exchanges their entries in log2(width) stages of shuffles that every
instruction set has in hardware: first neighbors, then 128-bit halves.
"""

from __future__ import annotations

from .emitter import Emitter


def _shuffle(e: Emitter, a: str, b: str, picks: list[int]) -> str:
    mask = ", ".join(f"i32 {k}" for k in picks)
    return e.value(f"shufflevector {e.vector} {a}, {e.vector} {b}, <{e.width} x i32> <{mask}>")


def transpose(e: Emitter, rows: list[str]) -> list[str]:
    """Return the columns of a square block given as rows."""
    W = e.width
    if W == 1:
        return rows
    # neighbors: even and odd entries of a pair of rows
    even = [k + s for k in range(0, W, 2) for s in (0, W)]
    odd = [k + 1 for k in even]
    pairs = [(rows[r], rows[r + 1]) for r in range(0, W, 2)]
    first = _unzip(e, [_shuffle(e, a, b, even) for a, b in pairs])
    second = _unzip(e, [_shuffle(e, a, b, odd) for a, b in pairs])
    return [column for both in zip(first, second, strict=True) for column in both]


def _unzip(e: Emitter, values: list[str]) -> list[str]:
    """Sort 128-bit pieces: piece c of every value goes to result c."""
    if len(values) == 1:
        return values
    W = e.width
    keep = [k for k in range(2 * W) if k % 4 < 2]
    low = [_shuffle(e, a, b, keep) for a, b in zip(values[::2], values[1::2], strict=True)]
    high = [_shuffle(e, a, b, [k + 2 for k in keep]) for a, b in zip(values[::2], values[1::2], strict=True)]
    evens, odds = _unzip(e, low), _unzip(e, high)
    return [piece for both in zip(evens, odds, strict=True) for piece in both]


def _first(e: Emitter, count: int) -> str:
    return "<" + ", ".join(f"i1 {str(k < count).lower()}" for k in range(e.width)) + ">"


def load_columns(e: Emitter, base: str, n: int, start: int) -> list[str]:
    """Load columns start .. start + width - 1 (as many as there are) of a tile of (width, n) at pointer `base`."""
    W, v = e.width, e.vector
    count = min(W, n - start)
    rows = []
    for r in range(W):
        at = e.value(f"getelementptr double, ptr {base}, i64 {r * n + start}")
        if r * n + start + W <= W * n:  # reading on into the next row is harmless inside the tile
            rows.append(e.value(f"load {v}, ptr {at}, align 8"))
        else:
            mask = _first(e, count)
            rows.append(
                e.value(f"call {v} @llvm.masked.load.{e.suffix}.p0(ptr {at}, i32 8, {e.mask} {mask}, {v} zeroinitializer)")
            )
    return transpose(e, rows)[:count]


def store_rows(e: Emitter, base: str, n: int, groups: dict[int, list[str]]) -> None:
    """Store groups of up to `width` columns, keyed by their first, into the rows of a tile of (width, n) at pointer `base`.

    If all columns are there, a row may be written past its end: the next row's store puts that right. Otherwise, and at the
    end of the tile, the store is masked.
    """
    W, v = e.width, e.vector
    blocks = {first: transpose(e, [*columns, *["poison"] * (W - len(columns))]) for first, columns in sorted(groups.items())}
    whole = sum(map(len, groups.values())) == n
    for r in range(W):
        for first, block in blocks.items():
            count = len(groups[first])
            at = e.value(f"getelementptr double, ptr {base}, i64 {r * n + first}")
            if count == W or (whole and r * n + first + W <= W * n):
                e.line(f"store {v} {block[r]}, ptr {at}, align 8")
            else:
                e.line(
                    f"call void @llvm.masked.store.{e.suffix}.p0({v} {block[r]}, ptr {at}, i32 8, {e.mask} {_first(e, count)})"
                )
