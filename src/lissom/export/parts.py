"""Parts: a long listing cut into functions, which hand values on in a workspace of known size.

Compilers take time that grows faster than the length of a function, and spill more. A value that a later part uses has a place in
the workspace until its last reader is through; what a part writes of the results stands where their values are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..compiler.statements import Expression, Listing, Statement, names_in

LONG, PART = 6000, 1500  # instructions in a function that is not cut; statements in a part


@dataclass
class Part:
    """A part of a function.

    Attributes:
        statements: in order.
        loads, stores: place in the workspace of each name from an earlier part, and for a later one.
        results: (output, entry, expression) that it writes.
    """

    statements: tuple[Statement, ...]
    loads: dict[str, int] = field(default_factory=dict)
    stores: dict[str, int] = field(default_factory=dict)
    results: list[tuple[int, int, Expression]] = field(default_factory=list)


def cut(listing: Listing, length: int, long: int = LONG, part: int = PART) -> tuple[list[Part], int]:
    """Return the parts of a listing whose program has `length` instructions, and the numbers that the workspace holds."""
    statements = listing.statements
    count = 1 if length <= long else -(-len(statements) // part)
    bounds = [len(statements) * k // count for k in range(count + 1)]
    parts = [Part(statements[start:stop]) for start, stop in zip(bounds, bounds[1:], strict=False)]
    home = {name: k for k, one in enumerate(parts) for statement in one.statements for name in statement.names if name}
    for output, entries in enumerate(listing.results):
        for entry, expression in enumerate(entries):
            writer = max((home[name] for name in names_in(expression)), default=0)
            parts[writer].results.append((output, entry, expression))
    return parts, _share(parts, home)


def _share(parts: list[Part], home: dict[str, int]) -> int:
    """Give every value that crosses parts a place; return how many there are."""
    used = [
        dict.fromkeys(
            name
            for expression in (*(s.expression for s in part.statements), *(e for _, _, e in part.results))
            for name in names_in(expression)
        )
        for part in parts
    ]
    last = {name: k for k, names in enumerate(used) for name in names}
    place: dict[str, int] = {}
    free: list[int] = []
    leaving: dict[int, list[int]] = {}
    count = 0
    for k, part in enumerate(parts):
        free += leaving.pop(k - 1, [])  # free again one part after its last reader
        part.loads = {name: place[name] for name in used[k] if home[name] < k}
        for name, own in home.items():
            if own == k and last.get(name, k) > k:
                if not free:
                    free.append(count)
                    count += 1
                part.stores[name] = place[name] = free.pop()
                leaving.setdefault(last[name], []).append(place[name])
    return count
