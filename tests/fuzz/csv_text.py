"""CSV as rows of cells, and rows as CSV."""

from __future__ import annotations

from random import Random

from . import raw
from .values import name, number, scalar


def mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return a changed table: mostly its cells, sometimes its bytes."""
    if rng.random() < 0.25:
        return raw.mutate(rng, data, others)
    rows = [line.split(",") for line in data.decode().splitlines()]
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(CHANGES)(rng, rows)
    comma = rng.choice((",",) * 12 + (";", "\t", ", ", " ,"))
    end = rng.choice(("\n",) * 12 + ("\r\n", "\r", "\n\n"))
    return end.join(comma.join(row) for row in rows).encode("utf-8", "replace") + rng.choice((b"", b"\n"))


def _cell(rng: Random, rows: list[list[str]]) -> None:
    row = rng.choice(rows)
    if row:
        row[rng.randrange(len(row))] = number(rng) if rng.random() < 0.7 else scalar(rng, [])


def _title(rng: Random, rows: list[list[str]]) -> None:
    if rows and rows[0]:
        rows[0][rng.randrange(len(rows[0]))] = name(rng, rows[0])


def _quote(rng: Random, rows: list[list[str]]) -> None:
    row = rng.choice(rows)
    if row:
        k = rng.randrange(len(row))
        row[k] = rng.choice(('"{}"', '"{}', '{}"', '"{}\n"', '"{},"', ' "{}"')).format(row[k])


def _column(rng: Random, rows: list[list[str]]) -> None:
    k = rng.randrange(max(1, len(rows[0])))
    change = rng.randrange(3)
    for row in rows:
        if k < len(row):
            if change == 0:
                del row[k]
            elif change == 1:
                row.insert(rng.randrange(len(row) + 1), row[k])
            else:
                row[k] = scalar(rng, [])


def _wide(rng: Random, rows: list[list[str]]) -> None:
    """Add columns, thousands of them."""
    count = rng.choice((1, 10, 300, 3000))
    for k, row in enumerate(rows):
        row.extend(f"extra_{i}" if k == 0 else "0" for i in range(count))


def _line(rng: Random, rows: list[list[str]]) -> None:
    k = rng.randrange(len(rows))
    change = rng.randrange(4)
    if change == 0 and len(rows) > 1:
        del rows[k]
    elif change == 1:
        rows[k:k] = [list(rows[k]) for _ in range(rng.choice((1, 10, 1000)))]
    elif change == 2:
        rows[k] = rows[k][: rng.randrange(len(rows[k]) + 1)]
    else:
        rows.insert(k, [])


CHANGES = (_cell, _cell, _cell, _title, _title, _quote, _column, _wide, _line, _line)
